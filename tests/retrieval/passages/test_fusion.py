"""Fusion, derived by hand."""

import numpy as np
import pytest

from backend.retrieval.passages.fusion import interleaved, rank_fused


def test_rankings_are_taken_in_turn_without_repeats() -> None:
    assert interleaved([["a", "b", "c"], ["b"], [], ["d", "a"]]) == ["a", "b", "d", "c"]
    assert interleaved([]) == []


def test_equal_scores_share_the_better_rank() -> None:
    # ranks by the first: 1, 1, 3; by the second: 3, 1, 2
    fused = rank_fused(np.array([5.0, 5.0, 1.0]), np.array([0.1, 0.9, 0.5]))
    assert fused == pytest.approx([1 / 61 + 1 / 63, 1 / 61 + 1 / 61, 1 / 63 + 1 / 62])
