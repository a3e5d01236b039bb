"""A judge against people: correlations as scipy has them, and biases that were put in."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.study.statistics.intervals import Sampling
from backend.study.statistics.raters.judge_agreement import judge_against_people, kendall, spearman
from backend.study.statistics.rating_data import Judged, Scale, Score

FEW = Sampling(seed=0, resamples=200)
SCALE = Scale("q", (1.0, 2.0, 3.0, 4.0, 5.0))


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=3, max_size=12))
@settings(max_examples=40, deadline=None)
def test_correlations_are_scipy_s(rows: list[tuple[int, int]]) -> None:
    from scipy.stats import kendalltau, spearmanr

    one, other = np.array(rows, dtype=float).T
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        assert spearman(one, other) is None
        assert kendall(one, other) is None
        return
    assert spearman(one, other) == pytest.approx(float(spearmanr(one, other).statistic))
    assert kendall(one, other) == pytest.approx(float(kendalltau(one, other).statistic))


def people(cases: int) -> list[Score]:
    rng = np.random.default_rng(2)
    return [
        Score("q", f"c{c}", arm, rater, float(rng.integers(1, 6)))
        for c in range(cases)
        for arm in "ab"
        for rater in ("R1", "R2")
    ]


def mean_of(scores: list[Score], case: str, arm: str) -> float:
    return float(np.mean([s.value for s in scores if (s.case, s.arm) == (case, arm)]))


def test_a_judge_that_says_what_people_say_agrees_wholly_and_is_not_biased() -> None:
    scores = people(10)
    judged = [
        Judged("q", f"c{c}", a, mean_of(scores, f"c{c}", a), 100 + c, 1 + (a == "b")) for c in range(10) for a in "ab"
    ]
    found = judge_against_people("q", judged, scores, SCALE, FEW)
    assert found.spearman.value == pytest.approx(1)
    assert found.kendall.value == pytest.approx(1)
    assert found.kappa_quadratic.value == pytest.approx(1)
    assert found.mean_excess.value == pytest.approx(0)
    assert found.by_order.value == pytest.approx(0)
    # beyond people it says nothing at all, so there is no order to compare with the length
    assert found.by_length.value is None


def test_a_liking_for_long_and_for_first_drafts_is_seen() -> None:
    scores = people(10)
    judged = []
    for c in range(10):
        for arm in "ab":
            first = (c + (arm == "b")) % 2 == 0
            words = 100 + 10 * c + (arm == "b")
            likes = 0.5 * first + 0.001 * words
            judged.append(Judged("q", f"c{c}", arm, mean_of(scores, f"c{c}", arm) + likes, words, 1 if first else 2))
    found = judge_against_people("q", judged, scores, SCALE, FEW)
    # mean words of first and later drafts differ by 0: each case has one of each, b's extra word falls on both alike
    assert found.by_order.value == pytest.approx(0.5, abs=0.001)
    assert found.by_length.value is not None and found.by_length.value > 0.3
    assert found.mean_excess.value == pytest.approx(0.25 + 0.1455, abs=1e-6)


def test_too_few_drafts_and_an_unknown_order_are_said() -> None:
    scores = people(6)
    assert judge_against_people("q", [], scores, SCALE, FEW).spearman.reason.startswith("0 drafts were scored by both")
    judged = [Judged("q", f"c{c}", "a", 3.0 + c % 2, 100) for c in range(6)]
    assert "not known" in judge_against_people("q", judged, scores, SCALE, FEW).by_order.reason
    assert "no list" in judge_against_people("q", judged, scores, None, FEW).kappa_quadratic.reason
