"""Fusion of rankings: by rank, by weighted share, in turn.

Scores of different searches have different scales, so they are fused by rank or after being brought to 0 to 1.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import TypeVar

import numpy as np

Key = TypeVar("Key", bound=Hashable)
RRF_K = 60  # Cormack, Clarke and Buettcher (2009)
BM25_SHARE, COSINE_SHARE = 0.3, 0.7  # docs/performance.md


def reciprocal_ranks(rankings: Iterable[Sequence[Key]], k: int = RRF_K) -> dict[Key, float]:
    """Reciprocal rank fusion: the sum of 1 / (k + rank), rank from 1, best first; equal sums in order of appearance."""
    sums: dict[Key, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, start=1):
            sums[key] = sums.get(key, 0.0) + 1.0 / (k + rank)
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


def weighted(lexical: Mapping[Key, float], cosine: Mapping[Key, float], titled: Key | None = None) -> dict[Key, float]:
    """0.3 BM25/max + 0.7 cosine, best first. Keys are those of `cosine`; what BM25 did not find has share 0.

    titled: what the query names by its title, which gets 1 more. The result is comparable within one query only.
    """
    best = max(lexical.values(), default=0.0) or 1.0
    fused = {key: BM25_SHARE * lexical.get(key, 0.0) / best + COSINE_SHARE * near for key, near in cosine.items()}
    if titled is not None:
        fused[titled] += 1.0
    return dict(sorted(fused.items(), key=lambda item: -item[1]))


def in_turn(rankings: Iterable[Sequence[Key]]) -> list[Key]:
    """Each ranking's first, then each one's second, and so on, without repeats: no query pushes another out."""
    missing = object()
    rows = zip_longest(*rankings, fillvalue=missing)
    return [key for key in dict.fromkeys(chain.from_iterable(rows)) if key is not missing]  # type: ignore[misc]


def rank_fused(*scores: np.ndarray) -> np.ndarray:
    """(n,) float32: the reciprocal ranks of several scores (n,) summed. Equal scores share the better rank."""
    total = np.zeros(len(scores[0]), dtype=np.float32)
    for one in scores:
        ascending = np.sort(-one)
        ranks = 1 + np.searchsorted(ascending, -one, side="left")
        total += 1.0 / (RRF_K + ranks)
    return total
