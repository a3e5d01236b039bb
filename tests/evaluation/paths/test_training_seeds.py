"""Policies of several training seeds: their mean, their interval, and whether the walk earns its place."""

from typing import Any

import numpy as np
import pytest

from backend.errors import InputError
from backend.evaluation.metrics.bootstrap import Resampler
from backend.evaluation.metrics.seed_families import families
from backend.evaluation.paths.concepts_needed import NEEDED, needed_figures
from backend.evaluation.paths.path_scores import MEASURES
from backend.evaluation.paths.training_seeds import (
    checked_over,
    compared_lists,
    family_figures,
    go_or_no_go,
    over_prior,
    power_said,
)
from backend.schemas.evaluation_results import Difference, Figure, Order

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
        system="gro-fused",
        baseline="gro-proposals",
        measure="recall",
        budget=budget,
        order=Order.COMMON,
        value=low + 0.01,
        low=low,
        high=low + 0.02,
        n=9,
    )


def needed(budget: int, high: float | None) -> Figure:
    value = None if high is None else high - 1
    return Figure(
        system="gro-fused",
        measure=NEEDED,
        budget=budget,
        order=Order.COMMON,
        value=value,
        low=value,
        high=high,
        reason="far",
    )


@pytest.mark.parametrize(
    ("lows", "seeds", "needs", "said"),
    [
        ([0.01, 0.02], 5, [7, 14], "Go for"),
        ([0.01, 0.0], 5, [7, 14], "No go for"),
        ([0.01, 0.02], 3, [7, 14], "No go for"),
        ([0.01, 0.02], 5, [8, 14], "No go for"),  # 30 % fewer than 10 are 7
        ([0.01, 0.02], 5, [None, 14], "No go for"),
        ([0.01, 0.02], 5, [], "No go for"),
    ],
)
def test_go_needs_every_budget_beyond_the_interval_and_fewer_concepts_over_five_seeds(
    lows: list[float], seeds: int, needs: list[float | None], said: str
) -> None:
    names = [f"gro#{seed}{part}" for seed in range(seeds) for part in ("", "-fused", "-proposals")]
    figures = [needed(budget, high) for budget, high in zip((10, 20), needs, strict=False)]
    (line,) = go_or_no_go([difference(low, budget) for low, budget in zip(lows, (10, 20), strict=True)], names, figures)
    assert line.startswith(said) and ("5 seeds were asked for" in line) == (seeds < 5)
    assert ("not measured" in line) == (not needs)
    assert ("of 10 far" in line) == (needs[:1] == [None])
    assert "the walk of gro, fused with its proposals by rank: recall with it minus that of these alone" in line


def test_a_list_that_ranks_the_walk_by_the_proposals_own_odds_is_not_decided_on() -> None:
    names = [f"gro#{seed}{part}" for seed in range(5) for part in ("", "-proposals")]
    same = [difference(0.01, budget).model_copy(update={"system": "gro"}) for budget in (10, 20)]
    assert go_or_no_go(same, names) == []


def test_the_proposals_of_two_recipes_are_held_against_each_other_by_the_same_rule() -> None:
    names = [f"{name}#{seed}{part}" for name in ("new", "old") for seed in range(5) for part in ("", "-proposals")]
    over = [("new", "old")]
    assert compared_lists(names, over)["new-proposals"] == (
        [f"new#{seed}-proposals" for seed in range(5)],
        [f"old#{seed}-proposals" for seed in range(5)],
    )
    told = [
        difference(0.01, budget).model_copy(update={"system": "new-proposals", "baseline": "old-proposals"})
        for budget in (10, 20)
    ]
    few = [needed(10, 7).model_copy(update={"system": "new-proposals"})]
    few.append(needed(20, 14).model_copy(update={"system": "new-proposals"}))
    (line,) = go_or_no_go(told, names, few, over)
    assert line.startswith(
        "Go for the proposals of new: recall with it minus that of the proposals of old, common order, 5"
    )
    assert go_or_no_go(told, names, few) == []
    (line,) = go_or_no_go(told, names, [], over)
    assert line.startswith("No go for the proposals of new") and "not measured" in line
    checked_over(names, over)
    with pytest.raises(InputError, match="--over new=other"):
        checked_over(names, [("new", "other")])
    with pytest.raises(InputError, match="the same seeds of both"):
        checked_over([name for name in names if name != "old#3-proposals"], over)


def row(ours: list[int], theirs: list[int], new: int) -> dict[str, Any]:
    ranks = {"gro": {"common": [ours]}, "gro-proposals": {"common": [theirs]}}
    return {"ranks": ranks, "new": {"DISO": new}}


def test_the_concepts_needed_for_the_recall_of_the_proposals_by_hand() -> None:
    # right at places (from 0): note one at 0 and 1 against 0 and 3, note two at 1 against 3; each has 2 new concepts.
    # Mean recall of the proposals: 1/4 at 2, 3/4 at 4; ours: 1/4 at 1, 3/4 at 2
    rows = [row([0, 1], [0, 3], 2), row([1], [3], 2)]
    compared = compared_lists(["gro", "gro-proposals", "popularity"])
    assert compared == {"gro": (["gro"], ["gro-proposals"])}
    figures = needed_figures(rows, compared, Order.COMMON, [2, 4], 5, Resampler(2, 0, 200))
    assert [one.value for one in figures] == [1.0, 2.0]
    assert [(one.low, one.high) for one in figures][1] == (2.0, 2.0)  # whichever notes are drawn
    none = needed_figures([row([], [3], 2)], compared, Order.COMMON, [4], 5, Resampler(1, 0, 50))[0]
    assert none.value is None and none.reason == "not within the 5 concepts of the pool"


def test_a_walk_and_a_family_are_held_against_their_own_proposals() -> None:
    names = [f"gro#{seed}{part}" for seed in (1, 2) for part in ("", "-proposals", "-fused", "-walk")]
    assert compared_lists(names) == {
        "gro": (["gro#1", "gro#2"], ["gro#1-proposals", "gro#2-proposals"]),
        "gro-fused": (["gro#1-fused", "gro#2-fused"], ["gro#1-proposals", "gro#2-proposals"]),
        "gro-walk": (["gro#1-walk", "gro#2-walk"], ["gro#1-proposals", "gro#2-proposals"]),
    }


def gap(budget: int, low: float, high: float, order: Order = Order.OWN) -> Difference:
    return Difference(
        system="ours",
        baseline="popularity",
        measure="recall",
        budget=budget,
        order=order,
        value=(low + high) / 2,
        low=low,
        high=high,
    )


def test_superior_is_above_the_prior_beyond_the_interval_and_at_ten_not_below_it() -> None:
    held = [gap(10, -0.01, 0.02), gap(20, 0.01, 0.03), gap(30, 0.002, 0.05)]
    assert over_prior(held, ["ours", "other"]) == ["ours is superior to the prior by the rule set beforehand."]
    (failed,) = over_prior([*held, gap(10, -0.03, -0.01), gap(30, 0.0, 0.02, Order.COMMON)], ["ours"])
    assert failed.endswith("own order at 10, common order at 30.")
    assert failed.startswith("ours is not superior")


def test_power_is_told_from_the_priors_own_interval() -> None:
    # an interval of 0.0392 is 2 * 1.96 standard errors of 0.01; 80 % power asks for 1.96 + 0.84 = 2.80 of them: 2.8 points
    prior = Figure(
        system="popularity", measure="recall", budget=20, order=Order.OWN, value=0.2, low=0.1804, high=0.2196
    )
    (said,) = power_said([prior, prior.model_copy(update={"system": "ours", "high": 0.9})])
    assert "at 20 2.8 or more" in said
    assert power_said([]) == []
