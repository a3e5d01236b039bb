"""Support: what the cited text carries, what it does not, and what can never count."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.note_pieces import pasted_pieces
from backend.schemas.drafts.draft import Verdict, WrittenSentence
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.vocabulary import Basis, Support
from backend.verification.support.support import CitedTextVerifier

Judge = Callable[..., Verdict]


@pytest.mark.parametrize(
    ("text", "citation", "basis"),
    [
        ("She has left leg swelling since Monday.", "N1", Basis.PATIENT),
        ("Your note says: “She has left leg swelling since Monday.”", "N1", Basis.PATIENT),
        ("Weigh yourself every day.", "P1", Basis.GENERAL),
        ("weigh yourself   EVERY day", "P1", Basis.POSSIBLE),
    ],
)
def test_a_word_for_word_quote_is_supported_in_full(judge: Judge, text: str, citation: str, basis: Basis) -> None:
    assert judge(text, citation, basis=basis) == Verdict(support=Support.SUPPORTED, score=1.0, reason="word for word")


def test_a_paraphrase_with_the_same_concept_is_supported(judge: Judge) -> None:
    verdict = judge("You had left leg swelling.", "N1")
    assert verdict.support == Support.SUPPORTED
    assert verdict.score is not None
    assert 0.5 < verdict.score <= 1.0


def test_a_concept_the_source_does_not_name_costs_the_mark_and_is_named(judge: Judge) -> None:
    verdict = judge("You had left leg swelling and cough.", "N1")
    assert verdict.support in (Support.PARTIAL, Support.UNSUPPORTED)
    assert "cough" in verdict.reason


def test_a_sentence_about_something_else_is_unsupported(judge: Judge) -> None:
    verdict = judge("You have pneumonia and chest pain.", "N1")
    assert verdict.support == Support.UNSUPPORTED


@pytest.mark.parametrize(
    ("text", "citation", "wrong"),
    [
        ("The note lists furosemide 80 mg daily.", "N4", "80 mg"),
        ("Call your doctor if you gain 5 pounds in 2 days.", "P1", "5 pounds"),
    ],
)
def test_a_number_the_source_does_not_have_is_unsupported(judge: Judge, text: str, citation: str, wrong: str) -> None:
    basis = Basis.PATIENT if citation.startswith("N") else Basis.GENERAL
    verdict = judge(text, citation, basis=basis)
    assert verdict.support == Support.UNSUPPORTED
    assert wrong in verdict.reason


def test_the_right_number_is_no_problem(judge: Judge) -> None:
    assert judge("The note lists furosemide 40 mg daily.", "N4").support == Support.SUPPORTED


def test_the_wrong_side_is_not_supported(judge: Judge) -> None:
    verdict = judge("You had right leg swelling.", "N1")
    assert verdict.support != Support.SUPPORTED
    assert "side not in the cited text: right" in verdict.reason


@pytest.mark.parametrize(
    ("text", "citation", "why"),
    [("You had a fever.", "N2", "denies: fever"), ("You had a rash.", "N3", "of the family: rash")],
)
def test_what_the_note_denies_or_says_of_the_family_is_unsupported(
    judge: Judge, text: str, citation: str, why: str
) -> None:
    verdict = judge(text, citation)
    assert (verdict.support, verdict.score) == (Support.UNSUPPORTED, 0.0)
    assert why in verdict.reason


def test_a_sentence_that_denies_as_the_note_does_is_not_called_denied(judge: Judge) -> None:
    assert "denies" not in judge("You did not have a fever.", "N2").reason


def test_what_a_book_calls_possible_is_not_denied(judge: Judge) -> None:
    verdict = judge("A rash can come with it.", "P2", basis=Basis.GENERAL)
    assert "denies" not in verdict.reason
    assert verdict.support != Support.UNSUPPORTED


def test_a_listed_allergy_is_supported_when_told_in_a_sentence(judge: Judge) -> None:
    assert judge("Your note says that you are allergic to naproxen.", "N5").support == Support.SUPPORTED


@pytest.mark.parametrize(
    ("citations", "reason"),
    [((), "cites nothing"), (("P1",), "speaks of the patient but cites no note"), (("N99",), "cites no note")],
)
def test_a_patient_sentence_needs_a_note(judge: Judge, citations: tuple[str, ...], reason: str) -> None:
    verdict = judge("Heart failure can make your legs swell.", *citations)
    assert (verdict.support, verdict.score) == (Support.UNSUPPORTED, 0.0)
    assert reason in verdict.reason


def test_what_the_note_is_said_to_say_is_its_words_and_not_a_part_of_them_or_the_book_s(judge: Judge) -> None:
    for said, citation in (("left leg swelling", "N1"), ("Weigh yourself every day.", "P1")):
        verdict = judge(f"Your note says: “{said}”", "N1", citation)
        assert verdict.reason != "word for word"


def test_a_quote_from_the_book_proves_nothing_about_the_patient(judge: Judge) -> None:
    verdict = judge("Call your doctor if you gain 3 pounds in 2 days.", "N1", "P1")
    assert verdict.reason != "word for word"


def test_a_gap_is_not_scored_and_never_zero(judge: Judge) -> None:
    verdict = judge("[team to complete: discharge weight]")
    assert (verdict.support, verdict.score) == (Support.NOT_SCORED, None)
    assert verdict.reason


def test_no_sentences_give_no_verdicts(tiny_linker: Any, encoder: Any) -> None:
    from backend.schemas.drafts.evidence import Evidence

    assert CitedTextVerifier(tiny_linker, encoder).verify([], tiny_linker.link("x"), Evidence()) == ()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=120), st.sampled_from(["N1", "N2", "P1", "N99"]), st.sampled_from(list(Basis)))
def test_any_sentence_gets_a_verdict_on_the_scale(judge: Judge, text: str, citation: str, basis: Basis) -> None:
    verdict = judge(text, citation, basis=basis)
    assert verdict.score is None or 0.0 <= verdict.score <= 1.0
    assert (verdict.score is None) == (verdict.support == Support.NOT_SCORED)


def test_everyday_words_for_what_the_note_names_are_no_other_finding(
    tiny_linker: DictionaryLinker, encoder: Any
) -> None:
    linked = tiny_linker.link("HPI: A 60-year-old woman has dyspnea.")
    (piece,) = [p.model_copy(update={"id": "N1"}) for p in pasted_pieces(linked)]
    wording = WrittenSentence(
        text="You had a fever of the breath.", section="s", basis=Basis.PATIENT, citations=("N1",)
    )
    evidence = Evidence(notes=(piece,))
    plain = CitedTextVerifier(tiny_linker, encoder, plain={"T:dyspnea": ("a fever of the breath",)})
    (supported,), (unsupported,) = (
        verifier.verify([wording], linked, evidence) for verifier in (plain, CitedTextVerifier(tiny_linker, encoder))
    )
    assert "fever" in unsupported.reason
    assert "fever" not in supported.reason


@pytest.mark.parametrize(
    ("brackets", "support"), [("(no air when lying flat)", Support.SUPPORTED), ("(fever at night)", Support.PARTIAL)]
)
def test_brackets_explain_what_the_cited_text_names_and_nothing_else(
    tiny_linker: DictionaryLinker, encoder: Any, brackets: str, support: Support
) -> None:
    linked = tiny_linker.link("Plan: Come back for possible dyspnea.")
    (piece,) = [p.model_copy(update={"id": "N1"}) for p in pasted_pieces(linked)]
    told = WrittenSentence(
        text=f"You are to come back for possible dyspnea {brackets}.",
        section="s",
        basis=Basis.PATIENT,
        citations=("N1",),
    )
    verifier = CitedTextVerifier(tiny_linker, encoder, plain={"T:dyspnea": ("no air when one is lying flat",)})
    (verdict,) = verifier.verify([told], linked, Evidence(notes=(piece,)))
    assert verdict.support is support, verdict


def test_a_warning_at_the_end_of_an_assessment_denies_nothing(judge: Judge) -> None:
    verdict = judge("Leg swelling since Monday. Must not be missed.", "N1")
    assert "denied" not in verdict.reason
    assert verdict.support == judge("Leg swelling since Monday.", "N1").support


def test_everyday_words_are_no_opposite_of_what_they_tell(tiny_linker: DictionaryLinker, encoder: Any) -> None:
    linked = tiny_linker.link("HPI: A 60-year-old woman has dyspnea and sleeps upright, standing at times.")
    (piece,) = [p.model_copy(update={"id": "N1"}) for p in pasted_pieces(linked)]
    wording = WrittenSentence(
        text="You had no air when lying flat.", section="s", basis=Basis.PATIENT, citations=("N1",)
    )
    evidence = Evidence(notes=(piece,))
    plain = CitedTextVerifier(tiny_linker, encoder, plain={"T:dyspnea": ("no air when lying flat",)})
    (supported,), (against,) = (
        verifier.verify([wording], linked, evidence) for verifier in (plain, CitedTextVerifier(tiny_linker, encoder))
    )
    assert "lying" in against.reason
    assert "lying" not in supported.reason


@pytest.mark.parametrize(("day", "borne"), [("2024-01-10", True), ("2024-01-11", False)])
def test_a_date_that_a_cited_piece_bears_is_stated(
    tiny_linker: DictionaryLinker, encoder: Any, day: str, borne: bool
) -> None:
    linked = tiny_linker.read("HPI: She has leg swelling.")
    (piece,) = pasted_pieces(tiny_linker.link("She has leg swelling."), "Physician", "2024-01-10")
    evidence = Evidence(notes=(piece.model_copy(update={"id": "N1"}),))
    sentence = WrittenSentence(
        text=f"Unchanged since {day}: leg swelling.", section="Subjective", basis=Basis.PATIENT, citations=("N1",)
    )
    (verdict,) = CitedTextVerifier(tiny_linker, encoder).verify([sentence], linked, evidence)
    assert ("date or time" not in verdict.reason) is borne
    assert (verdict.support is not Support.UNSUPPORTED) is borne
