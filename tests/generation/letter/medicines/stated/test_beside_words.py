"""What stands beside a medicine's name and dose."""

import pytest

from backend.generation.letter.medicines.stated.beside_words import DOUBTED
from tests.generation.letter.reading import CLINIC, rows_of


@pytest.mark.parametrize(
    ("listed", "timings"),
    [
        ("Humalog sliding scale, metformin 500 mg daily", ["on a sliding scale", "once a day"]),
        ("sliding scale insulin, metformin 500 mg daily", ["on a sliding scale", "once a day"]),
        (
            "amoxicillin 250 mg daily alternating monthly with doxycycline 100 mg daily, aspirin 81 mg daily",
            [
                "in turn with doxycycline, monthly",
                "once a day, in turn with amoxicillin, monthly",
                "once a day",
            ],
        ),
        ("lisinopril 10 mg daily and doxycycline 100 mg daily with food", ["once a day", "once a day, with food"]),
        ("aspirin 81 mg daily, ? lisinopril 10 mg daily", ["once a day", f"once a day, {DOUBTED}"]),
        ("aspirin 81 mg daily (?), lisinopril 10 mg daily", [f"once a day, {DOUBTED}", "once a day"]),
        ("aspirin 81 mg daily, lisinopril 10 mg daily. Why? She forgot.", ["once a day", "once a day"]),
    ],
)
def test_what_the_note_writes_beside_a_medicine_is_told_with_it(listed: str, timings: list[str]) -> None:
    assert [row.timing for row in rows_of(f"{CLINIC}MEDICATIONS: {listed}.\n").values()] == timings
