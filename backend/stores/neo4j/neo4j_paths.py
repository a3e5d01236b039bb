"""Walk a graph where it lies, in Neo4j: one round trip a step for all paths of a note.

At the start come ids, names, groups and the groups in reach; edges stay on the server. A walk (`Neo4jPathGraph.walk`)
is a PathGraph for one request: `fetch` asks for the edges of a step at once, `into_group_many` answers from what came.
A concept's index is the same as in a graph in memory made of the same rows.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from backend.errors import KnowledgeError, LeapnoteError
from backend.stores.graph.concept_table import GROUP_CODES, GROUP_INDEX
from backend.stores.graph.graph_rows import RelationTable
from backend.stores.neo4j.connection import Neo4j
from backend.stores.neo4j.neo4j_mapping import Neo4jMapping
from backend.stores.neo4j.neo4j_source import PAGE, Progress, Source, check_count, find_source, pages

_EMPTY = (np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int16))


class Neo4jPathGraph:
    """What all walks share; nothing of it changes, so threads may share it.

    name: of the export, or the mapping's label. ids, names: (n,), in ascending order of the ids. index: the place of each id. groups: (n,) int8. reach: (n,) uint16,
    bit g is set where an edge leads into group g. relations: names, inverse ones too. words: each relation in words.
    fingerprint: of the graph in memory that was exported; empty for somebody else's.
    """

    def __init__(
        self, db: Neo4j, wanted: str | Neo4jMapping, progress: Progress | None = None, page: int = PAGE
    ) -> None:
        """Raises NotFoundError, ConflictError, InputError (see find_source), KnowledgeError for ids that repeat.

        Raises:
            KnowledgeError: ids repeat.
        """
        self.db = db
        self.name = wanted if isinstance(wanted, str) else wanted.label
        self.source = find_source(db, wanted)
        table = RelationTable(self.source.relations.values())
        self.relations, self.words, self.inverse = table.names, table.words, table.inverse
        self.fingerprint = self.source.fingerprint
        self.leaving, self.coming = _directions(self.source, table)
        rows = sorted(self._rows(progress, page), key=lambda row: str(row[0]))
        self.keys: tuple[Any, ...] = tuple(row[0] for row in rows)  # as the server has them: text or numbers
        self.ids: tuple[str, ...] = tuple(str(key) for key in self.keys)
        self.names: tuple[str, ...] = tuple(str(row[1] or row[0]) for row in rows)
        self.index: dict[str, int] = {concept: i for i, concept in enumerate(self.ids)}
        if len(self.index) != len(self.ids):
            raise KnowledgeError(
                f"In Neo4j {len(self.ids) - len(self.index)} concepts share an id with another. Mend the ids there."
            )
        groups = self.source.layout.groups
        self.groups = np.array([GROUP_INDEX[groups[row[2]]] for row in rows], dtype=np.int8)
        self.reach = np.array([_mask(row[3], groups) for row in rows], dtype=np.uint16)
        for array in (self.groups, self.reach):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.ids)

    def walk(self) -> "Neo4jWalk":
        """A view for one walk of one note. It opens nothing and needs no closing."""
        return Neo4jWalk(self)

    def _rows(self, progress: Progress | None, page: int) -> list[tuple[Any, ...]]:
        layout = self.source.layout
        rows: list[tuple[Any, ...]] = []
        for some in pages(self.db, layout, layout.first_walked, layout.walked, page):
            rows.extend(some)
            if progress:
                progress(len(rows), self.source.concepts, "concepts")
        check_count(len(rows), self.source, "concepts")
        return rows


class Neo4jWalk:
    """A PathGraph for one walk, in one thread. round_trips: how often it has asked the server."""

    def __init__(self, graph: Neo4jPathGraph) -> None:
        self.groups, self.reach, self.relations = graph.groups, graph.reach, graph.relations
        self.round_trips = 0
        self._graph = graph
        self._edges: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}  # (concept, group): tails, relation ids
        self._whole: set[tuple[int, int]] = set()  # those whose neighbours have their edges here too

    def fetch(self, concepts: np.ndarray, group: int) -> None:
        """One round trip for the edges into a group, of these concepts and of all that those edges lead to.

        None where all of it came before, or no edge leads there. Raises MissingError when the server does not answer,
        KnowledgeError where it no longer holds what it held at the start.

        Raises:
            KnowledgeError: concepts are gone from the server, or others came.
        """
        graph = self._graph
        inside = concepts[(graph.reach[concepts] >> group) & 1 == 1]
        wanted = [c for c in np.unique(inside).tolist() if (c, group) not in self._whole]
        if not wanted:
            return
        layout = graph.source.layout
        given = {"ids": [graph.keys[c] for c in wanted], "values": layout.values(GROUP_CODES[group])}
        rows = graph.db.ask(layout.edges, {**layout.parameters, **given})
        self.round_trips += 1
        try:
            for key, leaving, coming in rows:
                self._edges[graph.index[str(key)], group] = self._sorted(leaving, coming)
        except KeyError as missing:
            raise KnowledgeError(
                f"Neo4j answered with {missing}, which was not there when the graph was read. Start again to read it anew."
            ) from None
        if gone := [c for c in wanted if (c, group) not in self._edges]:
            raise KnowledgeError(
                f"{len(gone)} concepts are gone from Neo4j, {graph.ids[gone[0]]!r} among them. Start again to read it anew."
            )
        self._whole.update((c, group) for c in wanted)

    def into_group_many(self, concepts: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The edges of several concepts into one group: offsets, tails and relation ids (see interfaces.PathGraph).

        Raises LeapnoteError for a concept whose edges were not fetched: a defect of the caller.
        """
        some = (self.reach[concepts] >> group) & 1
        parts = [
            self._held(concept, group) if there else _EMPTY
            for concept, there in zip(concepts.tolist(), some.tolist(), strict=True)
        ]
        offsets = np.zeros(len(parts) + 1, dtype=np.int64)
        np.cumsum([len(part[0]) for part in parts], out=offsets[1:])
        if not parts:
            return offsets, *_EMPTY
        return offsets, np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def _held(self, concept: int, group: int) -> tuple[np.ndarray, np.ndarray]:
        held = self._edges.get((concept, group))
        if held is None:
            raise LeapnoteError(
                f"The edges of {self._graph.ids[concept]!r} into {GROUP_CODES[group]} were not fetched in this walk. "
                "Call fetch before into_group_many."
            )
        return held

    def _sorted(self, leaving: list[list[Any]], coming: list[list[Any]]) -> tuple[np.ndarray, np.ndarray]:
        """Edges by relation, tail and qualifier; one that was stored from both ends counts once."""
        index, out, back = self._graph.index, self._graph.leaving, self._graph.coming
        edges = {(out[kind], index[str(tail)], str(qualifier)) for kind, tail, qualifier in leaving}
        edges.update((back[kind], index[str(head)], str(qualifier)) for kind, head, qualifier in coming)
        order = sorted(edges)
        tails = np.fromiter((edge[1] for edge in order), dtype=np.int32, count=len(order))
        return tails, np.fromiter((edge[0] for edge in order), dtype=np.int16, count=len(order))


def _directions(source: Source, table: RelationTable) -> tuple[dict[str, int], dict[str, int]]:
    """The relation id of each type as it leaves a concept, and as it comes in."""
    leaving = {kind: table.index[relation] for kind, relation in source.layout.relations.items()}
    coming = {kind: table.index[table.inverse[relation]] for kind, relation in source.layout.relations.items()}
    return leaving, coming


def _mask(reach: int | list[str], groups: Mapping[str, str]) -> int:
    """Bits of the groups in reach: as the export stored them, or from the values of the neighbours' group."""
    if isinstance(reach, int):
        return reach
    mask = 0
    for value in reach:
        mask |= 1 << GROUP_INDEX[groups[value]]
    return mask
