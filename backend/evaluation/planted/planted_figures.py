"""How well a verifier tells planted sentences from true ones: AUC of its scores, and what its marks catch and call wrongly."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from backend.evaluation.planted.planted_sets import Pair
from backend.interfaces import Verifier
from backend.schemas.vocabulary import Support

BATCH = 64
BINS = 10
STEPS = 10


class Judged(NamedTuple):
    """One pair after verification: the scores, 0 to 1, and whether each sentence was marked supported."""

    pair: Pair
    true_score: float
    wrong_score: float
    true_supported: bool
    wrong_supported: bool
    wrong_reason: str = ""
    true_reason: str = ""


class Figure(NamedTuple):
    """How well true and wrong sentences of one kind are parted.

    Attributes:
        name: of the kind.
        n: pairs.
        auc: the chance that a true sentence scores higher than a wrong one; 0.5 is chance.
        caught: the share of wrong sentences not marked supported.
        false_alarm: the share of true ones not marked supported.
        won: the share of pairs in which the true one scores higher.
        ece: expected calibration error: how far scores are from the share of true sentences among those of like scores, 0 to 1.
        risk_at_half: the share of wrong sentences among the half with the highest scores (risk against coverage); 0.5 is chance.
    """

    name: str
    n: int
    auc: float
    caught: float
    false_alarm: float
    won: float
    ece: float | None = None
    risk_at_half: float | None = None


class CurvePoint(NamedTuple):
    """A point of the curve of risk against coverage (El-Yaniv and Wiener 2010).

    Attributes:
        coverage: the share of all sentences that is taken, those with the highest scores.
        least_score: the lowest score among them, 0 to 1.
        risk: the share of wrong sentences among them; 0.5 at full coverage, since every true one has a wrong one.
        n: sentences taken.
    """

    coverage: float
    least_score: float
    risk: float
    n: int


def judge(pairs: Sequence[Pair], verifier: Verifier, progress: Callable[[int, int], None]) -> list[Judged]:
    """Each pair verified, both sentences with the same evidence."""
    out = list[Judged]()
    for done, pair in enumerate(pairs):
        progress(done, len(pairs))
        true, wrong = verifier.verify([pair.true, pair.wrong], pair.linked, pair.evidence)
        out.append(
            Judged(
                pair,
                true.score or 0.0,
                wrong.score or 0.0,
                true.support == Support.SUPPORTED,
                wrong.support == Support.SUPPORTED,
                wrong.reason,
                true.reason,
            )
        )
    return out


def figures(judged: Sequence[Judged]) -> list[Figure]:
    """All together, names from outside the vocabulary, and kind by kind; a kind without pairs has no figure."""
    groups: list[tuple[str, list[Judged]]] = [
        ("all", list(judged)),
        ("names unknown to the vocabulary", [j for j in judged if j.pair.outside]),
    ]
    for kind in dict.fromkeys(j.pair.kind for j in judged):
        groups.append((kind.value, [j for j in judged if j.pair.kind == kind]))
    return [_figure(name, group) for name, group in groups if group]


def risk_curve(judged: Sequence[Judged], steps: int = STEPS) -> list[CurvePoint]:
    """Risk at so many equal steps of coverage, over true and wrong sentences together; nothing without pairs."""
    scores, true = _scored(judged)
    order = np.sort(scores)
    taken = [max(1, round(step / steps * len(scores))) for step in range(1, steps + 1)] if len(scores) else []
    return [
        CurvePoint(step / steps, float(order[-n]), risk_at(step / steps, scores, true), n)
        for step, n in enumerate(taken, start=1)
    ]


def auc(higher: Iterable[float], lower: Iterable[float]) -> float:
    """The chance that one of the first is greater than one of the second, ties half (Mann-Whitney). Raises ValueError without values."""
    a, b = np.asarray(list(higher)), np.asarray(list(lower))
    if not len(a) or not len(b):
        raise ValueError("both sides need at least one value")
    ordered = np.sort(b)
    below, at_most = np.searchsorted(ordered, a, "left"), np.searchsorted(ordered, a, "right")
    return float((below + at_most).sum() / (2 * len(a) * len(b)))


def calibration_error(scores: np.ndarray, true: np.ndarray, bins: int = BINS) -> float:
    """Expected calibration error over bins of equal width (Naeini et al. 2015): sum of n_b / n * |share true - mean score|.

    Args:
        scores: (n,), 0 to 1.
        true: (n,), 1 where the sentence is true.
        bins: how many; a score of 1 belongs to the last.
    """
    place = np.minimum((scores * bins).astype(int), bins - 1)
    held = [place == b for b in range(bins) if (place == b).any()]
    return float(sum(abs(true[one].mean() - scores[one].mean()) * one.sum() for one in held) / len(scores))


def risk_at(coverage: float, scores: np.ndarray, true: np.ndarray) -> float:
    """The share of wrong sentences among those with the highest scores; of equal scores each counts by its share.

    Args:
        coverage: which share of the sentences is taken, above 0.
        scores: (n,).
        true: (n,), 1 where the sentence is true.
    """
    taken = max(1, round(coverage * len(scores)))
    least = np.sort(scores)[-taken]
    above, tied = scores > least, scores == least
    wrong = float((1 - true[above]).sum()) + float((1 - true[tied]).mean()) * (taken - int(above.sum()))
    return wrong / taken


def _figure(name: str, group: Sequence[Judged]) -> Figure:
    n = len(group)
    scores, true = _scored(group)
    return Figure(
        name,
        n,
        auc((j.true_score for j in group), (j.wrong_score for j in group)),
        sum(not j.wrong_supported for j in group) / n,
        sum(not j.true_supported for j in group) / n,
        sum((j.true_score > j.wrong_score) + 0.5 * (j.true_score == j.wrong_score) for j in group) / n,
        calibration_error(scores, true),
        risk_at(0.5, scores, true),
    )


def _scored(group: Sequence[Judged]) -> tuple[np.ndarray, np.ndarray]:
    """Scores of the true sentences and of the wrong ones, and 1 for a true one."""
    scores = np.array([*(j.true_score for j in group), *(j.wrong_score for j in group)])
    return scores, np.repeat([1.0, 0.0], len(group))
