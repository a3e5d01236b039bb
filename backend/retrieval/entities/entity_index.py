"""The entity index: entities of a note against the entities of each source, by cosine (ClinicalRAG Eq. 2 and 3, the HKI).

An entity of a source is a concept of the graph: by its own name in the graph, by being named in a passage elsewhere. Takes
entities; gives for each the k pieces of a source that hold the entities nearest to it. Where several pieces hold them
equally near, which the paper does not settle, those come first that hold more of the note's other entities, rare ones
counting more; then the more salient. It knows neither text nor what a fact says.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from backend.retrieval.entities.entity_extraction import Entity
from backend.stores.graph.graph import Edge, Graph
from backend.stores.passages.entity_table import EntityTable

NEAR = 8  # entities of a source that one entity may lead to
DEEPEST = 512  # passages of one of them that are looked at, the most salient ones
AT_ONCE = 16_384  # rows of a matrix of float16 that are compared at once


class Found(NamedTuple):
    """A piece of a source. place: a passage's row. score: Eq. 2, the cosine of the nearest entity that it holds, at most 1.

    relevance: 0 to 1, the share of the note's entities that it holds, weighted by rarity; comparable within one note.
    """

    place: int
    score: float
    relevance: float


class FoundFact(NamedTuple):
    """A fact, or where edge is None the definition, of a concept; score and relevance as in Found."""

    concept: int
    edge: Edge | None
    score: float
    relevance: float


class EntityVectors:
    """vectors: (n, d) in the order of the graph's ids, rows of length 1; None: only the concept itself is near to it.

    encode: texts to (k, d) vectors of length 1. missing: why there are no vectors, a sentence for the page.
    """

    def __init__(
        self,
        graph: Graph,
        vectors: np.ndarray | None,
        encode: Callable[[Sequence[str]], np.ndarray],
        missing: str = "",
    ) -> None:
        self.missing = missing
        self._graph = graph
        self._vectors = vectors
        self._encode = encode

    def cosines(self, entities: Sequence[Entity]) -> np.ndarray:
        """(len(entities), n) float32: Eq. 2, each entity against every concept; exactly 1 for its own."""
        own = [self._graph.index.get(entity.concept_id, -1) for entity in entities]
        out = np.zeros((len(entities), len(self._graph)), dtype=np.float32)
        if self._vectors is not None and entities:
            queries = np.zeros((len(entities), self._vectors.shape[1]), dtype=np.float32)
            known = [place for place, concept in enumerate(own) if concept >= 0]
            unknown = [place for place, concept in enumerate(own) if concept < 0]
            queries[known] = self._vectors[[own[place] for place in known]]
            if unknown:
                queries[unknown] = self._encode([entities[place].name for place in unknown])
            out = _compared(self._vectors, queries)
        for place, concept in enumerate(own):
            if concept >= 0:
                out[place, concept] = 1.0
        return out

    def of_text(self, text: str) -> np.ndarray:
        """(n,) float32: a whole text against every concept; without vectors nothing is near."""
        if self._vectors is None:
            return np.zeros(len(self._graph), dtype=np.float32)
        whole: np.ndarray = _compared(self._vectors, np.asarray(self._encode([text]), dtype=np.float32))[0]
        return whole


def nearest_of(cosines: np.ndarray, present: np.ndarray, most: int) -> np.ndarray:
    """(at most `most`, n): for one text against every concept (n,), a row for each of the nearest concepts of a source.

    Each row holds that concept's cosine and nothing else. So a text that is no entity, as the whole note is without
    extraction, leads to the entities nearest to it, and each of them to its pieces.
    """
    order = present[np.lexsort((present, -cosines[present]))[:most]]
    order = order[cosines[order] > 0]
    out = np.zeros((len(order), len(cosines)), dtype=np.float32)
    out[np.arange(len(order)), order] = cosines[order]
    return out


def find_passages(table: EntityTable, cosines: np.ndarray, least: float, k: int) -> list[list[Found]]:
    """For each entity the k best passages. cosines: (entities, concepts of the graph); below least nothing is near."""
    near = np.where(cosines[:, table.present] >= least, cosines[:, table.present], 0.0)
    reached = [_reached(row) for row in near]
    counts = np.diff(table.starts)
    weights = _weights([counts[places[:1]] for places in reached], len(table))
    taken = [_postings(table, places, k) for places in reached]
    candidates = np.unique(np.concatenate([rows for rows, _, _ in taken])) if taken else np.zeros(0, dtype=np.int64)
    if not len(candidates):
        return [[] for _ in cosines]
    relevance = _relevance(table, candidates, near, weights)
    found = []
    for (rows, salience, places), row in zip(taken, near, strict=True):
        score = row[places]
        share = relevance[np.searchsorted(candidates, rows)]
        order = np.lexsort((rows, -salience, -share, -score))
        best: dict[int, Found] = {}  # a passage may hold several near entities: the best of them counts
        for i in order.tolist():
            best.setdefault(int(rows[i]), Found(int(rows[i]), float(score[i]), float(share[i])))
        found.append(list(best.values())[:k])
    return found


def find_facts(graph: Graph, cosines: np.ndarray, least: float, k: int) -> list[list[FoundFact]]:
    """For each entity the k best facts of the concepts nearest to it; a definition comes before relations of its concept.

    Among relations equally good, those come first whose other end is nearer to all entities together.
    """
    near = np.where(cosines >= least, cosines, 0.0)
    reached = [_reached(row) for row in near]
    degrees = np.diff(graph.offsets)
    weights = _weights([degrees[concepts[:1]] for concepts in reached], graph.edge_count)
    together = cosines.mean(axis=0) if len(cosines) else np.zeros(len(graph), dtype=np.float32)
    found = []
    for row, concepts in zip(near, reached, strict=True):
        facts: list[FoundFact] = []
        for concept in sorted(concepts.tolist(), key=lambda c: (-float(row[c]), c)):
            if len(facts) < k:  # a concept less near has no better fact
                facts.extend(_facts_of(graph, concept, float(row[concept]), near, weights, together, k - len(facts)))
        found.append(facts[:k])
    return found


def _facts_of(
    graph: Graph, concept: int, score: float, near: np.ndarray, weights: np.ndarray, together: np.ndarray, k: int
) -> list[FoundFact]:
    """The k best facts of one concept, its definition first."""
    own = near[:, concept]
    facts = []
    if graph.row(concept).definition:
        facts.append(FoundFact(concept, None, score, float(weights @ own)))
    start, end = int(graph.offsets[concept]), int(graph.offsets[concept + 1])
    tails = graph.tails[start:end]
    share = weights @ np.maximum(own[:, None], near[:, tails])
    order = np.lexsort((np.arange(len(tails)), -together[tails], -share))[: max(k - len(facts), 0)]
    edges = graph.edges(concept) if len(order) else []
    facts.extend(FoundFact(concept, edges[i], score, float(share[i])) for i in order.tolist())
    return facts


def _compared(vectors: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """(len(queries), n) float32: the cosines, some rows at a time, so that float16 from a file is never held whole."""
    out = np.empty((len(queries), len(vectors)), dtype=np.float32)
    for start in range(0, len(vectors), AT_ONCE):
        rows = np.asarray(vectors[start : start + AT_ONCE], dtype=np.float32)
        out[:, start : start + len(rows)] = queries @ rows.T
    return np.minimum(out, 1.0)


def _reached(cosines: np.ndarray) -> np.ndarray:
    """The places of the nearest entities above 0, best first."""
    above = np.flatnonzero(cosines)
    nearest: np.ndarray = above[np.lexsort((above, -cosines[above]))[:NEAR]]
    return nearest


def _weights(counts: Sequence[np.ndarray], pieces: int) -> np.ndarray:
    """(entities,) summing to 1: log(1 + pieces / those of the entity).

    One that the source does not know counts as if it were in one piece: else what holds the rest of the note would seem
    to hold all of it, and could not be compared with the pieces of another collection.
    """
    raw = np.array([np.log1p(pieces / max(int(c[0]) if len(c) else 1, 1)) for c in counts], dtype=np.float32)
    total = float(raw.sum())
    return raw / total if total else raw


def _postings(table: EntityTable, places: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, salience and which entity (a place of `present`), of the nearest entities' most salient passages.

    places: best first. Entities less near than those that already fill the k places cannot bring a better passage.
    """
    rows, salience, holders = [], [], []
    seen: set[int] = set()
    for place in places.tolist():
        if len(seen) >= k:
            break
        start = int(table.starts[place])
        end = min(int(table.starts[place + 1]), start + DEEPEST)
        rows.append(table.rows[start:end].astype(np.int64))
        salience.append(table.row_salience[start:end].astype(np.float32))
        holders.append(np.full(end - start, place, dtype=np.int64))
        seen.update(rows[-1].tolist())
    none = np.zeros(0, dtype=np.int64)
    return (
        np.concatenate([none, *rows]),
        np.concatenate([none.astype(np.float32), *salience]),
        np.concatenate([none, *holders]),
    )


def _relevance(table: EntityTable, rows: np.ndarray, near: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(len(rows),): for each row the weighted sum over the entities of the cosine of the nearest concept it names."""
    starts, ends = table.offsets[rows], table.offsets[rows + 1]
    lengths = ends - starts  # none is 0: each row was found by a concept it names
    first = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])[:-1]
    flat = np.arange(int(lengths.sum())) + np.repeat(starts - first, lengths)
    concepts = np.searchsorted(table.present, table.concepts[flat])
    share: np.ndarray = weights @ np.maximum.reduceat(near[:, concepts], first, axis=1)
    return share
