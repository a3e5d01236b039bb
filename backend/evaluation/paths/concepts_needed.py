"""How many concepts a policy's list needs for the recall of so many of its own proposals: fewer is what a walk would be for.

From the ranks at which a list is right, so nothing is walked again. Beyond the pool nothing is known, and no number is told.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from backend.evaluation.metrics.bootstrap import Resampler
from backend.schemas.evaluation_results import Figure, Order

NEEDED = "needed"
WHAT = "concepts of the list, in its order, for the mean recall of as many of its own proposals as the budget says"
SAVED = 0.3
"""The share of concepts that the walk must spare, decided beforehand."""
_ROUNDING = 1e-9


def curves(rows: Sequence[Mapping[str, Any]], name: str, order: Order, pool: int) -> np.ndarray:
    """(notes, pool): a note's new-concept recall after each concept of a retriever's list, the mean of its draws."""
    found = np.zeros((len(rows), pool))
    for place, row in enumerate(rows):
        draws, new = row["ranks"][name][order.value], sum(row["new"].values())
        for ranks in draws:
            np.add.at(found[place], np.asarray(ranks, dtype=np.int64), 1.0 / (new * len(draws)))
    return np.asarray(found.cumsum(axis=1))


def needed_figures(
    rows: Sequence[Mapping[str, Any]],
    compared: Mapping[str, tuple[Sequence[str], Sequence[str]]],
    order: Order,
    budgets: Sequence[int],
    pool: int,
    resampler: Resampler,
) -> list[Figure]:
    """For each list its NEEDED by budget, with the interval of draws over seeds and notes.

    Args:
        rows: of the journal.
        compared: by system, the retrievers of its training seeds and, in the same order, their proposals.
        order: whose ranking.
        budgets: of the proposals.
        pool: how many concepts the lists are known to.
        resampler: of the notes.
    """
    made = []
    for system, (ours, theirs) in compared.items():
        own, drawn = resampler.two_level_curve(np.array([curves(rows, name, order, pool) for name in ours]))
        goal, goals = resampler.two_level_curve(np.array([curves(rows, name, order, pool) for name in theirs]))
        for budget in budgets:
            value = _first(own[None], goal[None, budget - 1])[0]
            draws = _first(drawn, goals[:, budget - 1])
            known = bool(np.isfinite(value))
            low, high = (
                np.quantile(draws, [0.025, 0.975], method="closest_observation") if len(draws) else (np.inf,) * 2
            )
            made.append(
                Figure(
                    system=system,
                    measure=NEEDED,
                    budget=budget,
                    order=order,
                    value=float(value) if known else None,
                    low=float(low) if known and np.isfinite(high) else None,
                    high=float(high) if known and np.isfinite(high) else None,
                    n=len(rows),
                    reason="" if known else f"not within the {pool} concepts of the pool",
                )
            )
    return made


def spared(figures: Sequence[Figure]) -> bool:
    """Whether at every budget SAVED of the concepts are spared beyond the interval; False without figures."""
    return bool(figures) and all(
        one.high is not None and one.budget is not None and one.high <= (1.0 - SAVED) * one.budget for one in figures
    )


def _first(curve: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """(draws,) the number of concepts at which a curve (draws, pool) reaches its goal (draws,); inf where it does not."""
    reached = curve >= goal[:, None] - _ROUNDING
    return np.asarray(np.where(reached.any(axis=1), reached.argmax(axis=1) + 1.0, np.inf))
