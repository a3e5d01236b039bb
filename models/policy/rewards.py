"""Rewards of a finished walk (ReinRAG Eq. 7, and ours). A reward is comparable within one note only.

eq7: the sum over paths of the true concepts on it, plus lambda times the cosine of path mean and truth mean (Eq. 7).
binary: as the paper's text words it, 1 where a path holds any true concept. novel: each distinct true concept that is
no keyword counts once for the whole walk, plus lambda times the mean of those cosines. residual: as novel, but what the concept
step proposes for the note by itself counts for nothing, so that a walk earns only what the proposals lack.
"""

from enum import StrEnum

import numpy as np

from models.policy.walking.note_view import NoteView, unit
from models.policy.walking.walk_state import WalkState


class RewardKind(StrEnum):
    """What counts in a walk: every place as in Eq. 7, every path once, every concept that is new, or that is not proposed either."""

    EQ7 = "eq7"
    BINARY = "binary"
    NOVEL = "novel"
    RESIDUAL = "residual"


NONE = np.zeros(0, dtype=np.int32)


def reward(
    view: NoteView, state: WalkState, truth: np.ndarray, kind: RewardKind, weight: float, proposed: np.ndarray = NONE
) -> float:
    """R^(i) of one walk; an empty truth gives 0: nothing can be right or wrong.

    Args:
        view: the note's.
        state: the end of the walk.
        truth: (t,) concept indices of the document.
        kind: what counts.
        weight: the paper's lambda.
        proposed: (p,) concepts that RESIDUAL leaves out.
    """
    if not len(truth):
        return 0.0
    near = path_similarities(view, state, truth)
    if kind in (RewardKind.NOVEL, RewardKind.RESIDUAL):
        known = (*view.keywords.tolist(), *(proposed.tolist() if kind == RewardKind.RESIDUAL else ()))
        new = set(truth.tolist()).difference(known).intersection(state.explored.tolist())
        return float(len(new) + weight * near.mean())
    hits = np.isin(state.paths, truth) & (state.paths >= 0)
    if kind == RewardKind.EQ7:
        return float(hits.sum() + weight * near.sum())
    return float(hits.any(axis=1).sum() + weight * near.sum())


def path_similarities(view: NoteView, state: WalkState, truth: np.ndarray) -> np.ndarray:
    """(k,) float32: sim(P, C^) of Eq. 7, the cosine of a path's mean vector and the truth's."""
    goal = unit(view.rows(truth).sum(axis=0))
    return np.asarray(unit(view.sums(state.paths[state.paths >= 0], state.lengths)) @ goal)
