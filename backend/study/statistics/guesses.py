"""Whether raters could recognise the arms: Bang's index by arm (2004) and James' index (1996), from guesses after the last item.

Both are published for two arms and independent guesses; a rater's guesses are not quite that, so the intervals are somewhat
too narrow. For more arms the share of right guesses stands against chance.
"""

import math
from collections.abc import Sequence

import numpy as np

from backend.schemas.studies.estimates import Estimate, IntervalMethod
from backend.schemas.studies.study_analysis import Blinding, GuessCount
from backend.study.statistics.intervals import symmetric, undefined, wilson
from backend.study.statistics.rating_data import Guess

WRONG = 0.5
"""James' weight of a wrong guess; a right one is 0, not knowing 1."""
TWO_ARMS = "the index is published for two arms"


def blinding(guesses: Sequence[Guess], arms: Sequence[str]) -> Blinding:
    """Whether raters knew which arm wrote what: counts by arm, the share right, Bang's and James' indices."""
    if not guesses:
        none = undefined("nobody was asked to guess")
        return Blinding(james=none, correct_share=none)
    counts = []
    table = np.zeros((len(arms), len(arms) + 1))
    for guess in guesses:
        column = arms.index(guess.guessed) if guess.guessed else len(arms)
        table[arms.index(guess.arm), column] += 1
    for n, arm in enumerate(arms):
        correct, unknown = int(table[n, n]), int(table[n, -1])
        wrong = int(table[n].sum()) - correct - unknown
        index = bang(correct, wrong, unknown) if len(arms) == 2 else undefined(TWO_ARMS)
        counts.append(GuessCount(arm=arm, correct=correct, wrong=wrong, unknown=unknown, bang=index))
    right, named = sum(c.correct for c in counts), sum(c.correct + c.wrong for c in counts)
    return Blinding(
        counts=tuple(counts),
        james=james(table) if len(arms) == 2 else undefined(TWO_ARMS),
        correct_share=wilson(right, named) if named else undefined("every answer was 'I do not know'"),
        chance=1 / len(arms),
        notes=("Intervals take guesses to be independent; a rater's are not quite.",),
    )


def bang(correct: int, wrong: int, unknown: int) -> Estimate:
    """Bang's index of one arm: (correct - wrong) / all (Bang, Ni and Davis 2004, with its variance).

    -1 to 1. 0: by chance. 1: all know. -1: all take the arm for the other one, which shows the arms just as well.
    """
    from scipy.stats import norm

    total = correct + wrong + unknown
    if not total:
        return undefined("nobody guessed about this arm")
    right, missed = correct / total, wrong / total
    variance = (right * (1 - right) + missed * (1 - missed) + 2 * right * missed) / total
    return _bounded(right - missed, math.sqrt(variance), float(norm.ppf(0.975)), -1.0)


def james(table: np.ndarray) -> Estimate:
    """table: (arms, arms + 1) counts, rows the true arm, columns the guess, the last 'I do not know'.

    0: all right. 0.5: by chance. 1: nobody knows. The error is by the delta method over the table as one multinomial.
    """
    from scipy.stats import norm

    total = float(table.sum())
    shares = table / total
    value = _james(shares)
    if value is None:
        return undefined("without at least one guess in every arm chance agreement is unknown")
    step = 1e-6
    slopes = np.zeros_like(shares)
    for place in np.ndindex(*shares.shape):
        moved = shares.copy()
        moved[place] += step
        slopes[place] = ((_james(moved / moved.sum()) or 0.0) - value) / step
    mean = float((slopes * shares).sum())
    variance = float((shares * (slopes - mean) ** 2).sum()) / total
    return _bounded(value, math.sqrt(variance), float(norm.ppf(0.975)), 0.0)


def _james(shares: np.ndarray) -> float | None:
    named = shares[:, :-1]
    unknown = float(shares[:, -1].sum())
    guessed = float(named.sum())
    if guessed <= 0:
        return 1.0
    weights = WRONG * (1 - np.eye(len(named)))
    observed = float((weights * named).sum()) / guessed
    expected = float((weights * np.outer(named.sum(axis=1), named.sum(axis=0))).sum()) / guessed**2
    if expected <= 0:
        return None
    return (1 + unknown + (1 - unknown) * (observed - expected) / expected) / 2


def _bounded(value: float, error: float, quantile: float, least: float) -> Estimate:
    found = symmetric(value, error, quantile, IntervalMethod.NORMAL)
    assert found.low is not None and found.high is not None
    return found.model_copy(update={"low": max(least, found.low), "high": min(1.0, found.high)})
