"""Krippendorff's alpha against the paper that defines it and against nltk."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from backend.study.statistics.agreement.alpha import Distance, alpha
from backend.study.statistics.rating_arrays import value_counts
from tests.study.statistics.published import FOUR_OBSERVERS, TWO_OBSERVERS

FIVE = np.arange(1.0, 6.0)


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
