"""The retrieval environment: the deterministic half of ReinRAG's MDP (section 2.1.2) and its concept-level step (2.2).

Takes a PathGraph, concept vectors and a note's view; a group chosen for a step moves all paths of the note. It knows no
policy and no reward. One group is chosen for the whole note, and the paths take their turns in keyword order, so that a
walk is a function of its sequence of groups and can be cached by it.
"""

from collections.abc import Sequence

import numpy as np

from backend.interfaces import PathGraph
from models.policy.walking.moves import Move
from models.policy.walking.note_view import ConceptStep, NoteView
from models.policy.walking.walk_settings import CandidateKind, ConnectScore, StateKind, WalkSettings
from models.policy.walking.walk_state import KEYWORD, LEAP, WalkState, average

GROUP_COUNT = 15
OUTLOOK = 2 * GROUP_COUNT + 2
"""How many numbers StateKind.OUTLOOK tells beside the mean vector."""
PROMISE = slice(GROUP_COUNT - OUTLOOK, 2 * GROUP_COUNT - OUTLOOK)
"""Where, counted from the end, such a state tells what each group promises."""
STOP = GROUP_COUNT
GROUP_BIT = (1 << np.arange(GROUP_COUNT)).astype(np.uint16)


def observation_width(settings: WalkSettings) -> int:
    """How many numbers Environment.observation adds to the mean vector."""
    return OUTLOOK if settings.state == StateKind.OUTLOOK else 0


class CosineStep:
    """The published concept step: cosines alone (connect as set, retrieve by Eq. 6)."""

    def __init__(self, connect: ConnectScore) -> None:
        self._half = connect == ConnectScore.MEAN

    def worth(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        """The cosine to the mean of the keywords."""
        return view.similarity(concepts)

    def connect_scores(self, view: NoteView, concepts: np.ndarray, path_cosine: np.ndarray) -> np.ndarray:
        """The cosine to the path, or the mean of it and the cosine to the keywords."""
        return 0.5 * path_cosine + 0.5 * view.similarity(concepts) if self._half else path_cosine

    def retrieve_scores(
        self, view: NoteView, concepts: np.ndarray, relations: np.ndarray, path_cosine: np.ndarray
    ) -> np.ndarray:
        """The mean of the cosines to the path and to the keywords (Eq. 6)."""
        return np.asarray(0.5 * path_cosine + 0.5 * view.similarity(concepts))

    def promise(self, view: NoteView, explored: np.ndarray, most: np.ndarray) -> np.ndarray:
        """Zeros: a cosine is no chance."""
        return np.zeros(GROUP_COUNT, dtype=np.float32)  # a cosine is no chance


class Environment:
    """Walks over one graph. Holds no state between walks; safe to share between threads if the graph is."""

    def __init__(self, graph: PathGraph, settings: WalkSettings, step: ConceptStep | None = None) -> None:
        self.graph = graph
        self.settings = settings
        self.step: ConceptStep = step or CosineStep(settings.connect_score)

    def start(self, view: NoteView) -> WalkState:
        """P_0: each path is its keyword; the group is the keywords' majority group, the lowest index at a tie."""
        keywords = view.keywords[: self.settings.keywords] if self.settings.keywords else view.keywords
        k, width = len(keywords), 2 * self.settings.steps + 1
        paths = np.full((k, width), -1, dtype=np.int32)
        links = np.full((k, width), KEYWORD, dtype=np.int16)
        paths[:, 0] = keywords
        counts = np.bincount(self.graph.groups[keywords], minlength=GROUP_COUNT)
        explored = keywords.astype(np.int32)
        total = view.rows(explored).sum(axis=0)
        return WalkState(int(counts.argmax()), paths, links, np.ones(k, dtype=np.int64), explored, total)

    def scarce(self, view: NoteView, state: WalkState) -> int:
        """k_scarce: the reachable group with the fewest keywords, none allowed; the lowest index at a tie."""
        counts = np.bincount(self.graph.groups[state.paths[:, 0]], minlength=GROUP_COUNT)
        return int(np.where(self.legal(state), counts, np.iinfo(np.int64).max).argmin())

    def observation(self, view: NoteView, state: WalkState, step: int) -> np.ndarray:
        """What the policy reads of a state after so many steps: (d,) float32, or (d + OUTLOOK,).

        OUTLOOK: log(1 + explored concepts) by group, log(1 + promise) by group, the share of steps left, log(1 + paths).
        """
        mean = average(state)
        if self.settings.state == StateKind.CONCEPTS:
            return mean
        tally = np.bincount(self.graph.groups[state.explored], minlength=GROUP_COUNT)
        paths = len(state.paths)
        last = state.paths[np.arange(paths), state.lengths - 1]
        outside = paths - np.bincount(self.graph.groups[last], minlength=GROUP_COUNT)
        promise = self.step.promise(view, state.explored, outside)
        left = 1.0 - step / max(1, self.settings.steps)
        outlook = np.log1p(np.concatenate([tally, promise, [np.expm1(left), paths]]))
        return np.concatenate([mean, outlook.astype(np.float32)])

    def legal(self, state: WalkState) -> np.ndarray:
        """(15,) bool: groups with an explored concept or, with frontier candidates, a neighbour of one."""
        own = np.bitwise_or.reduce(GROUP_BIT[self.graph.groups[state.explored]])
        if self.settings.candidates == CandidateKind.FRONTIER:
            own |= np.bitwise_or.reduce(self.graph.reach[state.explored])
        return np.asarray((own & GROUP_BIT) != 0)

    def advance(self, view: NoteView, state: WalkState, group: int) -> WalkState:
        """One step into a group: connect where needed, then retrieve (section 2.2). A path without a candidate stays."""
        return self.advance_many([view], [state], group)[0]

    def advance_many(self, views: Sequence[NoteView], states: Sequence[WalkState], group: int) -> list[WalkState]:
        """What advance gives for each, with the looking up shared; the views are of the same vectors."""
        return Move(self.graph, self.settings, self.step, views, states, group).made()


def leap_relation(graph: PathGraph, head: int, tail: int) -> int:
    """The relation id of an edge that joins the two, the lowest; LEAP when none does. Needs fetched edges."""
    _, tails, relations = graph.into_group_many(np.array([head]), int(graph.groups[tail]))
    joined = relations[tails == tail]
    return int(joined.min()) if len(joined) else LEAP
