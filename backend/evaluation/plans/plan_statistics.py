"""Figures of plans: queries a source, words a query, and how far a source's queries differ (Omni-RAG A.1, B.1, B.2)."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from backend.schemas.drafts.evidence import Plan, SubQuery
from backend.schemas.vocabulary import Source

Encode = Callable[[Sequence[str]], np.ndarray]


class PlanFigures(NamedTuple):
    """Means over plans. None where nothing could be counted: no query at all, or no source with two queries.

    queries: a plan's queries by source. words: words a query by source. diversity: by source, the mean cosine distance
    (0 to 2) over the pairs of queries a plan has there. Skipped queries do not count.
    """

    plans: int
    queries: dict[Source, float]
    words: dict[Source, float | None]
    diversity: dict[Source, float | None]

    @property
    def queries_a_plan(self) -> float:
        """Mean number of queries of a plan, all sources together."""
        return sum(self.queries.values())

    @property
    def mean_words(self) -> float | None:
        """The mean of the sources that have queries, as the paper's last column."""
        return _mean([value for value in self.words.values() if value is not None])

    @property
    def mean_diversity(self) -> float | None:
        """Mean diversity over the sources that have one; None where none has."""
        return _mean([value for value in self.diversity.values() if value is not None])


def plan_figures(plans: Sequence[Plan], encode: Encode) -> PlanFigures:
    """encode: texts to (n, d) vectors of length 1. Each distinct query is encoded once."""
    texts = list(dict.fromkeys(query.text for plan in plans for query in _asked(plan)))
    vectors = dict(zip(texts, encode(texts), strict=True)) if texts else {}
    by_source = {source: [[q.text for q in _asked(plan) if q.source == source] for plan in plans] for source in Source}
    return PlanFigures(
        plans=len(plans),
        queries={source: _mean([float(len(found)) for found in lists]) or 0.0 for source, lists in by_source.items()},
        words={
            source: _mean([float(len(text.split())) for found in lists for text in found])
            for source, lists in by_source.items()
        },
        diversity={
            source: _mean([d for found in lists if (d := diversity([vectors[text] for text in found])) is not None])
            for source, lists in by_source.items()
        },
    )


def diversity(vectors: Sequence[np.ndarray]) -> float | None:
    """Mean cosine distance over all pairs of vectors of length 1; None for fewer than two."""
    return _mean([1.0 - float(a @ b) for a, b in combinations(vectors, 2)])


def _asked(plan: Plan) -> list[SubQuery]:
    return [query for query in plan.sub_queries if not query.skipped]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
