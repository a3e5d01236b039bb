"""Paired tests against printed examples and scipy."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.study.statistics.comparison.paired import sign_test, signed_ranks, wilcoxon
from backend.study.statistics.intervals import Sampling
from backend.study.statistics.rating_data import CaseMeans
from tests.study.statistics.published import AFTER, BEFORE

FEW = Sampling(seed=1, resamples=200)


def means(one: np.ndarray, other: np.ndarray) -> CaseMeans:
    return CaseMeans(tuple(f"c{n}" for n in range(len(one))), ("a", "b"), np.column_stack([one, other]).astype(float))


def test_wilcoxon_is_that_of_hollander_and_wolfe() -> None:
    # V = 40 of 45, two-sided p = 0.0390625 (they print .020 one-sided); rank-biserial (40 - 5) / 45
    found = wilcoxon("q", means(BEFORE, AFTER), ("a", "b"), FEW)
    assert found.statistic == 5
    assert found.p == pytest.approx(0.0390625)
    effects = {effect.name: effect.estimate.value for effect in found.effects}
    assert effects["rank-biserial"] == pytest.approx(35 / 45)
    # z = (40 - 22.5) / sqrt(9 * 10 * 19 / 24) = 2.0732; r = z / sqrt(9)
    assert effects["r"] == pytest.approx(2.0732 / 3, abs=1e-4)
    assert effects["mean difference"] == pytest.approx(float((BEFORE - AFTER).mean()))


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
@settings(max_examples=40, deadline=None)
def test_the_exact_p_counts_every_sign_pattern_ties_and_all(values: list[int]) -> None:
    from scipy.stats import rankdata

    found = signed_ranks(np.array(values, dtype=float))
    kept = [v for v in values if v]
    if not kept:
        assert found is None
        return
    ranks = rankdata(np.abs(kept))
    middle = ranks.sum() / 2
    seen = abs(sum(r for r, v in zip(ranks, kept, strict=True) if v > 0) - middle)
    sums = [
        sum(r for r, up in zip(ranks, signs, strict=True) if up)
        for signs in itertools.product((0, 1), repeat=len(kept))
    ]
    expected = np.mean([abs(total - middle) >= seen - 1e-9 for total in sums])
    assert found is not None
    assert found.p == pytest.approx(min(1.0, expected))


def test_p_is_scipy_s_exact_without_ties_and_its_approximation_beyond_200() -> None:
    from scipy.stats import wilcoxon as theirs

    rng = np.random.default_rng(3)
    for size, method in ((40, "exact"), (300, "asymptotic")):
        gaps = rng.normal(0.2, 1, size)
        found = signed_ranks(gaps)
        assert found is not None
        assert found.p == pytest.approx(float(theirs(gaps, method=method, correction=False).pvalue))
        assert found.exact == (size == 40)


def test_a_case_without_one_of_the_arms_is_left_out() -> None:
    found = wilcoxon("q", means(np.array([3, 4, np.nan]), np.array([2, 2, 5])), ("a", "b"), FEW)
    assert found.cases == 2


def test_equal_arms_have_no_p_and_say_why() -> None:
    found = wilcoxon("q", means(np.full(6, 4), np.full(6, 4)), ("a", "b"), FEW)
    assert found.p is None
    assert found.reason == "the arms have the same mean in every case"
    assert found.dropped == 6


def test_means_that_differ_by_rounding_alone_count_as_equal() -> None:
    found = wilcoxon("q", means(np.full(6, 0.1 + 0.2), np.full(6, 0.3)), ("a", "b"), FEW)
    assert found.p is None


def test_the_sign_test_by_hand() -> None:
    # 8 ahead, 1 behind, 1 equal: 2 * (1 + 9) / 2^9 = 0.0390625
    found = sign_test("q", means(np.array([2] * 8 + [1, 1]), np.array([1] * 8 + [2, 1])), ("a", "b"))
    assert found.p == pytest.approx(20 / 512)
    assert (found.statistic, found.dropped) == (8, 1)
