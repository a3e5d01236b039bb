"""By which ways a medicine must not be given: the rows of assets/knowledge/safety/routes.tsv.

Every row carries entries of a medicine list that must bring its flag and that must not. It reads no text: whether a medicine is given so says its dosage.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.safety.rows.clauses import (
    MEDICINES,
    NONE,
    AlsoClause,
    Clause,
    ConceptNames,
    PastClause,
    Route,
    StageClause,
    TurnClause,
    parse_clauses,
)
from backend.knowledge.safety.rows.grades import Grade

FILE = "routes.tsv"
HEADER = ("medicine", "route", "grade", "effect", "when", "unless", "source", "yes", "no")
PUSH = "push"
_OF_ITS_OWN = StageClause | PastClause | AlsoClause | TurnClause
_DIVIDER = " | "


class RouteRow(NamedTuple):
    """Ways by which a medicine, or a member of a class, must not be given.

    Attributes:
        medicine: concept id.
        routes: the ways.
        push: whether into a vein it is a push or a bolus alone that must not be.
        grade: how grave it is.
        effect: what follows, and what is right instead.
        when, unless: clauses; those of dose are of the dosage.
        source: where the limit is known to stand, as the table says.
        yes, no: entries of a medicine list that must, and must not, bring the flag.
    """

    medicine: str
    routes: frozenset[Route]
    push: bool
    grade: Grade
    effect: str
    when: tuple[Clause, ...] = ()
    unless: tuple[Clause, ...] = ()
    source: str = ""
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    file: str = ""
    line: int = 0

    def forbids(self, route: str, *, push: bool) -> bool:
        """Whether a way is one of them; what is no push runs in."""
        return route in self.routes and (push or not self.push or route != Route.INTRAVENOUS)


def route_rows(rows: Iterator[tuple[int, list[str]]], path: Path, names: ConceptNames) -> tuple[RouteRow, ...]:
    """The rows of a table that was read, in their order.

    Raises:
        KnowledgeError: with file and line, for a row that names what there is not, has a clause about a condition of its own, lacks its
            examples, or repeats another.
    """
    found: list[RouteRow] = []
    place = f"{path.parent.name}/{path.name}"
    for number, cells in rows:
        try:
            row = _row(cells, names)._replace(file=place, line=number)
            if same := next((one for one in found if _key(one) == _key(row)), None):
                raise KnowledgeError(f"repeats line {same.line}: {cells[0]}, {cells[1]}. Remove one.")
            found.append(row)
        except KnowledgeError as error:
            raise KnowledgeError(f"{place}:{number}: {error}") from None
    return tuple(found)


def _row(cells: Sequence[str], names: ConceptNames) -> RouteRow:
    medicine, ways, grade, effect, when, unless, source, yes, no = cells
    if grade not in set(Grade):
        raise KnowledgeError(f"{grade!r} is no grade. Use one of: {', '.join(Grade)}.")
    clauses = parse_clauses(when, names), parse_clauses(unless, names)
    if any(isinstance(one, _OF_ITS_OWN) for part in clauses for one in part):
        raise KnowledgeError(
            "a route has no condition of its own: is:, past counts and in turn mean nothing. Write has: or had:."
        )
    if no == NONE or (yes == NONE and when == NONE):
        raise KnowledgeError(f"{medicine}: write an entry that brings the flag, and one that must not.")
    pushed = [way.endswith(f" {PUSH}") for way in ways.split("|")]
    routes = [_route(way.removesuffix(f" {PUSH}")) for way in ways.split("|")]
    return RouteRow(
        names.concept_id(medicine, MEDICINES, "a drug or a drug class"),
        frozenset(routes),
        any(pushed),
        Grade(grade),
        effect,
        *clauses,
        source,
        _entries(yes),
        _entries(no),
    )


def _key(row: RouteRow) -> tuple[str, frozenset[Route], bool]:
    return row.medicine, row.routes, row.push


def _route(way: str) -> Route:
    if way not in set(Route):
        raise KnowledgeError(f"{way!r} is no route. Use one of: {', '.join(Route)}; intravenous push for a push alone.")
    return Route(way)


def _entries(cell: str) -> tuple[str, ...]:
    return () if cell == NONE else tuple(cell.split(_DIVIDER))
