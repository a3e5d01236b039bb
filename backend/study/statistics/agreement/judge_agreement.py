"""A judge model, or a method's verdicts, against people: same order, same values, same verdicts; liking for long or first ones.

A person's figure for a draft is the mean over raters. Bias is looked for in what the judge gives beyond people, so that
drafts which people too find better for being longer count for nothing.
"""

from collections.abc import Sequence

import numpy as np

from backend.schemas.studies.estimates import Estimate
from backend.schemas.studies.study_analysis import JudgeAgreement, SupportScores
from backend.study.statistics.agreement.coefficients import cohen_kappa, quadratic
from backend.study.statistics.intervals import Sampling, bootstrap, bootstrap_mean, undefined, wilson
from backend.study.statistics.rating_data import Array, Judged, Scale, Score, Support, case_means

FEWEST = 3


def judge_against_people(
    question: str, judged: Sequence[Judged], scores: Sequence[Score], scale: Scale | None, sampling: Sampling
) -> JudgeAgreement:
    """Kappa rounds people's mean to the nearest value of the scale, halves up."""
    arms = tuple(sorted({score.arm for score in scores}))
    table = case_means(scores, arms)
    people = {
        (case, arm): float(table.means[i, j])
        for i, case in enumerate(table.cases)
        for j, arm in enumerate(arms)
        if not np.isnan(table.means[i, j])
    }
    both = [given for given in judged if given.question == question and (given.case, given.arm) in people]
    if len(both) < FEWEST:
        none = undefined(f"{len(both)} drafts were scored by both, at least {FEWEST} are needed")
        return JudgeAgreement(
            question=question,
            drafts=len(both),
            spearman=none,
            kendall=none,
            kappa_quadratic=none,
            mean_excess=none,
            by_length=none,
            by_order=none,
        )
    cases = {case: n for n, case in enumerate(dict.fromkeys(given.case for given in both))}
    clusters = np.array([cases[given.case] for given in both])
    theirs = np.array([given.value for given in both])
    ours = np.array([people[given.case, given.arm] for given in both])
    words = np.array([float(given.words) for given in both])
    excess = theirs - ours
    return JudgeAgreement(
        question=question,
        drafts=len(both),
        spearman=_correlated(theirs, ours, clusters, sampling, spearman),
        kendall=_correlated(theirs, ours, clusters, sampling, kendall),
        kappa_quadratic=_kappa(theirs, ours, clusters, scale, sampling),
        mean_excess=bootstrap_mean(excess, clusters, sampling),
        by_length=_correlated(excess, words, clusters, sampling, spearman),
        by_order=_by_order(excess, np.array([given.place for given in both]), clusters, sampling),
    )


def spearman(one: Array, other: Array) -> float | None:
    """Spearman's rank correlation with mid-ranks; None where one side is constant."""
    from scipy.stats import rankdata

    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    return float(np.corrcoef(rankdata(one), rankdata(other))[0, 1])


def kendall(one: Array, other: Array) -> float | None:
    """Kendall's tau-b; None where one side is constant."""
    signs = np.sign(one[:, None] - one) * np.sign(other[:, None] - other)
    spread = float((one[:, None] != one).sum()) * float((other[:, None] != other).sum())
    return float(signs.sum()) / spread**0.5 if spread else None


def _correlated(one: Array, other: Array, clusters: Array, sampling: Sampling, how: object) -> Estimate:
    assert callable(how)
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return undefined("one side has the same value throughout, so there is no order to compare")
    return bootstrap(lambda rows: how(one[rows], other[rows]), clusters, sampling)


def _kappa(theirs: Array, ours: Array, clusters: Array, scale: Scale | None, sampling: Sampling) -> Estimate:
    if scale is None or len(scale.values) < 2:
        return undefined("the values have no list, so kappa has no table to count in")
    listed = np.array(scale.values)
    pair = np.column_stack([_nearest(theirs, listed), _nearest(ours, listed)])
    weights = quadratic(listed)
    return bootstrap(lambda rows: cohen_kappa(pair[rows], listed, weights), clusters, sampling)


def _nearest(values: Array, listed: Array) -> Array:
    apart = np.abs(values[:, None] - listed[::-1])  # from the top, so that a half goes up
    return np.asarray(listed[::-1][np.argmin(np.round(apart, 9), axis=1)])


def _by_order(excess: Array, places: Array, clusters: Array, sampling: Sampling) -> Estimate:
    known = places > 0
    if not (places[known] == 1).any() or not (places[known] > 1).any():
        return undefined("it is not known which drafts the judge saw first and which later")
    excess, places, clusters = excess[known], places[known], clusters[known]

    def gap(rows: Array) -> float | None:
        first, later = excess[rows][places[rows] == 1], excess[rows][places[rows] > 1]
        return float(first.mean() - later.mean()) if len(first) and len(later) else None

    return bootstrap(gap, clusters, sampling)


def support_scores(method: str, rows: Sequence[Support], sampling: Sampling) -> SupportScores:
    """How well a method's verdicts are those of people. rows: those of this method.

    Shares have Wilson's interval where every verdict stands alone, else the bootstrap over clusters; F1 always the
    bootstrap.
    """
    said = np.array([row.verdict for row in rows], dtype=bool)
    true = np.array([row.human for row in rows], dtype=bool)
    number = {cluster: n for n, cluster in enumerate(dict.fromkeys(row.cluster for row in rows))}
    clusters = np.array([number[row.cluster] for row in rows], dtype=np.int64)

    def share(hits: Array, of: Array, reason: str) -> Estimate:
        if not of.any():
            return undefined(reason)
        if len(number) == len(rows):
            return wilson(int((hits & of).sum()), int(of.sum()))
        return bootstrap(
            lambda drawn: float((hits & of)[drawn].sum() / of[drawn].sum()) if of[drawn].any() else None,
            clusters,
            sampling,
        )

    def f1(drawn: Array) -> float | None:
        both = int((said[drawn] & true[drawn]).sum())
        either = int(said[drawn].sum() + true[drawn].sum())
        return 2 * both / either if either else None

    either = bool(len(rows)) and bool((said | true).any())
    return SupportScores(
        method=method,
        judged=len(rows),
        accuracy=share(said == true, np.ones(len(rows), dtype=bool), "nothing was judged"),
        precision=share(true, said, "the method never said yes"),
        recall=share(said, true, "no person said yes"),
        f1=bootstrap(f1, clusters, sampling) if either else undefined("neither the method nor a person said yes"),
    )
