"""Where the story begins again behind a short note's list of allergies."""

import pytest

from backend.nlp.document.allergy_section_end import allergies_end, is_regimen


def listed(text: str) -> str:
    """What of a section's text stays with the allergies."""
    return text[: allergies_end(text, 0, len(text))].strip()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("penicillin\n\n72 yo man with a cough for three days", "penicillin"),
        ("penicillin\nMobility: hoist at home only", "penicillin"),
        ("nkda\n2 large bore, group and save", "nkda"),
        ("penicillin. BP 120/80 on arrival.", "penicillin."),
        ("penicillin\n\nMeds:\nramipril 5 mg daily", "penicillin"),
        ("penicillin - rash\nlatex - hives", "penicillin - rash\nlatex - hives"),
        ("penicillin\n72 yo who had a rash with codeine", "penicillin\n72 yo who had a rash with codeine"),
        ("Amlodipine 10 mg - edema", "Amlodipine 10 mg - edema"),  # an entry for all its dose
        ("", ""),
    ],
)
def test_the_list_ends_where_something_else_is_told(text: str, kept: str) -> None:
    assert listed(text) == kept


def test_nothing_beyond_the_section_is_looked_at() -> None:
    text = "penicillin\n\n72 yo man with a cough"
    assert allergies_end(text, 0, 10) == 10


@pytest.mark.parametrize(
    ("line", "taken"), [("ramipril 5 mg", True), ("ramipril bd", True), ("at 18:00", True), ("penicillin", False)]
)
def test_a_regimen_says_how_a_medicine_is_taken(line: str, taken: bool) -> None:
    assert is_regimen(line) is taken
