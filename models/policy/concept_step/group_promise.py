"""What each semantic group still promises a walk: how much better its best finds would be with those it could take next.

A walk is read from the top, so a concept counts by how much likelier it is than the one that it would push off the list of
the best BEST. Counting whatever can be reached sent all notes much the same way (docs/papers.md). Only concepts of training documents count, and only those one edge from what the walk has explored. They are few, so this
costs some tens of microseconds a state once the note's chances are known.
"""

from typing import NamedTuple

import numpy as np

from models.policy.concept_step.concept_edges import Edges

BEST = 30
"""How long the list of a walk's best finds is."""


class Chances(NamedTuple):
    """A note's chances over the vocabulary, by group and then the likeliest first. All (v,).

    order: places in the vocabulary. groups: of each. chances: between 0 and 1, 0 where a concept is closed or
    a keyword; by_place: the same in the vocabulary's order.
    """

    order: np.ndarray
    groups: np.ndarray
    chances: np.ndarray
    by_place: np.ndarray


class Promise:
    """vocabulary: (v,) int32, sorted: the concepts that count. Built once a graph; holds no note."""

    def __init__(self, edges: Edges, vocabulary: np.ndarray) -> None:
        self.vocabulary = vocabulary
        self._groups = edges.groups[vocabulary].astype(np.int64)
        self._place = np.full(len(edges.groups), -1, dtype=np.int32)
        self._place[vocabulary] = np.arange(len(vocabulary), dtype=np.int32)
        led = self._place[edges.tails]
        kept = led >= 0
        self._offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(kept)])[edges.offsets]
        self._led = led[kept]

    def chances(self, log_odds: np.ndarray, allowed: np.ndarray | None, keywords: np.ndarray) -> Chances:
        """The chances of one note.

        Args:
            log_odds: (v,) of the vocabulary.
            allowed: (n,) bool over the graph, None for all.
            keywords: (k,) the note's, which are no find.
        """
        chances = 1.0 / (1.0 + np.exp(-log_odds.astype(np.float64)))
        if allowed is not None:
            chances = chances * allowed[self.vocabulary]
        known = self._place[keywords]
        chances[known[known >= 0]] = 0.0
        order = np.lexsort((-chances, self._groups))
        return Chances(order, self._groups[order], chances[order], chances)

    def of(self, note: Chances, explored: np.ndarray, most: np.ndarray) -> np.ndarray:
        """(groups,) float32: what the likeliest concepts of each group that an edge leads to would add to the best finds.

        most: (groups,) how many of each group could be taken. explored: (e,) concepts, among them the finds so far. By the exchange of best for worst: the likeliest newcomer
        against the last of the list, the next against the last but one, and so on while that gains.
        """
        starts, counts = self._offsets[explored], self._offsets[explored + 1] - self._offsets[explored]
        shift = np.cumsum(counts) - counts
        reached = np.zeros(len(self.vocabulary), dtype=bool)
        reached[self._led[np.arange(int(counts.sum())) + np.repeat(starts - shift, counts)]] = True
        held = self._place[explored]
        held = held[held >= 0]
        reached[held] = False
        finds = np.sort(note.by_place[held])[::-1][:BEST]
        last_first = np.concatenate([np.zeros(BEST - len(finds)), finds[::-1]])
        places = np.flatnonzero(reached[note.order])
        in_group = note.groups[places]
        # places stand by group, so a place's rank in its group is its distance to the group's first
        sizes = np.bincount(in_group, minlength=len(most))
        rank = np.arange(len(places)) - (np.cumsum(sizes) - sizes)[in_group]
        first = rank < np.minimum(most, BEST)[in_group]
        gained = np.maximum(note.chances[places[first]] - last_first[rank[first]], 0.0)
        summed = np.bincount(in_group[first], weights=gained, minlength=len(most))
        return np.asarray(summed, dtype=np.float32)
