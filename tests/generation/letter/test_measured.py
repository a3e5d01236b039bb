"""Vital signs of an adult that are not normal, in plain words."""

import pytest

from backend.generation.letter.measured import measured_signs
from backend.schemas.record import ObservationStatement, RecordSpan


def seen(measure: str, value: str, unit: str = "", **more: str) -> ObservationStatement:
    span = RecordSpan(start_char=0, end_char=len(value), text=value)
    return ObservationStatement(id="O1", spans=(span,), measure=measure, value_text=value, unit=unit, **more)


@pytest.mark.parametrize(
    ("one", "worded"),
    [
        (seen("blood pressure", "186/101", "mmHg"), "blood pressure 186/101 (high)"),
        (seen("blood pressure", "128/96", "mmHg"), "blood pressure 128/96 (high)"),
        (seen("blood pressure", "92/52", "mmHg"), "blood pressure 92/52 (low)"),
        (seen("blood pressure", "118/70", "mmHg"), ""),
        (seen("temperature", "100.8", "F"), "temperature 100.8 F (high)"),
        (seen("temperature", "38.4", "C"), "temperature 38.4 C (high)"),
        (seen("temperature", "98.6", "F"), ""),
        (seen("oxygen saturation", "89", "%"), "oxygen level 89% (low)"),
        (seen("heart rate", "irregular"), ""),
        (seen("blood pressure", "186/101", "mmHg", date="2024-01-02"), ""),
        (seen("potassium", "6.4"), ""),
    ],
)
def test_a_vital_sign_is_stated_where_it_is_not_normal(one: ObservationStatement, worded: str) -> None:
    assert [sign.text for sign in measured_signs([one])] == ([worded] if worded else [])


def test_two_values_of_one_measure_stand_in_the_note_s_order() -> None:
    first, second = seen("blood pressure", "92/52"), seen("blood pressure", "86/50")
    assert [sign.text for sign in measured_signs([first, second])] == ["blood pressure 92/52 (low), then 86/50 (low)"]
