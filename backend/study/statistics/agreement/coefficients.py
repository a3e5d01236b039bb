"""Coefficients of agreement corrected for chance: kappas, Krippendorff's alpha, Gwet's AC1 and AC2; and percent agreement.

1: all agree. 0: no better than chance. Below 0: less than chance. They differ in what chance would do. A table of counts
has the shape (items, categories): how many raters gave each value. Items that one rater rated say nothing of agreement.
"""

import math
from enum import StrEnum
from itertools import combinations
from typing import NamedTuple

import numpy as np

Array = np.ndarray


class Distance(StrEnum):
    """How far two values are apart: different or not, by the ranks between them, or by their difference."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


class Coefficient(NamedTuple):
    """error: Gwet's standard error over items, for independent items; None with fewer than two."""

    value: float
    error: float | None


def identity(categories: Array) -> Array:
    """Weights by which only the same value agrees, (categories, categories)."""
    return np.eye(len(categories))


def quadratic(categories: Array) -> Array:
    """Weights by the squared difference, (categories, categories): 1 for the same value, 0 for the ends of the scale."""
    values = np.asarray(categories, dtype=float)
    return np.asarray(1 - (values[:, None] - values) ** 2 / (values[-1] - values[0]) ** 2)


def cohen_kappa(values: Array, categories: Array, weights: Array) -> float | None:
    """Cohen's kappa of two raters (1960; weighted 1968).

    Args:
        values: (items, 2); items with a missing value (NaN) are left out.
        categories: all values of the scale, rising.
        weights: (categories, categories), 1 on the diagonal.

    Returns:
        None where no item is whole, or where chance alone makes all agree.
    """
    both = values[~np.isnan(values).any(axis=1)]
    if not len(both):
        return None
    places = np.searchsorted(categories, both)
    table = np.zeros((len(categories), len(categories)))
    np.add.at(table, (places[:, 0], places[:, 1]), 1.0)
    table /= len(both)
    observed = float((weights * table).sum())
    return _beyond(observed, float((weights * np.outer(table.sum(axis=1), table.sum(axis=0))).sum()))


def mean_kappa(values: Array, categories: Array, weights: Array) -> float | None:
    """The mean of Cohen's kappa over the pairs of raters for which it is defined (Light 1971). values: (items, raters)."""
    pairs = (values[:, [one, other]] for one, other in combinations(range(values.shape[1]), 2))
    found = [kappa for kappa in (cohen_kappa(pair, categories, weights) for pair in pairs) if kappa is not None]
    return float(np.mean(found)) if found else None


def fleiss_kappa(counts: Array) -> float | None:
    """Fleiss' kappa of several raters (1971).

    Items may have unequally many ratings, as in a study with missing answers: each counts the same in the agreement, and
    by its shares in the chance (Gwet's extension). statsmodels' function needs equally many, and gives the same there.

    Returns:
        None without an item rated twice, or where chance alone makes all agree.
    """
    paired = counts[counts.sum(axis=1) >= 2]
    observed = percent_agreement(paired, np.eye(counts.shape[1]))
    if observed is None:
        return None
    return _beyond(observed, float(((paired / paired.sum(axis=1)[:, None]).mean(axis=0) ** 2).sum()))


def alpha(counts: Array, categories: Array, distance: Distance) -> float | None:
    """Krippendorff's alpha (2011, "Computing Krippendorff's alpha-reliability"): 1 - observed over expected disagreement.

    Args:
        counts: (items, categories); any number of raters, missing ratings allowed.
        categories: all values of the scale, rising.
        distance: of two values.

    Returns:
        None where nothing was rated twice, or every such rating is the same: then no disagreement is expected.
    """
    paired = counts[counts.sum(axis=1) >= 2]
    if not len(paired):
        return None
    shared = paired / (paired.sum(axis=1) - 1)[:, None]
    coincidence = shared.T @ paired - np.diag(shared.sum(axis=0))
    totals = coincidence.sum(axis=1)
    apart = _squared_distance(totals, np.asarray(categories, dtype=float), distance)
    expected = float(totals @ apart @ totals) / (totals.sum() - 1)
    return 1 - float((coincidence * apart).sum()) / expected if expected > 0 else None


def percent_agreement(counts: Array, weights: Array) -> float | None:
    """The share of pairs of raters that agree, mean over items rated twice or more; 0 to 1, chance not taken off.

    With weights other than the identity, values that nearly agree count in part. None without such an item.
    """
    paired = counts[counts.sum(axis=1) >= 2]
    return float(_agreed(paired, weights).mean()) if len(paired) else None


def gwet_ac(counts: Array, weights: Array) -> Coefficient | None:
    """Gwet's AC1 (identity weights) or AC2 (Handbook of Inter-Rater Reliability, 4th edition, chapters 2 to 5).

    Its chance agreement does not grow when one value is much commoner than the others, as kappa's does.

    Args:
        counts: (items, categories), with all values of the scale, used or not.
        weights: (categories, categories), 1 on the diagonal.

    Returns:
        None without an item rated twice, or with a single category.
    """
    counts = counts[counts.sum(axis=1) >= 1]
    raters = counts.sum(axis=1)
    twice = raters >= 2
    if not twice.any() or len(weights) < 2:
        return None
    shares = counts / raters[:, None]
    common = shares.mean(axis=0)
    factor = weights.sum() / (len(weights) * (len(weights) - 1))
    chance = float(factor * (common * (1 - common)).sum())
    agreed = np.zeros(len(counts))
    agreed[twice] = _agreed(counts[twice], weights)
    value = (float(agreed[twice].mean()) - chance) / (1 - chance)
    n = len(counts)
    if n < 2:
        return Coefficient(value, None)
    each = np.where(twice, n / twice.sum() * (agreed - chance) / (1 - chance), 0.0)
    drift = factor * (shares * (1 - common)).sum(axis=1) - chance
    spread = each - 2 * (1 - value) * drift / (1 - chance)
    return Coefficient(value, math.sqrt(float(((spread - value) ** 2).sum()) / (n * (n - 1))))


def _beyond(observed: float, expected: float) -> float | None:
    """The agreement beyond chance, as a share of what is possible beyond it."""
    return (observed - expected) / (1 - expected) if expected < 1 - 1e-12 else None


def _agreed(counts: Array, weights: Array) -> Array:
    """Of each item with two raters or more the weighted share of its pairs that agree, (items,)."""
    raters = counts.sum(axis=1)
    return np.asarray((counts * (counts @ weights - 1)).sum(axis=1) / (raters * (raters - 1)))


def _squared_distance(totals: Array, categories: Array, distance: Distance) -> Array:
    """(categories, categories): the squared distance of two values. totals: how often each was given."""
    if distance == Distance.NOMINAL:
        return 1 - np.eye(len(totals))
    if distance == Distance.INTERVAL:
        return np.asarray((categories[:, None] - categories) ** 2)
    # how many ratings lie between the middles of the two values: mid-ranks, so their difference is that sum
    middle = np.cumsum(totals) - totals / 2
    return np.asarray((middle[:, None] - middle) ** 2)
