"""What training documents tell of a concept, given a note's keywords: the features of the learned concept step.

Statistics are counts over training pairs. A training note is scored without its own counts (leave one out), or it would
find its own document in them.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from scipy.sparse import csr_matrix

from models.environment import GROUP_COUNT
from models.note_view import NoteView
from models.rollouts import Example

SHRINK = 5.0
"""Pseudo-notes that pull a keyword's conditional share towards the overall share."""
SENDERS = 500
LEAST_FLOW = -9.0
"""The logarithm where a concept is reached by less, or not at all."""
NAMES = (
    "log share of documents",
    "in no training document",
    "mean association with the keywords",
    "largest association with a keyword",
    "sum of positive associations",
    "share times largest association",
    "cosine to the keywords",
    "largest cosine to a keyword",
    "log degree",
    "log flow over one edge",
    "log flow over two edges",
    *(f"group {group}" for group in range(GROUP_COUNT)),
)


class Edges(Protocol):
    """A graph in CSR form: the tails of concept i are tails[offsets[i]:offsets[i + 1]]; groups (n,)."""

    @property
    def offsets(self) -> np.ndarray: ...
    @property
    def tails(self) -> np.ndarray: ...
    @property
    def groups(self) -> np.ndarray: ...


class Statistics(NamedTuple):
    """Counts over `notes` training pairs.

    vocabulary: (v,) int32, sorted: concepts of at least one document. truth_counts: (v,) documents that hold it.
    keywords: (q,) int32, sorted; keyword_counts: (q,) notes that hold it. joint: (q, v) float32, sparse: notes that hold the
    keyword and whose document holds the concept.
    """

    notes: int
    vocabulary: np.ndarray
    truth_counts: np.ndarray
    keywords: np.ndarray
    keyword_counts: np.ndarray
    joint: csr_matrix


def count(examples: Sequence[Example]) -> Statistics:
    """Statistics of training examples. A keyword that the document repeats counts as said in the document."""
    vocabulary, truth_counts = np.unique(np.concatenate([e.truth for e in examples]), return_counts=True)
    keywords, keyword_counts = np.unique(np.concatenate([e.keywords for e in examples]), return_counts=True)
    said = [np.searchsorted(vocabulary, e.truth) for e in examples]
    asked = [np.searchsorted(keywords, e.keywords) for e in examples]
    rows = np.concatenate([np.repeat(q, len(c)) for q, c in zip(asked, said, strict=True)])
    columns = np.concatenate([np.tile(c, len(q)) for q, c in zip(asked, said, strict=True)])
    ones = np.ones(len(rows), dtype=np.float32)
    joint = csr_matrix((ones, (rows, columns)), shape=(len(keywords), len(vocabulary)))  # sums what repeats
    return Statistics(
        len(examples),
        vocabulary.astype(np.int32),
        truth_counts.astype(np.float32),
        keywords.astype(np.int32),
        keyword_counts.astype(np.float32),
        joint,
    )


class Features:
    """Features of any concepts for one note; its own document is left out when it is itself a training example."""

    def __init__(self, statistics: Statistics, edges: Edges, view: NoteView) -> None:
        self._edges = edges
        self._flow = flow(edges, view.keywords)
        self._view = view
        self._vocabulary = statistics.vocabulary
        self._statistics = statistics
        self._table = _note_table(statistics, view.keywords, view.own)
        self._unseen = np.array([np.log(0.5 / (statistics.notes + 1.0)), 1.0, 0.0, 0.0, 0.0, 0.0], dtype=np.float32)

    def of(self, concepts: np.ndarray) -> np.ndarray:
        """(len(concepts), len(NAMES)) float32."""
        view = self._view
        out = np.zeros((len(concepts), len(NAMES)), dtype=np.float32)
        place, seen = _places(self._vocabulary, concepts)
        out[:, :6] = self._unseen
        out[seen, :6] = self._table[place[seen]]
        rows = view.rows(concepts)
        out[:, 6] = rows @ view.mean
        out[:, 7] = (rows @ view.rows(view.keywords).T).max(axis=1)
        out[:, 8] = np.log1p(self._edges.offsets[concepts + 1] - self._edges.offsets[concepts])
        for column, (ids, amount) in zip((9, 10), self._flow, strict=True):
            place, reached = _places(ids, concepts)
            out[:, column] = LEAST_FLOW
            out[reached, column] = np.maximum(np.log(amount[place[reached]]), LEAST_FLOW)
        out[np.arange(len(concepts)), 11 + self._edges.groups[concepts]] = 1.0
        return out

    def associations(self, concepts: np.ndarray) -> np.ndarray:
        """(len(concepts), keywords) float32: the shrunk share of a keyword's notes whose document holds each concept."""
        out = np.zeros((len(concepts), len(self._view.keywords)), dtype=np.float32)
        counted = self._statistics
        rows, known = _places(counted.keywords, self._view.keywords)
        columns, seen = _places(counted.vocabulary, concepts)
        joint = counted.joint[rows[known]].toarray()[:, columns[seen]]
        out[np.ix_(seen, known)] = (joint / (counted.keyword_counts[rows[known]][:, None] + SHRINK)).T
        return out


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


def _spread(edges: Edges, heads: np.ndarray, amounts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    starts, counts = edges.offsets[heads], edges.offsets[heads + 1] - edges.offsets[heads]
    shift = np.cumsum(counts) - counts
    places = np.arange(int(counts.sum())) + np.repeat(starts - shift, counts)
    sent = np.repeat(amounts / np.maximum(counts, 1), counts)
    ids, where = np.unique(edges.tails[places], return_inverse=True)
    return ids, np.bincount(where, weights=sent, minlength=len(ids))


def _places(sorted_ids: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each id stands among sorted ones, and whether it is there at all."""
    if not len(sorted_ids):
        return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=bool)
    places = np.searchsorted(sorted_ids, wanted).clip(max=len(sorted_ids) - 1)
    return places, sorted_ids[places] == wanted


def _note_table(statistics: Statistics, keywords: np.ndarray, own: np.ndarray | None) -> np.ndarray:
    """(v, 6) float32: the features that depend on counts, for every concept of the vocabulary."""
    places, known = _places(statistics.keywords, keywords)
    rows = places[known]
    notes, counts = float(statistics.notes), statistics.truth_counts
    joint, held = statistics.joint[rows].toarray(), statistics.keyword_counts[rows]
    if own is not None:
        mine = np.isin(statistics.vocabulary, own).astype(np.float32)
        notes, counts = notes - 1.0, counts - mine
        joint, held = joint - mine, held - 1.0
    share = (counts + 0.5) / (notes + 1.0)
    table = np.zeros((len(counts), 6), dtype=np.float32)
    table[:, 0] = np.log(share)
    table[:, 1] = counts <= 0
    if len(rows):
        # log of the shrunk share among the keyword's notes over the overall share; 0 where the keyword tells nothing
        told = np.log((joint + SHRINK * share) / ((held[:, None] + SHRINK) * share))
        table[:, 2] = told.mean(axis=0)
        table[:, 3] = told.max(axis=0)
        table[:, 4] = np.maximum(told, 0.0).sum(axis=0)
        table[:, 5] = share * np.exp(told.max(axis=0))
    return table
