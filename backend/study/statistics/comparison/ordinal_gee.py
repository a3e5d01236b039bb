"""A cumulative logit model of one question's answers, fitted by generalised estimating equations, clustered by case.

Source: Lipsitz, Kim and Zhao (1994), as statsmodels has it. The working structure is independence, for which the estimate is
right whatever the true correlation; the standard error is the sandwich over cases. It treats answers as ordered, no more.
"""

import math
import warnings
from collections.abc import Sequence

import numpy as np

from backend.schemas.studies.estimates import IntervalMethod, TestName
from backend.schemas.studies.study_analysis import Comparison, Effect
from backend.study.statistics.intervals import symmetric
from backend.study.statistics.rating_data import Score

FEW_CASES = 40
"""Below it the sandwich is known to be too small, and p with it (Mancl and DeRouen 2001)."""
FEWEST = 5


def ordinal_gee(question: str, scores: Sequence[Score], arms: tuple[str, str]) -> Comparison:
    """The log odds ratio of a higher answer, first against second; 0 is no difference, 0.69 twice the odds."""
    first, second = arms
    used = [score for score in scores if score.value is not None and score.arm in arms]
    cases = sorted({score.case for score in used})
    values = np.array([score.value for score in used], dtype=float)
    treated = np.array([1.0 if score.arm == first else 0.0 for score in used])
    base = {"question": question, "first": first, "second": second, "test": TestName.ORDINAL_GEE, "cases": len(cases)}
    reason = _why_not(values, treated, len(cases))
    if reason:
        return Comparison.model_validate({**base, "reason": reason})
    import statsmodels.api as sm
    from scipy.stats import norm

    number = {case: n for n, case in enumerate(cases)}
    groups = np.array([number[score.case] for score in used])
    order = np.argsort(groups, kind="stable")
    model = sm.OrdinalGEE(
        values[order], treated[order, None], groups=groups[order], cov_struct=sm.cov_struct.Independence()
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what they say is in `converged` and in the finiteness that is checked below
        try:
            fitted = model.fit()
        except np.linalg.LinAlgError:
            return Comparison.model_validate({**base, "converged": False, "reason": "the model could not be fitted"})
    ratio, error = float(np.asarray(fitted.params)[-1]), float(np.asarray(fitted.bse)[-1])
    if not (fitted.converged and math.isfinite(ratio) and math.isfinite(error) and error > 0):
        return Comparison.model_validate({**base, "converged": False, "reason": "the model did not converge"})
    quantile = float(norm.ppf(0.975))
    effect = Effect(
        name="log odds ratio",
        scale="natural logarithm, first against second, of a higher answer; 0 is no difference",
        estimate=symmetric(ratio, error, quantile, IntervalMethod.NORMAL),
    )
    few = f"{len(cases)} cases: below {FEW_CASES} the sandwich error is somewhat too small, and p too"
    made = {
        "statistic": ratio / error,
        "p": 2 * float(norm.sf(abs(ratio / error))),
        "converged": True,
        "effects": (effect,),
        "note": few if len(cases) < FEW_CASES else "",
    }
    return Comparison.model_validate({**base, **made})


def _why_not(values: np.ndarray, treated: np.ndarray, cases: int) -> str:
    if cases < FEWEST:
        return f"{cases} cases were rated, at least {FEWEST} are needed"
    if len(set(treated.tolist())) < 2:
        return "only one of the arms was rated"
    if len(set(values.tolist())) < 2:
        return "every rating is the same"
    ours, theirs = values[treated == 1], values[treated == 0]
    if ours.min() >= theirs.max() or theirs.min() >= ours.max():
        return "all ratings of one arm are at least as high as all of the other: the odds ratio has no finite estimate"
    return ""
