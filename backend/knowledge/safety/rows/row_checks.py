"""What is wrong with safety rows by themselves: bounds of doses that no medicine has, clauses that contradict one another, one row twice.

Takes rows that were read; gives one line a breach. It does not judge the medicine. How far doses of one medicine may lie apart is set
wide, to find a digit too many and another unit, not an unusual dose.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.knowledge.safety.rows.clauses import Clause, DoseUnit, Period, ValueClause
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.safety_rows import (
    ContraindicationRow,
    InteractionRow,
    MonitoringRow,
    SafetyRows,
    UntreatedRow,
)
from backend.knowledge.safety.rows.value_table import value_table

MOST_APART, MOST_APART_BY_VALUE = 25.0, 5.0
"""How many times the most of a row for everybody may be the most of another, and of one that asks for values alone (age, eGFR, weight)."""
LEAST_APART = 0.01
WIDEST_SPAN = 2000.0
"""How many times its minimum may be a row's maximum; wider ones hold nothing."""
MOST_DOSES_A_DAY = 24
_MASS = {DoseUnit.G: 1000.0, DoseUnit.MG: 1.0, DoseUnit.MCG: 0.001}


class RowBreach(NamedTuple):
    """A rule that a row breaks: file and line of the row, and what is wrong."""

    file: str
    line: int
    what: str


def row_breaches(rows: SafetyRows, doses: Sequence[DoseRow]) -> Iterator[RowBreach]:
    """Every breach of interactions, contraindications, monitoring and doses, in this order."""
    graded: tuple[InteractionRow | ContraindicationRow | MonitoringRow | UntreatedRow, ...] = (
        *rows.interactions,
        *rows.contraindications,
        *rows.monitoring,
        *rows.untreated,
    )
    for row in graded:
        for what in _clause_breaches(row.when):
            yield RowBreach(row.file, row.line, what)
    yield from _told_twice(rows, doses)
    yield from _dose_breaches(doses)
    yield from _far_apart(doses)


def _told_twice(rows: SafetyRows, doses: Sequence[DoseRow]) -> Iterator[RowBreach]:
    """Rows of the same concepts under the same conditions, whatever names they are written with and in whatever order."""
    first: dict[tuple[str, tuple[str, ...], object], _Stated] = {}
    for one in _stated(rows, doses):
        same = first.setdefault((one.kind, one.about, one.conditions), one)
        if same is not one:
            differ = f", there {same.grade} and here {one.grade}" if same.grade != one.grade else ""
            names = " and ".join(concept[3:] for concept in one.about)
            yield RowBreach(one.file, one.line, f"{one.kind} of {names}: repeats {same.file}:{same.line}{differ}")


class _Stated(NamedTuple):
    kind: str
    about: tuple[str, ...]
    conditions: object
    grade: str
    file: str
    line: int


def _stated(rows: SafetyRows, doses: Sequence[DoseRow]) -> Iterator[_Stated]:
    """What each row is about, so that rows of one medicine and one condition are the same whatever they are called in their files."""
    for pair in rows.interactions:
        about = tuple(sorted(pair.subjects))
        yield _Stated("interaction", about, _conditions(pair), pair.grade, pair.file, pair.line)
    for row in rows.contraindications:
        kind = "changed dose" if row.changes_dose else "contraindication"
        yield _Stated(kind, (row.medicine, row.condition), _conditions(row), row.grade, row.file, row.line)
    for need in rows.monitoring:
        yield _Stated("monitoring", (need.medicine, need.needs), _conditions(need), need.grade, need.file, need.line)
    for dose in doses:
        use = dose.route, dose.indication, frozenset(dose.when), dose.unit, dose.period
        yield _Stated("dose", (dose.drug_id,), use, "", dose.file, dose.line)


def _conditions(
    row: InteractionRow | ContraindicationRow | MonitoringRow,
) -> tuple[frozenset[Clause], frozenset[Clause]]:
    return frozenset(row.when), frozenset(row.unless)


def _far_apart(doses: Sequence[DoseRow]) -> Iterator[RowBreach]:
    """Rows whose bounds cannot be those of the medicine, beside the row that holds for everybody."""
    usual: dict[tuple[str, str, str, Period], float] = {}
    for row in doses:
        if not row.when and not row.indication:
            key, most = _kind(row), _amount(row, row.maximum)
            usual[key] = max(most, usual.get(key, 0.0))
    per_dose: dict[tuple[object, ...], float] = {}
    for row in doses:
        if row.period is Period.DOSE:
            per_dose[_use(row)] = _amount(row, row.maximum)
    for row in doses:
        most, name = _amount(row, row.maximum), row.drug_id[3:]
        base, one = usual.get(_kind(row)), per_dose.get(_use(row))
        by_value = not row.indication and all(isinstance(clause, ValueClause) for clause in row.when)
        limit = MOST_APART_BY_VALUE if by_value else MOST_APART
        if base and not LEAST_APART <= most / base <= limit:
            what = f"dose of {name}: at most {row.maximum:g} {row.unit}, {most / base:.3g} times the usual most"
            yield RowBreach(row.file, row.line, what)
        if row.period is Period.DAY and one and most > MOST_DOSES_A_DAY * one:
            what = f"dose of {name}: at most {row.maximum:g} a day, more than {MOST_DOSES_A_DAY} doses a day"
            yield RowBreach(row.file, row.line, what)
        if row.minimum and row.maximum > WIDEST_SPAN * row.minimum:
            what = f"dose of {name}: {row.minimum:g} to {row.maximum:g} {row.unit} is no bound"
            yield RowBreach(row.file, row.line, what)


def _kind(row: DoseRow) -> tuple[str, str, str, Period]:
    return row.drug_id, row.route, "mass" if row.unit in _MASS else str(row.unit), row.period


def _use(row: DoseRow) -> tuple[object, ...]:
    return *_kind(row)[:3], row.indication, frozenset(row.when)


def _amount(row: DoseRow, amount: float) -> float:
    """An amount in the unit by which rows of one kind are compared."""
    return amount * _MASS.get(row.unit, 1.0)


def _clause_breaches(when: Sequence[Clause]) -> Iterator[str]:
    """Values that nobody can have, and limits between which nothing lies: such a row is reached by no check."""
    lowest: dict[str, float] = {}
    highest: dict[str, float] = {}
    for clause in when:
        if not isinstance(clause, ValueClause):
            continue
        row = value_table()[clause.value]
        if not row.least <= clause.limit <= row.most:
            yield f"{clause.value}{clause.sign}{clause.limit:g}: {row.unit} of a patient lie between {row.least:g} and {row.most:g}"
        side = highest if clause.sign.startswith("<") else lowest
        known = side.get(clause.value, clause.limit)
        side[clause.value] = min(known, clause.limit) if side is highest else max(known, clause.limit)
    for value in lowest.keys() & highest.keys():
        if lowest[value] >= highest[value]:
            yield f"{value} from {lowest[value]:g} and below {highest[value]:g}: no patient has both"


def _dose_breaches(doses: Sequence[DoseRow]) -> Iterator[RowBreach]:
    by_use: dict[tuple[str, str, str, tuple[Clause, ...], str], dict[Period, DoseRow]] = {}
    for row in doses:
        for what in (*_bounds(row), *_clause_breaches(row.when)):
            yield RowBreach(row.file, row.line, f"dose of {row.drug_id[3:]}: {what}")
        by_use.setdefault((row.drug_id, row.route, row.indication, row.when, row.unit), {})[row.period] = row
    for rows in by_use.values():
        one, day = rows.get(Period.DOSE), rows.get(Period.DAY)
        if one and day and day.maximum < one.minimum:
            yield RowBreach(
                day.file,
                day.line,
                f"dose of {day.drug_id[3:]}: at most {day.maximum:g} a day, but one dose is at least {one.minimum:g}",
            )


def _bounds(row: DoseRow) -> Iterator[str]:
    if not 0 <= row.minimum <= row.maximum or row.maximum == 0:
        yield f"minimum {row.minimum} and maximum {row.maximum} are out of order"
    if row.ceiling is not None:
        if row.ceiling <= 0 or (row.unit == row.unit.plain and row.ceiling < row.maximum):
            yield f"ceiling {row.ceiling:g} is below the maximum {row.maximum:g}"
    elif row.unit.by_weight:
        yield f"{row.unit} without a ceiling: nothing is held where the weight is not known"
