"""Vital signs and blood tests of an adult that are not normal, in plain words."""

import pytest

from backend.generation.letter.measured import measured_values
from backend.nlp.measures.told_limits import SIGN, TEST
from backend.schemas.record import ObservationStatement, RecordSpan
from tests.generation.letter.conftest import StoryOf


def seen(measure: str, value: str, unit: str = "", **more: str) -> ObservationStatement:
    span = RecordSpan(start_char=0, end_char=len(value), text=value)
    return ObservationStatement(id="O1", spans=(span,), measure=measure, value_text=value, unit=unit, **more)


@pytest.mark.parametrize(
    ("one", "worded"),
    [
        (seen("blood pressure", "186/101", "mmHg"), "blood pressure 186/101 (high)"),
        (seen("blood pressure", "128/96", "mmHg"), "blood pressure 128/96 (high)"),
        (seen("blood pressure", "88/48", "mmHg"), "blood pressure 88/48 (low)"),
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
    assert [sign.text for sign in measured_values([one], SIGN)] == ([worded] if worded else [])


def test_two_values_of_one_measure_stand_in_the_note_s_order() -> None:
    first, second = seen("blood pressure", "88/48"), seen("blood pressure", "86/50")
    assert [sign.text for sign in measured_values([first, second], SIGN)] == [
        "blood pressure 88/48 (low), then 86/50 (low)"
    ]


def test_a_value_that_is_usual_again_is_told_as_the_second() -> None:
    first, again = seen("blood pressure", "159/66"), seen("blood pressure", "132/72")
    again = again.model_copy(update={"spans": (RecordSpan(start_char=40, end_char=46, text="132/72"),)})
    assert [sign.text for sign in measured_values([first, again], SIGN)] == [
        "blood pressure 159/66 (high), then 132/72"
    ]


@pytest.mark.parametrize(
    ("one", "worded"),
    [
        (seen("potassium", "6.4"), "potassium 6.4 (high)"),
        (seen("potassium", "4.4"), ""),
        (seen("BNP", "1,910"), "BNP (a heart strain test) 1,910 (high)"),
        (seen("hemoglobin", "8.2", "g/dL"), "hemoglobin (red blood) 8.2 (low)"),
        (seen("hemoglobin", "82", "g/L"), "hemoglobin (red blood) 82 (low)"),  # another unit has its own row
        (seen("HbA1c", "9.4", "%"), "HbA1c (average blood sugar) 9.4% (high)"),
        (seen("glucose", "14.2"), "blood sugar 14.2 (high)"),  # mmol/L
        (seen("glucose", "96"), ""),
        (seen("troponin", "6"), ""),  # a unit would decide
        (seen("eGFR", "41", formula="CKD-EPI 2021"), ""),  # the program's own figure is not the note's
        (seen("heart rate", "130", "/min"), ""),  # a vital sign is no test
    ],
)
def test_a_blood_test_is_stated_with_what_it_means_where_it_is_not_normal(
    one: ObservationStatement, worded: str
) -> None:
    assert [value.text for value in measured_values([one], TEST)] == ([worded] if worded else [])


def test_a_value_is_told_once_and_a_clinics_story_measures_nothing_today(story_of: StoryOf) -> None:
    note = (
        "CLINIC VISIT\nCHIEF COMPLAINT: Follow-up visit in the office today.\n\n"
        "HISTORY OF PRESENT ILLNESS: In June his blood pressure at the fire station was 190/99 mmHg.\n\n"
        "VITALS: Blood pressure 172/96. Temperature 101.4 F.\n\nASSESSMENT: His blood pressure of 172/96 is high.\n"
    )
    told = story_of(note).letter_text
    assert "190/99 (high)" not in told
    assert told.count("172/96") == 1 and "temperature 101.4 F (high)" in told
