"""The ranking of passages whose weights are learned: a weighted sum of a few named features.

The weights and what they were fitted on stand in a card, `models/passages/card.json`, written by
`python -m backend train ranking`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.errors import KnowledgeError
from backend.registry import passage_ranker
from backend.retrieval.passages.fusion import rank_fused
from backend.retrieval.passages.passage_features import FEATURES, features
from backend.retrieval.passages.ranker import Candidates
from backend.settings import ROOT

CARD = ROOT / "models" / "passages" / "card.json"


class Weights(NamedTuple):
    """A weight a feature, in the order of FEATURES, at least one above 0."""

    values: tuple[float, ...]

    @property
    def most(self) -> float:
        """What a passage can reach: no feature is above 1."""
        return sum(value for value in self.values if value > 0)


class WeightedFeatures:
    """A ranking by a weighted sum of the features.

    Args:
        weights: one a feature.
    """

    def __init__(self, weights: Weights) -> None:
        """Keep the weights."""
        self.weights = weights

    def first_scores(self, candidates: Candidates) -> np.ndarray | None:
        """The ranks of BM25 and cosine, fused: by them the best documents are opened."""
        return opening_scores(candidates)

    def scores(self, candidates: Candidates) -> np.ndarray:
        """The weighted sum over what a passage can reach."""
        if not len(candidates.rows):
            return np.zeros(0)
        return np.asarray(features(candidates) @ np.array(self.weights.values) / self.weights.most, dtype=np.float64)


@passage_ranker("leapnote", label="Topic, answered question, the page, BM25 and cosine, weighed by learning", order=1)
class LeapnoteRanker(WeightedFeatures):
    """The learned weights that ship."""

    def __init__(self) -> None:
        """Read the card."""
        super().__init__(read_weights(CARD))


def opening_scores(candidates: Candidates) -> np.ndarray:
    """(n,): reciprocal ranks of BM25 and cosine. The weights are fitted on what they open, so they cannot open it themselves."""
    return rank_fused(candidates.bm25, candidates.cosine).astype(np.float64)


@cache
def read_weights(path: Path) -> Weights:
    """The weights of a card.

    Raises:
        KnowledgeError: the card is missing, or has other features.
        ValueError: caught here, and becomes a KnowledgeError.
    """
    try:
        card: dict[str, Any] = json.loads(path.read_bytes())
        held = card["weights"]
        if list(held) != list(FEATURES) or not any(value > 0 for value in held.values()):
            raise ValueError("other features")
        return Weights(tuple(float(value) for value in held.values()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise KnowledgeError(
            f"The weights of the passage ranking, {path.name} in {path.parent.name}, cannot be read "
            f"({type(error).__name__}). Fit them with: python -m backend train ranking"
        ) from error
