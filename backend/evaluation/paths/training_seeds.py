"""Policies of one recipe and several training seeds, named NAME#SEED: their mean by a two-level bootstrap, and the go or no-go.

A draw takes seeds with replacement and notes with replacement, so that an interval holds both what another training and what other notes
would change. Families are compared seed by seed.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from backend.evaluation.metrics.bootstrap import Resampler
from backend.evaluation.paths.path_scores import MEASURES
from backend.schemas.evaluation_results import Difference, Figure, Order

SEED = re.compile(r"#[A-Za-z0-9]+")
FEWEST = 2
ASKED = 5
PROPOSALS = "-proposals"
Tables = Mapping[str, np.ndarray]
"""By retriever, (notes, budgets, measures)."""


def families(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """By family, its members by seed; a family has two at least."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        if (seed := SEED.search(name)) is not None:
            found.setdefault(SEED.sub("", name), {})[seed.group()] = name
    return {family: members for family, members in found.items() if len(members) >= FEWEST}


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
    plain = [name for name in names if not SEED.search(name) and "@" not in name]
    figures, differences = list[Figure](), list[Difference]()
    for b, budget in enumerate(budgets):
        for m, measure in enumerate(MEASURES):
            for family, members in found.items():
                columns = np.array([tables[name][:, b, m] for name in members.values()])
                n = columns.shape[1]
                mean = resampler.two_level(columns)
                figures.append(
                    Figure(system=family, measure=measure, budget=budget, order=order, n=n, **mean._asdict())
                )
                for other, theirs in _others(family, found, plain):
                    same = np.array([tables[theirs.get(seed, other)][:, b, m] for seed in members])
                    gap = resampler.two_level(columns - same)
                    differences.append(
                        Difference(
                            system=family,
                            baseline=other,
                            measure=measure,
                            budget=budget,
                            order=order,
                            n=n,
                            **gap._asdict(),
                        )
                    )
    return figures, differences


def go_or_no_go(differences: Sequence[Difference], names: Sequence[str]) -> list[str]:
    """For each family with proposals of its own: whether the walk adds recall to them, as was decided before any was measured.

    Go: in common order, walk plus proposals minus proposals alone is above 0 beyond the interval at every budget, over ASKED seeds.
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
        go = len(members) >= ASKED and all(one.low is not None and one.low > 0 for one in gaps)
        few = "" if len(members) >= ASKED else f"; {ASKED} seeds were asked for"
        said.append(
            f"{'Go' if go else 'No go'} for the walk of {family}: recall with it minus that of its proposals alone, common order, "
            f"{len(members)} training seeds{few}, in points: {shown}."
        )
    return said


def _others(
    family: str, found: Mapping[str, Mapping[str, str]], plain: Sequence[str]
) -> list[tuple[str, Mapping[str, str]]]:
    own = set(found[family])
    same = [(other, members) for other, members in found.items() if other != family and own <= set(members)]
    return [*same, *((name, {}) for name in plain)]
