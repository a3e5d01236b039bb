"""Comparisons that take concepts near the keywords: one hop at random or by similarity, and two hops by similarity.

Random1hop and Sim1hop are ReinRAG's baselines (section 3.1). Sim1hop by the keywords' mean and the two-hop neighbourhood
are further comparisons.
"""

import zlib

import numpy as np

from backend.evaluation.example import NoteExample
from backend.evaluation.retrievers import Knowledge, best


class RandomOneHop:
    """One-hop neighbours in an order drawn from the seed and the pair's id."""

    name = "random1hop"

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self._knowledge = knowledge
        self._seed = seed

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
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
        near = one_hop(self._knowledge, example)
        goal = self._knowledge.keyword_mean(example) if self._by_keywords else example.text_vector
        return best(near, self._knowledge.cosine(near, goal), budget)


class TwoHop:
    """Everything within two edges of a keyword, by cosine to the mean of the keywords."""

    name = "two-hop"

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        near = self._knowledge.neighbours(example.keywords)
        reached = np.union1d(near, self._knowledge.neighbours(near))
        reached = np.setdiff1d(reached, example.keywords)
        goal = self._knowledge.keyword_mean(example)
        return best(reached, self._knowledge.cosine(reached, goal), budget)


def one_hop(knowledge: Knowledge, example: NoteExample) -> np.ndarray:
    """The distinct neighbours of the keywords, the keywords left out, sorted."""
    return np.setdiff1d(knowledge.neighbours(example.keywords), example.keywords)
