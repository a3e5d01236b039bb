"""The retrieval environment: the deterministic half of ReinRAG's MDP (section 2.1.2) and its concept-level step (2.2).

Takes a PathGraph, concept vectors and a note's view; a group chosen for a step moves all paths of the note. It knows no
policy and no reward. One group is chosen for the whole note, and the paths take their turns in keyword order, so that a
walk is a function of its sequence of groups and can be cached by it.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from backend.interfaces import PathGraph
from models.note_view import ConceptStep, NoteView, distinct, summed, unit
from models.walk_settings import CandidateKind, ConnectScore, ConnectWhen, StateKind, WalkSettings

GROUP_COUNT = 15
OUTLOOK = 2 * GROUP_COUNT + 2
"""How many numbers StateKind.OUTLOOK tells beside the mean vector."""
PROMISE = slice(GROUP_COUNT - OUTLOOK, 2 * GROUP_COUNT - OUTLOOK)
"""Where, counted from the end, such a state tells what each group promises."""
STOP = GROUP_COUNT
KEYWORD, LEAP = -1, -2
NOTHING = np.zeros(0, dtype=np.int32)


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


def told_width(settings: WalkSettings) -> int:
    """How many numbers Environment.told adds to the mean vector."""
    return OUTLOOK if settings.state == StateKind.OUTLOOK else 0


class CosineStep:
    """The published concept step: cosines alone (connect as set, retrieve by Eq. 6)."""

    def __init__(self, connect: ConnectScore) -> None:
        self._half = connect == ConnectScore.MEAN

    def worth(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        return view.similarity(concepts)

    def connect_scores(self, view: NoteView, concepts: np.ndarray, path_cosine: np.ndarray) -> np.ndarray:
        return 0.5 * path_cosine + 0.5 * view.similarity(concepts) if self._half else path_cosine

    def retrieve_scores(
        self, view: NoteView, concepts: np.ndarray, relations: np.ndarray, path_cosine: np.ndarray
    ) -> np.ndarray:
        return np.asarray(0.5 * path_cosine + 0.5 * view.similarity(concepts))

    def promise(self, view: NoteView, explored: np.ndarray, most: int) -> np.ndarray:
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

    def told(self, view: NoteView, state: WalkState, step: int) -> np.ndarray:
        """What the policy reads of a state after so many steps: (d,) float32, or (d + OUTLOOK,).

        OUTLOOK: log(1 + explored concepts) by group, log(1 + promise) by group, the share of steps left, log(1 + paths).
        """
        mean = average(state)
        if self.settings.state == StateKind.CONCEPTS:
            return mean
        tally = np.bincount(self.graph.groups[state.explored], minlength=GROUP_COUNT)
        paths = len(state.paths)
        promise = self.step.promise(view, state.explored, paths)
        left = 1.0 - step / max(1, self.settings.steps)
        outlook = np.log1p(np.concatenate([tally, promise, [np.expm1(left), paths]]))
        return np.concatenate([mean, outlook.astype(np.float32)])

    def legal(self, state: WalkState) -> np.ndarray:
        """(15,) bool: groups with an explored concept or, with frontier candidates, a neighbour of one."""
        own = np.bitwise_or.reduce(1 << self.graph.groups[state.explored].astype(np.int64))
        if self.settings.candidates == CandidateKind.FRONTIER:
            own |= np.bitwise_or.reduce(self.graph.reach[state.explored].astype(np.int64))
        return np.asarray((own >> np.arange(GROUP_COUNT)) & 1, dtype=bool)

    def advance(self, view: NoteView, state: WalkState, group: int) -> WalkState:
        """One step into a group: connect where needed, then retrieve (section 2.2). A path without a candidate stays."""
        self.graph.fetch(state.explored, group)
        paths, links, lengths = state.paths.copy(), state.links.copy(), state.lengths.copy()
        k = len(paths)
        sums = _path_sums(view, paths, lengths)
        last = paths[np.arange(k), lengths - 1]
        anchors = last.copy()
        taken = set(state.explored.tolist())
        found: list[int] = []
        leaving = self._leaving(state, last, group)
        if leaving.any():
            self._connect(view, state, group, leaving, paths, links, lengths, sums, anchors, taken, found)
        ready = np.flatnonzero(anchors >= 0)
        if len(ready):
            self._retrieve(view, group, ready, paths, links, lengths, sums, anchors, taken, found)
        if not found:
            return WalkState(group, paths, links, lengths, state.explored, state.total)
        new = np.array(found, dtype=np.int32)
        total = state.total + view.rows(new).sum(axis=0)
        return WalkState(group, paths, links, lengths, np.concatenate([state.explored, new]), total)

    def _leaving(self, state: WalkState, last: np.ndarray, group: int) -> np.ndarray:
        """(k,) bool: the paths that must connect to the group first."""
        if not self.settings.leaps:
            return np.zeros(len(last), dtype=bool)
        if self.settings.connect_when == ConnectWhen.CHANGED:
            return np.full(len(last), group != state.group)
        return np.asarray(self.graph.groups[last] != group)

    def _connect(
        self,
        view: NoteView,
        state: WalkState,
        group: int,
        leaving: np.ndarray,
        paths: np.ndarray,
        links: np.ndarray,
        lengths: np.ndarray,
        sums: np.ndarray,
        anchors: np.ndarray,
        taken: set[int],
        found: list[int],
    ) -> None:
        anchors[leaving] = -1
        candidates = self._candidates(view, state, group)
        if not len(candidates):
            return
        rows = np.flatnonzero(leaving)
        vectors = view.rows(candidates)
        scores = self.step.connect_scores(view, candidates, unit(sums[rows]) @ vectors.T)
        free = scores.copy()
        if self.settings.spread:
            free[:, [place for place, concept in enumerate(candidates.tolist()) if concept in taken]] = -np.inf
        best = scores.argmax(axis=1).tolist()  # candidates are sorted, so ties fall to the lowest id
        chosen, gained = [], []
        for at, (row, held) in enumerate(zip(rows.tolist(), paths[rows].tolist(), strict=True)):
            place = int(free[at].argmax())
            if free[at, place] == -np.inf:
                place = best[at]  # every candidate is on some path
            concept = int(candidates[place])
            chosen.append(place)
            if concept in held:
                continue  # already on this path: anchor there, append nothing
            gained.append((row, place))
            if concept not in taken:
                taken.add(concept)
                found.append(concept)
                if self.settings.spread:
                    free[:, place] = -np.inf
        anchors[rows] = candidates[chosen]
        if gained:
            at, places = np.array(gained).T
            _append(paths, links, lengths, at, candidates[places], LEAP)
            sums[at] += vectors[places]

    def _candidates(self, view: NoteView, state: WalkState, group: int) -> np.ndarray:
        """The connection points in a group, sorted by id: C_cand, and in frontier mode the neighbours as well."""
        own = state.explored[self.graph.groups[state.explored] == group]
        if self.settings.candidates == CandidateKind.FRONTIER:
            _, tails, _ = self.graph.into_group_many(state.explored, group)
            if view.allowed is not None:
                tails = tails[view.allowed[tails]]
            own = np.concatenate([own, tails])
        own = distinct(own)
        cap = self.settings.connect_cap
        if cap and len(own) > cap:
            best = np.argsort(-self.step.worth(view, own), kind="stable")[:cap]
            own = np.sort(own[best])
        return own

    def _retrieve(
        self,
        view: NoteView,
        group: int,
        ready: np.ndarray,
        paths: np.ndarray,
        links: np.ndarray,
        lengths: np.ndarray,
        sums: np.ndarray,
        anchors: np.ndarray,
        taken: set[int],
        found: list[int],
    ) -> None:
        offsets, tails, relations = self.graph.into_group_many(anchors[ready], group)
        rows = np.repeat(np.arange(len(ready)), np.diff(offsets))
        if view.allowed is not None:
            keep = view.allowed[tails]
            rows, tails, relations = rows[keep], tails[keep], relations[keep]
        keep = ~(paths[ready, : int(lengths.max())][rows] == tails[:, None]).any(axis=1)
        rows, tails, relations = rows[keep], tails[keep], relations[keep]
        if not len(rows):
            return
        cap = self.settings.retrieve_cap
        if cap and np.bincount(rows).max() > cap:
            order = np.lexsort((tails, -self.step.worth(view, tails), rows))
            rows, tails, relations = rows[order], tails[order], relations[order]
            keep = np.arange(len(rows)) - np.searchsorted(rows, rows) < cap
            rows, tails, relations = rows[keep], tails[keep], relations[keep]
        once = distinct(tails)  # paths share candidates
        cosine = (unit(sums[ready]) @ view.rows(once).T)[rows, np.searchsorted(once, tails)]
        scores = self.step.retrieve_scores(view, tails, relations, cosine)
        order = np.lexsort((relations, tails, -scores, rows))
        bounds = np.searchsorted(rows[order], np.arange(len(ready) + 1)).tolist()
        ids = tails[order].tolist()
        moving, chosen = [], []
        for at, (start, end) in enumerate(pairwise(bounds)):
            if start == end:
                continue
            place = start
            if self.settings.spread:
                place = next((p for p in range(start, end) if ids[p] not in taken), start)
            concept = ids[place]
            moving.append(at)
            chosen.append(place)
            if concept not in taken:
                taken.add(concept)
                found.append(concept)
        steppers, edges = ready[moving], order[chosen]
        followed = paths[steppers, lengths[steppers] - 1] == anchors[steppers]
        _append(paths, links, lengths, steppers, tails[edges], np.where(followed, relations[edges], LEAP))


def leap_relation(graph: PathGraph, head: int, tail: int) -> int:
    """The relation id of an edge that joins the two, the lowest; LEAP when none does. Needs fetched edges."""
    _, tails, relations = graph.into_group_many(np.array([head]), int(graph.groups[tail]))
    joined = relations[tails == tail]
    return int(joined.min()) if len(joined) else LEAP


def _append(
    paths: np.ndarray,
    links: np.ndarray,
    lengths: np.ndarray,
    rows: np.ndarray,
    concepts: np.ndarray,
    kinds: np.ndarray | int,
) -> None:
    """One concept to each of some paths, which are distinct."""
    places = lengths[rows]
    paths[rows, places] = concepts
    links[rows, places] = kinds
    lengths[rows] = places + 1


def _path_sums(view: NoteView, paths: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """(k, d) float32: the sum of each path's vectors; its direction is the path's mean."""
    held = paths[np.arange(paths.shape[1]) < lengths[:, None]]  # path by path, so that one look-up serves all
    return summed(view.rows(held), lengths)
