"""Precision, recall, F1, Jaccard and Hamming loss of two sets, over full sets and as ReinRAG prints them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.evaluation.metrics.set_scores import MEASURES, SetScores, set_scores

SETS = st.sets(st.integers(0, 12), max_size=10)


def test_the_scores_are_those_reckoned_by_hand() -> None:
    # named a b c d, true a b e: 2 hits; 4 named, 3 true, 5 in either
    found = set_scores(set("abcd"), set("abe"))
    assert found is not None
    assert found.precision == 2 / 4
    assert found.recall == pytest.approx(2 / 3)
    assert found.f1 == pytest.approx(2 * 2 / (4 + 3))
    assert found.jaccard == pytest.approx(2 / 5)
    assert found.hamming == pytest.approx(3 / 5)
    # as printed: a text with a hit has precision 1; F1 = 2 * 1 * 2/3 / (1 + 2/3) = 0.8
    assert found.precision_printed == 1.0
    assert found.f1_printed == pytest.approx(0.8)
    assert found.hamming_printed == pytest.approx(1 / 3)


def test_the_printed_figures_show_the_pattern_of_table_1() -> None:
    # Table 1: Hamming loss is 100 - recall, and the precision over 1,000 notes a multiple of 0.1
    found = [set_scores({1}, {1, 2}), set_scores({9}, {1, 2}), set_scores({1, 2, 9}, {1, 2})]
    scores = [one for one in found if one is not None]
    assert [one.precision_printed for one in scores] == [1.0, 0.0, 1.0]
    assert all(one.hamming_printed == pytest.approx(1 - one.recall) for one in scores)


def test_naming_nothing_scores_nothing() -> None:
    assert set_scores(set(), {1, 2}) == SetScores(0, 0, 0, 0, 1, 0, 0, 1)


def test_a_document_that_names_nothing_is_not_scored() -> None:
    assert set_scores({1}, set()) is None


def test_every_score_has_a_meaning() -> None:
    assert tuple(MEASURES) == SetScores._fields


@settings(deadline=None)  # the peer is imported at the first example
@given(SETS, SETS.filter(bool))
def test_the_scores_are_scikit_learn_s(named: set[int], true: set[int]) -> None:
    from sklearn.metrics import f1_score, hamming_loss, jaccard_score, precision_score, recall_score

    either = sorted(named | true)
    truth = np.array([label in true for label in either])
    guess = np.array([label in named for label in either])
    found = set_scores(named, true)
    assert found is not None
    assert found.precision == pytest.approx(precision_score(truth, guess, zero_division=0))
    assert found.recall == pytest.approx(recall_score(truth, guess))
    assert found.f1 == pytest.approx(f1_score(truth, guess))
    assert found.jaccard == pytest.approx(jaccard_score(truth, guess))
    assert found.hamming == pytest.approx(hamming_loss(truth, guess))
    # restricted to the true labels
    kept = np.array([label in named for label in sorted(true)])
    ones = np.ones(len(true), dtype=bool)
    assert found.precision_printed == pytest.approx(precision_score(ones, kept, zero_division=0))
    assert found.f1_printed == pytest.approx(f1_score(ones, kept))
    assert found.hamming_printed == pytest.approx(hamming_loss(ones, kept))
