"""Kappas against printed examples, scikit-learn and statsmodels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from backend.study.statistics.agreement.gwet import quadratic
from backend.study.statistics.agreement.kappa import cohen_kappa, fleiss_kappa, mean_kappa
from tests.study.statistics.published import ABSTRACTORS, FLEISS, REVIEWERS, pairs_of

THREE = np.array([1.0, 2.0, 3.0])


def test_cohen_s_kappa_is_the_one_printed_for_two_reviewers() -> None:
    # Agresti and Winner 1997: 0.389; with linear weights 0.427
    pairs = pairs_of(REVIEWERS)
    assert cohen_kappa(pairs, THREE, np.eye(3)) == pytest.approx(0.389, abs=0.0005)
    linear = 1 - np.abs(THREE[:, None] - THREE) / 2
    assert cohen_kappa(pairs, THREE, linear) == pytest.approx(0.427, abs=0.0005)


def test_cohen_s_kappa_is_the_one_printed_for_two_abstractors() -> None:
    # documentation of irrCAC
    assert cohen_kappa(pairs_of(ABSTRACTORS), THREE, np.eye(3)) == pytest.approx(0.7964094, abs=5e-8)


def test_fleiss_kappa_is_the_one_printed_for_six_psychiatrists() -> None:
    # Fleiss 1971: 0.430
    assert fleiss_kappa(FLEISS) == pytest.approx(0.430, abs=0.0005)


def test_fleiss_kappa_is_statsmodels() -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa as theirs

    assert fleiss_kappa(FLEISS) == pytest.approx(theirs(FLEISS))


@given(arrays(np.float64, (12, 2), elements=st.sampled_from([1.0, 2.0, 3.0])))
@settings(max_examples=40, deadline=None)
def test_kappa_is_scikit_learn_s(values: np.ndarray) -> None:
    from sklearn.metrics import cohen_kappa_score

    if len(set(values.ravel().tolist())) < 2:
        assert cohen_kappa(values, THREE, quadratic(THREE)) is None
        return
    for weights, name in ((np.eye(3), None), (quadratic(THREE), "quadratic")):
        expected = cohen_kappa_score(values[:, 0].astype(int), values[:, 1].astype(int), weights=name, labels=[1, 2, 3])
        assert cohen_kappa(values, THREE, weights) == pytest.approx(expected)


def test_the_mean_kappa_of_three_raters_is_that_of_their_pairs() -> None:
    # 1 and 2 agree wholly (kappa 1). 3 says 1 1 2 2 where they say 1 2 1 2: agree in 2 of 4, chance 1/2, kappa 0, twice.
    values = np.array([[1, 1, 1], [2, 2, 1], [1, 1, 2], [2, 2, 2]], dtype=float)
    assert mean_kappa(values, np.array([1.0, 2.0]), np.eye(2)) == pytest.approx(1 / 3)


def test_missing_ratings_are_left_out_pair_by_pair() -> None:
    values = np.array([[1, 1], [2, 2], [1, np.nan], [np.nan, 2]])
    assert cohen_kappa(values, np.array([1.0, 2.0]), np.eye(2)) == pytest.approx(1.0)


def test_fleiss_kappa_without_variance_is_undefined() -> None:
    assert fleiss_kappa(np.array([[3.0, 0.0], [3.0, 0.0]])) is None
