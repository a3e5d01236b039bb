"""Fusion of rankings: by rank, or in turn.

Scores of different searches have different scales, so they are fused by rank or after being brought to 0 to 1.
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, zip_longest
from typing import TypeVar

import numpy as np

Key = TypeVar("Key", bound=Hashable)
RRF_K = 60  # Cormack, Clarke and Buettcher (2009)
BM25_SHARE, COSINE_SHARE = 0.3, 0.7


def interleaved(rankings: Iterable[Sequence[Key]]) -> list[Key]:
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
