"""Policies of one recipe and several training seeds, named NAME#SEED: their mean by a two-level bootstrap, and the go or no-go.

Also whether a policy beats the popularity prior, by a rule that stands before anything is measured, and what the notes can show at all:
recall above the prior's beyond the interval at every budget of more than FIRST concepts, and not below it beyond the interval up to
FIRST, in own and in common order.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from backend.errors import InputError
from backend.evaluation.metrics.bootstrap import LEVEL, Resampler
from backend.evaluation.metrics.seed_families import SEED, families, gap_of, mean_of, others_of
from backend.evaluation.paths.concepts_needed import NEEDED, SAVED, spared
from backend.evaluation.paths.path_scores import MEASURES
from backend.schemas.evaluation_results import Difference, Figure, Order

ASKED = 5
PROPOSALS = "-proposals"
WALK = "-walk"
FUSED = "-fused"
"""Walk and proposals fused by rank. Joined and ranked by the proposals' own log-odds, no walk could add to a full list of them."""
PRIOR = "popularity"
FIRST = 10
POWER = 0.8
_NORMAL = NormalDist()
_INTERVAL = 2 * _NORMAL.inv_cdf((1 + LEVEL) / 2)
"""Standard errors that an interval spans."""
_DETECTED = _NORMAL.inv_cdf((1 + LEVEL) / 2) + _NORMAL.inv_cdf(POWER)
"""Standard errors that a difference must have to lie beyond its interval POWER of the time."""
Over = Sequence[tuple[str, str]]
"""Two recipes each, whose proposals are compared: the new one and what it is to go over."""
Tables = Mapping[str, np.ndarray]
"""By retriever, (notes, budgets, measures)."""


def compared_lists(names: Sequence[str], over: Over = ()) -> dict[str, tuple[list[str], list[str]]]:
    """By system, its retrievers and, seed by seed, those whose recall it is to reach with fewer concepts.

    Each policy and family that has proposals of its own is held against them, the proposals of one of `over` against the other's.
    """
    alone = {name: {"": name} for name in names if not SEED.match(name)}
    found: dict[str, tuple[list[str], list[str]]] = {}
    seeds = families(names)
    for system, members in {**alone, **seeds}.items():
        own = {seed: _policy_of(name) + PROPOSALS for seed, name in members.items()}
        if not system.endswith(PROPOSALS) and all(name in names for name in own.values()):
            found[system] = [*members.values()], [*own.values()]
    for new, old in over:
        ours, theirs = (seeds.get(one + PROPOSALS, {}) for one in (new, old))
        if ours and set(ours) <= set(theirs):
            found[new + PROPOSALS] = [*ours.values()], [theirs[seed] for seed in ours]
    return found


def checked_over(names: Sequence[str], over: Over) -> None:
    """Raises InputError where one of `over` is no family with proposals, or the other lacks one of its training seeds."""
    found = families(names)
    for new, old in over:
        held = [found.get(one + PROPOSALS, {}) for one in (new, old)]
        if not all(held) or not set(held[0]) <= set(held[1]):
            raise InputError(
                f"--over {new}={old} compares the proposals of two recipes seed by seed: give --policy {new}#1=FOLDER, "
                f"--policy {old}#1=FOLDER and so on, the same seeds of both, trained with a learned concept step."
            )


def _policy_of(name: str) -> str:
    return name.removesuffix(WALK).removesuffix(FUSED)


def family_figures(
    tables: Tables, names: Sequence[str], order: Order, budgets: Sequence[int], resampler: Resampler
) -> tuple[list[Figure], list[Difference]]:
    """Figures of each family, and each one's differences to every other family of its seeds and to every retriever without seeds.

    Args:
        tables: the scores in one order.
        names: of all retrievers.
        order: of the tables.
        budgets: as in the tables.
        resampler: of the notes; the seeds are drawn beside.
    """
    found = families(names)
    plain = [name for name in names if not SEED.match(name) and "@" not in name]
    figures, differences = list[Figure](), list[Difference]()
    for b, budget in enumerate(budgets):
        for m, measure in enumerate(MEASURES):
            columns = {name: table[:, b, m] for name, table in tables.items()}
            about: dict[str, Any] = {"measure": measure, "budget": budget, "order": order}
            for family, members in found.items():
                mean, n = mean_of(columns, members, resampler)
                figures.append(Figure(system=family, n=n, **about, **mean._asdict()))
                for other, theirs in others_of(family, found, plain):
                    gap, n = gap_of(columns, members, other, theirs, resampler)
                    differences.append(Difference(system=family, baseline=other, n=n, **about, **gap._asdict()))
    return figures, differences


def go_or_no_go(
    differences: Sequence[Difference], names: Sequence[str], figures: Sequence[Figure] = (), over: Over = ()
) -> list[str]:
    """Whether a family goes over what it is held against, as was decided before any was measured.

    Held against each other: the walk of a family fused with proposals of its own and these alone, and the proposals of two recipes. Go: in
    common order the recall is higher beyond the interval at every budget, over ASKED seeds, and that of as many concepts of the other is
    reached with SAVED fewer concepts.

    Args:
        differences: of a run.
        names: of all retrievers.
        figures: of the run, among them NEEDED.
        over: the recipes whose proposals are compared, the new one first.
    """
    found = families(names)
    asked = [
        (
            f"the walk of {_policy_of(one)}, fused with its proposals by rank",
            one,
            _policy_of(one) + PROPOSALS,
            "that of these alone",
        )
        for one in found
        if one.endswith(FUSED)
    ]
    asked += [
        (f"the proposals of {new}", new + PROPOSALS, old + PROPOSALS, f"that of the proposals of {old}")
        for new, old in over
    ]
    said = [_go(differences, figures, len(found[one[1]]), *one) for one in asked if one[1] in found]
    return [line for line in said if line]


def _go(
    differences: Sequence[Difference],
    figures: Sequence[Figure],
    seeds: int,
    what: str,
    system: str,
    other: str,
    than: str,
) -> str:
    gaps = [
        one
        for one in differences
        if (one.system, one.baseline, one.measure, one.order) == (system, other, "recall", Order.COMMON)
    ]
    if not gaps:
        return ""
    shown = "; ".join(
        f"at {one.budget} {100 * one.value:+.2f} [{100 * one.low:+.2f}, {100 * one.high:+.2f}]"
        for one in gaps
        if one.value is not None and one.low is not None and one.high is not None
    )
    asked = [o for o in figures if (o.system, o.measure, o.order) == (system, NEEDED, Order.COMMON)]
    more = all(one.low is not None and one.low > 0 for one in gaps)
    go = seeds >= ASKED and more and spared(asked)
    few = "" if seeds >= ASKED else f"; {ASKED} seeds were asked for"
    return (
        f"{'Go' if go else 'No go'} for {what}: recall with it minus {than}, common order, "
        f"{seeds} training seeds{few}, in points: {shown}. {_needed_said(asked)}"
    )


def power_said(figures: Sequence[Figure]) -> list[str]:
    """The least difference to the prior that these notes would show, by budget, from the prior's own spread alone.

    A paired difference is taken to spread as the prior does itself, which holds where the two correlate by one half. Empty without
    the prior or its intervals.
    """
    told = [
        f"at {one.budget} {100 * _DETECTED * (one.high - one.low) / _INTERVAL:.1f}"
        for one in figures
        if (one.system, one.measure, one.order, one.group) == (PRIOR, "recall", Order.OWN, "")
        and one.low is not None
        and one.high is not None
    ]
    if not told:
        return []
    return [
        f"Power, from the prior alone: with these notes a difference to it is seen {POWER:.0%} of the time where it is, in points of "
        f"recall, {'; '.join(told)} or more."
    ]


def over_prior(differences: Sequence[Difference], subjects: Iterable[str]) -> list[str]:
    """A line for each subject that was compared with the prior: whether it is superior by the rule, and where it fails.

    Args:
        differences: of a run, in points of 1.
        subjects: policies and systems; one without differences to the prior has no line.
    """
    said = []
    for name in subjects:
        gaps = [one for one in differences if (one.system, one.baseline, one.measure) == (name, PRIOR, "recall")]
        if not gaps:
            continue
        failed = [f"{one.order.value} order at {one.budget}" for one in gaps if one.order and not _holds(one)]
        what = "superior to" if not failed else "not superior to"
        said.append(
            f"{name} is {what} the prior by the rule set beforehand{': ' + ', '.join(failed) if failed else ''}."
        )
    return said


def _needed_said(figures: Sequence[Figure]) -> str:
    told = [
        f"of {one.budget} "
        + (f"{one.value:.0f}" if one.value is not None else one.reason)
        + (f" [{one.low:.0f}, {one.high:.0f}]" if one.low is not None and one.high is not None else "")
        for one in figures
    ]
    if not told:
        return "Concepts needed for the other's recall: not measured."
    reached = "reached" if spared(figures) else "not reached"
    return f"Concepts needed for the recall of so many proposals: {'; '.join(told)}. {SAVED:.0%} fewer at every budget: {reached}."


def _holds(gap: Difference) -> bool:
    if gap.low is None or gap.high is None or gap.budget is None:
        return False
    return gap.low > 0 if gap.budget > FIRST else gap.high >= 0
