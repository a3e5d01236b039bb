"""The allow-list of relations (assets/rules/umls_relations.tsv).

It says which are taken, in which direction a fact is kept, and in which words. A relation is named by RELA where a row has one, else by REL.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.ingest.umls.umls_settings import RelationList
from backend.stores.graph.graph_rows import RelationRow

ANY = frozenset({"*"})
_LISTS = {
    "proposed": {RelationList.PROPOSED, RelationList.UNION},
    "drknows": {RelationList.DRKNOWS, RelationList.UNION},
    "both": {RelationList.PROPOSED, RelationList.DRKNOWS, RelationList.UNION},
    "neither": set[RelationList](),
}


class AllowedRelation(NamedTuple):
    """One line: the pair of names, the lists that hold it, its words, and why it is on the list or not."""

    relation: str
    inverse: str
    lists: frozenset[RelationList]
    words: str
    inverse_words: str
    reason: str


class AllowList:
    """The lines of the file that one of the lists holds, and the names they allow."""

    def __init__(self, lines: tuple[AllowedRelation, ...], choice: RelationList, inverses: Mapping[str, str]) -> None:
        """inverses: what the release says of its own relations; it widens the names by the release's spellings."""
        self.choice = choice
        self.known = {line.relation: line for line in lines}
        self.other_ends = {line.inverse: line for line in lines if line.inverse != line.relation}
        held = [line for line in lines if choice in line.lists]
        named = {name for line in held for name in (line.relation, line.inverse)}
        self.names = frozenset(named | {inverses[name] for name in named if name in inverses})

    def allows(self, relation: str) -> bool:
        """Whether facts of the relation are taken."""
        return self.choice is RelationList.ALL or relation in self.names

    def inverse(self, relation: str) -> str | None:
        """The inverse by the file; None for a relation that it does not name."""
        if line := self.known.get(relation):
            return line.inverse
        line = self.other_ends.get(relation)
        return line.relation if line else None

    def row(self, relation: str, inverse: str) -> RelationRow:
        """The relation as the graph takes it. Words come from the file, else from the names themselves."""
        line = self.known.get(relation)
        words = line.words if line else relation.replace("_", " ").strip()
        other = line.inverse_words if line else inverse.replace("_", " ").strip()
        return RelationRow(relation, inverse, ANY, ANY, words, other, line.reason if line else "as the release has it")


def read_allowed(path: Path) -> tuple[AllowedRelation, ...]:
    """The lines of the file.

    Raises:
        KnowledgeError: for a wrong shape, an unknown list or a name that stands twice.
    """
    found: list[AllowedRelation] = []
    taken: set[str] = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not line.strip() or line.startswith("#") or cells[0] == "relation":
            continue
        if len(cells) != 6 or cells[2] not in _LISTS or not all(cells):
            raise KnowledgeError(
                f"{path.name}:{number} is no relation: {line[:60]!r}. Write relation, inverse, lists "
                f"({', '.join(_LISTS)}), words, inverse words and reason, separated by tabs."
            )
        names = {cells[0], cells[1]}
        if again := names & taken:
            raise KnowledgeError(f"{path.name}:{number} names {sorted(again)[0]!r} again. Keep one line for each pair.")
        taken |= names
        found.append(AllowedRelation(cells[0], cells[1], frozenset(_LISTS[cells[2]]), cells[3], cells[4], cells[5]))
    return tuple(found)
