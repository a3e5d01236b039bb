"""One concept and one fact, as every importer yields them and the graph takes them."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from backend.errors import KnowledgeError


class ConceptRow(NamedTuple):
    """A concept. definition is one plain phrase or sentence, empty when there is none."""

    concept_id: str
    name: str
    group: str
    category: str
    synonyms: tuple[str, ...] = ()
    definition: str = ""
    condition: bool = False
    must_not_miss: bool = False


class TripleRow(NamedTuple):
    """A fact between two concept ids. qualifier says when it holds; empty means always."""

    head: str
    relation: str
    tail: str
    qualifier: str = ""


class RelationRow(NamedTuple):
    """A relation of the closed list, with its inverse and the words that tell it in each direction."""

    relation: str
    inverse: str
    head_categories: frozenset[str]
    tail_categories: frozenset[str]
    words: str
    inverse_words: str
    meaning: str


class RelationTable:
    """rows: by relation. names: relations and inverse ones, sorted; a relation's id is its place there."""

    def __init__(self, rows: Iterable[RelationRow]) -> None:
        """Index the relations by name, inverses included.

        Raises:
            KnowledgeError: where one name has two inverses.
        """
        self.rows: tuple[RelationRow, ...] = tuple(sorted(rows, key=lambda row: row.relation))
        self.words: dict[str, str] = {row.inverse: row.inverse_words for row in self.rows}
        self.words.update({row.relation: row.words for row in self.rows})
        self.inverse: dict[str, str] = {}
        for row in self.rows:
            for name, other in ((row.relation, row.inverse), (row.inverse, row.relation)):
                if self.inverse.setdefault(name, other) != other:
                    raise KnowledgeError(
                        f"The relation {name!r} has two inverses, {self.inverse[name]!r} and {other!r}. Name one for each."
                    )
        self.names: tuple[str, ...] = tuple(sorted(self.inverse))
        self.index: dict[str, int] = {name: i for i, name in enumerate(self.names)}

    @property
    def inverse_ids(self) -> np.ndarray:
        """(names,) int32: the id of each relation's inverse."""
        return np.array([self.index[self.inverse[name]] for name in self.names], dtype=np.int32)

    @property
    def forward(self) -> np.ndarray:
        """(names,) bool: true for a relation as its row has it, false for an inverse one: each pair has one that is true."""
        own: set[str] = set()
        for row in self.rows:
            if row.inverse not in own:  # "part of" and "has part" may both have a row
                own.add(row.relation)
        return np.array([name in own for name in self.names], dtype=bool)
