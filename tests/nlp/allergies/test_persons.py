"""Whose reaction running text tells: a spouse's, a friend's or a relative's is no allergy of the patient; what they tell of the patient is."""

import pytest

from backend.nlp.allergies.persons import of_others, others_alone
from tests.nlp.allergies.small_note import small_note
from tests.nlp.fresh import linker


def suspected(text: str) -> set[str]:
    read = linker().link(text).allergies
    return {one.text.lower() for one in (*read.items, *read.possible)}


@pytest.mark.parametrize(
    "text",
    [
        "Her husband swelled up with penicillin.",
        "A neighbor went into shock after a bee sting.",
        "The boyfriend cannot take codeine, it makes him vomit.",
        "Husband's reaction to penicillin was hives; she takes it without trouble.",
        "His wife gets hives with penicillin, he does not.",
        "Her husband took penicillin and his face swelled, he was intubated.",
        "Mother reports her own sulfa rash; the child has never had sulfa.",
        "Strong family history of penicillin reactions.",
        "NKDA, her husband swells up with penicillin.",
    ],
)
def test_somebody_else_s_reaction_is_no_allergy_of_the_patient(text: str) -> None:
    assert suspected(text) == set()


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Mom says he broke out in hives after amoxicillin.", {"amoxicillin"}),
        ("Her husband says she swelled up with penicillin.", {"penicillin"}),
        ("Her daughter recalls that her mother nearly died after penicillin.", {"penicillin"}),
        ("She and her sister both get hives with penicillin.", {"penicillin"}),
        ("Allergic to eggs, her brother had hives with milk.", {"eggs"}),
        ("Codeine made her husband sick but Percocet gave her hives.", {"percocet"}),
        ("Husband found her with her lips swollen after the shrimp.", {"shrimp"}),
        ("His wife took him to the ER with hives after amoxicillin.", {"amoxicillin"}),
        ("Took her sister's Bactrim and had a rash.", {"bactrim"}),
    ],
)
def test_the_patient_s_own_reaction_stays_whoever_reports_it(text: str, own: set[str]) -> None:
    assert suspected(text) == own


@pytest.mark.parametrize(
    ("text", "theirs"),
    [
        ("Her mother gets hives with penicillin, but she does not.", ["Her mother gets hives with penicillin,"]),
        ("Family history of penicillin reactions.", ["Family history of penicillin reactions."]),
        ("His mother says that he swelled up.", []),  # she speaks
        ("Her daughter recalls that her mother nearly died.", []),  # the speaker's mother is the patient
        ("He and his sister both get hives.", []),
        ("He swelled up.", []),
        ("", []),
    ],
)
def test_the_stretch_of_another_person_ends_where_the_patient_is_told_of_again(text: str, theirs: list[str]) -> None:
    note = small_note(text)
    assert [note.said(*span) for span in of_others(note.wording, 0, len(note.words))] == theirs


@pytest.mark.parametrize(
    ("text", "alone"),
    [("Her mother swelled up.", True), ("Her mother says that she swelled up.", False), ("She swelled up.", False)],
)
def test_a_person_who_speaks_is_not_told_of_alone(text: str, alone: bool) -> None:
    note = small_note(text)
    assert others_alone(note.words, 0, len(note.words)) is alone
