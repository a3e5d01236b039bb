"""Whether capitals allow a name, and the initials by which a note introduces its patient."""

import pytest

from backend.nlp.lexicon.capitals import initials, written_so


@pytest.mark.parametrize(
    "text",
    [
        "AF is a 50-year-old hepatitis C positive man with belly pain.",
        "Patient AF is a 50-year-old woman.",
        "This is AF, a 60 year old woman with gout.",
        "AF was a three-month-old girl.",
    ],
)
def test_initials_that_introduce_a_patient_are_found(text: str) -> None:
    assert initials(text) == {"AF"}


@pytest.mark.parametrize(
    "text",
    [
        "He has AF, a rhythm that began two years ago.",
        "AF is a 10-year-old problem of his.",
        "A man with AF. He is a 50-year-old farmer.",
        "DM is a cause of his ulcers.",
    ],
)
def test_a_short_form_of_a_disease_is_no_initials(text: str) -> None:
    assert initials(text) == frozenset()


def test_capitals_tell_an_acronym_from_a_word() -> None:
    assert written_so("ALL", "ALL", "DISO", shouted=False)
    assert not written_so("all", "ALL", "DISO", shouted=False)
