"""Blanks of de-identified notes: the patient's own name and age, and blanks of anything else, which stay."""

import pytest

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.openings import with_names
from backend.generation.letter.plain_language.second_person import second_person


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("Mr. ___ is a ___ year old man with gout.", "The patient is a man with gout."),
        ("___ is a 60 y/o F with a cough.", "The patient is a 60 y/o F with a cough."),
        ("We asked Mrs. [**Last Name**] to rest.", "We asked the patient to rest."),
        ("Seen by Dr. ___ at ___.", "Seen by Dr. ___ at ___."),
        ("___: cough", "___: cough"),
    ],
)
def test_a_blank_for_the_patient_is_named(written: str, named: str) -> None:
    assert with_names(written) == named


@pytest.mark.parametrize(
    ("written", "addressed"),
    [
        (
            "Ms. ___ is a ___ year old woman with gout who presents with a swollen toe.",
            "You have gout. You present with a swollen toe.",
        ),
        ("The patient is a male with gout.", "You have gout."),
        ("Patient with gout presenting with a swollen toe.", "You have gout. You presented with a swollen toe."),
    ],
)
def test_an_opening_without_name_or_age_is_turned(written: str, addressed: str) -> None:
    assert second_person(with_names(written), Addressee("female")) == addressed
