"""Gwet's coefficients against the figures that the handbook and irrCAC's documentation print."""

import numpy as np
import pytest

from backend.study.statistics.agreement.gwet import gwet_ac, identity, percent_agreement, quadratic
from backend.study.statistics.rating_arrays import value_counts
from tests.study.statistics.published import ABSTRACTORS, FOUR_OBSERVERS, pairs_of

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
