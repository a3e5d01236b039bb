"""Gwet's AC1 and AC2 (Handbook of Inter-Rater Reliability, 4th edition, chapters 2 to 5), and weighted percent agreement.

Their chance agreement does not grow when one value is much commoner than the others, as kappa's does. 1: all agree. 0: no
better than chance. Below 0: less than chance. AC1 weighs every difference the same, AC2 by its square.
"""

import math
from typing import NamedTuple

import numpy as np

Array = np.ndarray


class Coefficient(NamedTuple):
    """error: Gwet's standard error over items, for independent items; None with fewer than two."""

    value: float
    error: float | None


def identity(categories: Array) -> Array:
    return np.eye(len(categories))


def quadratic(categories: Array) -> Array:
    """1 for the same value, 0 for the ends of the scale."""
    values = np.asarray(categories, dtype=float)
    return np.asarray(1 - (values[:, None] - values) ** 2 / (values[-1] - values[0]) ** 2)


def percent_agreement(counts: Array, weights: Array) -> float | None:
    """The share of pairs of raters that agree, mean over items rated twice or more; with weights, nearly agree counts in
    part. None without such an item."""
    paired = counts[counts.sum(axis=1) >= 2]
    return float(_agreed(paired, weights).mean()) if len(paired) else None


def gwet_ac(counts: Array, weights: Array) -> Coefficient | None:
    """counts: (items, categories), all values of the scale, used or not. None without an item rated twice."""
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


def _agreed(counts: Array, weights: Array) -> Array:
    raters = counts.sum(axis=1)
    return np.asarray((counts * (counts @ weights - 1)).sum(axis=1) / (raters * (raters - 1)))
