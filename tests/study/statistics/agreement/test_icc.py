"""Intraclass correlations against Shrout and Fleiss, and against a mixed model where ratings are missing."""

import numpy as np
import pytest

from backend.study.statistics.agreement.icc import complete_interval, components, icc
from tests.study.statistics.published import SHROUT_FLEISS


def test_icc_is_that_of_shrout_and_fleiss() -> None:
    # their Table 4: ICC(2,1) = .29 and ICC(2,4) = .62
    assert icc(SHROUT_FLEISS) == pytest.approx(0.29, abs=0.005)
    assert icc(SHROUT_FLEISS, of_mean=True) == pytest.approx(0.62, abs=0.005)


def test_the_variances_are_those_of_their_analysis_of_variance() -> None:
    # Table 3: between targets 11.24, judges 32.49, residual 1.02; six targets, four judges:
    # (11.24 - 1.02) / 4 = 2.555, (32.49 - 1.02) / 6 = 5.245
    found = components(SHROUT_FLEISS)
    assert found is not None
    assert (found.drafts, found.raters, found.error) == pytest.approx((2.555, 5.245, 1.02), abs=0.005)
    assert found.k == pytest.approx(4)


def test_the_interval_is_the_one_printed() -> None:
    # the R package psych prints 0.019 to 0.76 for ICC2 and 0.071 to 0.93 for ICC2k of this table
    single, mean = complete_interval(SHROUT_FLEISS), complete_interval(SHROUT_FLEISS, of_mean=True)
    assert single is not None and mean is not None
    assert (single.low, single.high) == pytest.approx((0.019, 0.76), abs=0.005)
    assert (mean.low, mean.high) == pytest.approx((0.071, 0.93), abs=0.005)


def test_with_missing_ratings_the_variances_are_near_those_that_made_the_ratings() -> None:
    # drafts 1, raters 0.5, error 0.25, a third of the ratings missing; 400 drafts by 30 raters: standard errors are about
    # 1 * sqrt(2/400) = 0.07 for drafts, 0.5 * sqrt(2/30) = 0.13 for raters, below 0.01 for error
    rng = np.random.default_rng(4)
    values = rng.normal(3, 1, (400, 1)) + rng.normal(0, 0.5**0.5, (1, 30)) + rng.normal(0, 0.5, (400, 30))
    values[rng.random(values.shape) < 1 / 3] = np.nan
    found = components(values)
    assert found is not None
    assert found.drafts == pytest.approx(1.0, abs=0.2)
    assert found.raters == pytest.approx(0.5, abs=0.3)
    assert found.error == pytest.approx(0.25, abs=0.02)
    assert complete_interval(values) is None


def test_without_variance_or_with_one_rater_it_is_undefined() -> None:
    assert icc(np.full((5, 3), 4.0)) is None
    assert icc(np.array([[1.0], [2.0], [3.0]])) is None
    assert icc(np.zeros((0, 0))) is None
