"""Values of a patient in canonical units: the newest, converted, and said with their source."""

import pytest

from backend.knowledge.safety.patient.patient_values import patient_values
from backend.knowledge.safety.rows.value_table import value_table
from backend.schemas.record import Encounter, ObservationStatement, PatientRecord, Person, RecordSpan


def record(*observations: tuple[str, float | None, str, str], year: str = "") -> PatientRecord:
    """Observations as (measure, value, unit, date); a value of None has the text 120/80."""
    found = tuple(
        ObservationStatement(
            id=f"observation-{i}",
            measure=measure,
            value=value,
            value_text="82/40" if value is None else f"{value:g}",
            unit=unit,
            date=date,
        )
        for i, (measure, value, unit, date) in enumerate(observations, start=1)
    )
    return PatientRecord(observations=found, encounter=Encounter(id="encounter", date=year))


@pytest.mark.parametrize(
    ("measure", "value", "unit", "name", "wanted"),
    [
        ("creatinine", 2.4, "", "creatinine", 2.4),
        ("creatinine", 210.0, "µmol/L", "creatinine", 2.3755),  # 210 × 0.011312
        ("creatinine", 210.0, "", "creatinine", 2.3755),  # from 20 on a bare number is in micromoles
        ("glucose", 54.0, "mg/dL", "glucose", 2.99754),  # 54 × 0.05551
        ("glucose", 3.2, "", "glucose", 3.2),
        ("hemoglobin", 78.0, "g/L", "hemoglobin", 7.8),
        ("hemoglobin", 78.0, "", "hemoglobin", 7.8),
        ("platelet count", 45000.0, "", "platelets", 45.0),
        ("platelet count", 45.0, "10^9/L", "platelets", 45.0),
        ("QTc", 0.52, "s", "QTc", 520.0),
        ("QTc", 0.52, "", "QTc", 520.0),
        ("neutrophil count", 400.0, "", "neutrophils", 0.4),
        ("blood pressure", None, "mmHg", "systolic", 82.0),
        ("blood pressure", None, "mmHg", "diastolic", 40.0),
    ],
)
def test_a_value_is_told_in_canonical_units(
    measure: str, value: float | None, unit: str, name: str, wanted: float
) -> None:
    assert patient_values(record((measure, value, unit, "")))[name].number == pytest.approx(wanted, rel=1e-3)


def test_a_unit_that_nobody_can_convert_and_a_number_that_no_patient_has_are_absent() -> None:
    assert patient_values(record(("potassium", 5.9, "g/dL", ""), ("sodium", 14.0, "", ""))) == {}


def test_what_is_not_dated_is_of_today_and_the_later_mention_is_newer() -> None:
    values = patient_values(
        record(("potassium", 6.1, "", ""), ("potassium", 4.4, "", ""), ("potassium", 3.0, "", "in May"))
    )
    assert values["potassium"].number == 4.4


def test_a_value_of_an_earlier_year_counts_for_the_ejection_fraction_alone() -> None:
    old = record(("potassium", 6.1, "", "2019"), ("ejection fraction", 25.0, "%", "2019"), year="2024-03-01")
    assert {name: value.said for name, value in patient_values(old).items()} == {
        "ejection fraction": "ejection fraction 25% (2019)"
    }


def test_a_derived_egfr_says_its_formula_and_a_stated_one_beats_it() -> None:
    derived = ObservationStatement(
        id="observation-2", measure="eGFR", value=27.0, value_text="27", unit="mL/min/1.73 m2", formula="CKD-EPI 2021",
        spans=(RecordSpan(start_char=0, end_char=6, text="Cr 2.4"),),
    )  # fmt: skip
    alone = patient_values(PatientRecord(observations=(derived,)))
    assert alone["eGFR"].said == "eGFR about 27 by CKD-EPI 2021 from creatinine 2.4"
    stated = derived.model_copy(update={"id": "observation-1", "value": 31.0, "value_text": "31", "formula": ""})
    assert patient_values(PatientRecord(observations=(stated, derived)))["eGFR"].number == 31.0


def test_who_the_patient_is_gives_age_weight_and_weeks() -> None:
    person = Person(id="person", age_years=79, weight_kg=52.5, gestation_weeks=28)
    values = patient_values(PatientRecord(person=person))
    assert {name: value.number for name, value in values.items()} == {"age": 79, "weight": 52.5, "weeks": 28}


def test_every_value_that_is_no_person_s_names_its_measure() -> None:
    assert [row.name for row in value_table().values() if not row.measures] == ["age", "weight", "weeks"]
