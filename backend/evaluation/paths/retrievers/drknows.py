"""DR.KNOWS as a list of concepts: the concepts of its paths, path by path, in the paths' order.

Paths of up to two hops are kept hop by hop by the cosine of their last concept to the note; the published ranker is
trained and no weights are to be had (see backend/retrieval/paths/path_baselines.py, which draws the same paths).
"""

from typing import NamedTuple

import numpy as np

from backend.evaluation.paths.retrievers.concept_retrievers import Knowledge
from backend.evaluation.paths.retrievers.linked_example import NoteExample

HOPS = 2
BEAM = 30
WIDTH = 4
"""Paths kept a hop for each concept of the budget: many paths end in the same few concepts."""


class _Paths(NamedTuple):
    """start: (p,) the keyword of each path; steps: (p, hops) its concepts; score: (p,) cosine of the last one."""

    start: np.ndarray
    steps: np.ndarray
    score: np.ndarray


class DrKnowsConcepts:
    """DR.KNOWS as a list of concepts.

    Args:
        beam: paths that survive each hop; by default as many as the system `drknows` keeps, and more for a larger budget, so
            that it is compared at as many concepts as the others.
    """

    name = "drknows"

    def __init__(self, knowledge: Knowledge, beam: int | None = None) -> None:
        self._knowledge = knowledge
        self._beam = beam

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        """The concepts of its paths, path by path, in the paths' order."""
        width = self._beam or max(BEAM, WIDTH * budget)
        starts = np.unique(example.keywords)
        beam = _Paths(starts, np.zeros((len(starts), 0), dtype=np.int64), np.zeros(len(starts), dtype=np.float32))
        kept: list[tuple[float, int, int, list[int]]] = []
        for _ in range(HOPS):
            beam = self._longer(beam, example, width)
            kept += [
                (-score, start, steps[-1], steps)
                for start, steps, score in zip(
                    beam.start.tolist(), beam.steps.tolist(), beam.score.tolist(), strict=True
                )
            ]
        kept.sort()
        known = set(example.keywords.tolist())
        found = dict.fromkeys(concept for *_, steps in kept for concept in steps if concept not in known)
        return np.array(list(found)[:budget], dtype=np.int64)

    def _longer(self, beam: _Paths, example: NoteExample, width: int) -> _Paths:
        """The best paths that are one edge longer; one for each keyword and end."""
        graph = self._knowledge.graph
        last = beam.steps[:, -1] if beam.steps.shape[1] else beam.start
        counts = graph.offsets[last + 1] - graph.offsets[last]
        rows = np.repeat(np.arange(len(last)), counts)
        shift = np.cumsum(counts) - counts
        tails = graph.tails[np.arange(int(counts.sum())) + np.repeat(graph.offsets[last] - shift, counts)]
        fresh = (tails != beam.start[rows]) & ~(beam.steps[rows] == tails[:, None]).any(axis=1)
        if self._knowledge.allowed is not None:
            fresh &= self._knowledge.allowed[tails]
        rows, tails = rows[fresh], tails[fresh]
        # the first path to an end counts, as the beam is ordered
        key = beam.start[rows].astype(np.int64) * len(graph.groups) + tails
        _, first = np.unique(key, return_index=True)
        rows, tails = rows[np.sort(first)], tails[np.sort(first)]
        score = self._knowledge.to_note(tails, example)
        order = np.lexsort((tails, beam.start[rows], -score))[:width]
        rows, tails = rows[order], tails[order]
        steps = np.concatenate([beam.steps[rows], tails[:, None]], axis=1)
        return _Paths(beam.start[rows], steps.astype(np.int64), score[order])
