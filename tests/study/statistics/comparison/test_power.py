"""Numbers of cases against printed tables and G*Power's figures."""

import math

import numpy as np
import pytest

from backend.errors import InputError
from backend.study.statistics.comparison.power import cases_for_t, cases_for_wilcoxon, difference_sd, wilcoxon_power


@pytest.mark.parametrize(("effect", "cases"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_cases_for_the_paired_t_test_are_those_of_g_power(effect: float, cases: int) -> None:
    # two-sided 0.05, power 0.80, matched pairs
    assert cases_for_t(effect, 1.0).cases == cases


def test_cases_for_wilcoxon_are_near_those_for_t_over_its_efficiency() -> None:
    # for normal differences Wilcoxon's efficiency is 3 / pi = 0.955: 34 / 0.955 = 35 or 36, as G*Power has it
    found = cases_for_wilcoxon(0.5, 1.0, seed=0)
    assert abs(found.cases - 35) <= 2
    assert found.power >= 0.8


def test_the_same_seed_gives_the_same_number() -> None:
    assert cases_for_wilcoxon(0.8, 1.0, seed=3) == cases_for_wilcoxon(0.8, 1.0, seed=3)


@pytest.mark.parametrize("cases", [8, 20, 40])
def test_without_a_difference_the_test_rejects_no_more_than_it_may(cases: int) -> None:
    samples = np.random.default_rng(0).normal(0, 1, (4000, cases))
    # 0.05 with a standard error of sqrt(0.05 * 0.95 / 4000) = 0.0034; few cases cannot use all of it (8: 0.039)
    assert 0.02 < wilcoxon_power(samples) < 0.05 + 4 * 0.0034


def test_rejections_are_those_of_scipy() -> None:
    from scipy.stats import wilcoxon

    samples = np.random.default_rng(1).normal(0.4, 1, (200, 12))
    expected = np.mean([wilcoxon(row, method="exact").pvalue <= 0.05 for row in samples])
    assert wilcoxon_power(samples) == pytest.approx(float(expected))


def test_five_cases_can_never_be_significant() -> None:
    # the least two-sided p of five pairs is 2 / 32 = 0.0625
    assert wilcoxon_power(np.full((3, 5), 1.0) + np.arange(5)) == 0


def test_the_spread_of_a_difference_by_hand() -> None:
    # sqrt(2 (0.3^2 + 0.6^2 / 4)) = sqrt(2 * 0.18) = 0.6
    assert difference_sd(0.3, 0.6, 4) == pytest.approx(0.6)
    assert difference_sd(0.3, 0.6, 1) == pytest.approx(math.sqrt(0.9))


@pytest.mark.parametrize(
    ("difference", "sd", "said"), [(0.0, 1.0, "can never be seen"), (0.5, 0.0, "above 0"), (0.001, 1.0, "More than")]
)
def test_what_cannot_be_answered_says_why(difference: float, sd: float, said: str) -> None:
    with pytest.raises(InputError, match=said):
        cases_for_t(difference, sd)
