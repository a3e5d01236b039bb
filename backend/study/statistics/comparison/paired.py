"""Paired tests of two arms on case means: Wilcoxon's signed ranks and the sign test. The case is the unit."""

import math
from typing import NamedTuple

import numpy as np

from backend.schemas.studies.estimates import TestName
from backend.schemas.studies.study_analysis import Comparison, Effect
from backend.study.statistics.intervals import Sampling, bootstrap, bootstrap_mean, undefined
from backend.study.statistics.rating_data import CaseMeans

EXACT_UP_TO = 200
"""Pairs. Beyond it the normal approximation is as good."""
DECIMALS = 9  # differences of means that are equal on paper must tie, not differ by rounding

Array = np.ndarray


class SignedRanks(NamedTuple):
    """positive, negative: sums of the ranks of |difference|; ties share their mean rank. pairs: those not 0."""

    positive: float
    negative: float
    pairs: int
    zeros: int
    z: float
    p: float
    exact: bool


def differences(table: CaseMeans, first: str, second: str) -> Array:
    """First minus second, (cases,), for cases that have both."""
    both = table.means[:, [table.arms.index(first), table.arms.index(second)]]
    both = both[~np.isnan(both).any(axis=1)]
    return np.asarray(np.round(both[:, 0] - both[:, 1], DECIMALS))


def signed_ranks(gaps: Array) -> SignedRanks | None:
    """Wilcoxon's test (1945), two-sided; zeros are dropped as he did. None without a pair that differs.

    p is exact, given the ties, up to 200 pairs: every sign pattern counts once. z takes no continuity correction.
    """
    from scipy.stats import norm, rankdata

    kept = gaps[gaps != 0]
    if not len(kept):
        return None
    ranks = rankdata(np.abs(kept))
    positive, negative = float(ranks[kept > 0].sum()), float(ranks[kept < 0].sum())
    spread = math.sqrt(float((ranks**2).sum()) / 4)  # each rank is + or - with chance 1/2, so ties need no other term
    z = (positive - (positive + negative) / 2) / spread
    exact = len(kept) <= EXACT_UP_TO
    p = _exact_p(ranks, min(positive, negative)) if exact else 2 * float(norm.sf(abs(z)))
    return SignedRanks(positive, negative, len(kept), len(gaps) - len(kept), z, p, exact)


def wilcoxon(question: str, table: CaseMeans, arms: tuple[str, str], sampling: Sampling) -> Comparison:
    """Wilcoxon's signed-rank test on case means.

    With the mean difference, the effect size r = z / sqrt(pairs) (Rosenthal 1991) and the matched-pairs rank-biserial
    correlation, the share of rank sums for minus against (Kerby 2014).
    """
    first, second = arms
    gaps = differences(table, first, second)
    cases = np.arange(len(gaps))
    found = signed_ranks(gaps) if len(gaps) else None
    gain = Effect(
        name="mean difference",
        scale="points, first minus second; 0 is no difference",
        estimate=bootstrap_mean(gaps, cases, sampling) if len(gaps) else undefined("no case has both arms rated"),
    )
    if found is None:
        reason = "no case has both arms rated" if not len(gaps) else "the arms have the same mean in every case"
        return Comparison(
            question=question,
            first=first,
            second=second,
            test=TestName.WILCOXON,
            cases=len(gaps),
            dropped=len(gaps),
            effects=(gain,),
            reason=reason,
        )
    effects = (
        gain,
        Effect(
            name="r",
            scale="-1 to 1, z over the root of the pairs that differ; 0 is no difference",
            estimate=bootstrap(lambda rows: _r(gaps[rows]), cases, sampling),
        ),
        Effect(
            name="rank-biserial",
            scale="-1 (second better in every case) to 1 (first better in every case)",
            estimate=bootstrap(lambda rows: _rank_biserial(gaps[rows]), cases, sampling),
        ),
    )
    return Comparison(
        question=question,
        first=first,
        second=second,
        test=TestName.WILCOXON,
        cases=len(gaps),
        dropped=found.zeros,
        statistic=min(found.positive, found.negative),
        p=found.p,
        effects=effects,
        note="exact p" if found.exact else "p by the normal approximation, without continuity correction",
    )


def sign_test(question: str, table: CaseMeans, arms: tuple[str, str]) -> Comparison:
    """How many cases favour each arm, against one half (exact binomial, two-sided); cases without a difference drop out."""
    from scipy.stats import binomtest

    from backend.study.statistics.intervals import wilson

    first, second = arms
    gaps = differences(table, first, second)
    ahead, behind = int((gaps > 0).sum()), int((gaps < 0).sum())
    share = wilson(ahead, ahead + behind)
    effect = Effect(
        name="share of cases", scale="0 to 1, cases in which the first is better; 0.5 is none", estimate=share
    )
    return Comparison(
        question=question,
        first=first,
        second=second,
        test=TestName.SIGN,
        cases=len(gaps),
        dropped=len(gaps) - ahead - behind,
        statistic=float(ahead),
        p=float(binomtest(ahead, ahead + behind).pvalue) if ahead + behind else None,
        effects=(effect,),
        reason="" if ahead + behind else "no case favours either arm",
    )


def _exact_p(ranks: Array, smaller: float) -> float:
    """The chance of a rank sum as small as this, doubled. Mid-ranks are halves, so sums are counted in halves."""
    doubled = np.rint(2 * ranks).astype(int)
    chances = np.zeros(int(doubled.sum()) + 1)
    chances[0] = 1.0
    for rank in doubled:
        moved = np.zeros_like(chances)
        moved[rank:] = chances[: len(chances) - rank]
        chances = (chances + moved) / 2
    return min(1.0, 2 * float(chances[: round(2 * smaller) + 1].sum()))


def _ranked(gaps: Array) -> tuple[Array, Array] | None:
    from scipy.stats import rankdata

    kept = gaps[gaps != 0]
    return (kept, rankdata(np.abs(kept))) if len(kept) else None


def _r(gaps: Array) -> float | None:
    found = _ranked(gaps)
    if found is None:
        return None
    kept, ranks = found
    z = float((np.sign(kept) * ranks).sum()) / math.sqrt(float((ranks**2).sum()))
    return z / math.sqrt(len(kept))


def _rank_biserial(gaps: Array) -> float | None:
    found = _ranked(gaps)
    if found is None:
        return None
    kept, ranks = found
    return float((np.sign(kept) * ranks).sum() / ranks.sum())
