"""Hold the starter knowledge to a list of medicines that it must know: by which name, in which class, of which allergy family.

Takes the rows of assets/knowledge/safety/coverage.tsv, and concepts and triples in their relation's own direction; gives one line
for each medicine that is unknown, stands under two concepts, misses its class or misses its family. What is not in the list is
not judged.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.allergy_reach import allergy_families
from backend.schemas.vocabulary import Category
from backend.stores.graph.graph_rows import ConceptRow, TripleRow

FILE = Path("safety") / "coverage.tsv"
_UP = {"has_class": False, "isa": False, "has_ingredient": False, "has_subclass": True}
"""Relations from a medicine or class to what stands above it, or to its parts; true where the fact is written downwards."""


class CoverageRow(NamedTuple):
    """A name of a medicine, a class that it must reach and the allergy family that it must be of; no family is empty."""

    medicine_class: str
    member: str
    family: str
    line: int


class CoverageBreach(NamedTuple):
    """A row that the knowledge does not satisfy: its line in the file, counted from 1, and what is missing."""

    line: int
    what: str


def read_coverage(folder: Path) -> tuple[CoverageRow, ...]:
    """The rows of a knowledge folder; none where it has no such file."""
    path = folder / FILE
    if not path.is_file():
        return ()
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    written = [(number, line) for number, line in lines if line and not line.startswith("#")]
    return tuple(_row(number, line) for number, line in written[1:])


def _row(number: int, line: str) -> CoverageRow:
    cells = line.split("\t")
    if len(cells) != 3:
        raise KnowledgeError(
            f"{FILE}:{number} has {len(cells)} cells; it needs class, member and family, set apart by tabs."
        )
    medicine_class, member, family = cells
    return CoverageRow(medicine_class, member, "" if family == "-" else family, number)


def coverage_breaches(
    rows: Iterable[CoverageRow], concepts: Iterable[ConceptRow], triples: Iterable[TripleRow]
) -> Iterator[CoverageBreach]:
    """Every row that is not satisfied, in the order of the file.

    Yields:
        the line of the row and what is missing: the medicine, its class or its family.
    """
    known = list(concepts)
    classes = {one.name: one.concept_id for one in known if one.category == Category.DRUG_CLASS}
    medicines = _by_name(one for one in known if one.category == Category.DRUG)
    above = _above(triples)
    families = allergy_families()
    first: dict[tuple[str, str, str], int] = {}
    for row in rows:
        line = first.setdefault((row.medicine_class, row.member.lower(), row.family), row.line)
        if line != row.line:
            yield CoverageBreach(row.line, f"{row.member!r} repeats line {line}")
        found = medicines.get(row.member.lower(), frozenset())
        if len(found) != 1:
            what = "is the name of no medicine" if not found else f"is a name of {len(found)} medicines"
            yield CoverageBreach(row.line, f"{row.member!r} {what}")
            continue
        reached = _reached(next(iter(found)), above)
        if classes.get(row.medicine_class) not in reached:
            yield CoverageBreach(row.line, f"{row.member!r} does not reach the class {row.medicine_class!r}")
        if row.family and row.family not in families:
            yield CoverageBreach(row.line, f"{row.family!r} is no allergy family")
        elif row.family and classes.get(row.family) not in reached:
            yield CoverageBreach(row.line, f"{row.member!r} is not of the allergy family {row.family!r}")


def _by_name(medicines: Iterable[ConceptRow]) -> dict[str, frozenset[str]]:
    """The ids of medicines by their names in lower case; a preferred name beats the synonyms of others."""
    preferred: dict[str, frozenset[str]] = {}
    others: dict[str, set[str]] = defaultdict(set)
    for one in medicines:
        preferred[one.name.lower()] = frozenset({one.concept_id})
        for name in one.synonyms:
            others[name.lower()].add(one.concept_id)
    return {name: frozenset(ids) for name, ids in others.items()} | preferred


def _above(triples: Iterable[TripleRow]) -> Mapping[str, frozenset[str]]:
    """What stands right above each concept, or is a part of it."""
    above: dict[str, set[str]] = defaultdict(set)
    for row in triples:
        down = _UP.get(row.relation)
        if down is not None:
            lower, upper = (row.tail, row.head) if down else (row.head, row.tail)
            above[lower].add(upper)
    return {concept: frozenset(ids) for concept, ids in above.items()}


def _reached(concept: str, above: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """All that stands above a concept and its parts, at any depth."""
    found: set[str] = set()
    frontier = {concept}
    while frontier:
        frontier = {upper for one in frontier for upper in above.get(one, ())} - found
        found |= frontier
    return frozenset(found)
