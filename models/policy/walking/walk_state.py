"""Where all paths of a note stand between two steps of a walk."""

from typing import NamedTuple

import numpy as np

KEYWORD, LEAP = -1, -2


class WalkState(NamedTuple):
    """Where all paths of a note stand after some steps.

    group: the group chosen last. paths: (k, 2 T + 1) int32, filled with -1. links: the same shape, int16: the relation
    id that led from the concept before, KEYWORD for the first, LEAP where the walk followed no edge from there.
    lengths: (k,) int64. explored: (e,) int32, the distinct concepts of all paths in the order they were found (C_t).
    total: (d,) float32, the sum of their vectors.
    """

    group: int
    paths: np.ndarray
    links: np.ndarray
    lengths: np.ndarray
    explored: np.ndarray
    total: np.ndarray


def average(state: WalkState) -> np.ndarray:
    """(d,) float32: the mean vector of the explored concepts, before M of Eq. 2."""
    return np.asarray(state.total / len(state.explored))
