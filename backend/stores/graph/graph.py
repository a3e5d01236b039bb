"""The in-memory knowledge graph: an immutable CSR snapshot.

Takes concept and triple rows, or the arrays of a snapshot; gives neighbours by index. Every fact is stored in both
directions, the second one under the relation's inverse. The edges of a concept lie together, ordered by the semantic
group of their tails, so that a step into one group is a slice. It knows no vectors.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from backend.errors import KnowledgeError
from backend.schemas.vocabulary import SemanticGroup
from backend.stores.graph.adjacency import Adjacency, Facts, adjacency
from backend.stores.graph.concept_search import ConceptSearch
from backend.stores.graph.concept_table import GROUP_INDEX, ConceptTable
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, RelationTable, TripleRow
from backend.stores.graph.text_column import TextColumn, text_column

GROUPS: tuple[SemanticGroup, ...] = tuple(SemanticGroup)
_CHUNK = 4_096  # heads whose facts are told at once


class Edge(NamedTuple):
    """One edge as its reader wants it; head and tail are concept indices."""

    head: int
    relation: str
    tail: int
    qualifier: str


@dataclass(frozen=True)
class GraphParts:
    """What a graph is made of. concepts: in the order of their ids. groups: (n,) int8 into GROUPS.

    qualifiers: in ascending order, the empty one first, so that equal graphs have equal arrays. fingerprint: where it
    is known already, else empty.
    """

    concepts: Sequence[ConceptRow]
    ids: Sequence[str]
    names: Sequence[str]
    index: Mapping[str, int]
    groups: np.ndarray
    relations: RelationTable
    qualifiers: Sequence[str]
    adjacency: Adjacency
    fingerprint: str = ""


class Graph:
    """Concepts 0 to n-1, in the order of their ids, and their edges in CSR form.

    concepts, ids, names: sequences of n. index: the place of each id. groups: (n,) int8 into GROUPS. offsets: (n + 1,)
    int64. tails: (m,) int32. relation_ids: (m,) int16 into relations. qualifier_ids: (m,) int32 into qualifiers.
    group_offsets: (n, 16) int64, where the edges into each group begin. reach: (n,) uint16, the groups in reach.
    """

    def __init__(
        self, concepts: Iterable[ConceptRow], triples: Iterable[TripleRow], relations: Mapping[str, RelationRow]
    ) -> None:
        """From rows.

        Raises:
            KnowledgeError: for a repeated id, and for a triple that names what does not exist.
        """
        rows = tuple(sorted(concepts, key=lambda row: row.concept_id))
        ids = tuple(row.concept_id for row in rows)
        index = {concept_id: i for i, concept_id in enumerate(ids)}
        if len(index) != len(rows):
            raise KnowledgeError("Two concepts share an id. Run: python -m backend knowledge check")
        groups = np.array([GROUP_INDEX[row.group] for row in rows], dtype=np.int8)
        table = RelationTable(relations.values())
        facts, qualifiers = _coded(triples, index, table)
        edges = adjacency(facts, groups, table.inverse_ids)
        self._hold(GraphParts(rows, ids, tuple(row.name for row in rows), index, groups, table, qualifiers, edges))

    @classmethod
    def from_parts(cls, parts: GraphParts) -> "Graph":
        """From arrays, as a snapshot or an import has them; they are taken as they are."""
        graph = cls.__new__(cls)
        graph._hold(parts)
        return graph

    @classmethod
    def from_table(
        cls,
        table: ConceptTable,
        relations: RelationTable,
        qualifiers: Sequence[str],
        edges: Adjacency,
        fingerprint: str = "",
    ) -> "Graph":
        """From a table of concepts, decoded as they are asked for, and edges."""
        columns = table.columns
        return cls.from_parts(
            GraphParts(
                table,
                columns.ids,
                columns.names,
                table.by_id,
                columns.groups,
                relations,
                qualifiers,
                edges,
                fingerprint,
            )
        )

    def _hold(self, parts: GraphParts) -> None:
        self.concepts, self.ids, self.names, self.index = parts.concepts, parts.ids, parts.names, parts.index
        self.groups, self.qualifiers = parts.groups, parts.qualifiers
        self.relation_table = parts.relations
        self.relations, self.inverse, self.words = parts.relations.names, parts.relations.inverse, parts.relations.words
        self._relation_index = parts.relations.index
        self.adjacency = parts.adjacency
        self.offsets, self.tails, self.relation_ids, self.qualifier_ids, self.group_offsets, self.reach = (
            parts.adjacency
        )
        self._known_fingerprint = parts.fingerprint

    def __len__(self) -> int:
        return len(self.concepts)

    @property
    def edge_count(self) -> int:
        """Directed edges, inverse ones included."""
        return len(self.tails)

    @cached_property
    def search(self) -> ConceptSearch:
        """Search of concepts by name; made when it is first asked for."""
        return ConceptSearch(self.concepts)

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that equal graphs share, however they were made; names and synonyms do not count.

        A graph from a snapshot gives what the snapshot states.
        """
        return self._known_fingerprint or self.computed_fingerprint()

    def computed_fingerprint(self) -> str:
        """The fingerprint, worked out from ids, groups, relations, qualifiers and edges."""
        digest = hashlib.sha256()
        inverse = [self.inverse[name] for name in self.relations]
        for texts in (self.ids, self.relations, inverse, self.qualifiers):
            column: TextColumn = text_column(texts)
            digest.update(column.offsets.astype("<i8").data)
            digest.update(column.blob.data)
        for array, kind in (
            (self.groups, "i1"),
            (self.offsets, "<i8"),
            (self.tails, "<i4"),
            (self.relation_ids, "<i2"),
            (self.qualifier_ids, "<i4"),
        ):
            digest.update(array.astype(kind, copy=False).data)
        return digest.hexdigest()[:16]

    def row(self, concept: int | str) -> ConceptRow:
        """The concept of an index or id. Raises KeyError for an unknown id."""
        return self.concepts[self.index[concept] if isinstance(concept, str) else concept]

    def edges(self, concept: int | str, relations: Sequence[str] | None = None) -> list[Edge]:
        """The edges that leave a concept, all of them or those of the named relations; unknown ids have none.

        A relation that the graph does not have leads nowhere: a graph from outside has its own.
        """
        head = self.index.get(concept, -1) if isinstance(concept, str) else concept
        if head < 0:
            return []
        known = self._relation_index
        wanted = None if relations is None else {known[name] for name in relations if name in known}
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

    def joining(self, head: int, tail: int) -> list[Edge]:
        """The edges from one concept to another, by relation and qualifier."""
        group = int(self.groups[tail])
        start, end = int(self.group_offsets[head, group]), int(self.group_offsets[head, group + 1])
        return [
            Edge(head, self.relations[self.relation_ids[place]], tail, self.qualifiers[self.qualifier_ids[place]])
            for place in (start + np.flatnonzero(self.tails[start:end] == tail)).tolist()
        ]

    def related(self, concept: int | str, *relations: str) -> list[str]:
        """Ids of the concepts that one of the relations leads to, without repeats, in a fixed order."""
        head = self.index.get(concept, -1) if isinstance(concept, str) else concept
        if head < 0:
            return []
        known, ids = self._relation_index, self.ids
        wanted = {known[name] for name in relations if name in known}
        start, end = int(self.offsets[head]), int(self.offsets[head + 1])
        leading = zip(self.relation_ids[start:end].tolist(), self.tails[start:end].tolist(), strict=True)
        return list(dict.fromkeys([ids[tail] for relation, tail in leading if relation in wanted]))

    def neighbour_ids(self, concept: str) -> frozenset[str]:
        """Ids of all concepts one edge away."""
        head = self.index.get(concept)
        if head is None:
            return frozenset()
        tails = self.tails[self.offsets[head] : self.offsets[head + 1]]
        return frozenset(self.ids[tail] for tail in tails.tolist())

    def triples(self) -> Iterator[TripleRow]:
        """Every fact once, in its relation's own direction, in the order of the heads.

        Yields:
            TripleRow: one at a time.
        """
        forward = self.relation_table.forward
        symmetric = np.array([self.inverse[name] == name for name in self.relations], dtype=bool)
        for first in range(0, len(self), _CHUNK):
            last = min(first + _CHUNK, len(self))
            start, end = int(self.offsets[first]), int(self.offsets[last])
            heads = np.repeat(np.arange(first, last), np.diff(self.offsets[first : last + 1]))
            relations, tails = self.relation_ids[start:end], self.tails[start:end]
            own = forward[relations] & ~(symmetric[relations] & (tails < heads))
            columns = (heads[own], relations[own], tails[own], self.qualifier_ids[start:end][own])
            for head, relation, tail, qualifier in zip(*(column.tolist() for column in columns), strict=True):
                yield TripleRow(self.ids[head], self.relations[relation], self.ids[tail], self.qualifiers[qualifier])

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
        """How many directed edges leave a concept."""
        return int(self.offsets[concept + 1] - self.offsets[concept])


def _coded(
    triples: Iterable[TripleRow], index: Mapping[str, int], relations: RelationTable
) -> tuple[Facts, tuple[str, ...]]:
    """The triples as arrays, and their qualifiers in order.

    Raises:
        KnowledgeError: a triple's end or relation is not known.
    """
    rows: list[tuple[int, int, int]] = []
    qualified: list[str] = []
    for triple in triples:
        try:
            rows.append((index[triple.head], relations.index[triple.relation], index[triple.tail]))
        except KeyError as missing:
            raise KnowledgeError(
                f"The triple {triple.head} {triple.relation} {triple.tail} names {missing}, which does not exist. "
                "Run: python -m backend knowledge check"
            ) from None
        qualified.append(triple.qualifier)
    qualifiers = tuple(sorted({"", *qualified}))
    place = {qualifier: i for i, qualifier in enumerate(qualifiers)}
    table = np.array(rows, dtype=np.int32).reshape(-1, 3)
    coded = np.array([place[qualifier] for qualifier in qualified], dtype=np.int32)
    return Facts(table[:, 0], table[:, 1], table[:, 2], coded), qualifiers


class ConceptNames(Mapping[str, str]):
    """The name of each concept by its id, read from the graph when it is asked for."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __getitem__(self, concept_id: str) -> str:
        return self._graph.names[self._graph.index[concept_id]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._graph.index)

    def __len__(self) -> int:
        return len(self._graph)
