"""Every agreement coefficient for a question, each with an interval over resampled cases, or the reason why it has none."""

from collections.abc import Callable, Sequence

import numpy as np

from backend.schemas.studies.estimates import Coefficient, Estimate, IntervalMethod, Level
from backend.schemas.studies.study_analysis import Agreement
from backend.study.statistics.agreement import coefficients as of_counts
from backend.study.statistics.agreement.coefficients import Distance
from backend.study.statistics.agreement.icc import complete_interval, icc
from backend.study.statistics.intervals import LEVEL, Sampling, bootstrap, symmetric, undefined
from backend.study.statistics.rating_data import Array, Scale, Score, rating_table, value_counts

FEWEST_ITEMS = 2
NOMINAL = (Coefficient.PERCENT, Coefficient.ALPHA_NOMINAL, Coefficient.AC1, Coefficient.FLEISS, Coefficient.COHEN)
ORDINAL = (
    Coefficient.PERCENT,
    Coefficient.ALPHA_ORDINAL,
    Coefficient.ALPHA_INTERVAL,
    Coefficient.AC1,
    Coefficient.AC2,
    Coefficient.FLEISS,
    Coefficient.COHEN_QUADRATIC,
    Coefficient.ICC_SINGLE,
    Coefficient.ICC_MEAN,
)
UNLISTED = (Coefficient.ALPHA_ORDINAL, Coefficient.ALPHA_INTERVAL, Coefficient.ICC_SINGLE, Coefficient.ICC_MEAN)
"""For values without a list, such as means and counts: the others need to know every possible value."""
BY_ARM = (Coefficient.PERCENT, Coefficient.ALPHA_NOMINAL, Coefficient.ALPHA_ORDINAL, Coefficient.AC1, Coefficient.AC2)
CHANCE = "1: all agree. 0: no better than chance. Below 0: raters agree less than chance would make them."
MEANING = {
    Coefficient.PERCENT: "1: each pair of raters gave each draft the same value. 0: none did. Chance is not taken off.",
    Coefficient.ICC_SINGLE: "1: one rating tells drafts apart without error. 0: drafts cannot be told apart. Below 0: they "
    "differ less than raters' noise would make them; read it as 0.",
    Coefficient.ICC_MEAN: "1: the mean of a draft's ratings tells drafts apart without error. 0: it does not. Below 0: read it as 0.",
}


def agreement(
    question: str, scores: Sequence[Score], scale: Scale | None, sampling: Sampling, arm: str = ""
) -> tuple[Agreement, ...]:
    """scores: of this question, of one arm if arm is given. Drafts of one case are resampled together."""
    table = rating_table(scores)
    items = int(((~np.isnan(table.values)).sum(axis=1) >= 2).sum()) if len(table.values) else 0
    made = []
    for coefficient in coefficients(scale, arm):
        if items < FEWEST_ITEMS:
            found = undefined(f"{items} drafts have two ratings or more, at least {FEWEST_ITEMS} are needed")
        else:
            found = _estimate(coefficient, table.values, table.clusters, scale, sampling)
        meaning = MEANING.get(coefficient, CHANCE)
        count = len(table.raters)
        made.append(
            Agreement(
                question=question,
                arm=arm,
                coefficient=coefficient,
                estimate=found,
                items=items,
                raters=count,
                meaning=meaning,
            )
        )
    return tuple(made)


def coefficients(scale: Scale | None, arm: str = "") -> tuple[Coefficient, ...]:
    """Those that suit the scale. Of one arm alone only the most used, since they say much the same."""
    listed: tuple[Coefficient, ...] = NOMINAL if scale is not None and scale.level == Level.NOMINAL else ORDINAL
    suited = listed if scale is not None and scale.values else UNLISTED
    return tuple(coefficient for coefficient in suited if not arm or coefficient in BY_ARM)


def _estimate(
    coefficient: Coefficient, values: Array, clusters: Array, scale: Scale | None, sampling: Sampling
) -> Estimate:
    given = values[~np.isnan(values)]
    same = np.ptp(given) == 0
    if same and coefficient not in (Coefficient.PERCENT, Coefficient.AC1, Coefficient.AC2):
        return undefined(f"every rating is {given[0]:g}: without variance agreement by chance is complete")
    independent = len(set(clusters.tolist())) == len(clusters)
    if coefficient in (Coefficient.ICC_SINGLE, Coefficient.ICC_MEAN):
        of_mean = coefficient == Coefficient.ICC_MEAN
        formula = complete_interval(values, of_mean) if independent else None
        if formula is not None:
            return formula
        return _reasoned(bootstrap(lambda rows: icc(values[rows], of_mean), clusters, sampling), coefficient)
    if coefficient in (Coefficient.AC1, Coefficient.AC2) and independent and scale is not None:
        formula = _gwet_interval(coefficient, values, np.array(scale.values))
        if formula is not None:
            return formula
    listed = np.array(scale.values if scale is not None and scale.values else sorted(set(given.tolist())), dtype=float)
    statistic = _by_values(coefficient, values, listed)
    return _reasoned(bootstrap(statistic, clusters, sampling), coefficient)


def _gwet_interval(coefficient: Coefficient, values: Array, listed: Array) -> Estimate | None:
    """Gwet's own interval, t with items - 1 degrees of freedom, for drafts of different cases. None without an error."""
    from scipy.stats import t

    weights = of_counts.identity(listed) if coefficient == Coefficient.AC1 else of_counts.quadratic(listed)
    found = of_counts.gwet_ac(value_counts(values, listed.tolist()), weights)
    if found is None or not found.error:
        return None
    quantile = float(t.ppf((1 + LEVEL) / 2, len(values) - 1))
    made = symmetric(found.value, found.error, quantile, IntervalMethod.T)
    return made if made.high is None else made.model_copy(update={"high": min(1.0, made.high)})


def _by_values(coefficient: Coefficient, values: Array, listed: Array) -> Callable[[Array], float | None]:
    alike, near = of_counts.identity(listed), of_counts.quadratic(listed) if len(listed) > 1 else np.ones((1, 1))
    counts = value_counts(values, listed.tolist())
    distances = {
        Coefficient.ALPHA_NOMINAL: Distance.NOMINAL,
        Coefficient.ALPHA_ORDINAL: Distance.ORDINAL,
        Coefficient.ALPHA_INTERVAL: Distance.INTERVAL,
    }
    if coefficient in distances:
        return lambda rows: of_counts.alpha(counts[rows], listed, distances[coefficient])
    if coefficient == Coefficient.PERCENT:
        return lambda rows: of_counts.percent_agreement(counts[rows], alike)
    if coefficient in (Coefficient.AC1, Coefficient.AC2):
        weights = alike if coefficient == Coefficient.AC1 else near
        return lambda rows: _value(of_counts.gwet_ac(counts[rows], weights))
    if coefficient == Coefficient.FLEISS:
        return lambda rows: of_counts.fleiss_kappa(counts[rows])
    weights = alike if coefficient == Coefficient.COHEN else near
    return lambda rows: of_counts.mean_kappa(values[rows], listed, weights)


def _value(found: of_counts.Coefficient | None) -> float | None:
    return None if found is None else found.value


def _reasoned(found: Estimate, coefficient: Coefficient) -> Estimate:
    if found.value is not None:
        return found
    if coefficient in (Coefficient.ICC_SINGLE, Coefficient.ICC_MEAN):
        return undefined("raters share too few drafts to tell drafts, raters and error apart")
    return undefined("among drafts rated twice every rating is the same, or no two raters share a draft")
