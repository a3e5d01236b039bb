"""The ordinal and the mixed model against closed forms and printed figures."""

import math
from itertools import product

import numpy as np
import pytest

from backend.study.statistics.comparison.mixed_model import fit_mixed, fixed_effect, mixed_model
from backend.study.statistics.comparison.ordinal_gee import ordinal_gee
from backend.study.statistics.rating_data import Score
from tests.study.statistics.published import SHROUT_FLEISS


def scores(values: dict[tuple[str, str, str], float]) -> list[Score]:
    return [Score("q", case, arm, rater, value) for (case, arm, rater), value in values.items()]


def drawn(cases: int, raters: int, seed: int, gain: float = 0.4) -> list[Score]:
    rng = np.random.default_rng(seed)
    case, rater, draft = rng.normal(0, 0.5, cases), rng.normal(0, 0.4, raters), rng.normal(0, 0.4, (cases, 2))
    made = {}
    for c, a, r in product(range(cases), range(2), range(raters)):
        value = 3 + gain * (a == 0) + case[c] + rater[r] + draft[c, a] + rng.normal(0, 0.7)
        made[f"c{c:02}", "ab"[a], f"R{r}"] = float(np.clip(round(value), 1, 5))
    return scores(made)


def test_the_mixed_model_s_difference_and_error_are_those_of_the_paired_t_test() -> None:
    # complete data, variances above 0: both are functions of the case means alone
    from scipy.stats import ttest_rel

    rows = drawn(20, 3, seed=2)
    a, b = (
        [np.mean([s.value for s in rows if s.case == f"c{c:02}" and s.arm == arm]) for c in range(20)] for arm in "ab"
    )
    found = mixed_model("q", rows, ("a", "b"))
    expected = ttest_rel(a, b)
    assert found.converged
    assert found.effects[0].estimate.value == pytest.approx(float(np.mean(a) - np.mean(b)), abs=1e-6)
    assert found.statistic == pytest.approx(float(expected.statistic), rel=1e-3)
    assert found.p == pytest.approx(float(expected.pvalue), rel=1e-2)


def test_a_variance_at_0_is_found_and_its_degrees_of_freedom_go_to_the_others() -> None:
    # here cases differ less than their drafts, so the case's variance is 0 and both mean squares estimate the drafts':
    # error^2 of the difference = 2 (19 MS_case + 19 MS_draft) / 38 / (20 cases * 3 raters)
    rows = drawn(20, 3, seed=1)
    drafts = np.zeros((20, 2))
    for s in rows:
        drafts[int(s.case[1:]), "ab".index(s.arm)] += (s.value or 0.0) / 3
    by_case = drafts.mean(axis=1, keepdims=True)
    rest = drafts - by_case - drafts.mean(axis=0) + drafts.mean()
    of_cases, of_drafts = 6 * ((by_case - drafts.mean()) ** 2).sum() / 19, 3 * (rest**2).sum() / 19
    assert of_cases < of_drafts
    fitted = fit_mixed(rows, ("b", "a"))
    assert fitted.variances["case"] == pytest.approx(0, abs=1e-3)
    assert fitted.covariance[1, 1] == pytest.approx((of_cases + of_drafts) / 60, rel=5e-3)


def test_its_variances_are_those_of_shrout_and_fleiss() -> None:
    # their mean squares 11.24, 32.49 and 1.02 give 2.555, 5.245 and 1.02, which REML finds for complete data
    rows = scores({(f"c{i}", "a", f"R{j}"): float(SHROUT_FLEISS[i, j]) for i in range(6) for j in range(4)})
    found = fit_mixed(rows, ("a",))
    assert found.converged
    assert found.variances["case"] == pytest.approx(2.555, abs=0.01)
    assert found.variances["rater"] == pytest.approx(5.245, abs=0.01)
    assert found.variances["error"] == pytest.approx(1.02, abs=0.01)
    # a balanced prediction is the rater's deviation, shrunk by n s2 / (n s2 + error): 6 * 5.245 / (6 * 5.245 + 1.02)
    shrunk = 6 * 5.245 / (6 * 5.245 + 1.02) * (SHROUT_FLEISS[:, 0].mean() - SHROUT_FLEISS.mean())
    assert found.raters["R0"][0] == pytest.approx(shrunk, abs=0.01)


def test_the_ordinal_model_of_two_values_is_the_log_odds_ratio() -> None:
    # arm a: 12 yes of 20; arm b: 5 yes of 20. (12 * 15) / (8 * 5) = 4.5
    values = {(f"c{n:02}", "a", "R1"): 2.0 if n < 12 else 1.0 for n in range(20)}
    values |= {(f"c{n:02}", "b", "R1"): 2.0 if n >= 15 else 1.0 for n in range(20)}
    found = ordinal_gee("q", scores(values), ("a", "b"))
    assert found.converged
    assert found.effects[0].estimate.value == pytest.approx(math.log(4.5), abs=1e-4)


def test_the_ordinal_model_s_error_is_the_sandwich_over_cases() -> None:
    # for two values the model is a logit; its clustered sandwich by hand from scores x (y - p), the design (1, arm)
    rows = drawn(30, 2, seed=5)
    rows = [s._replace(value=float(s.value > 3)) for s in rows if s.value is not None]
    found = ordinal_gee("q", rows, ("a", "b"))
    design = np.array([[1.0, float(s.arm == "a")] for s in rows])
    values = np.array([s.value for s in rows], dtype=float)
    share = {arm: np.mean([s.value for s in rows if s.arm == arm]) for arm in "ab"}
    p = np.array([share[s.arm] for s in rows])
    bread = np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None]))
    sums = np.array(
        [(design * (values - p)[:, None])[[s.case == c for s in rows]].sum(0) for c in sorted({s.case for s in rows})]
    )
    error = math.sqrt((bread @ sums.T @ sums @ bread)[1, 1])
    estimate = found.effects[0].estimate
    assert estimate.value is not None and estimate.high is not None
    assert (estimate.high - estimate.value) / 1.959964 == pytest.approx(error, rel=1e-3)


def test_swapping_the_arms_turns_the_sign() -> None:
    rows = drawn(20, 2, seed=3)
    for model in (ordinal_gee, mixed_model):
        one, other = model("q", rows, ("a", "b")), model("q", rows, ("b", "a"))
        assert one.effects[0].estimate.value == pytest.approx(-(other.effects[0].estimate.value or 0), abs=1e-4)
        assert one.p == pytest.approx(other.p, rel=1e-3)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (drawn(3, 2, 0), "3 cases were rated"),
        ([s._replace(value=4.0) for s in drawn(8, 2, 0)], "every rating is the same"),
        ([s for s in drawn(8, 2, 0) if s.arm == "a"], "only one of the arms was rated"),
    ],
)
def test_what_a_model_cannot_fit_has_its_reason(rows: list[Score], reason: str) -> None:
    for found in (ordinal_gee("q", rows, ("a", "b")), mixed_model("q", rows, ("a", "b"))):
        assert found.p is None
        assert reason in found.reason


def test_arms_that_do_not_overlap_have_no_odds_ratio() -> None:
    rows = [s._replace(value=5.0 if s.arm == "a" else 2.0) for s in drawn(8, 2, 0)]
    assert "no finite estimate" in ordinal_gee("q", rows, ("a", "b")).reason


def test_one_rater_cannot_be_told_from_the_cases() -> None:
    assert "one rater alone" in mixed_model("q", drawn(8, 1, 0), ("a", "b")).reason
    assert fixed_effect(fit_mixed(drawn(8, 1, 0), ("a", "b")), "b").value is None


def test_ratings_that_drafts_and_raters_explain_wholly_have_no_error_to_go_by() -> None:
    rows = scores({(f"c{c}", arm, f"R{r}"): 2.0 + r + (c % 2) for c in range(6) for arm in "ab" for r in range(2)})
    assert "nothing is left over for error" in mixed_model("q", rows, ("a", "b")).reason
