"""Sentences that name what their citation names, and say the contrary; beside each the honest one that must stay supported."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from backend.container import Container
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.note_pieces import pasted_pieces
from backend.schemas.drafts.draft import Verdict, WrittenSentence
from backend.schemas.drafts.evidence import Evidence, NotePiece, Passage
from backend.schemas.vocabulary import Basis, Source, Support
from backend.verification.support.event_direction import EventDirection, course_events, medicine_events
from backend.verification.support.opposites import denied_words, opposites, prefixed_opposites
from backend.verification.support.support import PARTIAL_AT, SUPPORTED_AT, CitedTextVerifier

# N1 allergies, N2 warfarin, N3 gout, N4 no fever, N5 cough over, N6 naproxen stopped, N7 mother, N8 pneumonia perhaps, N9 raised,
# N10 knee, N11 chest x-ray
NOTE = (
    "Allergies: lisinopril (rash)\n\nHistory of Present Illness: She takes warfarin 5 mg daily. She has gout. She denies fever. Her "
    "cough resolved. She stopped naproxen last week. Her mother had a rash. Possible pneumonia. Furosemide was increased to 40 mg daily. "
    "Left leg swelling improved after rest. The chest x-ray was positive for a new shadow."
)
BOOK = "Warfarin thins the blood. Take amoxicillin after meals. Heart failure can cause cough."
Check = Callable[..., Verdict]


@pytest.fixture
def check(tiny_linker: DictionaryLinker, encoder: Any) -> Check:
    linked = tiny_linker.link(NOTE)
    pieces = [piece.model_copy(update={"id": f"N{i}"}) for i, piece in enumerate(pasted_pieces(linked), start=1)]
    home = NotePiece(
        id="N20", note_type="Discharge medicines", section="", text="amoxicillin 500 mg", start_char=0, end_char=18
    )
    book = Passage(
        id="P1",
        source=Source.BOOK,
        document_id="d",
        title="t",
        text=BOOK,
        start_char=0,
        end_char=len(BOOK),
        concept_id="T:gout",
    )
    verifier = CitedTextVerifier(tiny_linker, encoder)

    def verdict(text: str, *citations: str, basis: Basis = Basis.PATIENT) -> Verdict:
        sentence = WrittenSentence(text=text, section="s", basis=basis, citations=citations)
        (found,) = verifier.verify([sentence], linked, Evidence(notes=(*pieces, home), passages=(book,)))
        return found

    return verdict


@pytest.mark.parametrize(
    ("text", "cited", "why"),
    [
        ("You are not allergic to lisinopril.", "N1", "lists the allergy"),
        ("You have no known allergies.", "N1", "lists the allergy"),
        ("Lisinopril is safe for you.", "N1", "an allergy to: lisinopril"),
        ("You take lisinopril.", "N1", "an allergy to: lisinopril"),
        ("Stop warfarin today.", "N2", "taken, not stopped"),
        ("You no longer take warfarin.", "N2", "taken, not stopped"),
        ("Your gout was cured.", "N3", "does not say that it is over"),
        ("You do not have gout.", "N3", "states: gout"),
        ("You had a fever.", "N4", "denies: fever"),
        ("You still have a cough.", "N5", "over: cough"),
        ("You take naproxen.", "N6", "stopped, not taken"),
        ("You had a rash.", "N7", "of the family: rash"),
        ("Furosemide was decreased to 40 mg.", "N9", "increased, not decreased"),
        ("Left leg swelling worsened after rest.", "N10", "better, not worse"),
        ("Left leg swelling improved before rest.", "N10", "after, not before"),
        ("The chest x-ray was negative.", "N11", "positive, not negative"),
        ("Stop amoxicillin.", "N20", "taken, not stopped"),
    ],
)
def test_the_contrary_of_the_cited_text_has_no_support(check: Check, text: str, cited: str, why: str) -> None:
    verdict = check(text, cited)
    assert (verdict.support, verdict.score) == (Support.UNSUPPORTED, 0.0)
    assert why in verdict.reason


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("You are allergic to lisinopril.", "N1"),
        ("You take warfarin.", "N2"),
        ("Do not stop warfarin.", "N2"),
        ("You have gout.", "N3"),
        ("You had no fever.", "N4"),
        ("Your cough went away.", "N5"),
        ("You stopped naproxen.", "N6"),
        ("Your mother had a rash.", "N7"),
        ("You may have pneumonia.", "N8"),
        ("Furosemide was raised to 40 mg.", "N9"),
        ("Your left leg swelling got better after rest.", "N10"),
        ("Take amoxicillin 500 mg.", "N20"),
    ],
)
def test_the_honest_sentence_beside_it_is_supported(check: Check, text: str, cited: str) -> None:
    verdict = check(text, cited)
    assert verdict.support == Support.SUPPORTED, verdict.reason


@pytest.mark.parametrize(
    ("text", "cited", "why"),
    [
        ("You have pneumonia.", "N8", "not certain of: pneumonia"),
        ("Warfarin 5 mg daily was started.", "N2", "does not say that warfarin was started"),
    ],
)
def test_what_goes_beyond_the_cited_text_is_partial(check: Check, text: str, cited: str, why: str) -> None:
    verdict = check(text, cited)
    assert verdict.support == Support.PARTIAL
    assert why in verdict.reason


def test_an_allergy_the_note_does_not_list_is_no_fact(check: Check) -> None:
    verdict = check("You are allergic to warfarin.", "N2")
    assert verdict.support != Support.SUPPORTED
    assert "no allergy to: warfarin" in verdict.reason


def test_words_cut_out_of_a_denial_are_no_quote(check: Check) -> None:
    assert check("She denies fever.", "N4").reason == "word for word"
    assert check("stopped naproxen last week", "N6").reason != "word for word"


def test_a_book_about_something_else_says_nothing_of_the_patient(check: Check) -> None:
    # P1 tells of gout, which N3 names; N4 does not
    assert check("You have gout and heart failure.", "N3", "P1").support == Support.SUPPORTED
    assert check("You have heart failure.", "N4", "P1").support == Support.UNSUPPORTED


def test_general_text_is_held_to_its_opposites_as_well(check: Check) -> None:
    assert check("Take amoxicillin before meals.", "P1", basis=Basis.GENERAL).score == 0.0
    assert check("Heart failure does not cause cough.", "P1", basis=Basis.GENERAL).score == 0.0


def test_a_kind_of_what_is_cited_is_carried_where_the_kinds_are_known(
    tiny_linker: DictionaryLinker, encoder: Any, named: Any
) -> None:
    linked = tiny_linker.link("She takes furosemide daily. She takes no warfarin.")
    pieces = [piece.model_copy(update={"id": f"N{i}"}) for i, piece in enumerate(pasted_pieces(linked), start=1)]
    broader = {named("furosemide"): (named("antihypertensive"),), named("warfarin"): (named("NSAID"),)}
    wording = [
        WrittenSentence(
            text="You take an antihypertensive daily.", section="s", basis=Basis.PATIENT, citations=("N1",)
        ),
        WrittenSentence(text="You take an NSAID.", section="s", basis=Basis.PATIENT, citations=("N2",)),
    ]
    knowing = CitedTextVerifier(tiny_linker, encoder, kinds=lambda concept: broader.get(concept, ()))
    found = knowing.verify(wording, linked, Evidence(notes=tuple(pieces)))
    assert [verdict.support == Support.SUPPORTED for verdict in found] == [
        True,
        False,
    ]  # what is denied carries no kind
    plain = CitedTextVerifier(tiny_linker, encoder).verify(wording, linked, Evidence(notes=tuple(pieces)))
    assert plain[0].support != Support.SUPPORTED


def test_a_score_never_contradicts_its_mark(check: Check) -> None:
    for text in (
        "You take warfarin.",
        "You take warfarin and furosemide.",
        "You take warfarin 50 mg.",
        "You take ibuprofen.",
    ):
        verdict = check(text, "N2")
        assert verdict.score is not None
        low, high = {
            Support.SUPPORTED: (SUPPORTED_AT, 1.0),
            Support.PARTIAL: (PARTIAL_AT, SUPPORTED_AT),
            Support.UNSUPPORTED: (0.0, PARTIAL_AT),
        }[verdict.support]
        assert low <= verdict.score <= high


@pytest.mark.parametrize(
    ("text", "directions"),
    [
        ("Stop warfarin and start furosemide.", {"warfarin": EventDirection.ENDS, "furosemide": EventDirection.STARTS}),
        (
            "Warfarin was stopped and furosemide was started.",
            {"warfarin": EventDirection.ENDS, "furosemide": EventDirection.STARTS},
        ),
        ("Furosemide 40 mg was increased.", {"furosemide": EventDirection.MORE}),
        ("Do not stop warfarin.", {"warfarin": EventDirection.RUNS}),
        ("You will discontinue the use of warfarin.", {"warfarin": EventDirection.ENDS}),
        ("Discontinue taking: warfarin.", {"warfarin": EventDirection.ENDS}),
        ("Do not take ibuprofen.", {"ibuprofen": EventDirection.ENDS}),
        (
            "You were switched from warfarin to furosemide.",
            {"warfarin": EventDirection.ENDS, "furosemide": EventDirection.STARTS},
        ),
        ("Warfarin 5 mg daily - held", {"warfarin": EventDirection.ENDS}),
    ],
)
def test_each_medicine_has_the_direction_of_its_own_verb(
    tiny_linker: DictionaryLinker, named: Any, text: str, directions: dict[str, EventDirection]
) -> None:
    found = medicine_events(text, tiny_linker.link(text).note.mentions)
    assert found == {named(name): {direction} for name, direction in directions.items()}


def test_the_title_of_a_sentence_does_not_go_the_way_of_what_is_told_under_it(
    tiny_linker: DictionaryLinker, named: Any
) -> None:
    text = "About fever: you had increased dyspnea."
    found = course_events(text, tiny_linker.link(text).note.mentions)
    assert found == {named("fever"): set(), named("dyspnea"): {EventDirection.WORSE}}


def test_each_complaint_goes_its_own_way(tiny_linker: DictionaryLinker, named: Any) -> None:
    text = "Her cough resolved, fever persists, and the rash has improved."
    found = course_events(text, tiny_linker.link(text).note.mentions)
    assert found == {
        named("cough"): {EventDirection.OVER},
        named("fever"): {EventDirection.WORSE},
        named("rash"): {EventDirection.BETTER},
    }


def test_opposites_are_held_against_the_clause_that_tells_of_the_same() -> None:
    cited = ["Potassium high, sodium low."]
    assert opposites("Sodium was high.", cited, ())[0].there == "lowered"
    assert opposites("Sodium was low.", cited, ()) == []
    assert opposites("Your sodium is fine.", cited, ()) == []


def test_the_other_half_of_a_word_is_its_opposite() -> None:
    assert prefixed_opposites({"hyperkalemia"}, {"hypokalemia"})[0].there == "hypokalemia"
    assert prefixed_opposites({"hyperkalemia"}, {"hyperkalemia", "hypokalemia"}) == []


def test_a_denial_reaches_through_its_list_and_no_further() -> None:
    found = denied_words("She denies fever, chills or night sweats. She has cough")
    assert {"fever", "chills", "sweats"} <= found
    assert not re.search("cough", " ".join(found))


def test_what_the_plan_holds_was_still_taken(container: Container) -> None:
    note = "HPI: She keeps taking metformin 500 mg BD.\n\nPlan: Hold metformin until the kidneys recover."
    linked = container.linker.link(note)
    pieces = tuple(one.model_copy(update={"id": f"N{i}"}) for i, one in enumerate(pasted_pieces(linked), start=1))
    taken, held = (next(one.id for one in pieces if word in one.text) for word in ("taking", "Hold"))
    sentences = [
        WrittenSentence(text="You keep taking metformin.", section="s", basis=Basis.PATIENT, citations=(cited,))
        for cited in (taken, held)
    ]
    found = CitedTextVerifier(container.linker, container.encoder).verify(sentences, linked, Evidence(notes=pieces))
    assert [one.support for one in found] == [Support.SUPPORTED, Support.UNSUPPORTED]


def test_a_time_told_from_the_visit_is_no_order_of_two_events() -> None:
    cited = ["He vomited last night after feedings with coughing."]
    assert not opposites("The night before you were seen, you vomited with coughing.", cited, ())
    assert not opposites("The night before your child was seen, your child vomited with coughing.", cited, ())
