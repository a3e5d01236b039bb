"""Every agreement coefficient of a question, or the reason why it has none."""

import pytest

from backend.schemas.studies.estimates import Coefficient, Level
from backend.study.statistics.agreement.agreement import (
    BY_ARM,
    NOMINAL,
    ORDINAL,
    UNLISTED,
    agreement,
    coefficients,
)
from backend.study.statistics.intervals import Sampling
from backend.study.statistics.rating_data import Scale, Score

YES_NO = Scale("q", (0, 1), Level.NOMINAL)
FIVE = Scale("q", (1, 2, 3, 4, 5))
FEW = Sampling(seed=0, resamples=50)


def scores(*given: tuple[float | None, float | None]) -> list[Score]:
    """Two raters' values of one draft each case."""
    pairs = enumerate(given)
    return [
        Score("q", f"c{n}", "a", rater, value) for n, pair in pairs for rater, value in zip("12", pair, strict=True)
    ]


@pytest.mark.parametrize(
    ("scale", "arm", "suited"),
    [
        (YES_NO, "", NOMINAL),
        (FIVE, "", ORDINAL),
        (None, "", UNLISTED),
        (Scale("q", ()), "", UNLISTED),
        (FIVE, "a", tuple(one for one in ORDINAL if one in BY_ARM)),
    ],
)
def test_the_coefficients_suit_the_scale(scale: Scale | None, arm: str, suited: tuple[Coefficient, ...]) -> None:
    assert coefficients(scale, arm) == suited


def test_values_are_those_derived_by_hand() -> None:
    # 4 drafts: yes/yes, yes/yes, no/no, yes/no. Percent: 3/4. Cohen: rater 1 says yes 3/4, rater 2 2/4:
    # chance = 3/4 * 1/2 + 1/4 * 1/2 = 1/2, kappa = (3/4 - 1/2) / (1/2) = 1/2
    found = {one.coefficient: one for one in agreement("q", scores((1, 1), (1, 1), (0, 0), (1, 0)), YES_NO, FEW)}
    assert found[Coefficient.PERCENT].estimate.value == pytest.approx(0.75)
    assert found[Coefficient.COHEN].estimate.value == pytest.approx(0.5)
    assert {(one.items, one.raters) for one in found.values()} == {(4, 2)}
    assert all(one.meaning for one in found.values())


def test_full_agreement_without_variance_has_no_value_but_the_share() -> None:
    found = {one.coefficient: one.estimate for one in agreement("q", scores((1, 1), (1, 1), (1, 1)), YES_NO, FEW)}
    assert found[Coefficient.PERCENT].value == 1
    assert found[Coefficient.ALPHA_NOMINAL].value is None
    assert "without variance" in found[Coefficient.ALPHA_NOMINAL].reason


def test_too_few_drafts_rated_twice_give_a_reason() -> None:
    for given in (scores((1, 1), (1, None)), []):
        found = agreement("q", given, YES_NO, FEW)
        assert {one.estimate.value for one in found} == {None}
        assert all("at least 2 are needed" in one.estimate.reason for one in found)


def test_the_same_seed_gives_the_same_interval() -> None:
    given = scores((1, 2), (3, 3), (5, 4), (2, 2), (4, 5))
    assert agreement("q", given, FIVE, FEW) == agreement("q", given, FIVE, FEW)
