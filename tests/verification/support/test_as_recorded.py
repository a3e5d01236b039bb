"""What a letter makes of a recorded value or dose is compared in the note's own words; nothing else of it is."""

import pytest

from backend.schemas.record import Dosage, MedicationStatement, ObservationStatement, RecordSpan
from backend.verification.support.as_recorded import as_recorded


def observation(measure: str, value: str, text: str, unit: str = "") -> ObservationStatement:
    return ObservationStatement(
        id="o",
        measure=measure,
        value_text=value,
        unit=unit,
        spans=(RecordSpan(start_char=0, end_char=len(text), text=text),),
    )


def medicine(name: str, dose: float, timing: str = "", timing_text: str = "", unit: str = "") -> MedicationStatement:
    return MedicationStatement(
        id="m",
        concept_id=None,
        name=name,
        dosage=Dosage(text=f"{dose:g}", dose=dose, unit=unit, timing=timing, timing_text=timing_text),
        spans=(RecordSpan(start_char=0, end_char=len(name), text=name),),
    )


READ = (
    observation("blood pressure", "158/96", "BP 158/96"),
    observation("temperature", "100.4", "Tmax 100.4", "F"),
    observation("creatinine", "138", "Cr 138"),
)


@pytest.mark.parametrize(
    ("told", "compared"),
    [
        ("Measured when you were seen: blood pressure 158/96 (high).", "BP 158/96."),
        ("Measured when you were seen: temperature 100.4 F (high).", "Tmax 100.4."),
        ("Tests outside the usual range: creatinine (a kidney test) 138 (high).", "Cr 138."),
        ("Your blood pressure was 158/96.", "Your blood pressure was 158/96."),  # no shape of the letter's own
        ("Measured when you were seen: blood pressure 158/96 (low).", None),  # a wrong side is compared as it stands
        ("Measured when you were seen: blood pressure 185/96 (high).", None),  # another value
        ("Measured when you were seen: pulse 158 (high).", None),  # of another measure
        ("You have kidney failure: creatinine (a kidney test) 138 (high).", "You have kidney failure: Cr 138."),
    ],
)
def test_values_are_those_of_the_record(told: str, compared: str | None) -> None:
    assert as_recorded(told, READ, (), lambda _: "") == (compared or told)


@pytest.mark.parametrize(
    ("told", "compared"),
    [
        ("Keep taking: digoxin 125 mcg, once a day.", "Keep taking: digoxin 125, od."),
        ("Keep taking: digoxin 125 mg, once a day.", "Keep taking: digoxin 125 mg, od."),  # not the usual unit
        ("Keep taking: digoxin 250 mcg, once a day.", "Keep taking: digoxin 250 mcg, od."),
        ("Keep taking: aspirin 125 mcg, once a day.", None),  # of another medicine
        ("Keep taking: digoxin 125 mcg, twice a day.", "Keep taking: digoxin 125, twice a day."),
    ],
)
def test_a_dose_without_its_unit_is_told_in_the_usual_one_alone(told: str, compared: str | None) -> None:
    taken = (medicine("digoxin", 125, "QD", "od"),)
    assert as_recorded(told, (), taken, lambda _: "mcg") == (compared or told)


def test_a_dose_with_its_unit_is_compared_as_it_is_told() -> None:
    taken = (medicine("digoxin", 125, "QD", "od", unit="mg"),)
    told = "Keep taking: digoxin 125 mcg, once a day."
    assert as_recorded(told, (), taken, lambda _: "mcg") == told
