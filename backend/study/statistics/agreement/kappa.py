"""Kappas: Cohen's for two raters (1960; weighted 1968), its mean over pairs of raters (Light 1971), Fleiss' for several (1971).

1: all agree. 0: no better than chance. Below 0: less than chance. Undefined where chance alone makes all agree.
"""

from itertools import combinations

import numpy as np

Array = np.ndarray


def cohen_kappa(values: Array, categories: Array, weights: Array) -> float | None:
    """values: (items, 2); rows with a missing value are left out. weights: (categories, categories), 1 on the diagonal."""
    both = values[~np.isnan(values).any(axis=1)]
    if not len(both):
        return None
    places = np.searchsorted(categories, both)
    table = np.zeros((len(categories), len(categories)))
    np.add.at(table, (places[:, 0], places[:, 1]), 1.0)
    table /= len(both)
    observed = float((weights * table).sum())
    expected = float((weights * np.outer(table.sum(axis=1), table.sum(axis=0))).sum())
    return (observed - expected) / (1 - expected) if expected < 1 - 1e-12 else None


def mean_kappa(values: Array, categories: Array, weights: Array) -> float | None:
    """Cohen's kappa of each pair of raters, its mean over the pairs in which it is defined. values: (items, raters)."""
    pairs = (values[:, [one, other]] for one, other in combinations(range(values.shape[1]), 2))
    found = [kappa for kappa in (cohen_kappa(pair, categories, weights) for pair in pairs) if kappa is not None]
    return float(np.mean(found)) if found else None


def fleiss_kappa(counts: Array) -> float | None:
    """counts: (items, categories). Items with one rating are left out; where items have unequally many ratings, each
    counts the same in the agreement and by its shares in the chance (as Gwet extends it)."""
    paired = counts[counts.sum(axis=1) >= 2]
    if not len(paired):
        return None
    raters = paired.sum(axis=1)
    observed = float(((paired * (paired - 1)).sum(axis=1) / (raters * (raters - 1))).mean())
    expected = float(((paired / raters[:, None]).mean(axis=0) ** 2).sum())
    return (observed - expected) / (1 - expected) if expected < 1 - 1e-12 else None
