"""Comparisons that take concepts near the keywords: one hop at random or by similarity, and two hops by similarity.

Random1hop and Sim1hop are ReinRAG's baselines (section 3.1). Sim1hop by the keywords' mean and the two-hop neighbourhood
are further comparisons.
"""

import zlib
from collections.abc import Iterable, Sequence

import numpy as np

from backend.evaluation.paths.retrievers.concept_retrievers import Knowledge, best
from backend.evaluation.paths.retrievers.linked_example import NoteExample


class RandomOneHop:
    """One-hop neighbours in an order drawn from the seed and the pair's id."""

    name = "random1hop"

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge = knowledge
        self._seed = seed

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        """One-hop concepts of the keywords, drawn by seed and note."""
        near = one_hop(self._knowledge, example)
        drawn = np.random.default_rng([self._seed, zlib.crc32(example.pair_id.encode())])
        return np.asarray(drawn.permutation(near)[:budget])


class SimilarOneHop:
    """One-hop neighbours by cosine to the whole note (as published), or to the mean of the keywords."""

    def __init__(self, knowledge: Knowledge, by_keywords: bool = False) -> None:
        self.name = "sim1hop-keywords" if by_keywords else "sim1hop"
        self._knowledge = knowledge
        self._by_keywords = by_keywords

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        """One-hop concepts of the keywords, the most similar to the note or to its keywords first."""
        near = one_hop(self._knowledge, example)
        known = self._knowledge
        score = known.cosine(near, known.keyword_mean(example)) if self._by_keywords else known.to_note(near, example)
        return best(near, score, budget)


class TwoHop:
    """Everything within two edges of a keyword, by cosine to the mean of the keywords."""

    name = "two-hop"

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        """Concepts within two hops of the keywords, the most similar first."""
        near = self._knowledge.neighbours(example.keywords)
        reached = np.union1d(near, self._knowledge.neighbours(near))
        reached = np.setdiff1d(reached, example.keywords)
        goal = self._knowledge.keyword_mean(example)
        return best(reached, self._knowledge.cosine(reached, goal), budget)


def one_hop(knowledge: Knowledge, example: NoteExample) -> np.ndarray:
    """The distinct neighbours of the keywords, the keywords left out, sorted."""
    return np.setdiff1d(knowledge.neighbours(example.keywords), example.keywords)


BLOCK = 16_384
SLACK = 2
"""Candidates kept a note for each one wanted. They are scored again, so that no rounding of a block decides a tie."""


class DenseNeighbours:
    """All concepts by cosine to the whole note, or to the mean of the keywords."""

    def __init__(self, knowledge: Knowledge, by_keywords: bool = False) -> None:
        self.name = "dense-keywords" if by_keywords else "dense"
        self._knowledge = knowledge
        self._by_keywords = by_keywords
        self._ahead: dict[str, tuple[int, np.ndarray]] = {}

    def prepare(self, examples: Sequence[NoteExample], budget: int) -> None:
        """Search for several notes in one pass; ranked then only looks up. What was prepared before is forgotten."""
        most = budget + max((len(example.keywords) for example in examples), default=0)
        goals = np.array([self._goal(example) for example in examples], dtype=np.float32)
        found = self._nearest(goals, most) if len(goals) else []
        self._ahead = {example.pair_id: (most, row) for example, row in zip(examples, found, strict=True)}

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        """The concepts nearest to the note or to its keywords, whatever the graph says."""
        goal, most = self._goal(example), budget + len(example.keywords)
        if not goal.any():
            return np.zeros(0, dtype=np.int64)  # no keyword, nothing to be near to
        held, found = self._ahead.get(example.pair_id, (0, np.zeros(0, dtype=np.int64)))
        if held < most:
            (found,) = self._nearest(goal[None], most)
        return np.asarray(found[~np.isin(found, example.keywords)][:budget])

    def _goal(self, example: NoteExample) -> np.ndarray:
        return self._knowledge.keyword_mean(example) if self._by_keywords else example.text_vector

    def _nearest(self, goals: np.ndarray, most: int) -> list[np.ndarray]:
        allowed = self._knowledge.allowed
        vectors = self._knowledge.vectors if self._by_keywords else self._knowledge.by_note
        if allowed is None:
            return nearest(vectors, goals, most)
        closed = int((~allowed).sum())
        found = nearest(vectors, goals, most + closed)
        return [row[allowed[row]][:most] for row in found]


def nearest(vectors: np.ndarray, goals: np.ndarray, most: int) -> list[np.ndarray]:
    """For each goal (q, d) the indices of the rows with the highest product, best first; equal ones by index."""
    kept = SLACK * most
    held = np.zeros((len(goals), 0), dtype=np.int64)
    scores = np.zeros((len(goals), 0), dtype=np.float32)
    for start in range(0, len(vectors), BLOCK):
        block = goals @ vectors[start : start + BLOCK].astype(np.float32).T
        places = np.broadcast_to(np.arange(start, start + block.shape[1]), block.shape)
        held, scores = np.concatenate([held, places], axis=1), np.concatenate([scores, block], axis=1)
        if held.shape[1] > kept:
            chosen = np.argpartition(-scores, kept - 1, axis=1)[:, :kept]
            held, scores = np.take_along_axis(held, chosen, axis=1), np.take_along_axis(scores, chosen, axis=1)
    return [_exact(vectors, goal, np.sort(row), most) for goal, row in zip(goals, held, strict=True)]


def _exact(vectors: np.ndarray, goal: np.ndarray, candidates: np.ndarray, most: int) -> np.ndarray:
    scores = vectors[candidates].astype(np.float64) @ goal.astype(np.float64)
    return best(candidates, np.round(scores, 9), most)


class PopularityPrior:
    """truths: the document concepts of the training pairs, one array a pair. It must hold no evaluated pair."""

    name = "popularity"

    def __init__(self, truths: Iterable[np.ndarray], concepts: int) -> None:
        counts = np.zeros(concepts, dtype=np.int64)
        for truth in truths:
            counts[np.unique(truth)] += 1
        seen = np.flatnonzero(counts)
        self._order = seen[np.lexsort((seen, -counts[seen]))]

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        """The commonest concepts of the training documents without the note's keywords."""
        first = self._order[: budget + len(example.keywords)]
        return np.asarray(first[~np.isin(first, example.keywords)][:budget])
