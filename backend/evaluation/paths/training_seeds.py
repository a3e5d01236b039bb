"""Policies of one recipe and several training seeds, named NAME#SEED: their mean by a two-level bootstrap, and the go or no-go.

Also whether a policy beats the popularity prior, by a rule that stands before anything is measured, and what the notes can show at all:
recall above the prior's beyond the interval at every budget of more than FIRST concepts, and not below it beyond the interval up to
FIRST, in own and in common order.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from backend.evaluation.metrics.bootstrap import LEVEL, Resampler
from backend.evaluation.metrics.seed_families import SEED, families, gap_of, mean_of, others_of
from backend.evaluation.paths.concepts_needed import NEEDED, SAVED, spared
from backend.evaluation.paths.path_scores import MEASURES
from backend.schemas.evaluation_results import Difference, Figure, Order

ASKED = 5
PROPOSALS = "-proposals"
WALK = "-walk"
PRIOR = "popularity"
FIRST = 10
POWER = 0.8
_NORMAL = NormalDist()
_INTERVAL = 2 * _NORMAL.inv_cdf((1 + LEVEL) / 2)
"""Standard errors that an interval spans."""
_DETECTED = _NORMAL.inv_cdf((1 + LEVEL) / 2) + _NORMAL.inv_cdf(POWER)
"""Standard errors that a difference must have to lie beyond its interval POWER of the time."""
Tables = Mapping[str, np.ndarray]
"""By retriever, (notes, budgets, measures)."""


def with_proposals(names: Sequence[str]) -> dict[str, tuple[list[str], list[str]]]:
    """Each policy and family that has proposals of its own, and its walk alone: the retrievers of it, and those of the proposals."""
    alone = {name: {"": name} for name in names if not SEED.match(name)}
    found: dict[str, tuple[list[str], list[str]]] = {}
    for system, members in {**alone, **families(names)}.items():
        own = {seed: _policy_of(name) + PROPOSALS for seed, name in members.items()}
        if not system.endswith(PROPOSALS) and all(name in names for name in own.values()):
            found[system] = [*members.values()], [*own.values()]
    return found


def _policy_of(name: str) -> str:
    return name.removesuffix(WALK)


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


def go_or_no_go(differences: Sequence[Difference], names: Sequence[str], figures: Sequence[Figure] = ()) -> list[str]:
    """For each family with proposals of its own: whether the walk adds recall to them, as was decided before any was measured.

    Go: in common order, walk plus proposals minus proposals alone is above 0 beyond the interval at every budget, over ASKED seeds, and
    the recall of as many proposals is reached with SAVED fewer concepts.
    """
    said = []
    for family, members in families(names).items():
        gaps = [
            one
            for one in differences
            if (one.system, one.baseline, one.measure, one.order)
            == (family, family + PROPOSALS, "recall", Order.COMMON)
        ]
        if not gaps:
            continue
        shown = "; ".join(
            f"at {one.budget} {100 * one.value:+.2f} [{100 * one.low:+.2f}, {100 * one.high:+.2f}]"
            for one in gaps
            if one.value is not None and one.low is not None and one.high is not None
        )
        asked = [o for o in figures if (o.system, o.measure, o.order) == (family, NEEDED, Order.COMMON)]
        more = all(one.low is not None and one.low > 0 for one in gaps)
        go = len(members) >= ASKED and more and spared(asked)
        few = "" if len(members) >= ASKED else f"; {ASKED} seeds were asked for"
        said.append(
            f"{'Go' if go else 'No go'} for the walk of {family}: recall with it minus that of its proposals alone, common order, "
            f"{len(members)} training seeds{few}, in points: {shown}. {_needed_said(asked)}"
        )
    return said


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
        return "Concepts needed for the proposals' recall: not measured."
    reached = "reached" if spared(figures) else "not reached"
    return f"Concepts needed for the recall of so many proposals: {'; '.join(told)}. {SAVED:.0%} fewer at every budget: {reached}."


def _holds(gap: Difference) -> bool:
    if gap.low is None or gap.high is None or gap.budget is None:
        return False
    return gap.low > 0 if gap.budget > FIRST else gap.high >= 0
