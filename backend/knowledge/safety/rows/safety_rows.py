"""The safety rows: interactions, contraindications, what a medicine needs to be watched by, and what a condition needs.

Reads assets/knowledge/safety. Every row is typed and names concepts that exist; an unknown clause, name, unit or grade is a
KnowledgeError with file and line. It does not judge what rows say: `row_checks` does.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

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
    condition_in_words,
    parse_clauses,
)
from backend.knowledge.safety.rows.grades import Grade
from backend.knowledge.safety.rows.route_rows import FILE as ROUTES
from backend.knowledge.safety.rows.route_rows import HEADER as ROUTE_CELLS
from backend.knowledge.safety.rows.route_rows import RouteRow, route_rows
from backend.schemas.vocabulary import Category

FOLDER = "safety"
INTERACTIONS, CONTRAINDICATIONS, MONITORING = "interactions", "contraindications", "monitoring"
UNTREATED, WAYS = "untreated", "ways"
DOSE_CHANGED = "dose must be changed"
"""A reason that begins so says that the medicine is used, in another dose."""
_CELLS = {
    INTERACTIONS: ("one", "other", "grade", "effect", "when", "unless"),
    CONTRAINDICATIONS: ("medicine", "condition", "grade", "reason", "when", "unless"),
    MONITORING: ("medicine", "needs", "grade", "reason", "when", "unless"),
    UNTREATED: ("condition", "needs", "grade", "reason", "when", "unless"),
}
_OTHERS = MEDICINES | {Category.DIET, Category.SUBSTANCE}
_CONDITIONS = frozenset(
    {
        Category.DISEASE, Category.FINDING, Category.SYMPTOM, Category.PROCEDURE, Category.PERSON, Category.PHYSIOLOGY,
        Category.ALLERGEN, Category.DEVICE, Category.PHENOMENON, Category.ACTIVITY, Category.SUBSTANCE, Category.TEST,
    }
)  # fmt: skip
_NEEDED = frozenset(
    {Category.TEST, Category.FINDING, Category.PROCEDURE, Category.FOLLOW_UP, Category.PHYSIOLOGY, *MEDICINES}
)


R = TypeVar("R")


class InteractionRow(NamedTuple):
    """What happens where two medicines, or members of two classes, are taken together.

    one, other: concept ids; clauses about dose and route mean the first. effect: empty where the row tells none.
    """

    one: str
    other: str
    grade: Grade
    effect: str
    when: tuple[Clause, ...] = ()
    unless: tuple[Clause, ...] = ()
    file: str = ""
    line: int = 0
    row_id: str = ""

    @property
    def subjects(self) -> tuple[str, ...]:
        """The concepts that the row is about."""
        return (self.one, self.other)


class ContraindicationRow(NamedTuple):
    """What speaks against a medicine, or a class, in somebody with a condition. reason: empty where the row tells none."""

    medicine: str
    condition: str
    grade: Grade
    reason: str
    when: tuple[Clause, ...] = ()
    unless: tuple[Clause, ...] = ()
    file: str = ""
    line: int = 0
    row_id: str = ""

    @property
    def past_counts(self) -> bool:
        """Whether a history of the condition is enough."""
        return any(isinstance(one, PastClause) for one in self.when)

    def counts(self, where: str) -> bool:
        """Whether the condition counts where it is planned, or of a relative alone."""
        return AlsoClause(where) in self.when

    @property
    def changes_dose(self) -> bool:
        """Whether the medicine is used all the same, in another dose."""
        return self.reason.startswith(DOSE_CHANGED)

    @property
    def qualifier(self) -> str:
        """When it holds, in words, for the graph's fact; what the reason says where no clause can."""
        words = condition_in_words(self.when, self.unless)
        if self.changes_dose:
            return words or self.reason.removeprefix(DOSE_CHANGED).lstrip(":, ")
        return words or (self.reason if self.grade in (Grade.MONITOR, Grade.INFORMATION) else "")


class MonitoringRow(NamedTuple):
    """What must be measured or planned where a medicine is taken. needs: the concept of a test or value."""

    medicine: str
    needs: str
    grade: Grade
    reason: str
    when: tuple[Clause, ...] = ()
    unless: tuple[Clause, ...] = ()
    file: str = ""
    line: int = 0
    row_id: str = ""


class UntreatedRow(NamedTuple):
    """What a condition asks for, one of which is enough: medicines, classes or tests. needs: their concept ids."""

    condition: str
    needs: tuple[str, ...]
    grade: Grade
    reason: str
    when: tuple[Clause, ...] = ()
    unless: tuple[Clause, ...] = ()
    file: str = ""
    line: int = 0
    row_id: str = ""

    @property
    def past_counts(self) -> bool:
        """Whether a history of the condition is enough."""
        return any(isinstance(one, PastClause) for one in self.when)


class SafetyRows(NamedTuple):
    """All rows of a knowledge folder, in the order of files and lines. ways: further ways of medicines and classes, by their ids; routes: those that must not be."""

    interactions: tuple[InteractionRow, ...] = ()
    contraindications: tuple[ContraindicationRow, ...] = ()
    monitoring: tuple[MonitoringRow, ...] = ()
    untreated: tuple[UntreatedRow, ...] = ()
    ways: Mapping[str, frozenset[Route]] = MappingProxyType({})
    routes: tuple[RouteRow, ...] = ()


def read_safety_rows(folder: Path, names: ConceptNames) -> SafetyRows:
    """The rows of a knowledge folder, none where it has no folder of them; a KnowledgeError with file and line for what is no row."""
    home = folder / FOLDER
    interactions = _read(home, INTERACTIONS, names, _interaction)
    contraindications = _read(home, CONTRAINDICATIONS, names, _contraindication)
    monitoring = _read(home, MONITORING, names, _monitoring)
    untreated = _read(home, UNTREATED, names, _untreated)
    path = home / ROUTES
    routes = route_rows(table_rows(path, ROUTE_CELLS), path, names) if path.is_file() else ()
    return SafetyRows(interactions, contraindications, monitoring, untreated, _ways(home, names), routes)


class _Cells(NamedTuple):
    first: str
    second: str
    grade: Grade
    said: str
    when: tuple[Clause, ...]
    unless: tuple[Clause, ...]
    file: str
    line: int
    row_id: str


def table_rows(path: Path, header: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table whose cells are all filled, with their line numbers; `#` starts a comment line.

    Raises:
        KnowledgeError: the header is another, or a row has an empty cell or another number of cells.

    Yields:
        line number, cells.
    """
    place = f"{path.parent.name}/{path.name}"
    seen_header = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if not seen_header:
            if tuple(cells) != header:
                raise KnowledgeError(
                    f"{place}:{number}: the first row must be the header {' '.join(header)}, set apart by tabs."
                )
            seen_header = True
            continue
        if len(cells) != len(header) or not all(cells):
            raise KnowledgeError(
                f"{place}:{number} needs {len(header)} filled cells, set apart by single tabs; write - for none: {line.strip()[:80]!r}."
            )
        yield number, cells


def _read(home: Path, kind: str, names: ConceptNames, row: Callable[[_Cells, ConceptNames], R]) -> tuple[R, ...]:
    paths = [home / f"{kind}.tsv"] if (home / f"{kind}.tsv").is_file() else sorted((home / kind).glob("*.tsv"))
    found: list[R] = []
    seen: dict[str, str] = {}
    for path in paths:
        for number, cells in table_rows(path, _CELLS[kind]):
            place = f"{FOLDER}/{path.relative_to(home).as_posix()}"
            first, second, grade, said, when, unless = cells
            ends = sorted((first, second)) if kind == INTERACTIONS else [first, second]
            use = DOSE_CHANGED if said.startswith(DOSE_CHANGED) else kind
            row_id = "|".join((use, *ends, when, unless))
            if row_id in seen:
                raise KnowledgeError(f"{place}:{number} repeats {seen[row_id]}: {first}, {second}. Remove one.")
            seen[row_id] = f"{place}:{number}"
            try:
                if grade not in set(Grade):
                    raise KnowledgeError(f"{grade!r} is no grade. Use one of: {', '.join(Grade)}.")
                clauses = parse_clauses(when, names), parse_clauses(unless, names)
                read = _Cells(
                    first, second, Grade(grade), "" if said == NONE else said, *clauses, place, number, row_id
                )
                found.append(row(read, names))
            except KnowledgeError as error:
                raise KnowledgeError(f"{place}:{number}: {error}") from None
    return tuple(found)


def _ways(home: Path, names: ConceptNames) -> dict[str, frozenset[Route]]:
    path = home / f"{WAYS}.tsv"
    found: dict[str, frozenset[Route]] = {}
    for number, (medicine, routes) in table_rows(path, ("medicine", "routes")) if path.is_file() else ():
        try:
            concept = names.concept_id(medicine, MEDICINES, "a drug or a drug class")
            found[concept] = frozenset(Route(one) for one in routes.split("|"))
        except (KnowledgeError, ValueError) as error:
            raise KnowledgeError(f"{FOLDER}/{WAYS}.tsv:{number}: {error}") from None
    return found


def _interaction(cells: _Cells, names: ConceptNames) -> InteractionRow:
    one = names.concept_id(cells.first, MEDICINES, "a drug or a drug class")
    other = names.concept_id(cells.second, _OTHERS, "a drug, a drug class, a food or a substance")
    if any(isinstance(clause, StageClause | PastClause | AlsoClause) for clause in (*cells.when, *cells.unless)):
        raise KnowledgeError(
            "an interaction has no condition of its own: is: and past counts mean nothing. Write has: or had:."
        )
    return InteractionRow(one, other, *cells[2:])


def _contraindication(cells: _Cells, names: ConceptNames) -> ContraindicationRow:
    medicine = names.concept_id(cells.first, MEDICINES, "a drug or a drug class")
    condition = names.concept_id(cells.second, _CONDITIONS, "a condition")
    _no_turn(cells)
    return ContraindicationRow(medicine, condition, *cells[2:])


def _monitoring(cells: _Cells, names: ConceptNames) -> MonitoringRow:
    medicine = names.concept_id(cells.first, MEDICINES, "a drug or a drug class")
    if any(isinstance(clause, StageClause | PastClause | AlsoClause) for clause in (*cells.when, *cells.unless)):
        raise KnowledgeError("what a medicine needs has no condition of its own: write has: or had:.")
    _no_turn(cells)
    return MonitoringRow(medicine, names.concept_id(cells.second, _NEEDED, "a test or a value"), *cells[2:])


def _untreated(cells: _Cells, names: ConceptNames) -> UntreatedRow:
    condition = names.concept_id(cells.first, _CONDITIONS, "a condition")
    needs = tuple(names.concept_id(one, _NEEDED, "a medicine or a test") for one in cells.second.split("|"))
    _no_turn(cells)
    return UntreatedRow(condition, needs, *cells[2:])


def _no_turn(cells: _Cells) -> None:
    if any(isinstance(clause, TurnClause) for clause in (*cells.when, *cells.unless)):
        raise KnowledgeError("in turn is said of two medicines: only an interaction may ask for it.")
