"""Intervals: the bootstrap over whole clusters (cases), and Wilson's for a share.

Drafts of one case and ratings of one draft are not independent, so a resample draws cases, with all that belongs to them.
Percentiles of few resampled cases are too narrow, so they are taken further out (Hesterberg 2015, expanded percentiles).
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from backend.schemas.studies.estimates import Estimate, IntervalMethod

LEVEL = 0.95
RESAMPLES = 2_000
FEWEST = 5
"""Fewer clusters have too few different resamples for percentiles to mean anything."""
USABLE = 0.95
"""The least share of resamples that must have a value: dropping more would hide that the figure is often undefined."""

Array = np.ndarray


class Sampling(NamedTuple):
    """How resamples are drawn: the same seed gives the same draws for the same number of clusters."""

    seed: int = 0
    resamples: int = RESAMPLES


def undefined(reason: str) -> Estimate:
    """An estimate without a value, and why."""
    return Estimate(reason=reason)


def bootstrap(statistic: Callable[[Array], float | None], clusters: Array, sampling: Sampling) -> Estimate:
    """A figure with the percentile interval over resamples of clusters.

    statistic: takes the numbers of the rows to use, (rows,), with repeats, and gives None where it is undefined.
    clusters: (rows,) the number of each row's cluster.
    """
    value = statistic(np.arange(len(clusters)))
    if value is None or not math.isfinite(value):
        return undefined("the figure is undefined for these ratings")
    members = [np.flatnonzero(clusters == number) for number in np.unique(clusters)]
    if len(members) < FEWEST:
        return Estimate(value=value, reason=f"no interval: {len(members)} cases, at least {FEWEST} are needed")
    rng = np.random.default_rng(sampling.seed)
    drawn = rng.integers(0, len(members), size=(sampling.resamples, len(members)))
    found = [statistic(np.concatenate([members[n] for n in row])) for row in drawn]
    return percentile_interval(value, [draw for draw in found if draw is not None], sampling.resamples, len(members))


def bootstrap_mean(values: Array, clusters: Array, sampling: Sampling) -> Estimate:
    """The mean over rows. values: (rows,) without NaN; the same draws as `bootstrap`, without its loop."""
    if not len(values):
        return undefined("nobody rated it")
    _, number = np.unique(clusters, return_inverse=True)
    sums, counts = np.bincount(number, weights=values), np.bincount(number)
    value = float(values.mean())
    if len(sums) < FEWEST:
        return Estimate(value=value, reason=f"no interval: {len(sums)} cases, at least {FEWEST} are needed")
    drawn = np.random.default_rng(sampling.seed).integers(0, len(sums), size=(sampling.resamples, len(sums)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    return percentile_interval(value, means, sampling.resamples, len(sums))


def percentile_interval(value: float, draws: Sequence[float] | Array, resamples: int, clusters: int) -> Estimate:
    """draws: the figure in those resamples that have one.

    The percentiles are those at which the interval of a mean would be as wide as its t interval.
    """
    usable = np.asarray(draws, dtype=float)
    usable = usable[np.isfinite(usable)]
    if len(usable) < USABLE * resamples:
        share = 1 - len(usable) / resamples
        return Estimate(value=value, reason=f"no interval: the figure is undefined in {share:.0%} of the resamples")
    if np.ptp(usable) < 1e-12:
        return Estimate(
            value=value, reason="no interval: every resample gives the same, which says nothing of other cases"
        )
    tail = expanded_tail(clusters)
    low, high = np.quantile(usable, [tail, 1 - tail])
    return Estimate(value=value, low=float(low), high=float(high), method=IntervalMethod.BOOTSTRAP)


def expanded_tail(clusters: int) -> float:
    """The share to leave out at each end: Phi(-sqrt(n / (n - 1)) t), below 0.025 and near it for many clusters."""
    from scipy.stats import norm, t

    return float(norm.cdf(-math.sqrt(clusters / (clusters - 1)) * t.ppf((1 + LEVEL) / 2, clusters - 1)))


def wilson(successes: float, total: float) -> Estimate:
    """A share with Wilson's score interval (1927; Newcombe 1998, method 3). It takes the trials to be independent."""
    if total <= 0:
        return undefined("there is nothing to count")
    from scipy.stats import norm

    z = float(norm.ppf((1 + LEVEL) / 2))
    share = successes / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Estimate(value=share, low=low, high=high, method=IntervalMethod.WILSON)


def symmetric(value: float, error: float, quantile: float, method: IntervalMethod) -> Estimate:
    """Value plus and minus quantile times its standard error."""
    if not (math.isfinite(value) and math.isfinite(error)):
        return undefined("the model gave no finite estimate")
    return Estimate(value=value, low=value - quantile * error, high=value + quantile * error, method=method)
