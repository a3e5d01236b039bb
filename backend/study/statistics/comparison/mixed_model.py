"""A linear mixed model: arms as fixed effects; case, draft and rater as crossed random effects; REML by statsmodels.

score = mean + arm + case + draft + rater + error. The draft (a case in one arm) is there where drafts have several ratings:
without it, ratings of one draft would count as so many drafts. With two arms, complete data and variances above 0 the
difference and its error are those of the paired t-test on case means. A variance at 0 is a usual result of few raters.
"""

import math
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from backend.schemas.studies.estimates import Estimate, IntervalMethod, TestName
from backend.schemas.studies.study_analysis import Comparison, Effect
from backend.study.statistics.intervals import symmetric, undefined
from backend.study.statistics.rating_data import Score

FEWEST_CASES = 5
FEWEST_RATERS = 2
SEARCHES = ("nm", "powell")
"""Gradient methods can stop short of a variance at 0, where the gradient in its root vanishes, and call that converged; so
two searches without gradients run, and must end at the same likelihood."""
AGREE = 0.01
"""Log-likelihood."""
MOST_STEPS = 2_000


class Term(NamedTuple):
    """A fixed effect beside the arms. column: (scores,)."""

    name: str
    column: np.ndarray


class MixedFit(NamedTuple):
    """A fitted mixed model, or the reason why there is none.

    names and covariance are of the fixed effects. variances: by random effect, points squared. raters: each one's
    predicted effect with its standard deviation.
    """

    names: tuple[str, ...] = ()
    effects: np.ndarray = np.zeros(0)
    covariance: np.ndarray = np.zeros((0, 0))
    variances: dict[str, float] = {}
    raters: dict[str, tuple[float, float]] = {}
    cases: int = 0
    converged: bool | None = None
    reason: str = ""


def fit_mixed(scores: Sequence[Score], arms: Sequence[str], terms: Sequence[Term] = ()) -> MixedFit:
    """scores: all with a value, of one question; the first arm is the reference. terms' columns run with scores."""
    used = [n for n, score in enumerate(scores) if score.value is not None and score.arm in arms]
    rows = [scores[n] for n in used]
    values = np.array([row.value for row in rows], dtype=float)
    cases, raters = sorted({row.case for row in rows}), sorted({row.rater for row in rows})
    present = [arm for arm in arms if any(row.arm == arm for row in rows)]
    if len(cases) < FEWEST_CASES:
        return MixedFit(cases=len(cases), reason=f"{len(cases)} cases were rated, at least {FEWEST_CASES} are needed")
    if len(raters) < FEWEST_RATERS:
        return MixedFit(cases=len(cases), reason="one rater alone: case and rater effects cannot be told apart")
    if np.ptp(values) == 0:
        return MixedFit(cases=len(cases), reason="every rating is the same")
    names = ("mean", *present[1:], *(term.name for term in terms))
    columns = [np.ones(len(rows)), *(np.array([float(row.arm == arm) for row in rows]) for arm in present[1:])]
    design = np.column_stack([*columns, *(term.column[used] for term in terms)])
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return MixedFit(cases=len(cases), reason="the ratings do not let the effects be told apart")
    drafts = sorted({(row.case, row.arm) for row in rows})
    random = {
        "case": _dummies([row.case for row in rows], cases),
        "rater": _dummies([row.rater for row in rows], raters),
    }
    if len(rows) > len(drafts) and len(drafts) > len(cases):
        random["draft"] = _dummies([(row.case, row.arm) for row in rows], drafts)
    if _explained(values, np.column_stack([design, *random.values()])):
        return MixedFit(
            cases=len(cases), reason="drafts and raters explain every rating: nothing is left over for error"
        )
    fitted = _fit(values, design, random)
    if isinstance(fitted, str):
        return MixedFit(cases=len(cases), converged=False, reason=fitted)
    count = design.shape[1]
    kinds = list(random)
    variances = {kind: float(variance) for kind, variance in zip(kinds, fitted.vcomp, strict=True)}
    return MixedFit(
        names=names,
        effects=np.asarray(fitted.params)[:count],
        covariance=np.asarray(fitted.cov_params())[:count, :count],
        variances={**variances, "error": float(fitted.scale)},
        raters=_rater_effects(
            values - design @ np.asarray(fitted.params)[:count], random, variances, float(fitted.scale), raters
        ),
        cases=len(cases),
        converged=True,
    )


def mixed_model(
    question: str, scores: Sequence[Score], arms: tuple[str, str], fitted: MixedFit | None = None
) -> Comparison:
    """The difference of two arms in points. fitted: the model with the second arm as reference, if it is there.

    t with cases - 1 degrees of freedom, as the paired t-test has; which is honest where cases are few, and near the
    normal where they are many.
    """
    from scipy.stats import t

    first, second = arms
    fitted = fitted or fit_mixed(scores, (second, first))
    base: dict[str, Any] = {"question": question, "first": first, "second": second, "test": TestName.MIXED_MODEL}
    base |= {"cases": fitted.cases, "converged": fitted.converged}
    if fitted.reason or first not in fitted.names:
        return Comparison.model_validate({**base, "reason": fitted.reason or "only one of the arms was rated"})
    at = fitted.names.index(first)
    gain, error = float(fitted.effects[at]), math.sqrt(float(fitted.covariance[at, at]))
    freedom = fitted.cases - 1
    effect = Effect(
        name="mean difference",
        scale="points, first minus second; 0 is no difference",
        estimate=symmetric(gain, error, float(t.ppf(0.975, freedom)), IntervalMethod.T),
    )
    spread = ", ".join(f"{name} {math.sqrt(max(0.0, v)):.2f}" for name, v in fitted.variances.items())
    done = {"statistic": gain / error, "p": 2 * float(t.sf(abs(gain / error), freedom)), "effects": (effect,)}
    return Comparison.model_validate({**base, **done, "note": f"standard deviations in points: {spread}"})


def fixed_effect(fitted: MixedFit, name: str) -> Estimate:
    """A fixed effect with its interval, t with cases - 1 degrees of freedom."""
    from scipy.stats import t

    if fitted.reason or name not in fitted.names:
        return undefined(fitted.reason or f"the model has no effect called {name}")
    at = fitted.names.index(name)
    error = math.sqrt(float(fitted.covariance[at, at]))
    return symmetric(float(fitted.effects[at]), error, float(t.ppf(0.975, fitted.cases - 1)), IntervalMethod.T)


def _explained(values: np.ndarray, columns: np.ndarray) -> bool:
    """Whether fewer effects than ratings already give every rating, so that the likelihood has no maximum."""
    found, _, rank, _ = np.linalg.lstsq(columns, values, rcond=None)
    left = float(((values - columns @ found) ** 2).sum())
    return int(rank) < len(values) and left < 1e-9 * float(((values - values.mean()) ** 2).sum())


def _fit(values: np.ndarray, design: np.ndarray, random: dict[str, np.ndarray]) -> Any:
    """Statsmodels' result, or why there is none. Crossed effects: one group that holds all rows."""
    from statsmodels.regression.mixed_linear_model import MixedLM, VCSpec

    kinds = list(random)
    columns = [[[f"{kind}{n}" for n in range(random[kind].shape[1])]] for kind in kinds]
    spec = VCSpec(kinds, columns, [[random[kind]] for kind in kinds])
    model = MixedLM(values, design, groups=np.ones(len(values)), exog_re=np.zeros((len(values), 0)), exog_vc=spec)
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what they say is in `converged`, and a variance at 0 is a usual result
        for method in SEARCHES:
            try:
                found.append(model.fit(reml=True, method=method, maxiter=MOST_STEPS))
            except (np.linalg.LinAlgError, ValueError):
                return f"the model could not be fitted by {method}"
    likelihoods = [float(fit.llf) for fit in found]
    best = found[int(np.argmax(likelihoods))]
    if not all(fit.converged for fit in found) or max(likelihoods) - min(likelihoods) > AGREE:
        return f"the model did not converge: {' and '.join(SEARCHES)} did not end at the same likelihood"
    if not np.isfinite(np.asarray(best.bse)[: design.shape[1]]).all():
        return "the model gave no finite standard error"
    return best


def _rater_effects(
    residuals: np.ndarray,
    random: dict[str, np.ndarray],
    variances: dict[str, float],
    error: float,
    raters: Sequence[str],
) -> dict[str, tuple[float, float]]:
    """Best linear predictions of the raters' effects, with their standard deviations (Henderson 1975).

    G Z' V^-1 (y - X b) and the root of the diagonal of G - G Z' V^-1 Z G; the uncertainty of the fixed effects is left
    out, which makes them slightly too narrow.
    """
    cover = error * np.eye(len(residuals))
    for kind, columns in random.items():
        cover += variances[kind] * columns @ columns.T
    loads = variances["rater"] * random["rater"]
    solved = np.linalg.solve(cover, np.column_stack([residuals, loads]))
    predicted = loads.T @ solved[:, 0]
    left = variances["rater"] - np.einsum("ij,ij->j", loads, solved[:, 1:])
    return {r: (float(p), math.sqrt(max(0.0, float(v)))) for r, p, v in zip(raters, predicted, left, strict=True)}


def _dummies(labels: Sequence[object], known: Sequence[object]) -> np.ndarray:
    place = {label: n for n, label in enumerate(known)}
    made = np.zeros((len(labels), len(known)))
    made[np.arange(len(labels)), [place[label] for label in labels]] = 1.0
    return made
