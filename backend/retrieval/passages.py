"""Hybrid passage retrieval: BM25 and cosine, fused.

Takes a plan; gives passages, best first. Fusion is 0.3 BM25/max + 0.7 cosine, which beat reciprocal rank fusion on
public data (docs/performance.md). A source that holds nothing is skipped by the planner, not here.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from backend.interfaces import Encoder
from backend.schemas.evidence import Condition, Passage, Plan
from backend.schemas.vocabulary import Source
from backend.stores.bm25 import Bm25Index
from backend.stores.passages import PassageRow, PassageVectors

BM25_SHARE, COSINE_SHARE = 0.3, 0.7
CANDIDATES = 32
PER_QUERY = 2


class SourceIndex:
    """One source's passages with both of its indexes. vectors: (len(rows), d) float32 of length 1."""

    def __init__(self, source: Source, rows: Sequence[PassageRow], vectors: np.ndarray, store: PassageVectors) -> None:
        self.source = source
        self.rows = tuple(rows)
        self.vectors = vectors
        self._bm25 = Bm25Index([passage_text(row) for row in rows])
        self._titles = {row.title.lower(): i for i, row in reversed(list(enumerate(rows)))}
        self._store = store
        store.put(source, [str(i) for i in range(len(rows))], vectors)

    def search(self, queries: Sequence[str], vectors: np.ndarray, k: int) -> list[list[tuple[int, dict[str, float]]]]:
        """For each query the k best rows with their scores: bm25 (0 to 1, share of the best), cosine, fused (up to 2)."""
        nearest = self._store.search(self.source, vectors, CANDIDATES)
        return [
            self._fuse(query, vector, near, k) for query, vector, near in zip(queries, vectors, nearest, strict=True)
        ]

    def _fuse(
        self, query: str, vector: np.ndarray, near: Sequence[tuple[str, float]], k: int
    ) -> list[tuple[int, dict[str, float]]]:
        lexical = dict(self._bm25.search(query, CANDIDATES))
        best = max(lexical.values(), default=1.0)
        titled = self._titles.get(query.lower())
        known = lexical.keys() | {int(key) for key, _ in near} | ({titled} if titled is not None else set())
        rows = np.array(sorted(known), dtype=np.int64)
        if not len(rows):
            return []
        cosine = self.vectors[rows] @ vector
        share = np.array([lexical.get(int(row), 0.0) / best for row in rows])
        fused = BM25_SHARE * share + COSINE_SHARE * cosine
        if titled is not None:
            fused[rows == titled] += 1.0  # a query that is a passage's title asks for that passage
        order = np.lexsort((rows, -fused))[:k]
        return [
            (
                int(rows[i]),
                {
                    "bm25": round(float(share[i]), 4),
                    "cosine": round(float(cosine[i]), 4),
                    "fused": round(float(fused[i]), 4),
                },
            )
            for i in order
        ]


class HybridRetriever:
    """Runs a plan's sub-queries and keeps each passage once, at its best score. limit bounds the passages of a draft."""

    def __init__(self, indexes: Mapping[Source, SourceIndex], encoder: Encoder, limit: int) -> None:
        self._indexes = indexes
        self._encoder = encoder
        self._limit = limit

    def retrieve(self, plan: Plan, conditions: Sequence[Condition]) -> tuple[Passage, ...]:
        """Passages in the order of the plan's best finds: each sub-query's first, then each one's second."""
        queries = [query for query in plan.sub_queries if not query.skipped and query.source in self._indexes]
        if not queries:
            return ()
        vectors = self._encoder.encode([query.text for query in queries])
        ranked: dict[int, list[tuple[int, dict[str, float]]]] = {}
        for source in {query.source for query in queries}:
            chosen = [i for i, query in enumerate(queries) if query.source == source]
            found = self._indexes[source].search([queries[i].text for i in chosen], vectors[chosen], PER_QUERY)
            ranked.update(zip(chosen, found, strict=True))
        kept: dict[tuple[Source, int], dict[str, float]] = {}
        for place in range(PER_QUERY):
            for i, query in enumerate(queries):
                if place < len(ranked[i]):
                    row, scores = ranked[i][place]
                    held = kept.get((query.source, row))
                    if held is None or held["fused"] < scores["fused"]:
                        kept[(query.source, row)] = scores
        return tuple(
            as_passage(f"P{number}", self._indexes[source].rows[row], scores)
            for number, ((source, row), scores) in enumerate(list(kept.items())[: self._limit], start=1)
        )


def passage_text(row: PassageRow) -> str:
    """What is indexed and encoded: titles inside the text help BM25 (docs/performance.md)."""
    return f"{row.title}. {row.text}"


def as_passage(number: str, row: PassageRow, scores: dict[str, float]) -> Passage:
    return Passage(
        id=number,
        source=row.source,
        document_id=row.document_id,
        title=row.title,
        url=row.url,
        licence=row.licence,
        text=row.text,
        start_char=row.start_char,
        end_char=row.end_char,
        scores=scores,
        section=row.section,
        concept_id=row.concept_id,
    )
