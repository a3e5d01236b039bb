"""Which doses hold for whom, and how grave a distance from them is."""

import pytest

from backend.knowledge.safety.dose_limits import applying, in_unit, is_low, limits, over_grade, taken_rarely
from backend.knowledge.safety.patient.patient_state import PatientState
from backend.knowledge.safety.patient.patient_values import PatientValue
from backend.knowledge.safety.patient.taken_amounts import Amount, by_strength, counted, over_period, single_dose
from backend.knowledge.safety.rows.clauses import DoseUnit, Period, ValueClause
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.grades import Grade
from backend.schemas.record import Dosage

WEAK = (ValueClause("eGFR", "<", 30),)
GENERAL = DoseRow("gabapentin", "oral", 300, 3600, DoseUnit.MG, Period.DAY)
ONE = DoseRow("gabapentin", "oral", 100, 1200, DoseUnit.MG, Period.DOSE)
RENAL = DoseRow("gabapentin", "oral", 100, 700, DoseUnit.MG, Period.DAY, WEAK)
VEIN = DoseRow("gabapentin", "intravenous", 1, 5, DoseUnit.MG, Period.DOSE)


def patient(**values: float) -> PatientState:
    known = {name: PatientValue(name, number, name) for name, number in values.items()}
    return PatientState({}, frozenset(), known, frozenset(), {})


def test_the_rows_of_weak_kidneys_replace_the_general_ones_of_their_period() -> None:
    rows = (GENERAL, ONE, RENAL)
    weak, well = (applying(rows, patient(eGFR=rate), Dosage()).rows for rate in (24, 60))
    assert (RENAL in weak, GENERAL in weak) == (True, False)
    assert (RENAL in well, GENERAL in well) == (False, True)


def test_a_row_whose_value_is_missing_holds_not_and_says_what_is_missing() -> None:
    hold = applying((GENERAL, RENAL), patient(), Dosage())
    assert (hold.rows, hold.missing) == ((GENERAL,), ("eGFR",))


def test_an_indication_is_asked_of_the_patient_and_of_the_medicine_s_reason() -> None:
    nerve = GENERAL._replace(indication="neuropathy", maximum=1800)
    assert applying((GENERAL, nerve), patient(), Dosage()).rows == (GENERAL,)
    assert applying((GENERAL, nerve), patient(), Dosage(), ("neuropathy",)).rows == (nerve,)


def test_the_way_it_is_given_chooses_the_rows_and_by_mouth_is_meant_at_home() -> None:
    rows = (ONE, VEIN)
    assert applying(rows, patient(), Dosage(route="intravenous")).rows == (VEIN,)
    assert applying(rows, patient(), Dosage(form="tablet")).rows == (ONE,)
    assert applying(rows, patient(), Dosage()).rows == rows
    assert applying(rows, patient(), Dosage(), at_home=True).rows == (ONE,)


def test_one_dose_is_held_to_a_narrower_day() -> None:
    known = limits((ONE, RENAL), Period.DOSE, "mg", None)
    assert known is not None and (known.high, known.rows) == (700, (RENAL,))


def test_a_range_by_weight_is_multiplied_and_held_to_its_ceiling() -> None:
    row = DoseRow("enoxaparin", "subcutaneous", 1, 1.5, DoseUnit.MG_KG, Period.DOSE, ceiling=180)
    light, heavy, unknown = (limits((row,), Period.DOSE, "mg", weight) for weight in (80, 150, None))
    assert light is not None and (light.low, light.high) == (80, 120)
    assert heavy is not None and heavy.high == 180  # 1.5 × 150 = 225, above the ceiling
    assert unknown is not None and (unknown.low, unknown.high) == (0, 180)


def test_an_amount_for_each_kilogram_is_compared_without_a_weight() -> None:
    row = DoseRow("gentamicin", "intravenous", 1, 7, DoseUnit.MG_KG, Period.DOSE, ceiling=700)
    known = limits((row,), Period.DOSE, "mg", None, per_kg=True)
    assert known is not None and known.high == 7
    assert in_unit(Amount(5, "mg", per_kg=True), "mg", None) is None
    assert in_unit(Amount(5, "mg", per_kg=True), "mg", 80) == 400


@pytest.mark.parametrize(
    ("amount", "most", "grade"),
    [
        (40, 40, None),
        (41, 40, Grade.AVOID),
        (79, 40, Grade.AVOID),
        (80, 40, Grade.AVOID),
        (81, 40, Grade.NEVER),
        (400, 40, Grade.NEVER),
    ],
)
def test_more_than_twice_the_most_that_is_usual_is_severe(amount: float, most: float, grade: Grade | None) -> None:
    assert over_grade(amount, most) is grade


def test_less_than_a_quarter_of_the_least_is_low() -> None:
    assert (is_low(4, 20), is_low(5, 20)) == (True, False)


def test_a_medicine_with_rows_by_the_week_alone_is_taken_rarely() -> None:
    week = GENERAL._replace(period=Period.WEEK)
    assert (taken_rarely([week]), taken_rarely([week, GENERAL]), taken_rarely([])) == (Period.WEEK, None, None)


@pytest.mark.parametrize(
    ("dosage", "wanted"),
    [
        (Dosage(dose=5, dose_high=10, unit="mg"), 10.0),
        (Dosage(dose=500, unit="mg", quantity=1, quantity_high=2, form="tablet"), 1000.0),
        (Dosage(text="2 tablets (1000 mg)", dose=1000, unit="mg", quantity=2, form="tablet"), 1000.0),
        (Dosage(dose=25, unit="mcg/hr"), None),
        (Dosage(), None),
    ],
)
def test_the_high_end_of_a_range_is_taken_at_once(dosage: Dosage, wanted: float | None) -> None:
    amount = single_dose(dosage)
    assert (amount.number if amount else None) == wanted


def test_a_day_s_amount_follows_from_the_timing_alone() -> None:
    four = over_period(Dosage(dose=500, unit="mg", timing_text="every 6 hours"), Period.DAY)
    weekly = over_period(Dosage(dose=15, unit="mg", timing_text="once a week"), Period.WEEK)
    assert four is not None and four.number == 2000
    assert weekly is not None and weekly.number == pytest.approx(15, rel=1e-3)
    assert over_period(Dosage(dose=500, unit="mg"), Period.DAY) is None
    assert counted(Dosage(quantity=2, form="puff")) == Amount(2, "puffs")


@pytest.mark.parametrize(
    ("dosage", "held"),
    [
        (Dosage(dose=20, unit="mL", strength="20 mg/mL"), 400.0),  # 20 mL of 20 mg each
        (Dosage(dose=5, unit="mL", strength="10 mg/5 mL"), 10.0),
        (Dosage(dose=5, unit="mL"), None),
        (Dosage(dose=20, unit="mg", strength="20 mg/mL"), None),  # the dose is told already
    ],
)
def test_a_volume_holds_its_strength_times_its_millilitres(dosage: Dosage, held: float | None) -> None:
    found = by_strength(dosage)
    assert (found.number if found is not None else None) == held
