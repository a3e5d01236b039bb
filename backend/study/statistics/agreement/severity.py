"""Which raters are strict and which are mild: each one's mean deviation from the others on the same drafts, and from a model."""

from collections.abc import Sequence

import numpy as np

from backend.schemas.studies.estimates import Estimate, IntervalMethod
from backend.schemas.studies.study_analysis import Severity
from backend.study.statistics.comparison.mixed_model import MixedFit
from backend.study.statistics.intervals import Sampling, bootstrap_mean, symmetric, undefined
from backend.study.statistics.rating_arrays import rating_table
from backend.study.statistics.rating_data import Score

NORMAL_975 = 1.959963984540054


def severities(question: str, scores: Sequence[Score], fitted: MixedFit, sampling: Sampling) -> tuple[Severity, ...]:
    """fitted: the mixed model of the same scores, whose rater effects are the many-facet view."""
    table = rating_table(scores)
    made = []
    for column, rater in enumerate(table.raters):
        mine = table.values[:, column]
        others = np.delete(table.values, column, axis=1)
        shared = ~np.isnan(mine) & (~np.isnan(others)).any(axis=1)
        gaps = mine[shared] - np.nanmean(others[shared], axis=1) if shared.any() else np.zeros(0)
        deviation = (
            bootstrap_mean(gaps, table.clusters[shared], sampling)
            if len(gaps)
            else undefined("no draft was rated by this rater and another")
        )
        modelled = _modelled(fitted, rater)
        made.append(Severity(question=question, rater=rater, drafts=len(gaps), deviation=deviation, modelled=modelled))
    return tuple(made)


def _modelled(fitted: MixedFit, rater: str) -> Estimate:
    if fitted.reason or rater not in fitted.raters:
        return undefined(fitted.reason or "the model does not know this rater")
    value, error = fitted.raters[rater]
    return symmetric(value, error, NORMAL_975, IntervalMethod.NORMAL)
