"""Krippendorff's alpha (2011, "Computing Krippendorff's alpha-reliability"): 1 - observed over expected disagreement.

Any number of raters, missing ratings allowed. 1: all agree. 0: no better than values dealt out at random. Below 0: raters
differ more than chance would have them.
"""

from enum import StrEnum

import numpy as np

Array = np.ndarray


class Distance(StrEnum):
    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def alpha(counts: Array, categories: Array, distance: Distance) -> float | None:
    """counts: (items, categories), how many raters gave each value; items with one rating are left out.

    None where nothing was rated twice, or where every such rating is the same: then no disagreement is expected.
    """
    paired = counts[counts.sum(axis=1) >= 2]
    if not len(paired):
        return None
    raters = paired.sum(axis=1)
    coincidence = (paired / (raters - 1)[:, None]).T @ paired - np.diag((paired / (raters - 1)[:, None]).sum(axis=0))
    totals = coincidence.sum(axis=1)
    apart = _squared(totals, np.asarray(categories, dtype=float), distance)
    expected = float(totals @ apart @ totals) / (totals.sum() - 1)
    return 1 - float((coincidence * apart).sum()) / expected if expected > 0 else None


def _squared(totals: Array, categories: Array, distance: Distance) -> Array:
    """(categories, categories): the squared distance of two values."""
    if distance == Distance.NOMINAL:
        return 1 - np.eye(len(totals))
    if distance == Distance.INTERVAL:
        return np.asarray((categories[:, None] - categories) ** 2)
    # how many ratings lie between the middles of the two values: mid-ranks, so their difference is that sum
    middle = np.cumsum(totals) - totals / 2
    return np.asarray((middle[:, None] - middle) ** 2)
