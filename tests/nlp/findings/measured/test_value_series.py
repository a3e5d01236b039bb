"""Several values of one measure: all are kept, and the latest is the patient's."""

import pytest

from backend.knowledge.safety.patient.patient_values import patient_values
from tests.nlp.statement_reading import read_record


def newest(text: str, name: str) -> float | None:
    found = patient_values(read_record(text)).get(name)
    return None if found is None else found.number


@pytest.mark.parametrize(
    ("text", "name", "number"),
    [
        ("Potassium was 6.0 on admission and is 4.4 today.", "potassium", 4.4),
        ("Cr 2.1 -> 1.3", "creatinine", 1.3),
        ("Hb 98 (was 121).", "hemoglobin", 9.8),
        ("INR 1.9 yesterday, 2.6 this morning.", "INR", 2.6),
        ("eGFR 24, down from 41.", "eGFR", 24),
        ("K 6.1 repeat 4.9.", "potassium", 4.9),
        ("Sodium 118 on arrival, 127 this morning.", "sodium", 127),
        ("Platelets fell from 210 to 44.", "platelets", 44),
        ("Potassium improved to 4.1 from 6.3.", "potassium", 4.1),
        ("INR was 7.8 two days ago; INR today 2.3.", "INR", 2.3),
        ("INR today 2.3. INR 7.8 two days ago.", "INR", 2.3),
        ("Labs today: K 5.8, Na 139. Previous labs (last month): K 4.2.", "potassium", 5.8),
        ("Creatinine today 1.1 mg/dL (baseline 0.9).", "creatinine", 1.1),
        ("K+ 2.6, repleted, now 3.9.", "potassium", 3.9),
        ("eGFR was 62 in 2021 and is 28 now.", "eGFR", 28),
        ("Na 121 → 126 → 131.", "sodium", 131),
        ("Hemoglobin 6.8 g/dL on arrival, 8.9 g/dL after two units.", "hemoglobin", 8.9),
        ("Sodium is 133 today; it was 119 on Monday.", "sodium", 133),
        ("Glucose 2.4 mmol/L at the scene, 7.1 mmol/L after dextrose.", "glucose", 7.1),
        ("K 4.4 today. Admission labs: K 6.0.", "potassium", 4.4),
        ("BP 78/44 on arrival, 112/70 after fluids.", "systolic", 112),
    ],
)
def test_the_latest_value_is_the_patient_s(text: str, name: str, number: float) -> None:
    assert newest(text, name) == pytest.approx(number, abs=0.05)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Potassium was 6.0 on admission and is 4.4 today.", [(6.0, ""), (4.4, "")]),
        ("Hb 98 (was 121).", [(98.0, ""), (121.0, "earlier")]),
        ("INR 1.9 yesterday, 2.6 this morning.", [(1.9, "yesterday"), (2.6, "")]),
        ("eGFR was 62 in 2021 and is 28 now.", [(62.0, "2021"), (28.0, "")]),
        ("Sodium 131, day 3 of fluids.", [(131.0, "")]),
        ("Hb 8.1 after 2 units of blood.", [(8.1, "")]),
        ("K 3.2 on admission, 2 more days of replacement.", [(3.2, "")]),
        ("K 4.4 today, 97% on room air.", [(4.4, "")]),
        ("INR 2.3, warfarin 5 mg today.", [(2.3, "")]),
        ("Na 139, K 4.1 today.", [(139.0, ""), (4.1, "")]),
        ("Glucose 180 mg/dL after 2 hours.", [(180.0, "")]),
        ("Sodium 128 on arrival, given 500 ml of saline.", [(128.0, "")]),
        ("INR 2 to 3.", []),
        ("K 6.1 before dialysis 3 times a week.", [(6.1, "before dialysis")]),
    ],
)
def test_all_values_are_kept_and_no_other_number_is_one(text: str, values: list[tuple[float, str]]) -> None:
    assert [(one.value, one.date) for one in read_record(text).observations] == values


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("Lithium 900 mg at night, level 0.8.", "lithium level", 0.8),
        ("Lithium 900 mg, level 0.8.", "lithium level", 0.8),
        ("Digoxin level 2.6.", "digoxin level", 2.6),
        ("Digoxin 125 mcg daily, level 2.1.", "digoxin level", 2.1),
        ("Vanc trough 18.", "vancomycin level", 18),
        ("Tacrolimus 7.2 ng/mL this week.", "tacrolimus level", 7.2),
        ("Tacrolimus trough 11.4.", "tacrolimus level", 11.4),
    ],
)
def test_the_level_of_a_medicine_is_a_value(text: str, measure: str, value: float) -> None:
    assert [(one.measure, one.value) for one in read_record(text).observations] == [(measure, value)]


@pytest.mark.parametrize(
    "text",
    ["Lithium 900 mg at night.", "Vancomycin 1 g twice daily.", "Tacrolimus 2 mg twice daily.", "Digoxin 125 mcg."],
)
def test_a_dose_is_no_level(text: str) -> None:
    assert read_record(text).observations == ()
