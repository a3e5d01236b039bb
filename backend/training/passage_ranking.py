"""Fits the weights of the passage ranking on questions with judged passages.

A listwise softmax over the candidates of a question: the chance of the passages that are judged to answer it is raised
(Cao and others 2007, ListNet's top-one chance). Few features and a pull towards their start keep the weights tame. Candidates
are those of the search itself, so that the weights order what it will find.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from backend.retrieval.passages.learned_ranker import Weights, opening_scores
from backend.retrieval.passages.passage_features import FEATURES, features
from backend.retrieval.passages.ranker import Candidates

SHARPNESS = 12.0  # scores are 0 to 1; the softmax sees them times this
PULL = 0.02


class Judged(NamedTuple):
    """The candidates of a question.

    Attributes:
        question: its id.
        features: (n, k).
        gain: (n,) how well each answers, 0 for not at all; one at least is above 0.
    """

    question: str
    features: np.ndarray
    gain: np.ndarray


class Recorder:
    """A passage ranker that keeps the candidates it is given; it orders them by cosine."""

    def __init__(self) -> None:
        """Nothing is kept yet."""
        self.last: Candidates | None = None

    def first_scores(self, candidates: Candidates) -> np.ndarray | None:
        """By them documents are opened as in a search."""
        return opening_scores(candidates)

    def scores(self, candidates: Candidates) -> np.ndarray:
        """The cosines; what was given is kept."""
        self.last = candidates
        return candidates.cosine.copy()  # the search adds to what it is given


def judged(question: str, candidates: Candidates, gain: Callable[[int], float]) -> Judged | None:
    """What a question teaches; None where no candidate answers it.

    Args:
        question: its id.
        candidates: what the search found.
        gain: of the candidate at a place, by the judgements.
    """
    values = np.array([gain(place) for place in range(len(candidates.rows))], dtype=float)
    return Judged(question, features(candidates), values) if values.any() and len(set(values.tolist())) > 1 else None


def fitted(rows: Sequence[Judged], start: Weights | None = None) -> Weights:
    """The weights that make the judged passages likeliest; none is below 0.

    Args:
        rows: the questions.
        start: where the fit begins and is pulled to; equal weights where none is given.
    """
    count = rows[0].features.shape[1]
    first = np.array(start.values if start else [1.0 / count] * count)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total, slope = 0.0, np.zeros(count)
        for row in rows:
            scores = SHARPNESS * row.features @ weights
            chance = np.exp(scores - scores.max())
            chance /= chance.sum()
            wanted = row.gain / row.gain.sum()
            total -= float(wanted @ np.log(chance + 1e-12))
            slope -= SHARPNESS * row.features.T @ (wanted - chance)
        away = weights - first
        return total / len(rows) + PULL * float(away @ away), slope / len(rows) + 2 * PULL * away

    found = minimize(loss, first, jac=True, bounds=[(0.0, None)] * count, method="L-BFGS-B")
    return Weights(tuple(float(round(value, 4)) for value in found.x))


def ndcg(scores: np.ndarray, gain: np.ndarray, depth: int = 10) -> float:
    """NDCG of an order of the candidates alone, with exponential gains."""
    order = np.argsort(-scores, kind="stable")[:depth]
    discount = 1 / np.log2(np.arange(2, depth + 2))
    best = np.sort(gain)[::-1][:depth]
    return float(
        ((2 ** gain[order] - 1) * discount[: len(order)]).sum() / ((2**best - 1) * discount[: len(best)]).sum()
    )


def crossed(groups: Mapping[str, Sequence[Judged]]) -> dict[str, float]:
    """Mean nDCG@10 of each group's candidates under weights fitted on all other groups."""
    out = {}
    for name, held in groups.items():
        others = [row for other, rows in groups.items() if other != name for row in rows]
        if held and others:
            weights = np.array(fitted(others).values)
            out[name] = float(np.mean([ndcg(row.features @ weights, row.gain) for row in held]))
    return out


def card(groups: Mapping[str, Sequence[Judged]], files: Mapping[str, str]) -> dict[str, Any]:
    """The card of weights fitted on all groups.

    Args:
        groups: the questions by the set they are of.
        files: sha256 of each file they come from.
    """
    weights = fitted([row for rows in groups.values() for row in rows])
    return {
        "weights": dict(zip(FEATURES, weights.values, strict=True)),
        "features": FEATURES,
        "loss": "listwise softmax over the candidates of a question",
        "fitted": date.today().isoformat(),
        "questions": {name: len(rows) for name, rows in groups.items()},
        "files": dict(files),
        "ndcg_10_of_each_set_under_weights_of_the_others": {k: round(v, 4) for k, v in crossed(groups).items()},
        "note": "The questions were written for this project in other words than the pages'. No figure here is of other people's questions.",
    }
