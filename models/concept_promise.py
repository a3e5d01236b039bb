"""What each semantic group still promises a walk: the chances of the concepts that it could take next.

Only concepts of training documents count, and only those one edge from what the walk has explored. They are few, so this
costs some tens of microseconds a state once the note's chances are known.
"""

from typing import NamedTuple

import numpy as np

from models.concept_edges import Edges


class Chances(NamedTuple):
    """A note's chances over the vocabulary, by group and then the likeliest first. All (v,).

    order: places in the vocabulary. groups: of each. chances: between 0 and 1, 0 where a concept is closed.
    """

    order: np.ndarray
    groups: np.ndarray
    chances: np.ndarray


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

    def chances(self, log_odds: np.ndarray, allowed: np.ndarray | None) -> Chances:
        """log_odds: (v,) of the vocabulary for one note. allowed: (n,) bool over the graph, None for all."""
        chances = 1.0 / (1.0 + np.exp(-log_odds.astype(np.float64)))
        if allowed is not None:
            chances = chances * allowed[self.vocabulary]
        order = np.lexsort((-chances, self._groups))
        return Chances(order, self._groups[order], chances[order])

    def of(self, note: Chances, explored: np.ndarray, most: int, groups: int) -> np.ndarray:
        """(groups,) float32: the sum of the `most` highest chances in each group among concepts that an edge leads to.

        explored: (e,) concepts that count no more.
        """
        starts, counts = self._offsets[explored], self._offsets[explored + 1] - self._offsets[explored]
        shift = np.cumsum(counts) - counts
        reached = np.zeros(len(self.vocabulary), dtype=bool)
        reached[self._led[np.arange(int(counts.sum())) + np.repeat(starts - shift, counts)]] = True
        held = self._place[explored]
        reached[held[held >= 0]] = False
        places = np.flatnonzero(reached[note.order])
        in_group = note.groups[places]
        # places stand by group, so a place's rank in its group is its distance to the group's first
        sizes = np.bincount(in_group, minlength=groups)
        rank = np.arange(len(places)) - (np.cumsum(sizes) - sizes)[in_group]
        first = rank < most
        summed = np.bincount(in_group[first], weights=note.chances[places[first]], minlength=groups)
        return np.asarray(summed, dtype=np.float32)
