"""Policies of several training seeds: their mean, their interval, and whether the walk earns its place."""

import numpy as np
import pytest

from backend.evaluation.metrics.bootstrap import Resampler
from backend.evaluation.paths.path_scores import MEASURES
from backend.evaluation.paths.training_seeds import families, family_figures, go_or_no_go
from backend.schemas.evaluation_results import Difference, Order

NAMES = ["gro#1", "gro#1-proposals", "gro#2", "gro#2-proposals", "popularity", "gro@paths=3", "once#1"]
RECALL = MEASURES.index("recall") if isinstance(MEASURES, tuple) else list(MEASURES).index("recall")


def tables(**recall: list[float]) -> dict[str, np.ndarray]:
    """(notes, one budget, measures), zeros but for recall."""
    found = {}
    for name, values in recall.items():
        table = np.zeros((len(values), 1, len(list(MEASURES))))
        table[:, 0, RECALL] = values
        found[name] = table
    return found


def test_a_family_has_two_seeds_at_least() -> None:
    assert families(NAMES) == {
        "gro": {"#1": "gro#1", "#2": "gro#2"},
        "gro-proposals": {"#1": "gro#1-proposals", "#2": "gro#2-proposals"},
    }


def test_families_are_compared_seed_by_seed_and_with_what_has_no_seed() -> None:
    given = tables(
        **{
            "gro#1": [0.5, 0.7],
            "gro#1-proposals": [0.4, 0.6],
            "gro#2": [0.3, 0.5],
            "gro#2-proposals": [0.2, 0.4],
            "popularity": [0.1, 0.1],
        }
    )
    figures, differences = family_figures(given, list(given), Order.COMMON, [10], Resampler(2, 0, 200))
    recall = {one.system: one for one in figures if one.measure == "recall"}
    assert recall["gro"].value == pytest.approx(0.5)  # (0.5 + 0.7 + 0.3 + 0.5) / 4
    # both seeds and notes are drawn, so the interval reaches to the means of single seeds and notes
    assert recall["gro"].low == pytest.approx(0.3, abs=1e-6) and recall["gro"].high == pytest.approx(0.7, abs=1e-6)
    gaps = {(one.system, one.baseline): one for one in differences if one.measure == "recall"}
    # each seed's walk adds 0.1 to its own proposals in every note: no spread is left
    gap = gaps["gro", "gro-proposals"]
    assert (gap.value, gap.low, gap.high) == pytest.approx((0.1, 0.1, 0.1))
    assert gaps["gro", "popularity"].value == pytest.approx(0.4)


def difference(low: float, budget: int) -> Difference:
    return Difference(
        system="gro",
        baseline="gro-proposals",
        measure="recall",
        budget=budget,
        order=Order.COMMON,
        value=low + 0.01,
        low=low,
        high=low + 0.02,
        n=9,
    )


@pytest.mark.parametrize(
    ("lows", "seeds", "said"),
    [([0.01, 0.02], 5, "Go for"), ([0.01, 0.0], 5, "No go for"), ([0.01, 0.02], 3, "No go for")],
)
def test_go_needs_every_budget_beyond_the_interval_over_five_seeds(lows: list[float], seeds: int, said: str) -> None:
    names = [f"gro#{seed}{part}" for seed in range(seeds) for part in ("", "-proposals")]
    (line,) = go_or_no_go([difference(low, budget) for budget, low in enumerate(lows, 1)], names)
    assert line.startswith(said) and ("5 seeds were asked for" in line) == (seeds < 5)
