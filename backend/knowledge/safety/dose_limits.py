"""Which usual doses hold for a patient, and how far an amount lies from them: the one place where a distance becomes a grade.

Of the rows of a medicine those are used whose conditions hold and that `row_choice` takes of them. It reads no text: amounts come from
`taken_amounts`.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from backend.knowledge.safety.patient.clause_truth import Subject, specificity, verdict
from backend.knowledge.safety.patient.patient_state import PatientState
from backend.knowledge.safety.patient.taken_amounts import Amount, converted, rate, single_dose, times_a_day, way_told
from backend.knowledge.safety.row_choice import OF_TIME, RARELY, chosen, seldom
from backend.knowledge.safety.rows.clauses import DoseUnit, Period
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.grades import Grade
from backend.schemas.record import Dosage

SLACK = 1.001
"""What rounding may add."""
SEVERE_FROM = 2.0
"""Times the most that is usual above which an amount is taken for an error that must be changed; up to it, double doses with them, it is a warning."""
LOW_BELOW = 0.25
"""Share of the smallest usual dose below which an amount is told for information."""
_SAME_WAY = {"enteral": "oral"}
_ONCE, _MOUTH, _VEIN = "ONCE", "oral", "intravenous"


class Limits(NamedTuple):
    """What is usual in a period, in one unit; low is 0 where no least is known. rows: those that say so."""

    low: float
    high: float
    unit: str
    period: Period
    rows: tuple[DoseRow, ...]


class Applying(NamedTuple):
    """The rows that hold for one dosage of a patient. missing: values that further rows ask for and nobody knows."""

    rows: tuple[DoseRow, ...]
    missing: tuple[str, ...]


def applying(
    rows: Sequence[DoseRow],
    state: PatientState,
    dosage: Dosage,
    reasons: Collection[str] = (),
    *,
    at_home: bool = False,
) -> Applying:
    """The rows of one medicine that hold for a patient and a way of giving it.

    Args:
        rows: all rows of the medicine.
        state: the patient.
        dosage: how it is taken.
        reasons: concept ids of what it is given for.
        at_home: whether it is taken at home, where a way that nobody tells is by mouth if there is one; else every way counts.
    """
    held: list[DoseRow] = []
    missing: dict[str, None] = {}
    subject = Subject(dosages=(dosage,), reasons=frozenset(reasons))
    for row in rows:
        if row.indication and row.indication not in state.present and row.indication not in reasons:
            continue
        found = verdict(row.when, (), state, subject)
        if found.holds:
            held.append(row)
        missing.update(dict.fromkeys(found.missing))
    routed = _of_route(held, dosage, at_home)
    times, once = times_a_day(dosage), dosage.timing == _ONCE
    return Applying(
        chosen(routed, times, once=once),
        tuple(one for one in missing if one in ("eGFR", "weight")),
    )


def limits(
    rows: Iterable[DoseRow], period: Period, unit: str, weight: float | None, *, per_kg: bool = False
) -> Limits | None:
    """The widest range that rows of a period give, in a unit; None where none can be told in it.

    A row by weight gives its range times the weight, and its ceiling; without a weight its ceiling alone. One dose of what has a daily amount
    by its route is held to that amount as well, and to no least where the row for a day is narrower or stands alone. per_kg: the amount is for
    each kilogram and the weight is not known, so that rows by weight alone are compared, without their ceilings.
    """
    if per_kg:
        rows = [row._replace(ceiling=None) for row in rows if row.unit.by_weight]
        weight = 1.0
    own = [row for row in rows if row.period is period]
    found = [(row, one) for row in own if (one := _range(row, unit, weight)) is not None]
    if period is Period.DOSE:
        days = [
            (row, one) for row in rows if row.period is Period.DAY and (one := _range(row, unit, weight)) is not None
        ]
        found = _held_to_a_day(found, days)
    if not found:
        return None
    low, high = min(one[0] for _, one in found), max(one[1] for _, one in found)
    return Limits(low, high, unit, period, tuple(dict.fromkeys(row for row, _ in found)))


def over_grade(amount: float, most: float) -> Grade | None:
    """How grave an amount above the most that is usual is; None where it is not above it."""
    if amount <= most * SLACK:
        return None
    return Grade.NEVER if amount > SEVERE_FROM * most * SLACK else Grade.AVOID


def is_low(amount: float, least: float) -> bool:
    """Whether a dose is so small that the unit may be another."""
    return amount < least * LOW_BELOW


def taken_rarely(rows: Iterable[DoseRow]) -> Period | None:
    """The shortest period of a medicine whose rows are all by the week or the month; None for every other one."""
    periods = {row.period for row in rows if row.period not in OF_TIME and row.unit is not DoseUnit.TIMES}
    if not periods or not periods <= RARELY:
        return None
    return Period.WEEK if Period.WEEK in periods else Period.MONTH


def _of_route(rows: Sequence[DoseRow], dosage: Dosage, at_home: bool) -> list[DoseRow]:
    told = _SAME_WAY.get(way := way_told(dosage), way)
    if not dosage.route and rate(dosage) is not None and told not in {row.route for row in rows}:
        told = _VEIN  # what runs by the hour is no patch where there is none
    route = told or _usual_route(rows, dosage, at_home)
    own = [row for row in rows if row.route in ("", route)] if route else []
    return own or list(rows)


def _usual_route(rows: Sequence[DoseRow], dosage: Dosage, at_home: bool) -> str:
    """The way that nobody tells; empty for every way.

    It is the one that timing fits alone ("every 4 weeks"); at home by mouth, unless the dose is too small for it and fits another ("Ozempic 1 mg").
    """
    rare = {row.route: None for row in rows if row.period in RARELY}
    if seldom(times_a_day(dosage)) and rare:
        return _MOUTH if _MOUTH in rare else next(iter(rare))
    if not at_home:
        return ""
    one = single_dose(dosage)
    mouth = [row for row in rows if row.route == _MOUTH and is_amount(row)]
    if one is not None and mouth and all(_beside(one, row) < 0 for row in mouth):
        return next((row.route for row in rows if row.route != _MOUTH and _beside(one, row) == 0), _MOUTH)
    return _MOUTH


def is_amount(row: DoseRow) -> bool:
    """Whether a row bounds an amount: of a rate, a length or a frequency it bounds none."""
    return row.period not in OF_TIME and row.unit is not DoseUnit.TIMES


def _beside(one: Amount, row: DoseRow) -> int:
    """Whether a single dose is less than a row's amounts (-1), among them (0), more, or in another unit (1)."""
    number = None if one.per_kg or row.unit.by_weight else converted(one.number, one.unit, row.unit)
    if number is None or number > row.maximum:
        return 1
    return -1 if number < row.minimum else 0


def _range(row: DoseRow, unit: str, weight: float | None) -> tuple[float, float] | None:
    if row.unit.by_surface and unit == row.unit.value:
        return row.minimum, row.maximum
    plain = row.unit.plain
    scale = converted(1.0, plain, unit)
    if scale is None:
        return None
    ceiling = None if row.ceiling is None else row.ceiling * scale
    if row.unit.by_weight and weight is not None:
        low, high = row.minimum * weight * scale, row.maximum * weight * scale
        return low, high if ceiling is None else min(high, ceiling)
    if row.unit.by_weight or row.unit.by_surface:
        return None if ceiling is None else (0.0, ceiling)
    return row.minimum * scale, row.maximum * scale


def _held_to_a_day(
    doses: list[tuple[DoseRow, tuple[float, float]]], days: list[tuple[DoseRow, tuple[float, float]]]
) -> list[tuple[DoseRow, tuple[float, float]]]:
    """Ranges of one dose with what the ranges of a day say of it, route by route."""
    found = []
    for route in dict.fromkeys(row.route for row, _ in (*doses, *days)):
        own = [pair for pair in doses if pair[0].route == route]
        daily = [pair for pair in days if pair[0].route == route]
        if not own:
            found += [(row, (0.0, high)) for row, (_, high) in daily]
            continue
        narrower = [row for row, _ in daily if specificity(row) > min(specificity(one) for one, _ in own)]
        most, cap = max(((high, row) for row, (_, high) in daily if row in narrower), key=_first, default=(None, None))
        least = min((low for _, (low, _) in daily), default=None)
        for row, (low, high) in own:
            begins = 0.0 if least is not None and least < low else low
            found.append(
                (cap, (begins, most)) if most is not None and cap is not None and most < high else (row, (begins, high))
            )
    return found


def _first(pair: tuple[float, DoseRow]) -> float:
    return pair[0]


def in_unit(amount: Amount, unit: str, weight: float | None) -> float | None:
    """An amount in a plain unit; one by weight needs the weight; None where it cannot be told."""
    if amount.per_kg and weight is None:
        return None
    return converted(amount.number * ((weight or 1.0) if amount.per_kg else 1.0), amount.unit, unit)
