"""Arms of one recipe and several training seeds, named NAME#SEED: their mean and their differences by a two-level bootstrap.

A draw takes seeds with replacement and notes with replacement, so that an interval holds both what another training and what other
notes would change. Families are compared seed by seed.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from backend.errors import InputError
from backend.evaluation.metrics.bootstrap import Interval, Resampler

SEED = re.compile(r"^([^+@]*?)#([A-Za-z0-9]+)")
FEWEST = 2
Members = Mapping[str, str]
"""The names of a family's members, by seed."""


def families(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """By family, its members by seed; a family has two at least.

    Raises:
        InputError: a family would be called as an arm is that has no seed.
    """
    found: dict[str, dict[str, str]] = {}
    for name in names:
        if (seed := SEED.match(name)) is not None:
            found.setdefault(SEED.sub(r"\1", name), {})[f"#{seed.group(2)}"] = name
    found = {family: members for family, members in found.items() if len(members) >= FEWEST}
    if taken := [family for family in found if family in names]:
        raise InputError(f"{taken[0]!r} is the mean of its training seeds and an arm by itself. Give one another name.")
    return found


def mean_of(columns: Mapping[str, np.ndarray], members: Members, resampler: Resampler) -> tuple[Interval, int]:
    """A family's mean, and over how many notes; a note that one seed has no value for is left out.

    Args:
        columns: by arm, (n,) values, NaN where there is none.
        members: of the family.
        resampler: of the notes.
    """
    held = np.array([columns[name] for name in members.values()])
    return resampler.two_level(held), _whole(held)


def gap_of(
    columns: Mapping[str, np.ndarray], members: Members, other: str, theirs: Members, resampler: Resampler
) -> tuple[Interval, int]:
    """A family minus another arm, and over how many notes.

    Args:
        columns: by arm, (n,) values, NaN where there is none.
        members: of the family.
        other: an arm without seeds, where theirs is empty.
        theirs: of the other family, with the same seeds at least.
        resampler: of the notes.
    """
    held = np.array([columns[name] - columns[theirs.get(seed, other)] for seed, name in members.items()])
    return resampler.two_level(held), _whole(held)


def others_of(family: str, found: Mapping[str, Members], plain: Sequence[str]) -> list[tuple[str, Members]]:
    """What a family can be compared with: families of its seeds, and arms without any."""
    own = set(found[family])
    same = [(other, members) for other, members in found.items() if other != family and own <= set(members)]
    return [*same, *((name, {}) for name in plain)]


def _whole(columns: np.ndarray) -> int:
    return int(np.isfinite(columns).all(axis=0).sum())
