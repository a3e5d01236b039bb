"""What training documents tell of a concept, given a note's keywords: the features of the learned concept step.

Statistics are counts over training pairs. A training note is scored without the notes that its view names (itself at least),
or it would find its own document in them. What edges tell beside is of models/policy/concept_step/concept_edges.py.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from models.policy.concept_step.concept_edges import (
    Edges,
    Reached,
    by_relation,
    explaining_disorders,
    flow,
    places_among,
)
from models.policy.walking.environment import GROUP_COUNT
from models.policy.walking.note_view import NoteView, TrainingNote

__all__ = ["NAMES", "SHRINK", "Edges", "Features", "Statistics", "count", "feature_names"]

SHRINK = 5.0
"""Pseudo-notes that pull a keyword's conditional share towards the overall share."""
LIKE, LIKE_SHRINK = 0.6, 2.0
"""The cosine from which keywords of other notes are like the note's, and the pseudo-notes of what such notes tell."""
NEAREST, NEAREST_SHRINK = 20, 2.0
"""How many training notes, those whose whole-note vectors are nearest to the note's, are asked what their documents hold, and the
pseudo-notes of what they tell."""
LEAST_FLOW = -9.0
"""The logarithm where a concept is reached by less, or not at all."""
NAMES = (
    "log share of documents",
    "in no training document",
    "mean association with the keywords",
    "largest association with a keyword",
    "sum of positive associations",
    "share times largest association",
    "association with keywords like the note's",
    "share of documents among the nearest notes",
    "cosine to the keywords",
    "largest cosine to a keyword",
    "cosine to the whole note",
    "log degree",
    "log flow over one edge",
    "log flow over two edges",
    *(f"group {group}" for group in range(GROUP_COUNT)),
)
COUNTED = 8
"""How many of them, the first, come from counts."""


def feature_names(relations: Sequence[str]) -> tuple[str, ...]:
    """The columns of Features.of, in order: NAMES, then two for each relation of the graph."""
    return (
        *NAMES,
        *(f"from keywords by {relation}" for relation in relations),
        *(f"from what fits by {relation}" for relation in relations),
    )


class Statistics(NamedTuple):
    """Counts over `notes` training pairs.

    vocabulary: (v,) int32, sorted: concepts of at least one document. truth_counts: (v,) documents that hold it.
    keywords: (q,) int32, sorted; keyword_counts: (q,) notes that hold it. joint: (q, v) float32, sparse: notes that hold the
    keyword and whose document holds the concept. texts: (notes, d) float16, the vectors of the whole notes, of length 1; d is 0 where
    they were not encoded. held: (notes, v) float32, sparse: 1 where a note's document holds the concept. pair_ids: of the notes, by
    which a training note finds itself; empty once stored.
    """

    notes: int
    vocabulary: np.ndarray
    truth_counts: np.ndarray
    keywords: np.ndarray
    keyword_counts: np.ndarray
    joint: csr_matrix
    texts: np.ndarray
    held: csr_matrix
    pair_ids: tuple[str, ...] = ()


def count(examples: Sequence[TrainingNote]) -> Statistics:
    """Statistics of training examples. A keyword that the document repeats counts as said in the document."""
    vocabulary, truth_counts = np.unique(np.concatenate([e.truth for e in examples]), return_counts=True)
    keywords, keyword_counts = np.unique(np.concatenate([e.keywords for e in examples]), return_counts=True)
    said = [np.searchsorted(vocabulary, e.truth) for e in examples]
    asked = [np.searchsorted(keywords, e.keywords) for e in examples]
    rows = np.concatenate([np.repeat(q, len(c)) for q, c in zip(asked, said, strict=True)])
    columns = np.concatenate([np.tile(c, len(q)) for q, c in zip(asked, said, strict=True)])
    ones = np.ones(len(rows), dtype=np.float32)
    joint = csr_matrix((ones, (rows, columns)), shape=(len(keywords), len(vocabulary)))  # sums what repeats
    places = np.repeat(np.arange(len(examples)), [len(c) for c in said])
    once = np.ones(len(places), dtype=np.float32)
    held = csr_matrix((once, (places, np.concatenate(said))), shape=(len(examples), len(vocabulary)))
    return Statistics(
        len(examples),
        vocabulary.astype(np.int32),
        truth_counts.astype(np.float32),
        keywords.astype(np.int32),
        keyword_counts.astype(np.float32),
        joint,
        _texts(examples),
        held,
        tuple(e.pair_id for e in examples),
    )


def _texts(examples: Sequence[TrainingNote]) -> np.ndarray:
    width = max(len(e.text_vector) for e in examples)
    texts = np.zeros((len(examples), width), dtype=np.float16)
    for place, example in enumerate(examples):
        if len(example.text_vector):
            texts[place] = example.text_vector
    return texts


class Features:
    """Features of any concepts for one note; notes that its view names are left out of the counts."""

    def __init__(self, statistics: Statistics, edges: Edges, view: NoteView) -> None:
        self._edges = edges
        self._flow = flow(edges, view.keywords)
        self._reached = (
            by_relation(edges, view.keywords, np.ones(len(view.keywords))),
            by_relation(edges, *explaining_disorders(edges, view.keywords)),
        )
        self._view = view
        self._vocabulary = statistics.vocabulary
        self._statistics = statistics
        self._table = _note_table(statistics, view)
        self._unseen = np.zeros(COUNTED, dtype=np.float32)
        self._unseen[:2] = np.log(0.5 / (statistics.notes + 1.0)), 1.0

    @property
    def known(self) -> np.ndarray:
        """(m,) int32, sorted: concepts of training documents, of those that are not left out."""
        return np.asarray(self._vocabulary[self._table[:, 1] == 0])

    def beside(self, most: int) -> np.ndarray:
        """(m,) the concepts one edge from a keyword, no more than `most`: those that are reached by most."""
        ids, amounts = self._flow[0]
        return np.asarray(ids[np.argsort(-amounts, kind="stable")[:most]])

    def of(self, concepts: np.ndarray) -> np.ndarray:
        """(len(concepts), len(feature_names(edges.relations))) float32."""
        parts = [self._plain(concepts)]
        for reached in self._reached:
            place, there = places_among(reached.ids, concepts)
            table = np.zeros((len(concepts), len(self._edges.relations)), dtype=np.float32)
            table[there] = reached.amounts[place[there]].toarray()
            parts.append(table)
        return np.concatenate(parts, axis=1)

    def weighted(self, concepts: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """(len(concepts),) float32: of(concepts) @ weights, without laying out what is mostly zero."""
        first, width = len(NAMES), len(self._edges.relations)
        out = self._plain(concepts) @ weights[:first]
        for reached in self._reached:
            out += _weighted(reached, concepts, weights[first : first + width])
            first += width
        return np.asarray(out, dtype=np.float32)

    def _plain(self, concepts: np.ndarray) -> np.ndarray:
        """(len(concepts), len(NAMES)) float32: the columns that need no relation."""
        view = self._view
        out = np.zeros((len(concepts), len(NAMES)), dtype=np.float32)
        place, seen = places_among(self._vocabulary, concepts)
        out[:, :COUNTED] = self._unseen
        out[seen, :COUNTED] = self._table[place[seen]]
        rows = view.rows(concepts)
        out[:, COUNTED] = rows @ view.mean
        out[:, COUNTED + 1] = (rows @ view.rows(view.keywords).T).max(axis=1)
        out[:, COUNTED + 2] = view.to_note(concepts, rows)
        out[:, COUNTED + 3] = np.log1p(self._edges.offsets[concepts + 1] - self._edges.offsets[concepts])
        for column, (ids, amount) in zip((COUNTED + 4, COUNTED + 5), self._flow, strict=True):
            place, reached = places_among(ids, concepts)
            out[:, column] = LEAST_FLOW
            out[reached, column] = np.maximum(np.log(amount[place[reached]]), LEAST_FLOW)
        out[np.arange(len(concepts)), COUNTED + 6 + self._edges.groups[concepts]] = 1.0
        return out

    def associations(self, concepts: np.ndarray) -> np.ndarray:
        """(len(concepts), keywords) float32: the shrunk share of a keyword's notes whose document holds each concept."""
        out = np.zeros((len(concepts), len(self._view.keywords)), dtype=np.float32)
        counted = self._statistics
        rows, known = places_among(counted.keywords, self._view.keywords)
        columns, seen = places_among(counted.vocabulary, concepts)
        joint = counted.joint[rows[known]].toarray()[:, columns[seen]]
        out[np.ix_(seen, known)] = (joint / (counted.keyword_counts[rows[known]][:, None] + SHRINK)).T
        return out


def _weighted(reached: Reached, concepts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    place, there = places_among(reached.ids, concepts)
    out = np.zeros(len(concepts), dtype=np.float32)
    if there.any():
        out[there] = (reached.amounts @ weights.astype(np.float32))[place[there]]
    return out


def _note_table(statistics: Statistics, view: NoteView) -> np.ndarray:
    """(v, COUNTED) float32: the features that depend on counts, for every concept of the vocabulary."""
    left_out = count(view.left_out) if view.left_out else None
    places, known = places_among(statistics.keywords, view.keywords)
    rows = places[known]
    notes, counts = float(statistics.notes), statistics.truth_counts
    joint, held = statistics.joint[rows].toarray(), statistics.keyword_counts[rows]
    if left_out is not None:
        columns = np.searchsorted(statistics.vocabulary, left_out.vocabulary)
        notes, counts = notes - left_out.notes, counts.copy()
        counts[columns] -= left_out.truth_counts
        at, shared = places_among(left_out.keywords, statistics.keywords[rows])
        held = held.copy()
        held[shared] -= left_out.keyword_counts[at[shared]]
        joint[np.ix_(np.flatnonzero(shared), columns)] -= left_out.joint[at[shared]].toarray()
    share = (counts + 0.5) / (notes + 1.0)
    table = np.zeros((len(counts), COUNTED), dtype=np.float32)
    table[:, 0] = np.log(share)
    table[:, 1] = counts <= 0
    if len(rows):
        # log of the shrunk share among the keyword's notes over the overall share; 0 where the keyword tells nothing
        association = np.log((joint + SHRINK * share) / ((held[:, None] + SHRINK) * share))
        table[:, 2] = association.mean(axis=0)
        table[:, 3] = association.max(axis=0)
        table[:, 4] = np.maximum(association, 0.0).sum(axis=0)
        table[:, 5] = share * np.exp(association.max(axis=0))
    table[:, 6] = _association_by_likeness(statistics, left_out, share, view)
    table[:, 7] = _share_among_nearest(statistics, share, view)
    return table


def _share_among_nearest(statistics: Statistics, share: np.ndarray, view: NoteView) -> np.ndarray:
    """(v,): log of the shrunk share of documents with each concept among the NEAREST notes over the overall share.

    Nearest by the cosine of whole-note vectors, each note counted by how far it stands above the first that is not among them.
    0 where the note has no such vector or training's have none.
    """
    if view.text is None or statistics.texts.shape[1] != len(view.text):
        return np.zeros(len(share), dtype=np.float32)
    cosine = statistics.texts.astype(np.float32) @ view.text
    if view.left_out and statistics.pair_ids:
        gone = {note.pair_id for note in view.left_out}
        cosine[[place for place, one in enumerate(statistics.pair_ids) if one in gone]] = -1.0
    order = np.argsort(-cosine, kind="stable")[: NEAREST + 1]
    weight = np.maximum(cosine[order[:NEAREST]] - (cosine[order[-1]] if len(order) > NEAREST else 0.0), 0.0)
    total = float(weight.sum())
    if total <= 0.0:
        return np.zeros(len(share), dtype=np.float32)
    weight *= len(weight) / total  # so many notes are asked, whatever the scale of cosines
    told = weight @ statistics.held[order[:NEAREST]]
    return np.asarray(np.log((told + NEAREST_SHRINK * share) / ((len(weight) + NEAREST_SHRINK) * share)))


def _association_by_likeness(
    statistics: Statistics, left_out: Statistics | None, share: np.ndarray, view: NoteView
) -> np.ndarray:
    """(v,): the association of each concept with all keywords that are like one of the note's, each by how much it is.

    A small training set seldom has a note's very keyword, but often one close to it.
    """
    cosine = view.rows(statistics.keywords) @ view.rows(view.keywords).T
    weight = np.clip((cosine.max(axis=1) - LIKE) / (1.0 - LIKE), 0.0, 1.0) ** 2
    rows = np.flatnonzero(weight)
    joint, held = weight[rows] @ statistics.joint[rows], float(weight[rows] @ statistics.keyword_counts[rows])
    if left_out is not None:
        gone = weight[np.searchsorted(statistics.keywords, left_out.keywords)]
        joint[np.searchsorted(statistics.vocabulary, left_out.vocabulary)] -= gone @ left_out.joint
        held -= float(gone @ left_out.keyword_counts)
    # what was taken off may leave a rounding below nothing
    return np.asarray(np.log((np.maximum(joint, 0.0) + LIKE_SHRINK * share) / ((max(held, 0.0) + LIKE_SHRINK) * share)))
