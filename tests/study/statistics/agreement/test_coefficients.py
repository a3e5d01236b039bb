"""Gwet's coefficients against the figures that the handbook and irrCAC's documentation print."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from backend.study.statistics.agreement.coefficients import (
    Distance,
    alpha,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac,
    identity,
    mean_kappa,
    percent_agreement,
    quadratic,
)
from backend.study.statistics.rating_data import value_counts
from tests.study.statistics.published import ABSTRACTORS, FLEISS, FOUR_OBSERVERS, REVIEWERS, TWO_OBSERVERS, pairs_of

FIVE = np.arange(1.0, 6.0)


def test_ac1_of_four_raters_and_its_error_are_those_printed() -> None:
    counts = value_counts(FOUR_OBSERVERS, FIVE.tolist())
    assert percent_agreement(counts, identity(FIVE)) == pytest.approx(0.81818, abs=5e-6)
    found = gwet_ac(counts, identity(FIVE))
    assert found is not None
    assert found.value == pytest.approx(0.77544, abs=5e-6)
    assert found.error == pytest.approx(0.14295, abs=5e-6)


def test_ac2_of_four_raters_is_that_printed() -> None:
    found = gwet_ac(value_counts(FOUR_OBSERVERS, FIVE.tolist()), quadratic(FIVE))
    assert found is not None
    assert found.value == pytest.approx(0.914, abs=0.0005)


def test_ac1_of_two_abstractors_by_hand() -> None:
    # agreed 89 of 100; shares (13, 25.5, 61.5) %: chance = (0.13*0.87 + 0.255*0.745 + 0.615*0.385) / 2 = 0.2699250
    # (0.89 - 0.2699250) / (1 - 0.2699250) = 0.8493
    found = gwet_ac(value_counts(pairs_of(ABSTRACTORS), [1, 2, 3]), np.eye(3))
    assert found is not None
    assert found.value == pytest.approx(0.8493305, abs=5e-7)


def test_quadratic_weights_are_those_printed_for_three_values() -> None:
    assert quadratic(np.array([1.0, 2.0, 3.0])).tolist() == [[1, 0.75, 0], [0.75, 1, 0.75], [0, 0.75, 1]]


def test_ac1_of_ratings_that_are_all_the_same_is_1_where_kappa_has_none() -> None:
    found = gwet_ac(value_counts(np.full((8, 3), 5.0), FIVE.tolist()), identity(FIVE))
    assert found is not None
    assert found.value == 1.0


def test_without_an_item_rated_twice_there_is_none() -> None:
    values = np.array([[1.0, np.nan], [np.nan, 2.0]])
    counts = value_counts(values, [1, 2])
    assert gwet_ac(counts, np.eye(2)) is None
    assert percent_agreement(counts, np.eye(2)) is None


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


@pytest.mark.parametrize(
    ("distance", "printed"),
    [(Distance.NOMINAL, 0.743), (Distance.ORDINAL, 0.815), (Distance.INTERVAL, 0.849)],
)
def test_alpha_of_four_observers_with_missing_values_is_that_of_krippendorff_2011(
    distance: Distance, printed: float
) -> None:
    found = alpha(value_counts(FOUR_OBSERVERS, FIVE.tolist()), FIVE, distance)
    assert found == pytest.approx(printed, abs=0.0005)


def test_alpha_of_two_observers_is_that_of_krippendorff_2011() -> None:
    found = alpha(value_counts(TWO_OBSERVERS, [0, 1]), np.array([0.0, 1.0]), Distance.NOMINAL)
    assert found == pytest.approx(0.095, abs=0.0005)


def test_alpha_of_two_values_by_hand() -> None:
    # items (1,1), (1,2), (2,2): coincidences o11 = 2, o12 = o21 = 1, o22 = 2, so n1 = n2 = 3, n = 6.
    # observed 2 / 6; expected 2 * 3 * 3 / (6 * 5) = 0.6; alpha = 1 - (1/3) / 0.6 = 4/9
    values = np.array([[1.0, 1.0], [1.0, 2.0], [2.0, 2.0]])
    assert alpha(value_counts(values, [1, 2]), np.array([1.0, 2.0]), Distance.NOMINAL) == pytest.approx(4 / 9)


def test_alpha_below_0_where_raters_contradict_one_another() -> None:
    # items (1,2), (2,1): observed 1; expected 2 * 2 * 2 / (4 * 3) = 2/3; alpha = 1 - 3/2
    values = np.array([[1.0, 2.0], [2.0, 1.0]])
    assert alpha(value_counts(values, [1, 2]), np.array([1.0, 2.0]), Distance.NOMINAL) == pytest.approx(-0.5)


@given(arrays(np.float64, (6, 3), elements=st.sampled_from([1.0, 2.0, 3.0, np.nan])))
@settings(max_examples=15, deadline=None)
def test_alpha_is_nltk_s(values: np.ndarray) -> None:
    from nltk.metrics.agreement import AnnotationTask
    from nltk.metrics.distance import binary_distance, interval_distance

    counts = value_counts(values, [1, 2, 3])
    paired = values[counts.sum(axis=1) >= 2]
    if len(set(paired[~np.isnan(paired)].tolist())) < 2:
        assert alpha(counts, np.array([1.0, 2.0, 3.0]), Distance.NOMINAL) is None
        return
    rows = [(r, i, values[i, r]) for i in range(6) for r in range(3) if not np.isnan(values[i, r])]
    for distance, theirs in ((Distance.NOMINAL, binary_distance), (Distance.INTERVAL, interval_distance)):
        expected = AnnotationTask(data=rows, distance=theirs).alpha()
        assert alpha(counts, np.array([1.0, 2.0, 3.0]), distance) == pytest.approx(expected)


def test_without_two_values_alpha_is_undefined() -> None:
    values = np.full((5, 2), 4.0)
    assert alpha(value_counts(values, FIVE.tolist()), FIVE, Distance.ORDINAL) is None


def test_a_value_off_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="the value 6 is not on the scale 1, 2, 3, 4, 5"):
        value_counts(np.array([[6.0, 1.0]]), FIVE.tolist())
