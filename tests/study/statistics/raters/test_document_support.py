"""Omni-RAG's Table 9 scoring, by hand and against scikit-learn."""

import numpy as np
import pytest

from backend.schemas.studies.estimates import IntervalMethod
from backend.study.statistics.intervals import Sampling
from backend.study.statistics.raters.document_support import support_scores
from backend.study.statistics.rating_data import Support

FEW = Sampling(seed=0, resamples=200)


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
