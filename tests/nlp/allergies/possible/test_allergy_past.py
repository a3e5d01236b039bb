"""What a reaction of the past did is no complaint of today; one of today stays a complaint."""

import pytest

from backend.schemas.vocabulary import Assertion
from tests.nlp.fresh import linker

P, H = Assertion.PRESENT, Assertion.HISTORICAL


@pytest.mark.parametrize(
    ("text", "phrase", "meant"),
    [
        ("HPI: Cough. She was on trimethoprim in May and came out in a widespread rash with blisters.", "widespread rash", H),
        ("HPI: Cough. She was on trimethoprim in May and came out in a widespread rash with blisters.", "Cough", P),
        ("HPI: He took amoxicillin last summer and broke out in hives. Now fever.", "hives", H),
        ("HPI: He took amoxicillin last summer and broke out in hives. Now fever.", "fever", P),
        ("HPI: He takes lisinopril daily, and his lips swelled last month.", "lisinopril", P),
        ("HPI: Started Bactrim yesterday and came out in hives.", "hives", P),
        ("HPI: Took amoxicillin in May for an ear and came out in hives, still there today.", "hives", P),
    ],
)  # fmt: skip
def test_a_past_reaction_is_past(text: str, phrase: str, meant: Assertion) -> None:
    at = text.index(phrase)
    (found,) = (m for m in linker().link(text).note.mentions if m.start_char <= at < m.end_char)
    assert found.assertion is meant
