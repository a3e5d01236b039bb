"""Intraclass correlations ICC(2,1) and ICC(2,k) of Shrout and Fleiss (1979): absolute agreement, raters drawn at random.

The share of the variance of one rating, or of the mean of k, that is due to the drafts. 1: raters agree wholly. 0: drafts
cannot be told apart. An estimate below 0 means that drafts differ less than raters' noise would make them.
"""

from typing import NamedTuple

import numpy as np

from backend.schemas.studies.estimates import Estimate, IntervalMethod
from backend.study.statistics.intervals import LEVEL

Array = np.ndarray


class Components(NamedTuple):
    """Variances due to drafts, raters and the rest (points squared). k: the harmonic mean of ratings a draft has."""

    drafts: float
    raters: float
    error: float
    k: float


def components(values: Array) -> Components | None:
    """values: (drafts, raters), NaN where missing.

    By Henderson's method I (1953; Searle, Linear Models, chapter 11), which for complete data is the usual analysis of
    variance.

    None where the ratings do not let the three be told apart, or where all are the same.
    """
    given = ~np.isnan(values)
    given_rows, given_columns = given.any(axis=1), given.any(axis=0)
    values, given = values[given_rows][:, given_columns], given[given_rows][:, given_columns]
    if values.size == 0 or np.ptp(values[given]) == 0:
        return None
    filled = np.where(given, values - values[given].mean(), 0.0)  # centred, so that the mean's own term drops out
    by_draft, by_rater, total = given.sum(axis=1), given.sum(axis=0), float(given.sum())
    rows, columns = len(by_draft), len(by_rater)
    due_draft, due_rater = float((filled.sum(1) ** 2 / by_draft).sum()), float((filled.sum(0) ** 2 / by_rater).sum())
    own_draft, own_rater = float((by_draft**2).sum()) / total, float((by_rater**2).sum()) / total
    system = np.array(
        [
            [total - own_draft, rows - own_rater, rows - 1],
            [columns - own_draft, total - own_rater, columns - 1],
            [own_draft - columns, own_rater - rows, total - rows - columns + 1],
        ]
    )
    if np.linalg.matrix_rank(system) < 3:
        return None
    sums = np.array([due_draft, due_rater, float((filled**2).sum()) - due_draft - due_rater])
    drafts, raters, error = (float(v) for v in np.linalg.solve(system, sums))
    return Components(drafts, raters, error, float(rows / (1 / by_draft).sum()))


def icc(values: Array, of_mean: bool = False) -> float | None:
    """ICC(2,1), or ICC(2,k) with of_mean. None where it is undefined."""
    found = components(values)
    if found is None:
        return None
    noise = (found.raters + found.error) / (found.k if of_mean else 1.0)
    whole = found.drafts + noise
    return found.drafts / whole if whole > 0 else None


def complete_interval(values: Array, of_mean: bool = False) -> Estimate | None:
    """With the F interval of Shrout and Fleiss (1979, p. 424; McGraw and Wong 1996), for complete tables of independent drafts. None otherwise."""
    from scipy.stats import f

    value = icc(values, of_mean)
    if value is None or np.isnan(values).any() or min(values.shape) < 2:
        return None
    n, k = values.shape
    mean = values.mean()
    between = k * float(((values.mean(axis=1) - mean) ** 2).sum()) / (n - 1)
    judges = n * float(((values.mean(axis=0) - mean) ** 2).sum()) / (k - 1)
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + mean
    error = float((rest**2).sum()) / ((n - 1) * (k - 1))
    if error <= 0:
        return Estimate(value=value, reason="no interval: nothing is left over for error")
    rho, ratio = icc(values) or 0.0, judges / error
    top = (k - 1) * (n - 1) * (k * rho * ratio + n * (1 + (k - 1) * rho) - k * rho) ** 2
    freedom = top / ((n - 1) * k**2 * rho**2 * ratio**2 + (n * (1 + (k - 1) * rho) - k * rho) ** 2)
    upper_f, lower_f = (
        float(f.ppf((1 + LEVEL) / 2, n - 1, freedom)),
        float(f.ppf((1 + LEVEL) / 2, freedom, n - 1)),
    )
    rest_of = k * judges + (k * n - k - n) * error
    low = n * (between - upper_f * error) / (upper_f * rest_of + n * between)
    high = n * (lower_f * between - error) / (rest_of + n * lower_f * between)
    if of_mean:
        low, high = (k * bound / (1 + (k - 1) * bound) for bound in (low, high))
    return Estimate(value=value, low=low, high=high, method=IntervalMethod.F)
