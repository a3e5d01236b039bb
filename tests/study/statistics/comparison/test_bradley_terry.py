"""Strengths against Agresti's baseball and statsmodels' logit; what cannot be compared; preference shares."""

import numpy as np
import pytest

from backend.study.statistics.comparison.bradley_terry import bradley_terry, contrasts, finite
from backend.study.statistics.comparison.preference_shares import preference
from backend.study.statistics.intervals import Sampling
from backend.study.statistics.rating_data import Choice
from tests.study.statistics.published import BASEBALL, BASEBALL_TEAMS


def choices(results: list[tuple[str, str, float]], cases: int = 1) -> list[Choice]:
    return [Choice("q", f"c{n % cases}", "R1", one, other, toward) for n, (one, other, toward) in enumerate(results)]


def season() -> list[Choice]:
    won = [
        (team, other, -1.0)
        for i, team in enumerate(BASEBALL_TEAMS)
        for j, other in enumerate(BASEBALL_TEAMS)
        for _ in range(BASEBALL[i][j])
    ]
    return choices(won)


def test_strengths_are_those_of_agresti_s_baseball() -> None:
    # Table 10.10 (2nd edition): against Baltimore 1.58, 1.44, 1.29, 1.25, 1.11, 0.68
    found = bradley_terry("q", season(), BASEBALL_TEAMS)
    values = [s.strength.value or 0.0 for s in found.strengths]
    against_last = [value - values[-1] for value in values]
    assert against_last == pytest.approx([1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0], abs=0.001)
    assert found.converged
    assert found.regularisation == 0
    assert sum(values) == pytest.approx(0, abs=1e-9)


def test_errors_are_those_of_a_logit_by_statsmodels() -> None:
    import statsmodels.api as sm

    rows = season()
    place = {team: n for n, team in enumerate(BASEBALL_TEAMS)}
    # coded so that strengths add up to 0: the last team is minus the sum of the others
    code = np.vstack([np.eye(6), -np.ones(6)])
    design = np.array([code[place[c.first]] - code[place[c.second]] for c in rows])
    theirs = sm.GLM(np.ones(len(rows)), design, family=sm.families.Binomial()).fit()
    found = bradley_terry("q", rows, BASEBALL_TEAMS)
    for n in range(6):
        estimate = found.strengths[n].strength
        assert estimate.value is not None and estimate.high is not None
        assert estimate.value == pytest.approx(theirs.params[n], abs=1e-6)
        assert (estimate.high - estimate.value) / 1.959964 == pytest.approx(theirs.bse[n], rel=1e-4)


def test_two_arms_have_the_log_odds_of_winning() -> None:
    # 12 to 4, so the difference is log 3, half of it each way
    found = bradley_terry("q", choices([("a", "b", -1)] * 12 + [("b", "a", -1)] * 4), ("a", "b"))
    assert [s.strength.value for s in found.strengths] == pytest.approx([np.log(3) / 2, -np.log(3) / 2])


def test_a_tie_is_half_a_win_for_each_and_sides_do_not_matter() -> None:
    # 5 wins, 1 loss, 2 ties: 6 to 2, again log 3
    rows = choices([("a", "b", -1)] * 3 + [("b", "a", 1)] * 2 + [("a", "b", 2)] + [("a", "b", 0)] * 2)
    found = bradley_terry("q", rows, ("a", "b"))
    assert found.strengths[0].strength.value == pytest.approx(np.log(3) / 2)
    assert found.ties == 2


def test_clustering_by_case_widens_the_interval_of_choices_that_repeat() -> None:
    # twelve cases, each with the same choice four times: the clustered error is about twice the model's
    won = [-1.0] * 9 + [1.0] * 3
    rows = [Choice("q", f"c{n}", f"R{r}", "a", "b", toward) for n, toward in enumerate(won) for r in range(4)]
    alone = [row._replace(case="one") for row in rows]
    by_case, model = (bradley_terry("q", given, ("a", "b")).strengths[0].strength for given in (rows, alone))
    assert by_case.high is not None and model.high is not None and by_case.value is not None and model.value is not None
    # sandwich: 4^2 * sum (y-p)^2 = 16 * 12 * 3/16 = 36 against 4 * 12 * 3/16 = 9, so twice, and sqrt(12/11) for few cases
    ratio = (by_case.high - by_case.value) / (model.high - model.value)
    assert ratio == pytest.approx(2 * np.sqrt(12 / 11), rel=1e-6)


def test_arms_that_were_never_compared_are_reported_and_not_ranked() -> None:
    rows = choices([("a", "b", -1), ("a", "b", 1), ("c", "d", -1), ("c", "d", 1)])
    found = bradley_terry("q", rows, ("a", "b", "c", "d", "e"))
    assert found.groups == (("a", "b"), ("c", "d"), ("e",))
    assert "Comparisons do not join all arms" in found.notes[0]
    assert found.strengths[-1].strength.reason == "it was compared with no other arm"


def test_an_arm_that_always_wins_is_drawn_in_and_the_note_says_so() -> None:
    found = bradley_terry("q", choices([("a", "b", -1)] * 8), ("a", "b"))
    # half a tie is a quarter of a win each: 8.25 to 0.25
    assert found.strengths[0].strength.value == pytest.approx(np.log(33) / 2)
    assert found.regularisation == 0.5
    assert "always won or always lost" in found.notes[0]


def test_ford_s_condition() -> None:
    assert finite(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))
    assert not finite(np.array([[0, 1, 1], [0, 0, 1], [0, 1, 0]]))


def test_the_contrast_of_two_arms_is_the_logit_of_the_share_with_its_usual_error() -> None:
    # 12 to 4: log 3 with error sqrt(1/12 + 1/4) = 0.57735; z = 1.9029
    found = contrasts("q", choices([("a", "b", -1)] * 12 + [("b", "a", -1)] * 4), ("a", "b"))[0]
    assert found.effects[0].estimate.value == pytest.approx(np.log(3))
    assert found.statistic == pytest.approx(np.log(3) / np.sqrt(1 / 12 + 1 / 4))
    assert found.p == pytest.approx(0.05706, abs=5e-5)


def test_contrasts_without_a_chain_or_with_an_arm_that_always_wins_have_no_p() -> None:
    found = contrasts("q", choices([("a", "b", -1)] * 8), ("a", "b", "c"))
    assert found[0].p is None and "always won" in found[0].reason
    assert found[1].p is None and found[1].reason == "no chain of comparisons joins the two arms"


def test_shares_of_preference_by_hand() -> None:
    # case 0: a, a; case 1: a, tie; case 2: b. Without ties 3 of 4; by cases (1 + 0.75 + 0) / 3
    rows = [
        Choice("q", "c0", "R1", "a", "b", -2),
        Choice("q", "c0", "R2", "b", "a", 1),
        Choice("q", "c1", "R1", "a", "b", -1),
        Choice("q", "c1", "R2", "a", "b", 0),
        Choice("q", "c2", "R1", "a", "b", 1),
        Choice("q", "c2", "R1", "a", "c", 1),
    ]
    found = preference("q", rows, ("a", "b"), Sampling(0, 100))
    assert (found.for_first, found.ties, found.for_second) == (3, 1, 1)
    assert found.share.value == pytest.approx(0.75)
    assert found.share_by_cases.value == pytest.approx(1.75 / 3)


def test_nobody_preferring_either_has_no_share() -> None:
    found = preference("q", [Choice("q", "c0", "R1", "a", "b", 0)], ("a", "b"), Sampling(0, 100))
    assert found.share.value is None
    assert found.share.reason == "nobody preferred either arm"
