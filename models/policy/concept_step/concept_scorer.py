"""The learned concept step of `leapnote`: a logistic scorer in place of the cosine of Eq. 6.

Its base is what a concept is worth to the note; a step adds what the path says: the cosine to the path, whether an edge
leads there, and by which relation. Both are fitted on training notes only, the base on the vocabulary of their
documents and what walks come by, the step on the candidates of walks.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from models.policy.concept_step.concept_edges import Edges
from models.policy.concept_step.concept_features import Features, Statistics
from models.policy.concept_step.group_promise import Promise
from models.policy.concept_step.two_towers import Towers, note_input, standardised, tower_scores
from models.policy.walking.note_view import NoteView

BESIDE = 2000
"""So many neighbours of the keywords may be proposed: those that most of what the keywords send over their edges reaches."""


class ScorerWeights(NamedTuple):
    """The weights, in units of log-odds.

    base: (features,) and its shift, over standardised features (centre, scale). relation: (relations + 1,), the last for
    a leap. path: the weight of the cosine to the path. towers: what a two-tower scorer adds to the base; None without one.
    """

    centre: np.ndarray
    scale: np.ndarray
    base: np.ndarray
    shift: float
    path: float
    relation: np.ndarray
    towers: Towers | None = None

    def as_arrays(self) -> dict[str, np.ndarray]:
        """The parts by name, for a file; those of towers as `towers_PART`."""
        own = {name: np.asarray(part) for name, part in self._asdict().items() if name != "towers"}
        return own | {f"towers_{name}": part for name, part in (self.towers._asdict() if self.towers else {}).items()}

    @classmethod
    def from_arrays(cls, parts: Mapping[str, np.ndarray]) -> Self:
        """What `as_arrays` gave. Raises KeyError for a part that is missing."""
        towers = Towers(*(parts[f"towers_{name}"] for name in Towers._fields)) if "towers_note" in parts else None
        return cls(
            parts["centre"],
            parts["scale"],
            parts["base"],
            float(parts["shift"]),
            float(parts["path"]),
            parts["relation"],
            towers,
        )


class LearnedStep:
    """Scores candidates by log-odds of being newly written, without the counts of notes that the view leaves out."""

    def __init__(self, statistics: Statistics, weights: ScorerWeights, edges: Edges) -> None:
        self.statistics = statistics
        self.weights = weights
        self._edges = edges

    def with_weights(self, weights: ScorerWeights) -> "LearnedStep":
        """The same statistics under other weights."""
        return LearnedStep(self.statistics, weights, self._edges)

    def worth(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        """The base."""
        return self.base(view, concepts)

    def base(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        """(len(concepts),) float32 log-odds that the document newly mentions each concept."""
        return view.cached("base", concepts, lambda absent: self._base(view, absent), together=True)

    def connect_scores(self, view: NoteView, concepts: np.ndarray, path_cosine: np.ndarray) -> np.ndarray:
        """The base and the weighted cosine to each path: (paths, c) log-odds."""
        return np.asarray(self.base(view, concepts) + self.weights.path * path_cosine)

    def retrieve_scores(
        self, view: NoteView, concepts: np.ndarray, relations: np.ndarray, path_cosine: np.ndarray
    ) -> np.ndarray:
        """The base, the weighted cosine to the path and the weight of the relation: (m,) log-odds."""
        bonus = self.weights.relation[relations]
        return np.asarray(self.base(view, concepts) + self.weights.path * path_cosine + bonus)

    def proposals(self, view: NoteView, most: int) -> tuple[np.ndarray, np.ndarray]:
        """The concepts of training documents, or next to a keyword, that fit the note best, with their log-odds.

        Keywords and blocked concepts are left out.
        """
        pool = np.union1d(self.statistics.vocabulary, self._features(view).beside(BESIDE))
        pool = pool[~np.isin(pool, view.keywords)]
        if view.allowed is not None:
            pool = pool[view.allowed[pool]]
        scores = self.base(view, pool)
        order = np.argsort(-scores, kind="stable")[:most]
        return pool[order], scores[order]

    def promise(self, view: NoteView, explored: np.ndarray, most: np.ndarray) -> np.ndarray:
        """What each group promises, (15,) float32.

        It is by how many right concepts the best finds would grow, in expectation, by the likeliest of each group in reach
        that training documents hold, so many as `most` (15,) says.
        """
        note = view.kept(
            "chances", lambda: self._promise.chances(self._vocabulary_odds(view), view.allowed, view.keywords)
        )
        return self._promise.of(note, explored, most)

    def nearest_keywords(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        """(len(concepts),) the keyword whose notes most often had a document with the concept; the nearest by cosine at a tie."""
        cosine = view.rows(concepts) @ view.rows(view.keywords).T
        associations = self._features(view).associations(concepts)
        return np.asarray(view.keywords[(associations + 1e-3 * cosine).argmax(axis=1)])

    def _vocabulary_odds(self, view: NoteView) -> np.ndarray:
        return self.base(view, self.statistics.vocabulary)

    @cached_property
    def _promise(self) -> Promise:
        return Promise(self._edges, self.statistics.vocabulary)

    def _base(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        w = self.weights
        slope = w.base / w.scale
        shift = np.float32(w.shift - float(w.centre @ slope))
        base = np.asarray(self._features(view).weighted(concepts, slope) + shift)
        if w.towers is None:
            return base
        note = note_input(view, self._edges.groups, self.statistics.texts.shape[1])
        path = standardised(self._features(view).of(concepts), w.centre, w.scale)
        return np.asarray(base + tower_scores(w.towers, note, view.rows(concepts), path))

    def _features(self, view: NoteView) -> Features:
        return view.kept("features", lambda: Features(self.statistics, self._edges, view))
