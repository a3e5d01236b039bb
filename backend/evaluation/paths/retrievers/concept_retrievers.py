"""What a retriever under test is, what it reads, and the one ranking that is common to all.

ReinRAG's notes ask for comparisons at an equal number of distinct concepts, re-ranked the same way. So each retriever is
measured twice: in its own order, and with its first `pool` concepts in the common order.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from backend.evaluation.paths.retrievers.linked_example import NoteExample
from models.policy.concept_step.concept_features import Edges
from models.policy.walking.note_view import unit

POOL = 100


class ConceptRetriever(Protocol):
    """Gives distinct concept indices for a note, best first, without its keywords; fewer than budget when it has no more."""

    @property
    def name(self) -> str:
        """What it is called in figures."""
        ...

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        """(at most budget,) concept indices."""
        ...


@runtime_checkable
class Preparing(Protocol):
    """A retriever that answers several notes faster together. It gives the same whether or not it prepared."""

    def prepare(self, examples: Sequence[NoteExample], budget: int) -> None:
        """Work that is cheaper for all examples at once than for each."""
        ...


@runtime_checkable
class Drawing(Protocol):
    """A retriever whose list is drawn: its scores are averaged over its draws."""

    def drawn(self) -> "Sequence[ConceptRetriever]":
        """One retriever a draw; a single one where nothing is drawn."""
        ...


class Elsewhere:
    """A retriever under a varied setting, which is asked with the note as it is read there.

    Args:
        retriever: made under that setting.
        label: the end of its name.
        read: the notes as they are read there, by pair.
    """

    def __init__(self, retriever: ConceptRetriever, label: str, read: Mapping[str, NoteExample]) -> None:
        self.name = f"{retriever.name}{label}"
        self._retriever, self._label, self._read = retriever, label, read

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        """What the retriever gives. Raises KeyError for a note that could not be read there."""
        return self._retriever.ranked(self._read[example.pair_id], budget)

    def prepare(self, examples: Sequence[NoteExample], budget: int) -> None:
        """As the retriever does."""
        if isinstance(self._retriever, Preparing):
            known = [self._read[example.pair_id] for example in examples if example.pair_id in self._read]
            self._retriever.prepare(known, budget)

    def drawn(self) -> "list[Elsewhere]":
        """As the retriever does."""
        made = self._retriever.drawn() if isinstance(self._retriever, Drawing) else [self._retriever]
        return [Elsewhere(one, self._label, self._read) for one in made]


class Knowledge(NamedTuple):
    """A graph with its concepts' vectors: (n, d) float16 or float32, rows of length 1, in the graph's order.

    allowed: (n,) bool, False for fillers ("patient", "finding"), which no retriever gives or goes through; None allows all.
    note_side: (n, e) the same by the encoder of whole notes, where another made `vectors`.
    """

    graph: Edges
    vectors: np.ndarray
    allowed: np.ndarray | None = None
    note_side: np.ndarray | None = None

    @property
    def by_note(self) -> np.ndarray:
        """The concepts' vectors that are compared with those of whole notes."""
        return self.vectors if self.note_side is None else self.note_side

    def to_note(self, concepts: np.ndarray, example: NoteExample) -> np.ndarray:
        """(len(concepts),) float32: the cosine of each concept to the whole note."""
        return np.asarray(self.by_note[concepts].astype(np.float32) @ unit(example.text_vector))

    def cosine(self, concepts: np.ndarray, vector: np.ndarray) -> np.ndarray:
        """(len(concepts),) float32: the cosine of each concept to a vector of length 1."""
        return np.asarray(self.vectors[concepts].astype(np.float32) @ vector.astype(np.float32))

    def keyword_mean(self, example: NoteExample) -> np.ndarray:
        """(d,) the keywords' mean vector (S^Q of ReinRAG) at length 1; zeros where there is no keyword."""
        return unit(self.vectors[example.keywords].astype(np.float32).sum(axis=0))

    def neighbours(self, concepts: np.ndarray) -> np.ndarray:
        """The distinct allowed concepts one edge away from any of these, sorted."""
        starts, ends = self.graph.offsets[concepts], self.graph.offsets[np.asarray(concepts) + 1]
        counts = ends - starts
        shift = np.cumsum(counts) - counts
        places = np.arange(int(counts.sum())) + np.repeat(starts - shift, counts)
        found = np.unique(self.graph.tails[places])
        return found if self.allowed is None else found[self.allowed[found]]


def best(concepts: np.ndarray, scores: np.ndarray, most: int) -> np.ndarray:
    """The concepts with the highest scores, best first; equal scores by the lower index."""
    if len(concepts) > 4 * most:  # a partial sort first: two hops reach tens of thousands
        bound = np.partition(scores, len(scores) - most)[len(scores) - most]
        kept = scores >= bound
        concepts, scores = concepts[kept], scores[kept]
    return np.asarray(concepts[np.lexsort((concepts, -scores))][:most])


def common_order(knowledge: Knowledge, example: NoteExample, concepts: np.ndarray) -> np.ndarray:
    """The same concepts by one score for all retrievers: half cosine to the keywords' mean, half cosine to the note.

    A note without keywords is ranked by the second half alone.
    """
    score = 0.5 * knowledge.cosine(concepts, knowledge.keyword_mean(example))
    score += 0.5 * knowledge.to_note(concepts, example)
    return best(concepts, score, len(concepts)) if len(concepts) else concepts
