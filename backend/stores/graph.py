"""The in-memory knowledge graph: an immutable CSR snapshot.

Takes concept and triple rows; gives neighbours by index. Every fact is stored in both directions, the second one under
the relation's inverse. The edges of a concept lie together, ordered by the semantic group of their tails, so that a
step into one group is a slice. It knows no vectors and no text search.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from backend.errors import KnowledgeError
from backend.schemas.vocabulary import SemanticGroup
from backend.stores.rows import ConceptRow, RelationRow, TripleRow

GROUPS: tuple[SemanticGroup, ...] = tuple(SemanticGroup)
_GROUP_INDEX = {group.value: index for index, group in enumerate(GROUPS)}


class Edge(NamedTuple):
    """One edge as its reader wants it; head and tail are concept indices."""

    head: int
    relation: str
    tail: int
    qualifier: str


class Graph:
    """Concepts 0 to n-1, in the order of their ids, and their edges in CSR form.

    offsets: (n + 1,) int64. tails: (m,) int32. relation_ids: (m,) int16 into relations. qualifier_ids: (m,) int32 into
    qualifiers. groups: (n,) int8 into GROUPS. group_offsets: (n, 16) int64, where the edges into each group begin.
    """

    def __init__(
        self, concepts: Iterable[ConceptRow], triples: Iterable[TripleRow], relations: Mapping[str, RelationRow]
    ) -> None:
        self.concepts: tuple[ConceptRow, ...] = tuple(sorted(concepts, key=lambda row: row.concept_id))
        self.index: dict[str, int] = {row.concept_id: i for i, row in enumerate(self.concepts)}
        if len(self.index) != len(self.concepts):
            raise KnowledgeError("Two concepts share an id. Run: python -m backend knowledge check")
        self.groups = np.array([_GROUP_INDEX[row.group] for row in self.concepts], dtype=np.int8)
        self.words: dict[str, str] = {row.inverse: row.inverse_words for row in relations.values()}
        self.words.update({row.relation: row.words for row in relations.values()})
        self.inverse: dict[str, str] = {row.relation: row.inverse for row in relations.values()}
        self.inverse.update({row.inverse: row.relation for row in relations.values()})
        self.relations: tuple[str, ...] = tuple(sorted(self.inverse))
        self._build(triples)

    def __len__(self) -> int:
        return len(self.concepts)

    @property
    def edge_count(self) -> int:
        """Directed edges, inverse ones included."""
        return len(self.tails)

    def row(self, concept: int | str) -> ConceptRow:
        """The concept of an index or id. Raises KeyError for an unknown id."""
        return self.concepts[self.index[concept] if isinstance(concept, str) else concept]

    def edges(self, concept: int | str, relations: Sequence[str] | None = None) -> list[Edge]:
        """The edges that leave a concept, all of them or those of the named relations; unknown ids have none."""
        head = self.index.get(concept, -1) if isinstance(concept, str) else concept
        if head < 0:
            return []
        wanted = None if relations is None else {self._relation_index[name] for name in relations}
        start, end = int(self.offsets[head]), int(self.offsets[head + 1])
        return [
            Edge(head, self.relations[relation], tail, self.qualifiers[qualifier])
            for relation, tail, qualifier in zip(
                self.relation_ids[start:end].tolist(),
                self.tails[start:end].tolist(),
                self.qualifier_ids[start:end].tolist(),
                strict=True,
            )
            if wanted is None or relation in wanted
        ]

    def related(self, concept: int | str, *relations: str) -> list[str]:
        """Ids of the concepts that one of the relations leads to, without repeats, in a fixed order."""
        return list(dict.fromkeys(self.concepts[edge.tail].concept_id for edge in self.edges(concept, relations)))

    def neighbour_ids(self, concept: str) -> frozenset[str]:
        """Ids of all concepts one edge away."""
        head = self.index.get(concept)
        if head is None:
            return frozenset()
        tails = self.tails[self.offsets[head] : self.offsets[head + 1]]
        return frozenset(self.concepts[tail].concept_id for tail in tails.tolist())

    def into_group(self, concept: int, group: int) -> np.ndarray:
        """(k,) int32: the tails of a concept's edges that lie in one semantic group."""
        return self.tails[self.group_offsets[concept, group] : self.group_offsets[concept, group + 1]]

    def fetch(self, concepts: np.ndarray, group: int) -> None:
        """Nothing to do: every edge is in memory (see interfaces.PathGraph)."""

    def into_group_many(self, concepts: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The edges of several concepts into one group: offsets, tails and relation ids (see interfaces.PathGraph)."""
        starts = self.group_offsets[concepts, group]
        counts = self.group_offsets[concepts, group + 1] - starts
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)])
        places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], counts)
        return offsets, self.tails[places], self.relation_ids[places]

    def relation_words(self, relation: str) -> str:
        """A relation, or an inverse one, in words: `heart failure` *commonly shows as* `orthopnea`."""
        return self.words[relation]

    def degree(self, concept: int) -> int:
        return int(self.offsets[concept + 1] - self.offsets[concept])

    def _build(self, triples: Iterable[TripleRow]) -> None:
        self._relation_index = {name: i for i, name in enumerate(self.relations)}
        qualifiers: dict[str, int] = {"": 0}
        rows: set[tuple[int, int, int, int]] = set()
        for triple in triples:
            try:
                head, tail = self.index[triple.head], self.index[triple.tail]
                relation, inverse = self._relation_index[triple.relation], self.inverse[triple.relation]
            except KeyError as missing:
                raise KnowledgeError(
                    f"The triple {triple.head} {triple.relation} {triple.tail} names {missing}, which does not exist. "
                    "Run: python -m backend knowledge check"
                ) from None
            qualifier = qualifiers.setdefault(triple.qualifier, len(qualifiers))
            rows.add((head, relation, tail, qualifier))
            rows.add((tail, self._relation_index[inverse], head, qualifier))
        table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 4)
        tail_groups = self.groups[table[:, 2]] if len(table) else np.zeros(0, dtype=np.int8)
        table = table[np.lexsort((table[:, 3], table[:, 2], table[:, 1], tail_groups, table[:, 0]))]
        self.tails = table[:, 2].astype(np.int32)
        self.relation_ids = table[:, 1].astype(np.int16)
        self.qualifier_ids = table[:, 3].astype(np.int32)
        self.qualifiers: tuple[str, ...] = tuple(qualifiers)
        n = len(self.concepts)
        key = table[:, 0] * len(GROUPS) + self.groups[table[:, 2]]
        starts = np.searchsorted(key, np.arange(n * len(GROUPS) + 1))
        self.offsets = starts[:: len(GROUPS)].astype(np.int64)
        inner = starts[:-1].reshape(n, len(GROUPS))
        self.group_offsets = np.concatenate([inner, self.offsets[1:, None]], axis=1).astype(np.int64)
        some = np.diff(self.group_offsets, axis=1) > 0
        self.reach = (some * (1 << np.arange(len(GROUPS)))).sum(axis=1).astype(np.uint16)
        for array in (self.tails, self.relation_ids, self.qualifier_ids, self.offsets, self.group_offsets, self.reach):
            array.setflags(write=False)
