"""Whether the clauses of a row hold: what fails, what is missing, and what ends a row."""

import pytest

from backend.knowledge.safety.patient.clause_truth import Subject, verdict
from backend.knowledge.safety.patient.patient_state import PatientState
from backend.knowledge.safety.patient.patient_values import PatientValue
from backend.knowledge.safety.rows.clauses import Clause, Route, RouteClause, Stage, StageClause, ValueClause
from backend.schemas.record import Dosage

NOBODY_KNOWS = PatientState({}, frozenset(), {}, frozenset(), {})
LOW = ValueClause("ejection fraction", "<", 40)
HIGH = ValueClause("ejection fraction", ">=", 50)
ON_THE_SKIN = RouteClause(frozenset({Route.TOPICAL, Route.OPHTHALMIC}))


def known(number: float) -> PatientState:
    said = PatientValue("ejection fraction", number, f"ejection fraction {number:g}")
    return NOBODY_KNOWS._replace(values={"ejection fraction": said})


@pytest.mark.parametrize(
    ("when", "unless", "state", "holds", "missing"),
    [
        ((LOW,), (), known(30), True, ()),
        ((LOW,), (), known(45), False, ()),
        ((LOW,), (), NOBODY_KNOWS, False, ("ejection fraction",)),
        ((), (HIGH,), known(60), False, ()),
        ((), (HIGH,), NOBODY_KNOWS, True, ()),  # what nobody knows ends nothing
        ((LOW, StageClause(frozenset({Stage.SEVERE}))), (), NOBODY_KNOWS, False, ()),  # what fails decides
    ],
)
def test_a_missing_value_keeps_a_row_from_holding_and_ends_none(
    when: tuple[Clause, ...], unless: tuple[Clause, ...], state: PatientState, holds: bool, missing: tuple[str, ...]
) -> None:
    found = verdict(when, unless, state)
    assert (found.holds, found.missing) == (holds, missing)


@pytest.mark.parametrize(
    ("medicine", "route", "ended"),
    [
        ("LN:ibuprofen", "", False),
        ("LN:ibuprofen", "oral", False),
        ("LN:ibuprofen", "topical", True),
        ("LN:ibuprofen-gel", "", True),  # the product's name tells its way
        ("LN:ciprofloxacin-eye-drops", "", True),
    ],
)
def test_a_product_s_name_tells_how_it_is_given(medicine: str, route: str, ended: bool) -> None:
    subject = Subject(frozenset({medicine}), (Dosage(route=route),))
    assert verdict((), (ON_THE_SKIN,), NOBODY_KNOWS, subject).holds is not ended


STATIN, FUSIDIC = frozenset({"LN:atorvastatin"}), frozenset({"LN:fusidic-acid"})
BY_VEIN = RouteClause(frozenset({Route.INTRAVENOUS}))


@pytest.mark.parametrize(
    ("exempt", "first", "second", "ended"),
    [
        (ON_THE_SKIN, "oral", "topical", True),  # the cream is the second medicine
        (ON_THE_SKIN, "topical", "oral", True),
        (ON_THE_SKIN, "oral", "oral", False),
        (ON_THE_SKIN, "oral", "", False),
        (BY_VEIN, "intravenous", "oral", True),
        (BY_VEIN, "oral", "intravenous", False),  # what goes through the body is asked of the first alone
    ],
)
def test_a_way_that_stays_at_one_place_ends_a_pair_of_either_medicine(
    exempt: RouteClause, first: str, second: str, ended: bool
) -> None:
    pair = Subject(STATIN, (Dosage(route=first),), others=FUSIDIC, other_dosages=(Dosage(route=second),))
    assert verdict((), (exempt,), NOBODY_KNOWS, pair).holds is not ended


@pytest.mark.parametrize(
    ("other", "ended"),
    [
        (Dosage(route="oral"), False),
        (Dosage(dose=500, unit="mg"), False),  # an amount of which no way is told may be swallowed
        (Dosage(), True),
    ],
)
def test_a_medicine_that_is_also_swallowed_is_not_exempt(other: Dosage, ended: bool) -> None:
    subject = Subject(FUSIDIC, (Dosage(route="topical"), other))
    assert verdict((), (ON_THE_SKIN,), NOBODY_KNOWS, subject).holds is not ended
