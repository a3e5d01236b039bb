"""Hold every medicine to rows of doses with a way of giving it, or to the list of those that have none, which says why.

Reads assets/knowledge/safety/undosed.tsv. A row of a class is of its members that have no rows of doses. Gives one line for each medicine
that is in neither, and for each row of the list that is of no medicine without doses.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.safety.rows.clauses import MEDICINES, ConceptNames
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.knowledge.safety.rows.row_checks import RowBreach
from backend.knowledge.safety.rows.safety_rows import FOLDER, table_rows
from backend.schemas.vocabulary import Category
from backend.stores.graph.graph import Graph

_FILE = "undosed.tsv"
_HEADER = ("medicine", "why")
_CLASSES = ("has_class", "subclass_of", "isa")


class UndosedRow(NamedTuple):
    """A medicine without rows of doses, or a class whose members may have none, and why."""

    medicine: str
    why: str
    line: int


def read_undosed(folder: Path, names: ConceptNames) -> tuple[UndosedRow, ...]:
    """The rows of a knowledge folder; none where it has no such file.

    Raises:
        KnowledgeError: with file and line, where a row has the wrong shape or names no medicine.
    """
    path = folder / FOLDER / _FILE
    found = []
    for line, (name, why) in table_rows(path, _HEADER) if path.is_file() else ():
        try:
            found.append(UndosedRow(names.concept_id(name, MEDICINES, "a drug or a drug class"), why, line))
        except KnowledgeError as error:
            raise KnowledgeError(f"{FOLDER}/{_FILE}:{line}: {error}") from None
    return tuple(found)


def undosed_breaches(graph: Graph, rows: Sequence[UndosedRow], doses: Iterable[DoseRow]) -> Iterator[RowBreach]:
    """Every medicine without doses that the list leaves out, and every row of the list that is of no medicine without doses.

    Yields:
        the row of the list, or the list itself, and the medicine.
    """
    file = f"{FOLDER}/{_FILE.removesuffix('.tsv')}"
    given: dict[str, set[str]] = {}
    for dose in doses:
        given.setdefault(dose.drug_id, set()).add(dose.route)
    listed, met = {row.medicine for row in rows}, set[str]()
    for concept in graph.ids:
        if graph.row(concept).category != Category.DRUG:
            continue
        if concept in given:
            if not any(given[concept]):
                yield RowBreach(file, 0, f"{concept[3:]}: no row of its doses says by which way it is given")
            continue
        own = _above(graph, concept) & listed
        met |= own
        if not own:
            yield RowBreach(file, 0, f"{concept[3:]}: no row of doses; write one, or list it here with the reason")
    for row in rows:
        if row.medicine not in met:
            yield RowBreach(file, row.line, f"{row.medicine[3:]}: lists nothing that has no row of doses")


def _above(graph: Graph, concept: str) -> set[str]:
    found: set[str] = set()
    frontier: Collection[str] = {concept}
    while frontier:
        found.update(frontier)
        frontier = {one for known in frontier for one in graph.related(known, *_CLASSES)} - found
    return found
