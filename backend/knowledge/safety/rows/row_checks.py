"""What is wrong with safety rows by themselves: bounds of doses that no medicine has, clauses that contradict one another.

Takes rows that were read; gives one line a breach. It does not judge the medicine.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backend.knowledge.safety.rows.clauses import Clause, Period, ValueClause
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.safety_rows import (
    ContraindicationRow,
    InteractionRow,
    MonitoringRow,
    SafetyRows,
    UntreatedRow,
)
from backend.knowledge.safety.rows.value_table import value_table


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
    yield from _dose_breaches(doses)


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
