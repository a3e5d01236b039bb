"""A judge against people: correlations as scipy has them, and biases that were put in."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.schemas.studies.estimates import IntervalMethod
from backend.study.statistics.agreement.judge_agreement import judge_against_people, kendall, spearman, support_scores
from backend.study.statistics.intervals import Sampling
from backend.study.statistics.rating_data import Judged, Scale, Score, Support

FEW = Sampling(seed=0, resamples=200)
SCALE = Scale("q", (1.0, 2.0, 3.0, 4.0, 5.0))


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=3, max_size=12))
@settings(max_examples=40, deadline=None)
def test_correlations_are_scipy_s(rows: list[tuple[int, int]]) -> None:
    from scipy.stats import kendalltau, spearmanr

    one, other = np.array(rows, dtype=float).T
    if np.ptp(one) == 0 or np.ptp(other) == 0:
        assert spearman(one, other) is None
        assert kendall(one, other) is None
        return
    assert spearman(one, other) == pytest.approx(float(spearmanr(one, other).statistic))
    assert kendall(one, other) == pytest.approx(float(kendalltau(one, other).statistic))


def people(cases: int) -> list[Score]:
    rng = np.random.default_rng(2)
    return [
        Score("q", f"c{c}", arm, rater, float(rng.integers(1, 6)))
        for c in range(cases)
        for arm in "ab"
        for rater in ("R1", "R2")
    ]


def mean_of(scores: list[Score], case: str, arm: str) -> float:
    return float(np.mean([s.value for s in scores if (s.case, s.arm) == (case, arm)]))


def test_a_judge_that_says_what_people_say_agrees_wholly_and_is_not_biased() -> None:
    scores = people(10)
    judged = [
        Judged("q", f"c{c}", a, mean_of(scores, f"c{c}", a), 100 + c, 1 + (a == "b")) for c in range(10) for a in "ab"
    ]
    found = judge_against_people("q", judged, scores, SCALE, FEW)
    assert found.spearman.value == pytest.approx(1)
    assert found.kendall.value == pytest.approx(1)
    assert found.kappa_quadratic.value == pytest.approx(1)
    assert found.mean_excess.value == pytest.approx(0)
    assert found.by_order.value == pytest.approx(0)
    # beyond people it says nothing at all, so there is no order to compare with the length
    assert found.by_length.value is None


def test_a_liking_for_long_and_for_first_drafts_is_seen() -> None:
    scores = people(10)
    judged = []
    for c in range(10):
        for arm in "ab":
            first = (c + (arm == "b")) % 2 == 0
            words = 100 + 10 * c + (arm == "b")
            likes = 0.5 * first + 0.001 * words
            judged.append(Judged("q", f"c{c}", arm, mean_of(scores, f"c{c}", arm) + likes, words, 1 if first else 2))
    found = judge_against_people("q", judged, scores, SCALE, FEW)
    # mean words of first and later drafts differ by 0: each case has one of each, b's extra word falls on both alike
    assert found.by_order.value == pytest.approx(0.5, abs=0.001)
    assert found.by_length.value is not None and found.by_length.value > 0.3
    assert found.mean_excess.value == pytest.approx(0.25 + 0.1455, abs=1e-6)


def test_too_few_drafts_and_an_unknown_order_are_said() -> None:
    scores = people(6)
    assert judge_against_people("q", [], scores, SCALE, FEW).spearman.reason.startswith("0 drafts were scored by both")
    judged = [Judged("q", f"c{c}", "a", 3.0 + c % 2, 100) for c in range(6)]
    assert "not known" in judge_against_people("q", judged, scores, SCALE, FEW).by_order.reason
    assert "no list" in judge_against_people("q", judged, scores, None, FEW).kappa_quadratic.reason


def rows(pairs: list[tuple[int, int]], cluster: int = 1) -> list[Support]:
    return [Support("judge", f"q{n // cluster}", bool(said), bool(true)) for n, (said, true) in enumerate(pairs)]


def test_the_four_figures_by_hand() -> None:
    # 6 right yes, 2 wrong yes, 1 missed, 3 right no: accuracy 9/12, precision 6/8, recall 6/7, F1 12/15
    found = support_scores("judge", rows([(1, 1)] * 6 + [(1, 0)] * 2 + [(0, 1)] + [(0, 0)] * 3), FEW)
    values = (found.accuracy.value, found.precision.value, found.recall.value, found.f1.value)
    assert values == pytest.approx((9 / 12, 6 / 8, 6 / 7, 12 / 15))
    assert found.accuracy.method == IntervalMethod.WILSON


def test_they_are_scikit_learn_s() -> None:
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    drawn = np.random.default_rng(0).integers(0, 2, (60, 2))
    found = support_scores("judge", rows([tuple(row) for row in drawn.tolist()]), FEW)
    precision, recall, f1, _ = precision_recall_fscore_support(drawn[:, 1], drawn[:, 0], average="binary")
    assert found.accuracy.value == pytest.approx(accuracy_score(drawn[:, 1], drawn[:, 0]))
    assert (found.precision.value, found.recall.value, found.f1.value) == pytest.approx((precision, recall, f1))


def test_documents_of_one_question_are_resampled_together() -> None:
    pairs = [(1, 1)] * 12 + [(0, 1)] * 12  # three questions all right, three all wrong
    together, alone = (support_scores("judge", rows(pairs, cluster), FEW).accuracy for cluster in (4, 1))
    assert together.method == IntervalMethod.BOOTSTRAP
    assert together.value == alone.value == 0.5
    assert together.low is not None and alone.low is not None and together.low < alone.low


def test_questions_that_are_all_alike_have_no_interval() -> None:
    found = support_scores("judge", rows([(1, 1), (0, 1), (1, 0), (0, 0)] * 6, cluster=4), FEW)
    assert (found.accuracy.value, found.accuracy.low) == (0.5, None)
    assert "every resample gives the same" in found.accuracy.reason


def test_what_has_no_denominator_is_undefined() -> None:
    found = support_scores("judge", rows([(0, 0)] * 6), FEW)
    assert found.accuracy.value == 1
    assert found.precision.reason == "the method never said yes"
    assert found.recall.reason == "no person said yes"
    assert found.f1.value is None
