"""Values that a newer one of their measure supersedes leave no finding of now; an event that a value marks stays."""

import pytest

from backend.schemas.record import ClinicalStatus
from tests.nlp.fresh import linker


def active(text: str) -> set[str]:
    record = linker().read(text).record
    assert record is not None
    return {one.name for one in record.problems if one.clinical_status is ClinicalStatus.ACTIVE}


@pytest.mark.parametrize(
    ("text", "finding", "there"),
    [
        ("HPI: A 70-year-old man. K 6.1 (hemolyzed). Repeat K 4.4.", "hyperkalemia", False),
        ("HPI: A 70-year-old man. Potassium 2.9 on arrival and 4.2 after replacement.", "hypokalemia", False),
        ("HPI: A 70-year-old man. INR 5.2 yesterday, INR 2.4 today.", "raised INR", False),
        ("HPI: A 70-year-old man. Potassium 4.4 last week. Potassium 6.1 today.", "hyperkalemia", True),
        ("HPI: A 70-year-old man. K 6.4, repeat K 6.1.", "hyperkalemia", True),
        ("HPI: A 70-year-old man. K 6.1. Sodium 138.", "hyperkalemia", True),
        ("HPI: A 70-year-old man with hyperkalemia. K 4.4.", "hyperkalemia", True),  # for its words to end
        ("HPI: A 70-year-old man. Hb 71, transfused, Hb 93.", "low hemoglobin", True),  # an event, not a passing value
    ],
)
def test_a_newer_value_ends_what_the_older_told(text: str, finding: str, there: bool) -> None:
    assert (finding in active(text)) is there
