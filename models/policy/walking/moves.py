"""One step of many walks into one group: connect where needed, then retrieve (ReinRAG section 2.2).

The walks may be of different notes over the same vectors. Edges are looked up and sorted for all of them together; what is
scored is scored walk by walk, with arrays of the same shapes as by itself, so a walk goes the same way in any company.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from backend.interfaces import PathGraph
from models.policy.walking.note_view import ConceptStep, NoteView, distinct, unit
from models.policy.walking.walk_settings import CandidateKind, ConnectWhen, WalkSettings
from models.policy.walking.walk_state import LEAP, WalkState


class Move:
    """A step in the making. Rows are the paths of all walks, walk by walk; a key is walk * concepts + concept."""

    def __init__(
        self,
        graph: PathGraph,
        settings: WalkSettings,
        step: ConceptStep,
        views: Sequence[NoteView],
        states: Sequence[WalkState],
        group: int,
    ) -> None:
        self._graph, self._settings, self._step = graph, settings, step
        self._views, self._states, self._group = views, states, group
        counts = [len(state.paths) for state in states]
        self._bounds = np.concatenate([[0], np.cumsum(counts)]).tolist()
        self._owner = np.repeat(np.arange(len(states)), counts)
        self._paths = np.concatenate([state.paths for state in states])
        self._links = np.concatenate([state.links for state in states])
        self._lengths = np.concatenate([state.lengths for state in states])
        self._last = self._paths[np.arange(len(self._paths)), self._lengths - 1]
        self._anchors = self._last.copy()
        self._width = len(graph.groups)
        self._explored = np.concatenate([state.explored for state in states])
        self._explorer = np.repeat(np.arange(len(states)), [len(state.explored) for state in states])
        self._taken = [set(state.explored.tolist()) for state in states]
        self._found: list[list[int]] = [[] for _ in states]
        held = self._paths[np.arange(self._paths.shape[1]) < self._lengths[:, None]]
        self._sums = views[0].sums(held, self._lengths)

    def made(self) -> list[WalkState]:
        """The states after the step. A path without a candidate stays."""
        self._graph.fetch(self._explored, self._group)
        leaving = self._leaving()
        if leaving.any():
            self._connect(leaving)
        ready = np.flatnonzero(self._anchors >= 0)
        if len(ready):
            self._retrieve(ready)
        after = []
        for place, (view, state) in enumerate(zip(self._views, self._states, strict=True)):
            rows = slice(self._bounds[place], self._bounds[place + 1])
            explored, total = state.explored, state.total
            if self._found[place]:
                new = np.array(self._found[place], dtype=np.int32)
                explored, total = np.concatenate([explored, new]), total + view.rows(new).sum(axis=0)
            # copies, so that a kept state does not keep all of its company
            parts = (self._paths[rows].copy(), self._links[rows].copy(), self._lengths[rows].copy())
            after.append(WalkState(self._group, *parts, explored, total))
        return after

    def _leaving(self) -> np.ndarray:
        """(rows,) bool: the paths that must connect to the group first."""
        if not self._settings.leaps:
            return np.zeros(len(self._paths), dtype=bool)
        if self._settings.connect_when == ConnectWhen.CHANGED:
            changed = np.array([state.group != self._group for state in self._states])
            return np.asarray(changed[self._owner])
        return np.asarray(self._graph.groups[self._last] != self._group)

    def _connect(self, leaving: np.ndarray) -> None:
        self._anchors[leaving] = -1
        rows = np.flatnonzero(leaving)
        ways = unit(self._sums[rows])
        bounds = np.searchsorted(rows, self._bounds).tolist()
        paths = self._paths[rows].tolist()
        moved, points = [], []
        for place, candidates in self._candidates(bounds):
            view, spread = self._views[place], self._settings.spread
            start, end = bounds[place], bounds[place + 1]
            own = rows[start:end]
            vectors = view.rows(candidates)
            taken, found = self._taken[place], self._found[place]
            scores = self._step.connect_scores(view, candidates, ways[start:end] @ vectors.T)
            free, ids = scores, candidates.tolist()
            if spread:
                free = scores.copy()
                free[:, [i for i, concept in enumerate(ids) if concept in taken]] = -np.inf
            best = scores.argmax(axis=1).tolist()  # candidates are sorted, so ties fall to the lowest id
            chosen, gained = [], []
            for i, held in enumerate(paths[start:end]):
                point = best[i]
                if spread:
                    point = int(free[i].argmax())
                    if free[i, point] == -np.inf:
                        point = best[i]  # every candidate is on some path
                concept = ids[point]
                chosen.append(point)
                if concept in held:
                    continue  # already on this path: anchor there, append nothing
                gained.append(i)
                if concept not in taken:
                    taken.add(concept)
                    found.append(concept)
                    if spread:
                        free[:, point] = -np.inf
            self._anchors[own] = candidates[chosen]
            if gained:
                reached = [chosen[i] for i in gained]
                self._sums[own[gained]] += vectors[reached]
                moved.append(own[gained])
                points.append(candidates[reached])
        if moved:
            self._append(np.concatenate(moved), np.concatenate(points), LEAP)

    def _candidates(self, bounds: Sequence[int]) -> list[tuple[int, np.ndarray]]:
        """The connection points in the group of each walk that needs them, sorted by id: C_cand.

        In frontier mode the neighbours as well. Walks without any are left out.
        """
        asking = np.diff(bounds) > 0
        own = (self._graph.groups[self._explored] == self._group) & asking[self._explorer]
        keys = self._explorer[own] * self._width + self._explored[own]
        if self._settings.candidates == CandidateKind.FRONTIER:
            among = asking[self._explorer]
            offsets, tails, _ = self._graph.into_group_many(self._explored[among], self._group)
            owners = np.repeat(self._explorer[among], np.diff(offsets))
            open_ = self._open(owners, tails)
            if open_ is not None:
                owners, tails = owners[open_], tails[open_]
            keys = np.concatenate([keys, owners * self._width + tails])
        keys = distinct(keys)
        cuts = np.searchsorted(keys, np.arange(len(self._states) + 1) * self._width).tolist()
        concepts = keys % self._width
        cap, found = self._settings.connect_cap, []
        for place, (start, end) in enumerate(pairwise(cuts)):
            if start == end:
                continue
            some = concepts[start:end]
            if cap and len(some) > cap:
                best = np.argsort(-self._step.worth(self._views[place], some), kind="stable")[:cap]
                some = np.sort(some[best])
            found.append((place, some))
        return found

    def _retrieve(self, ready: np.ndarray) -> None:
        edges = self._edges(ready)
        if not len(edges.rows):
            return
        rows, tails, relations = edges
        owner = self._owner[rows]
        keys = owner * self._width + tails
        once = distinct(keys)  # paths share candidates
        column = np.searchsorted(once, keys)
        cuts = np.searchsorted(once, np.arange(len(self._states) + 1) * self._width).tolist()
        ends = np.searchsorted(owner, np.arange(len(self._states) + 1)).tolist()
        concepts = once % self._width
        ways = unit(self._sums)
        scores = np.empty(len(rows), dtype=np.float32)
        for place, (start, end) in enumerate(pairwise(ends)):
            if start == end:
                continue
            view, mine = self._views[place], slice(start, end)
            own = slice(self._bounds[place], self._bounds[place + 1])
            cosine = ways[own] @ view.rows(concepts[cuts[place] : cuts[place + 1]]).T
            near = cosine[rows[mine] - own.start, column[mine] - cuts[place]]
            scores[mine] = self._step.retrieve_scores(view, tails[mine], relations[mine], near)
        order = np.lexsort((relations, tails, -scores, rows))
        sorted_rows, ids = rows[order], tails[order].tolist()
        firsts = np.flatnonzero(np.concatenate([[True], sorted_rows[1:] != sorted_rows[:-1]])).tolist()
        moving = sorted_rows[firsts]
        chosen = []
        for (start, end), place in zip(pairwise([*firsts, len(ids)]), self._owner[moving].tolist(), strict=True):
            taken = self._taken[place]
            at = start
            if self._settings.spread:
                at = next((p for p in range(start, end) if ids[p] not in taken), start)
            concept = ids[at]
            chosen.append(at)
            if concept not in taken:
                taken.add(concept)
                self._found[place].append(concept)
        picked = order[chosen]
        followed = self._paths[moving, self._lengths[moving] - 1] == self._anchors[moving]
        self._append(moving, tails[picked], np.where(followed, relations[picked], LEAP))

    def _edges(self, ready: np.ndarray) -> "_Edges":
        """What each path may follow from its anchor: no closed concept, none it has been to, no more than the cap."""
        offsets, tails, relations = self._graph.into_group_many(self._anchors[ready], self._group)
        at = np.repeat(np.arange(len(ready)), np.diff(offsets))
        keep = ~(self._paths[ready, : int(self._lengths.max())][at] == tails[:, None]).any(axis=1)
        rows = ready[at]
        open_ = self._open(self._owner[rows], tails)
        if open_ is not None:
            keep &= open_
        rows, tails, relations = rows[keep], tails[keep], relations[keep]
        cap = self._settings.retrieve_cap
        if not cap or not len(rows) or np.bincount(rows).max() <= cap:
            return _Edges(rows, tails, relations)
        wide = np.flatnonzero(np.bincount(rows, minlength=len(self._paths))[rows] > cap)
        owner = self._owner[rows[wide]]
        worth = np.empty(len(wide), dtype=np.float32)
        for place in np.unique(owner).tolist():
            mine = owner == place
            worth[mine] = self._step.worth(self._views[place], tails[wide[mine]])
        order = wide[np.lexsort((tails[wide], -worth, rows[wide]))]
        kept = order[np.arange(len(order)) - np.searchsorted(rows[order], rows[order]) < cap]
        keep = np.ones(len(rows), dtype=bool)
        keep[wide] = False
        keep[kept] = True
        return _Edges(rows[keep], tails[keep], relations[keep])

    def _open(self, owners: np.ndarray, concepts: np.ndarray) -> np.ndarray | None:
        """(m,) bool: which concepts the note of their walk may touch; None when that is all."""
        masks = {id(view.allowed): view.allowed for view in self._views}
        if len(masks) == 1:
            (allowed,) = masks.values()
            return None if allowed is None else np.asarray(allowed[concepts])
        keep = np.ones(len(concepts), dtype=bool)
        ends = np.searchsorted(owners, np.arange(len(self._views) + 1)).tolist()
        for view, (start, end) in zip(self._views, pairwise(ends), strict=True):
            if view.allowed is not None:
                keep[start:end] = view.allowed[concepts[start:end]]
        return keep

    def _append(self, rows: np.ndarray, concepts: np.ndarray, kinds: np.ndarray | int) -> None:
        """One concept to each of some paths, which are distinct."""
        places = self._lengths[rows]
        self._paths[rows, places] = concepts
        self._links[rows, places] = kinds
        self._lengths[rows] = places + 1


class _Edges(NamedTuple):
    """rows, tails, relations: (m,) each; rows rise."""

    rows: np.ndarray
    tails: np.ndarray
    relations: np.ndarray
