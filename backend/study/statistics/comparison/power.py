"""How many cases a study needs to see a given difference of two arms, each case rated in both."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from backend.errors import InputError
from backend.schemas.studies.study_judge import CasesNeeded

POWER = 0.8
ALPHA = 0.05
SIMULATIONS = 2_000
MOST_CASES = 5_000


class Needed(NamedTuple):
    """cases: the fewest that reach the power; power: what they reach, by simulation where that was asked for."""

    cases: int
    power: float


def difference_sd(draft_sd: float, rating_sd: float, raters: int) -> float:
    """The standard deviation of a case's difference of two arms, in points: sqrt(2 (draft^2 + rating^2 / raters)).

    Cases and raters themselves cancel, since both arms have them. A pilot's mixed model gives both.

    Args:
        draft_sd: how drafts of one arm differ beyond their cases.
        rating_sd: what a single rating adds.
        raters: of each draft.

    Raises:
        InputError: there is no rater.
    """
    if raters < 1:
        raise InputError(f"A draft needs a rater, not {raters}. Give the raters each draft has.")
    return math.sqrt(2 * (draft_sd**2 + rating_sd**2 / raters))


def cases_for_t(difference: float, sd: float, power: float = POWER, alpha: float = ALPHA) -> Needed:
    """For the paired t-test, two-sided, by the noncentral t distribution (statsmodels)."""
    from statsmodels.stats.power import TTestPower

    _check(difference, sd, power, alpha)
    solver = TTestPower()

    def reached(cases: int) -> float:
        return float(solver.power(abs(difference) / sd, cases, alpha, alternative="two-sided"))

    return _fewest(reached, power)


def cases_for_wilcoxon(
    difference: float, sd: float, seed: int, power: float = POWER, alpha: float = ALPHA, simulations: int = SIMULATIONS
) -> Needed:
    """For Wilcoxon's signed ranks on case differences that are normal, by seeded simulation.

    One set of draws serves every number of cases, so that more cases have no less power but by a hair. With 2,000
    simulations the power is right to about 2 points.
    """
    _check(difference, sd, power, alpha)
    start = cases_for_t(difference, sd, power, alpha).cases
    most = min(MOST_CASES, 2 * start + 20)
    drawn = np.random.default_rng(seed).normal(difference, sd, size=(simulations, most))
    return _fewest(lambda cases: wilcoxon_power(drawn[:, :cases], alpha), power, most)


def cases_needed(
    difference: float, sd: float, seed: int = 0, power: float = POWER, alpha: float = ALPHA
) -> CasesNeeded:
    """Both counts at once. Raises InputError for what no number of cases can see."""
    t, ranks = cases_for_t(difference, sd, power, alpha), cases_for_wilcoxon(difference, sd, seed, power, alpha)
    return CasesNeeded(
        difference=difference, sd=sd, power=power, alpha=alpha, t_cases=t.cases, t_power=t.power,
        wilcoxon_cases=ranks.cases, wilcoxon_power=ranks.power,
    )  # fmt: skip


def wilcoxon_power(samples: np.ndarray, alpha: float = ALPHA) -> float:
    """The share of samples that the test rejects. samples: (simulations, cases).

    Normal approximation beyond 25 cases, below it the exact distribution.
    """
    from scipy.stats import rankdata

    cases = samples.shape[1]
    ranks = rankdata(np.abs(samples), axis=1)
    positive = (ranks * (samples > 0)).sum(axis=1)
    smaller = np.minimum(positive, cases * (cases + 1) / 2 - positive)
    return float((smaller <= _critical(cases, alpha)).mean())


def _critical(cases: int, alpha: float) -> float:
    """The greatest rank sum that is still significant, two-sided; -1 if none is."""
    if cases > 25:
        from scipy.stats import norm

        spread = math.sqrt(cases * (cases + 1) * (2 * cases + 1) / 24)
        return cases * (cases + 1) / 4 + float(norm.ppf(alpha / 2)) * spread
    chances = np.zeros(cases * (cases + 1) // 2 + 1)
    chances[0] = 1.0
    for rank in range(1, cases + 1):
        moved = np.zeros_like(chances)
        moved[rank:] = chances[: len(chances) - rank]
        chances = (chances + moved) / 2
    return float(np.flatnonzero(np.append(2 * np.cumsum(chances), 2.0) > alpha)[0] - 1)


def _fewest(reached: Callable[[int], float], power: float, most: int = MOST_CASES) -> Needed:
    low, high = 2, 4
    while high < most and not reached(high) >= power:  # from below: far beyond the answer the noncentral t overflows
        low, high = high, min(most, 2 * high)
    if not reached(high) >= power:
        raise InputError(f"More than {most} cases would be needed. Look for a greater difference, or add raters.")
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) >= power else (middle + 1, high)
    return Needed(low, reached(low))


def _check(difference: float, sd: float, power: float, alpha: float) -> None:
    if difference == 0 or not math.isfinite(difference):
        raise InputError(
            f"A difference of {difference:g} can never be seen. Give the least one that matters, in points."
        )
    if not (sd > 0 and math.isfinite(sd)):
        raise InputError(f"The standard deviation is {sd:g}. Give one above 0, in points.")
    if not (0 < alpha < power < 1):
        raise InputError(f"alpha {alpha:g} and power {power:g} do not fit. Give 0 < alpha < power < 1.")
