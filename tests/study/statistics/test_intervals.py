"""Intervals against printed figures and scipy."""

import numpy as np
import pytest

from backend.schemas.studies.estimates import IntervalMethod
from backend.study.statistics.intervals import Sampling, bootstrap, bootstrap_mean, expanded_tail, wilson


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    # Newcombe (1998), Table I, method 3
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_s_interval_is_that_of_newcombe(successes: int, total: int, low: float, high: float) -> None:
    found = wilson(successes, total)
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_the_fast_mean_and_the_slow_loop_draw_the_same() -> None:
    rng = np.random.default_rng(2)
    values, clusters = rng.normal(3, 1, 30), np.repeat(np.arange(10), 3)
    sampling = Sampling(seed=7, resamples=300)
    slow = bootstrap(lambda rows: float(values[rows].mean()), clusters, sampling)
    fast = bootstrap_mean(values, clusters, sampling)
    assert (fast.value, fast.low, fast.high) == pytest.approx((slow.value, slow.low, slow.high))


def test_the_interval_is_near_scipy_s() -> None:
    from scipy.stats import bootstrap as theirs

    values = np.random.default_rng(0).normal(3, 1, 100)
    found = bootstrap_mean(values, np.arange(100), Sampling(seed=0, resamples=5000))
    expected = theirs((values,), np.mean, n_resamples=5000, method="percentile", rng=9).confidence_interval
    # bounds of 5,000 draws differ by about 2 % of the interval's width of 0.4
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=0.02)


def test_the_interval_of_few_cases_holds_the_mean_as_often_as_it_says() -> None:
    # plain percentiles of 8 cases hold it in 89 %: P(|t7| < 1.96 sqrt(7/8)). The standard error of this share is 0.9 %.
    rng = np.random.default_rng(0)
    held = 0
    for n in range(600):
        found = bootstrap_mean(rng.normal(0, 1, 8), np.arange(8), Sampling(seed=n, resamples=600))
        assert found.low is not None and found.high is not None
        held += found.low <= 0 <= found.high
    assert 0.925 < held / 600 < 0.975


def test_the_percentiles_by_hand() -> None:
    # n = 20: sqrt(20/19) * 2.09302 = 2.14740, and Phi(-2.14740) = 0.01588
    assert expanded_tail(20) == pytest.approx(0.01588, abs=1e-5)
    assert expanded_tail(10_000) == pytest.approx(0.025, abs=1e-4)


def test_clusters_widen_the_interval_of_ratings_that_say_the_same() -> None:
    # each case's four ratings are equal, so there are 10 facts and not 40: the interval is about twice as wide
    values = np.repeat(np.random.default_rng(1).normal(3, 1, 10), 4)
    sampling = Sampling(seed=0, resamples=1000)
    by_case = bootstrap_mean(values, np.repeat(np.arange(10), 4), sampling)
    alone = bootstrap_mean(values, np.arange(40), sampling)
    assert by_case.low is not None and by_case.high is not None and alone.low is not None and alone.high is not None
    assert by_case.high - by_case.low > 1.5 * (alone.high - alone.low)


def test_few_cases_have_a_value_and_no_interval() -> None:
    found = bootstrap_mean(np.array([1.0, 2.0]), np.array([0, 1]), Sampling())
    assert found.value == 1.5
    assert (found.low, found.method) == (None, IntervalMethod.NONE)
    assert found.reason == "no interval: 2 cases, at least 5 are needed"


def test_a_figure_that_resamples_often_lose_has_no_interval() -> None:
    # the figure is undefined unless case 0 is drawn, which it is not in about (4/5)^5 = 33 % of the draws
    found = bootstrap(lambda rows: 1.0 if 0 in rows else None, np.arange(5), Sampling(seed=0, resamples=500))
    assert found.value == 1.0
    assert found.low is None
    assert "undefined in 3" in found.reason
