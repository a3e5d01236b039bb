"""A turned sentence keeps numbers, negations and doubts, and leaves no pronoun of the patient."""

import pytest

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.told_checks.faithful import is_faithful

MAN = Addressee("male")


@pytest.mark.parametrize(
    ("source", "turned"),
    [
        ("He took 2 tablets.", "You took 2 tablets."),
        ("He denies a fall.", "You deny a fall."),
        ("He has probable gout.", "You have probable gout."),
        ("The patient is a 61-year-old man with gout.", "You have gout."),
        ("He returns in 2/52.", "You return in 2 weeks."),
        ("Her wife said he fell.", "Her wife said you fell."),
        ("He has a F2f visit.", "You have a face-to-face visit."),
        ("He has T2DM.", "You have type 2 diabetes."),
    ],
)
def test_what_says_the_same_is_faithful(source: str, turned: str) -> None:
    assert is_faithful(source, source, turned, MAN)


@pytest.mark.parametrize(
    ("source", "turned"),
    [
        ("He took 2 tablets.", "You took 3 tablets."),
        ("He took 2 tablets.", "You took tablets."),
        ("The pressure was 92/52.", "The pressure was 92 weeks."),
        ("He has no gout.", "You have gout."),
        ("He never fell.", "You fell."),
        ("He has probable gout.", "You have gout."),
        ("He may have gout.", "You have gout."),
        ("He fell.", "He fell."),
    ],
)
def test_what_changes_a_fact_is_not(source: str, turned: str) -> None:
    assert not is_faithful(source, source, turned, MAN)
