"""Fusion, derived by hand."""

import numpy as np
import pytest

from backend.retrieval.passages.fusion import in_turn, rank_fused, reciprocal_ranks, weighted


def test_reciprocal_ranks_add_up() -> None:
    # a: 1/61 + 1/62, b: 1/62 + 1/61, c: 1/63
    fused = reciprocal_ranks([["a", "b"], ["b", "a", "c"]])
    assert fused == pytest.approx({"a": 1 / 61 + 1 / 62, "b": 1 / 62 + 1 / 61, "c": 1 / 63})
    assert list(fused) == ["a", "b", "c"]


def test_the_weighted_sum_takes_bm25_as_a_share_of_the_best() -> None:
    # a: 0.3 * 2/4 + 0.7 * 0.5 = 0.5; b: 0.3 * 1 + 0.7 * 0.1 = 0.37; c: 0.7 * 0.9 = 0.63
    fused = weighted({"a": 2.0, "b": 4.0}, {"a": 0.5, "b": 0.1, "c": 0.9})
    assert fused == pytest.approx({"c": 0.63, "a": 0.5, "b": 0.37})
    assert list(fused) == ["c", "a", "b"]
    assert next(iter(weighted({"a": 2.0, "b": 4.0}, {"a": 0.5, "b": 0.1, "c": 0.9}, "b"))) == "b"
    assert weighted({}, {"a": 1.0}) == pytest.approx({"a": 0.7})


def test_rankings_are_taken_in_turn_without_repeats() -> None:
    assert in_turn([["a", "b", "c"], ["b"], [], ["d", "a"]]) == ["a", "b", "d", "c"]
    assert in_turn([]) == []


def test_equal_scores_share_the_better_rank() -> None:
    # ranks by the first: 1, 1, 3; by the second: 3, 1, 2
    fused = rank_fused(np.array([5.0, 5.0, 1.0]), np.array([0.1, 0.9, 0.5]))
    assert fused == pytest.approx([1 / 61 + 1 / 63, 1 / 61 + 1 / 61, 1 / 63 + 1 / 62])
