"""What the edges of a graph tell of a concept, given a note's keywords: how much of them reaches it, and by which relations.

Counts no training note, so it holds for a reason for admission that no training note had.
"""

from typing import NamedTuple, Protocol

import numpy as np
from scipy.sparse import csr_matrix

SENDERS = 500
MOST_DISORDERS = 25
"""How many concepts that fit the keywords send their edges on."""
DISORDERS = 5
"""The semantic group of what a note's findings may come from."""


class Edges(Protocol):
    """A graph in CSR form: the tails of concept i are tails[offsets[i]:offsets[i + 1]], by relations[relation_ids]; groups (n,)."""

    @property
    def offsets(self) -> np.ndarray:
        """(n + 1,) where the edges of each concept begin."""
        ...

    @property
    def tails(self) -> np.ndarray:
        """(edges,) concepts."""
        ...

    @property
    def relation_ids(self) -> np.ndarray:
        """(edges,) indices into relations."""
        ...

    @property
    def relations(self) -> tuple[str, ...]:
        """The names of the relations."""
        ...

    @property
    def groups(self) -> np.ndarray:
        """(n,) the semantic group of each concept."""
        ...


class Reached(NamedTuple):
    """ids: (m,) sorted concepts that an edge leads to. amounts: (m, relations) float32, sparse: log(1 + amount) by relation."""

    ids: np.ndarray
    amounts: csr_matrix


def flow(edges: Edges, keywords: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """What reaches each concept when every keyword sends one unit over its edges, shared out alike, and it goes on once.

    (ids, amounts) after one edge and after two, ids sorted. Of what one edge reaches, the SENDERS with the most send on.
    """
    ids, amounts = _spread(edges, np.sort(keywords), np.ones(len(keywords)))
    first = (ids, amounts)
    if len(ids) > SENDERS:
        kept = np.sort(np.argsort(-amounts, kind="stable")[:SENDERS])
        ids, amounts = ids[kept], amounts[kept]
    return first, _spread(edges, ids, amounts)


def explaining_disorders(edges: Edges, keywords: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(ids, amounts): the disorders that fit the keywords best, the best at 1; ids sorted, none a keyword, MOST_DISORDERS at most.

    Each keyword gives every concept it has an edge to one over its edges; what adds up is squared, so that a few stand out.
    """
    heads = np.sort(keywords)
    places, counts = _places_of(edges, heads)
    tails, senders = edges.tails[places].astype(np.int64), np.repeat(np.arange(len(heads)), counts)
    once = np.unique(senders * len(edges.groups) + tails, return_index=True)[1]  # parallel edges count once
    ids, where = np.unique(tails[once], return_inverse=True)
    amounts = np.bincount(where, weights=np.repeat(1.0 / np.maximum(counts, 1), counts)[once], minlength=len(ids))
    kept = (edges.groups[ids] == DISORDERS) & ~np.isin(ids, heads)
    ids, amounts = ids[kept], amounts[kept]
    best = np.sort(np.argsort(-amounts, kind="stable")[:MOST_DISORDERS])
    ids, amounts = ids[best], amounts[best]
    return ids, (amounts / amounts.max()) ** 2 if len(amounts) else amounts


def by_relation(edges: Edges, heads: np.ndarray, amounts: np.ndarray) -> Reached:
    """What each concept gets when every head gives its amount over each of its edges, by the edge's relation."""
    places, counts = _places_of(edges, heads)
    ids, where = np.unique(edges.tails[places], return_inverse=True)
    given = np.repeat(amounts, counts).astype(np.float32)
    shape = (len(ids), len(edges.relations))
    reached = csr_matrix(
        (given, (where, edges.relation_ids[places].astype(np.int64))), shape=shape
    )  # sums what repeats
    reached.data = np.log1p(reached.data)
    return Reached(ids, reached)


def places_among(sorted_ids: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each id stands among sorted ones, and whether it is there at all."""
    if not len(sorted_ids):
        return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=bool)
    places = np.searchsorted(sorted_ids, wanted).clip(max=len(sorted_ids) - 1)
    return places, sorted_ids[places] == wanted


def _places_of(edges: Edges, heads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The places of all edges of some concepts, and how many each has."""
    starts, counts = edges.offsets[heads], edges.offsets[heads + 1] - edges.offsets[heads]
    shift = np.cumsum(counts) - counts
    return np.arange(int(counts.sum())) + np.repeat(starts - shift, counts), counts


def _spread(edges: Edges, heads: np.ndarray, amounts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    places, counts = _places_of(edges, heads)
    ids, where = np.unique(edges.tails[places], return_inverse=True)
    sent = np.repeat(amounts / np.maximum(counts, 1), counts)
    return ids, np.bincount(where, weights=sent, minlength=len(ids))
