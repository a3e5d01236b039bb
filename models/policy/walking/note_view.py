"""One note as a walk sees it: its keywords, their mean vector, and what each concept is worth to it.

Similarities are computed for the concepts that are asked for, once each; a product with every concept of a large graph
would cost more than the whole walk.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar, cast

import numpy as np

from backend.stores.torch_threads import one_torch_thread
from models.policy.concept_step.concept_edges import places_among

T = TypeVar("T")
WHOLE = 10_000
"""A graph of up to so many concepts is small."""


class ConceptStep(Protocol):
    """Scores the candidates of a step, higher is better; comparable within one step of one note only."""

    def worth(self, view: "NoteView", concepts: np.ndarray) -> np.ndarray:
        """(c,): what each concept is worth to the note whatever the path; a cap keeps the best by it."""
        ...

    def connect_scores(self, view: "NoteView", concepts: np.ndarray, path_cosine: np.ndarray) -> np.ndarray:
        """Concepts (c,), path_cosine (paths, c); returns (paths, c)."""
        ...

    def retrieve_scores(
        self, view: "NoteView", concepts: np.ndarray, relations: np.ndarray, path_cosine: np.ndarray
    ) -> np.ndarray:
        """concepts, relation ids and path_cosine (m,): one candidate edge each; returns (m,)."""
        ...

    def promise(self, view: "NoteView", explored: np.ndarray, most: np.ndarray) -> np.ndarray:
        """What each group promises, (15,) float32; 0 where unknown.

        It is how many right concepts the best in reach of each group, so many as `most` (15,) says, would add to the best
        finds so far.
        """
        ...


class TrainingNote(Protocol):
    """A training note: its keywords (k,) and the concepts of its document, truth (t,); both distinct."""

    @property
    def pair_id(self) -> str:
        """The id of the pair it comes from."""
        ...

    @property
    def text_vector(self) -> np.ndarray:
        """(d,) of length 1, the whole note's; empty, or zeros, where it was not encoded."""
        ...

    @property
    def keywords(self) -> np.ndarray:
        """(k,) concepts."""
        ...

    @property
    def truth(self) -> np.ndarray:
        """(t,) concepts."""
        ...


class NoteView:
    """keywords: (k,) int32, distinct. vectors: (n, d) float16 or float32 with rows of length 1.

    allowed: (n,) bool, False for concepts no path may touch; None allows all. mean is S^Q of the paper, at length 1.
    left_out: when it is a training example, the notes whose counts it is scored without, itself among them.
    text: (d,) the vector of the whole note at length 1; None without one, or for zeros. whole is it, else mean.
    note_side: (n, e) the concepts by the encoder of text, where that is another one than of vectors; None where it is the same.
    """

    def __init__(
        self,
        keywords: np.ndarray,
        vectors: np.ndarray,
        allowed: np.ndarray | None = None,
        left_out: Sequence[TrainingNote] = (),
        text: np.ndarray | None = None,
        note_side: np.ndarray | None = None,
    ) -> None:
        self.keywords = keywords
        self.vectors = vectors
        self.allowed = allowed
        self.left_out = left_out
        self.mean = unit(vectors[keywords].astype(np.float32).sum(axis=0))
        told = text is not None and bool(text.any())
        self.text = text.astype(np.float32) if told and text is not None else None
        self.whole = self.mean if self.text is None else self.text
        self._note_side = note_side if told else None
        self._known: dict[str, Known] = {}
        self._kept: dict[str, object] = {}

    def similarity(self, concepts: np.ndarray) -> np.ndarray:
        """(len(concepts),) float32: cosine of each concept to the mean of the keywords."""
        return self.cached("similarity", concepts, lambda absent: np.asarray(self.rows(absent) @ self.mean))

    def to_note(self, concepts: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """(len(concepts),) float32: cosine of each concept to the whole note. rows: theirs, as `rows` gives them."""
        own = rows if self._note_side is None else single(self._note_side.take(concepts, axis=0))
        return np.asarray(own @ self.whole)

    def rows(self, concepts: np.ndarray) -> np.ndarray:
        """(len(concepts), d) float32."""
        return single(self.vectors.take(concepts, axis=0))  # half the time of indexing

    def sums(self, concepts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """(k, d) float32: the sums of the vectors of the first lengths[0] concepts, of the next lengths[1], and so on."""
        if self.vectors.dtype != np.float32:
            return summed(self.rows(concepts), lengths)
        from scipy.sparse import csr_matrix

        ends = np.concatenate([np.zeros(1, dtype=np.int32), np.cumsum(lengths, dtype=np.int32)])
        ones = np.ones(len(concepts), dtype=np.float32)
        # rows are added where they lie, which spares a copy of each
        return np.asarray(csr_matrix((ones, concepts, ends), shape=(len(lengths), len(self.vectors))) @ self.vectors)

    def cached(self, name: str, concepts: np.ndarray, compute: "Compute", together: bool = False) -> np.ndarray:
        """A number a concept, computed only for those not asked for before.

        together: over a small graph for all at once, where many small calls cost more than a large one.
        """
        known = self._known.get(name) or Known(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32))
        if len(known.ids) == len(self.vectors):
            return np.asarray(known.numbers[concepts])
        if together and len(self.vectors) <= WHOLE:
            every = np.arange(len(self.vectors))
            self._known[name] = Known(every, np.asarray(compute(every), dtype=np.float32))
            return np.asarray(self._known[name].numbers[concepts])
        places, there = places_among(known.ids, concepts)
        if not there.all():
            fresh = distinct(concepts[~there])
            known = self._known[name] = known.joined(fresh, compute(fresh))
            places = np.searchsorted(known.ids, concepts)
        return np.asarray(known.numbers[places])

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """A value made once for this note."""
        if name not in self._kept:
            self._kept[name] = make()
        return cast(T, self._kept[name])

    @property
    def nbytes(self) -> int:
        """What the caches of this view hold."""
        return sum(known.ids.nbytes + known.numbers.nbytes for known in self._known.values())


class Known(NamedTuple):
    """Numbers of the concepts that were asked for, a few thousand of however many. ids: sorted. numbers: (m,) float32, of each."""

    ids: np.ndarray
    numbers: np.ndarray

    def joined(self, ids: np.ndarray, numbers: np.ndarray) -> "Known":
        """With those of other ids, which are sorted."""
        every = np.concatenate([self.ids, ids])
        order = np.argsort(every, kind="stable")
        return Known(every[order], np.concatenate([self.numbers, np.asarray(numbers, dtype=np.float32)])[order])


class Compute(Protocol):
    """Computes a number for each concept."""

    def __call__(self, concepts: np.ndarray, /) -> np.ndarray:
        """The numbers, (c,) float32, of concepts (c,)."""
        ...


def single(rows: np.ndarray) -> np.ndarray:
    """Rows as float32. From float16 by torch, which does it in a fifth of numpy's time and gives the same."""
    if rows.dtype != np.float16:
        return np.asarray(rows, dtype=np.float32)
    import torch  # not needed for vectors of a small graph, which are float32

    with one_torch_thread():
        return np.asarray(torch.from_numpy(rows).float().numpy())


def unit(vector: np.ndarray) -> np.ndarray:
    """The vector, or each row of a matrix, at length 1; zeros stay zeros."""
    length = np.sqrt(np.add.reduce(vector * vector, axis=-1, keepdims=True))  # as linalg.norm, at a third of its cost
    return np.asarray(vector / np.where(length > 0, length, 1.0), dtype=np.float32)


def summed(rows: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """(k, d) float32: the sums of the first lengths[0] rows, of the next lengths[1], and so on.

    One product is faster than np.add.reduceat.
    """
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return np.asarray((owner == np.arange(len(lengths))[:, None]).astype(np.float32) @ rows)


def distinct(concepts: np.ndarray) -> np.ndarray:
    """As np.unique of a vector of ids, which spends more on a few dozen of them than sorting does."""
    found = np.sort(concepts)
    first = np.concatenate([np.ones(min(1, len(found)), dtype=bool), found[1:] != found[:-1]])
    return np.asarray(found[first])
