"""BERTScore F1 (Zhang et al. 2020, Eq. 1) over the token vectors of the configured encoder: greedy matching by cosine.

Without inverse document frequencies and without rescaling to a baseline, so values lie high and close together. They may
be compared only among figures of the same encoder.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np


@runtime_checkable
class TokenEncoder(Protocol):
    """An encoder that also gives the vectors of single tokens."""

    name: str

    def token_vectors(self, texts: Sequence[str]) -> list[np.ndarray]:
        """For each text (tokens, d) float32, rows of length 1, marks of begin and end left out."""
        ...


def bertscore(text: np.ndarray, reference: np.ndarray) -> float | None:
    """The F1 of two texts' token vectors, (t, d) and (r, d), rows of length 1; None where one has no token."""
    if not len(text) or not len(reference):
        return None
    cosine = text @ reference.T
    precision, recall = float(cosine.max(axis=1).mean()), float(cosine.max(axis=0).mean())
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
