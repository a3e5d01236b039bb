"""Usual doses, to check numbers against: the rows of assets/knowledge/doses.

Every cell is filled, `-` for none. `when` and `indication` say for whom a row holds; the most specific rows that hold replace the
general one (`dose_limits`). It does not judge: `row_checks` does.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.safety.rows.clauses import (
    NONE,
    AlsoClause,
    Clause,
    ConceptNames,
    DoseUnit,
    PastClause,
    Period,
    Route,
    StageClause,
    TurnClause,
    parse_clauses,
)
from backend.knowledge.safety.rows.safety_rows import table_rows
from backend.schemas.vocabulary import Category

FOLDER = "doses"
HEADER = ("drug", "route", "indication", "when", "minimum", "maximum", "unit", "period", "ceiling", "note")


class DoseRow(NamedTuple):
    """A usual dose; minimum, maximum and ceiling are in unit per period, the ceiling in the plain unit of one by weight.

    Attributes:
        drug_id: of the medicine.
        route: as readings of a dosage name it; empty for any.
        minimum: the least that is usual.
        maximum: the most that is usual.
        unit: of minimum and maximum.
        period: dose, day, week or month.
        when: for whom it holds; empty for every adult.
        indication: the id of what it is given for; empty for any.
        ceiling: what is never exceeded, whatever the weight; None for none.
        note: a few words for the reader.
    """

    drug_id: str
    route: str
    minimum: float
    maximum: float
    unit: DoseUnit
    period: Period
    when: tuple[Clause, ...] = ()
    indication: str = ""
    ceiling: float | None = None
    note: str = ""
    file: str = ""
    line: int = 0
    row_id: str = ""


def read_doses(folder: Path, names: ConceptNames) -> list[DoseRow]:
    """The rows of all files of a knowledge folder; a KnowledgeError with file and line where the vocabulary lacks what a row says."""
    return [row for path in sorted((folder / FOLDER).glob("*.tsv")) for row in _rows(path, names)]


def _rows(path: Path, names: ConceptNames) -> Iterator[DoseRow]:
    seen: dict[str, int] = {}
    for number, cells in table_rows(path, HEADER):
        place = f"{FOLDER}/{path.name}"
        row_id = "|".join((FOLDER, *cells[:4], *cells[6:8]))
        if row_id in seen:
            raise KnowledgeError(
                f"{place}:{number} has the medicine, use, condition, unit and period of line {seen[row_id]}. Remove one."
            )
        seen[row_id] = number
        try:
            yield _row(cells, names)._replace(file=place, line=number, row_id=row_id)
        except KnowledgeError as error:
            raise KnowledgeError(f"{place}:{number}: {error}") from None


def _row(cells: list[str], names: ConceptNames) -> DoseRow:
    drug, route, indication, when, minimum, maximum, unit, period, ceiling, note = cells
    if route != NONE and route not in set(Route):
        raise KnowledgeError(f"{route!r} is no route. Use one of: {', '.join(Route)}.")
    if unit not in set(DoseUnit) or period not in set(Period):
        raise KnowledgeError(
            f"{unit} a {period}: use one of the units {', '.join(DoseUnit)} and of the periods {', '.join(Period)}."
        )
    clauses = parse_clauses(when, names)
    if any(isinstance(one, StageClause | PastClause | AlsoClause | TurnClause) for one in clauses):
        raise KnowledgeError(
            "a dose has no condition of its own: is: and past counts mean nothing here. Write has: or had:."
        )
    return DoseRow(
        names.concept_id(drug, {Category.DRUG}, "a drug"),
        "" if route == NONE else route,
        _number(minimum, "minimum"),
        _number(maximum, "maximum"),
        DoseUnit(unit),
        Period(period),
        clauses,
        "" if indication == NONE else names.concept_id(indication),
        None if ceiling == NONE else _number(ceiling, "ceiling"),
        "" if note == NONE else note,
    )


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise KnowledgeError(f"{what} {text!r} must be a number. Write it as 2.5 or 40.") from None
