"""Blinding indices against printed output of a published table, and by hand."""

import numpy as np
import pytest

from backend.study.statistics.guesses import bang, blinding, james
from backend.study.statistics.rating_data import Guess


def test_both_indices_are_those_printed() -> None:
    # documentation of BlindingIndex.jl: treatment guessed 48 treatment, 4 placebo, 330 unknown; placebo 22, 30, 319:
    # James 0.896, error 0.011, 0.875 to 0.918; Bang 0.115 (0.080 to 0.150) and 0.022 (-0.016 to 0.060)
    found = james(np.array([[48.0, 4.0, 330.0], [22.0, 30.0, 319.0]]))
    assert (found.value, found.low, found.high) == pytest.approx((0.896, 0.875, 0.918), abs=0.0006)
    treated, untreated = bang(48, 4, 330), bang(30, 22, 319)
    assert (treated.value, treated.low, treated.high) == pytest.approx((0.115, 0.080, 0.150), abs=0.0006)
    assert (untreated.value, untreated.low, untreated.high) == pytest.approx((0.022, -0.016, 0.060), abs=0.0006)


@pytest.mark.parametrize(
    ("table", "index"),
    [([[10, 0, 0], [0, 10, 0]], 0.0), ([[5, 5, 0], [5, 5, 0]], 0.5), ([[0, 0, 10], [0, 0, 10]], 1.0)],
)
def test_james_index_at_its_ends_and_at_chance(table: list[list[float]], index: float) -> None:
    assert james(np.array(table, dtype=float)).value == pytest.approx(index)


@pytest.mark.parametrize(("counts", "index"), [((10, 0, 0), 1), ((0, 10, 0), -1), ((5, 5, 0), 0), ((0, 0, 10), 0)])
def test_bang_s_index_at_its_ends_and_at_chance(counts: tuple[int, int, int], index: float) -> None:
    assert bang(*counts).value == pytest.approx(index)


def test_guesses_are_counted_by_arm() -> None:
    rows = [Guess("R1", "a", "a"), Guess("R1", "b", "a"), Guess("R2", "a", ""), Guess("R2", "b", "b")]
    found = blinding(rows, ("a", "b"))
    assert [(c.correct, c.wrong, c.unknown) for c in found.counts] == [(1, 0, 1), (1, 1, 0)]
    assert found.correct_share.value == pytest.approx(2 / 3)
    assert found.chance == 0.5


def test_more_arms_have_a_share_and_no_index() -> None:
    found = blinding([Guess("R1", "a", "a"), Guess("R1", "c", "b")], ("a", "b", "c"))
    assert found.james.reason == "the index is published for two arms"
    assert found.correct_share.value == 0.5
    assert found.chance == pytest.approx(1 / 3)


def test_nobody_asked_is_said() -> None:
    assert blinding([], ("a", "b")).james.reason == "nobody was asked to guess"
