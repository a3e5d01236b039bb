"""Rows turned into arrays: means by case and arm, and ratings by draft and rater. Missing is NaN, inside arrays alone."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from backend.study.statistics.rating_data import Score

Array = np.ndarray


class CaseMeans(NamedTuple):
    """means: (cases, arms), the mean over raters; NaN where no rater could judge."""

    cases: tuple[str, ...]
    arms: tuple[str, ...]
    means: Array


class RatingTable(NamedTuple):
    """values: (drafts, raters); clusters: (drafts,) the number of each draft's case."""

    drafts: tuple[tuple[str, str], ...]
    raters: tuple[str, ...]
    values: Array
    clusters: Array


def case_means(scores: Iterable[Score], arms: Sequence[str]) -> CaseMeans:
    """Each rater counts once for a draft, each draft once for its case: ratings of one draft are not independent."""
    rated = [score for score in scores if score.value is not None and score.arm in arms]
    cases = tuple(sorted({score.case for score in rated}))
    row, column = {case: n for n, case in enumerate(cases)}, {arm: n for n, arm in enumerate(arms)}
    sums, counts = np.zeros((len(cases), len(arms))), np.zeros((len(cases), len(arms)))
    for score in rated:
        assert score.value is not None
        sums[row[score.case], column[score.arm]] += score.value
        counts[row[score.case], column[score.arm]] += 1
    means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
    return CaseMeans(cases, tuple(arms), means)


def rating_table(scores: Iterable[Score]) -> RatingTable:
    """Every draft that anybody rated, in the order of case and arm."""
    rated = [score for score in scores if score.value is not None]
    drafts = tuple(sorted({(score.case, score.arm) for score in rated}))
    raters = tuple(sorted({score.rater for score in rated}))
    row, column = {draft: n for n, draft in enumerate(drafts)}, {rater: n for n, rater in enumerate(raters)}
    values = np.full((len(drafts), len(raters)), np.nan)
    for score in rated:
        values[row[score.case, score.arm], column[score.rater]] = score.value
    numbers = {case: n for n, case in enumerate(dict.fromkeys(case for case, _ in drafts))}
    return RatingTable(drafts, raters, values, np.array([numbers[case] for case, _ in drafts], dtype=np.int64))


def value_counts(values: Array, categories: Sequence[float]) -> Array:
    """(items, categories): how many raters gave each item each value. Raises ValueError for a value off the scale."""
    known = np.asarray(sorted(categories), dtype=float)
    given = values[~np.isnan(values)]
    strange = np.setdiff1d(given, known)
    if len(strange):
        raise ValueError(f"the value {strange[0]:g} is not on the scale {', '.join(f'{v:g}' for v in known)}")
    return np.asarray((values[:, :, None] == known).sum(axis=1), dtype=float)
