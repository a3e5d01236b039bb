"""How raters differ and change: who is strict and who mild, and what changes from the first to the second half of the items.

Severity is a rater's mean deviation from the others on the same drafts, and that of a model.
"""

from collections.abc import Sequence

import numpy as np

from backend.schemas.studies.estimates import Estimate, IntervalMethod
from backend.schemas.studies.study_analysis import Effect, Learning, Severity, TimeOnItem
from backend.study.statistics.comparison.mixed_model import MixedFit, Term, fit_mixed, fixed_effect
from backend.study.statistics.intervals import Sampling, bootstrap_mean, symmetric, undefined
from backend.study.statistics.rating_data import Score, Timed, rating_table

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


PERIOD = "second half"


def learning(question: str, scores: Sequence[Score], arms: tuple[str, ...]) -> Learning:
    """The mixed model with the period as a further fixed effect, and for two arms with its product with the arm.

    Both factors are centred, so that the period's effect is the mean over the arms.
    """
    used = [score for score in scores if score.value is not None and score.arm in arms and score.period in (1, 2)]
    if len({score.period for score in used}) < 2:
        return Learning(question=question, period=undefined("only one half of the items is known or rated"))
    late = np.array([float(score.period == 2) for score in used])
    terms = [Term(PERIOD, late - late.mean())]
    if len(arms) == 2:
        first = np.array([float(score.arm == arms[0]) for score in used])
        terms.append(Term("more for the first", (late - late.mean()) * (first - first.mean())))
    fitted = fit_mixed(used, tuple(reversed(arms)), terms)
    by_arm = [
        Effect(
            name=f"{term.name} arm",
            scale="points; positive: the second half favours the first arm more; 0 is no difference",
            estimate=fixed_effect(fitted, term.name),
        )
        for term in terms[1:]
    ]
    return Learning(
        question=question, period=fixed_effect(fitted, PERIOD), by_arm=tuple(by_arm), converged=fitted.converged
    )


def times_on_items(times: Sequence[Timed]) -> tuple[TimeOnItem, ...]:
    """Medians of all, of each half and of each rater. Times are skewed, so means would tell of the pauses."""
    named = [("all", list(times))]
    named += [(what, [t for t in times if t.period == n]) for n, what in ((1, "first half"), (2, "second half"))]
    raters = sorted({t.rater for t in times})
    named += [(f"rater {rater}", [t for t in times if t.rater == rater]) for rater in raters]
    return tuple(_median(of, [t.seconds for t in found]) for of, found in named)


def _median(of: str, seconds: Sequence[float]) -> TimeOnItem:
    if not seconds:
        return TimeOnItem(of=of, items=0, reason="no time was measured")
    lower, median, upper = (float(q) for q in np.quantile(seconds, [0.25, 0.5, 0.75]))
    return TimeOnItem(of=of, items=len(seconds), median_s=median, quartiles_s=(lower, upper))
