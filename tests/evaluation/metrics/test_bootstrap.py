"""Intervals by the paired bootstrap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.evaluation.metrics.bootstrap import Resampler


def test_the_value_is_the_mean_and_the_interval_holds_it() -> None:
    values = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    found = Resampler(5, seed=1).figure(values)
    assert found.value == pytest.approx(0.6)
    assert found.low is not None and found.high is not None
    assert found.low <= 0.6 <= found.high


def test_the_interval_is_that_of_resampling_one_by_one() -> None:
    # an independent loop over the same draws
    values = np.random.default_rng(5).random(40)
    drawn = np.random.default_rng(3).integers(0, 40, size=(500, 40))
    means = [values[row].mean() for row in drawn]
    found = Resampler(40, seed=3, resamples=500).figure(values)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=1e-6)


def test_the_interval_is_near_scipy_s() -> None:
    from scipy.stats import bootstrap

    values = np.random.default_rng(0).normal(0.3, 0.1, 200)
    theirs = bootstrap((values,), np.mean, n_resamples=4000, method="percentile", rng=7).confidence_interval
    ours = Resampler(200, seed=0, resamples=4000).figure(values)
    # the bounds of two draws differ by chance; the standard error is 0.1 / sqrt(200) = 0.007
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs), abs=0.002)


def test_a_constant_gain_is_certain_though_the_values_spread() -> None:
    # pairing: every note gains just 0.1, so each resample has the difference 0.1
    base = np.random.default_rng(0).random(50)
    found = Resampler(50, seed=0).difference(base + 0.1, base)
    assert found == pytest.approx((0.1, 0.1, 0.1), abs=1e-6)


def test_a_ratio_of_sums_weighs_notes_by_what_there_was_to_find() -> None:
    # 1 of 1 and 1 of 9: 2 of 10, not the mean of 1 and 1/9
    found = Resampler(2, seed=0).figure(np.array([1.0, 1.0]), np.array([1.0, 9.0]))
    assert found.value == pytest.approx(0.2)


def test_a_note_without_a_value_is_left_out_for_both_sides_of_a_difference() -> None:
    ours, theirs = np.array([1.0, np.nan, 0.5]), np.array([0.0, 0.0, np.nan])
    # only the first note has both
    assert Resampler(3, seed=0).difference(ours, theirs).value == pytest.approx(1.0)


@pytest.mark.parametrize("values", [np.zeros(0), np.full(4, np.nan)])
def test_nothing_to_measure_is_no_value(values: np.ndarray) -> None:
    assert Resampler(len(values), seed=0).figure(values) == (None, None, None)


def test_one_note_in_a_hundred_gives_a_value_but_no_interval() -> None:
    # a resample misses the only note of this kind with chance 0.99^100 = 0.37: too many draws are undefined
    bottom = np.zeros(100)
    bottom[0] = 1.0
    found = Resampler(100, seed=0).figure(bottom, bottom)
    assert found == (1.0, None, None)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(0, 1000))
def test_the_same_seed_gives_the_same_interval_within_the_range_of_the_values(values: list[float], seed: int) -> None:
    array = np.array(values)
    first, second = (Resampler(len(array), seed, 200).figure(array) for _ in range(2))
    assert first == second
    assert first.low is not None and first.high is not None
    assert array.min() - 1e-6 <= first.low <= first.high <= array.max() + 1e-6
