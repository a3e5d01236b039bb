"""What was taken since without trouble, or shown to be harmless, is no allergy in running text; what only another medicine tells stays one."""

from functools import partial

import pytest

from backend.nlp.allergies.read_allergies import AllergiesRead, read_allergies
from backend.nlp.allergies.taken_back import TakenBack
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.record import VerificationStatus
from tests.nlp.allergies.small_note import SmallNote, small_note
from tests.nlp.fresh import linker


def read_of(text: str) -> AllergiesRead:
    note, mentions = parse_note(text), linker().link(text).note.mentions
    return read_allergies(note, mentions, linker().lookup, partial(read_attributes, note))


def suspected(text: str) -> set[str]:
    read = linker().link(text).allergies
    return {one.text.lower() for one in (*read.items, *read.possible)}


@pytest.mark.parametrize(
    "text",
    [
        "Was labelled allergic to penicillin as a child, has taken amoxicillin since without trouble.",
        "Rash with amoxicillin as a toddler; tolerated it twice since.",
        "Hives with penicillin in childhood. Has had amoxicillin several times since with no problem.",
        "Anaphylaxis to peanut at age 3, now eats it without trouble.",
        "Hives with shrimp in her teens; she eats it weekly now.",
        "Was told that cephalexin caused hives; passed a graded challenge last month.",
        "Rash during amoxicillin turned out to be mono.",
    ],
)
def test_what_did_no_harm_again_is_no_allergy(text: str) -> None:
    assert suspected(text) == set()


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Rash with penicillin, has tolerated cephalexin since.", "penicillin"),
        ("Rash with amoxicillin, has tolerated penicillin V since.", "amoxicillin"),
        ("Hives after penicillin as a child, has never had it since.", "penicillin"),
        ("Hives with contrast in 2015, has had it since with premedication without trouble.", "contrast"),
        ("Anaphylaxis to carboplatin, completed it after desensitization without problems.", "carboplatin"),
        ("Rash with Keflex last year, has had no further trouble since.", "keflex"),
        ("Swelling with lisinopril, now on losartan and doing well.", "lisinopril"),
        ("Penicillin gave him hives, he has avoided it since without trouble.", "penicillin"),
        ("Hives with amoxicillin in June. No rash today.", "amoxicillin"),
    ],
)
def test_an_allergy_stays_where_something_else_was_tolerated_or_it_was_never_taken_again(text: str, stays: str) -> None:
    assert suspected(text) == {stays}


def test_an_entry_of_an_allergy_section_stands_whatever_was_tolerated_later() -> None:
    read = (
        linker()
        .link("Allergies: penicillin - hives as a child, has taken amoxicillin since without trouble.")
        .allergies
    )
    assert "penicillin" in {one.text.lower() for one in read.items}


@pytest.mark.parametrize("remark", ["went to the ER", "sent to hospital", "ER twice"])
def test_where_a_reaction_ended_is_no_entry_of_the_list(remark: str) -> None:
    read = linker().link(f'Allergies: penicillin - "turned all red", {remark}, codeine').allergies
    assert [one.text for one in read.items] == ["penicillin", "codeine"]


def taken_back(note: SmallNote) -> TakenBack:
    return TakenBack(note.note, note.wording, note.agents, note.allergens)


@pytest.mark.parametrize(
    ("text", "stretch", "name"),
    [
        ("Penicillin rash as a child; tolerated it twice since.", "tolerated it twice since", "Penicillin"),
        ("Has tolerated amoxicillin since.", "Has tolerated amoxicillin since", "amoxicillin"),
        ("Codeine allergy was removed from the list.", "Codeine allergy was removed from the list", "Codeine"),
        ("Passed an oral challenge to penicillin.", "Passed an oral challenge to penicillin", "penicillin"),
    ],
)
def test_a_stretch_that_takes_back_holds_for_the_name_it_is_about(text: str, stretch: str, name: str) -> None:
    note = small_note(text)
    found, agents = taken_back(note), note.agents.within(0, len(note.words))
    assert not found.holds(*agents[0][:2])  # nothing was read yet
    spans = found.harmless(0, len(note.words), note.triggers(), agents, in_list=True)
    assert [note.said(*span) for span in spans] == [stretch]
    assert [note.said(*one[:2]) for one in agents if found.holds(*one[:2])] == [name]


@pytest.mark.parametrize("text", ["Takes codeine.", "Codeine (intolerance, not allergy)."])
def test_what_takes_nothing_back_leaves_no_stretch(text: str) -> None:
    note = small_note(text)
    found, agents = taken_back(note), note.agents.within(0, len(note.words))
    assert found.harmless(0, len(note.words), note.triggers(), agents, in_list=True) == []
    assert not found.holds(*agents[0][:2])


@pytest.mark.parametrize(
    ("text", "begun", "clauses"),
    [
        ("penicillin, now on codeine", False, ["now on codeine"]),
        ("now on codeine", False, []),  # nothing was answered before it
        ("now on codeine", True, ["now on codeine"]),
        ("codeine started, hives", True, []),  # it reacted
    ],
)
def test_a_clause_of_use_counts_only_behind_a_first_answer(text: str, begun: bool, clauses: list[str]) -> None:
    note = small_note(text)
    spans = taken_back(note).used(0, len(note.words), note.agents.within(0, len(note.words)), begun)
    assert [note.said(*span) for span in spans] == clauses


@pytest.mark.parametrize(
    ("text", "name", "listed"),
    [
        ("Allergies: penicillin listed, allergy clinic skin testing neg and challenge passed. Latex - hives.", "penicillin", {"latex"}),
        ("Allergies: amoxicillin (rash as a baby, skin prick neg 2020, delabelled), shrimp - hives", "amoxicillin", {"shrimp"}),
        ("Allergies: ceftriaxone on chart, pt denies, has had it 3x - please take off. Codeine vomits.", "ceftriaxone", {"codeine"}),
        ("PMH: gout.\nAllergic: codeine - no true allergy, confused at high dose. Trimethoprim = rash.", "codeine", {"trimethoprim"}),
        ("Allergies: cefazolin - anaphylaxis?, skin test NEG, given twice since. PLEASE UPDATE CHART", "cefazolin", set()),
    ],
)  # fmt: skip
def test_what_the_note_settles_as_no_allergy_is_kept_as_refuted(text: str, name: str, listed: set[str]) -> None:
    read = read_of(text)
    assert {one.text.lower() for one in read.allergies.items} == listed
    refuted = [one for one in read.record.items if one.verification_status is VerificationStatus.REFUTED]
    assert [one.spans[0].text.lower() for one in refuted] == [name]
    assert all(not one.contradicted_by for one in read.record.items)


@pytest.mark.parametrize(
    "text", ["Urine drug test negative for opiates; takes oxycodone.", "Stress test normal on metoprolol."]
)
def test_a_test_that_is_of_no_allergy_refutes_none(text: str) -> None:
    assert read_of(text).record.items == ()


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("Allergies: penicillin, HIV test negative, latex", {"penicillin", "latex"}),
        ("Allergies: sulfa rash, TB skin test negative 2020", {"sulfa"}),
        ("Allergies: peanut (hives), skin prick test positive, egg skin prick negative", {"peanut"}),
        ("Allergies: latex test negative, penicillin skin test positive", {"penicillin"}),
        ("PMH: latex allergy, staples are to be removed on day 10.", {"latex"}),
        ("PMH: Penicillin allergy; please remove the drain on Friday.", {"penicillin"}),
    ],
)
def test_a_test_of_something_else_and_what_else_is_removed_take_back_no_allergy(text: str, listed: set[str]) -> None:
    assert {one.text.lower() for one in linker().link(text).allergies.items} == listed
