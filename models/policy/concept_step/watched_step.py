"""Watches a concept step while it scores, so that a page can show what a walk passed over and why."""

from typing import NamedTuple

import numpy as np

from models.policy.walking.note_view import ConceptStep, NoteView


class Scored(NamedTuple):
    """A candidate of one step of the walk, with its best score over the paths; comparable within that step only."""

    step: int
    concept: int
    score: float


class WatchedStep:
    """Scores as the step within does, and remembers each step's best candidates. One walk each."""

    def __init__(self, inner: ConceptStep, most: int = 12) -> None:
        self._inner = inner
        self._most = most
        self._step = 0
        self.scored: list[Scored] = []

    def begin(self, step: int) -> None:
        """From now on candidates belong to this step."""
        self._step = step

    def worth(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        """As the step within."""
        return self._inner.worth(view, concepts)

    def connect_scores(self, view: NoteView, concepts: np.ndarray, path_cosine: np.ndarray) -> np.ndarray:
        """As the step within; each candidate's best score is remembered."""
        scores = self._inner.connect_scores(view, concepts, path_cosine)
        self._remember(concepts, scores.max(axis=0))
        return scores

    def retrieve_scores(
        self, view: NoteView, concepts: np.ndarray, relations: np.ndarray, path_cosine: np.ndarray
    ) -> np.ndarray:
        """As the step within; the scores are remembered."""
        scores = self._inner.retrieve_scores(view, concepts, relations, path_cosine)
        self._remember(concepts, scores)
        return scores

    def promise(self, view: NoteView, explored: np.ndarray, most: np.ndarray) -> np.ndarray:
        """As the step within."""
        return self._inner.promise(view, explored, most)

    def rejected(self, step: int, explored: np.ndarray, most: int) -> list[Scored]:
        """The best candidates of a step that no path had taken when it ended, best first, a concept once."""
        held = set(explored.tolist())
        best: dict[int, Scored] = {}
        for found in self.scored:
            if found.step == step and found.concept not in held:
                known = best.get(found.concept)
                if known is None or found.score > known.score:
                    best[found.concept] = found
        return sorted(best.values(), key=lambda found: (-found.score, found.concept))[:most]

    def _remember(self, concepts: np.ndarray, scores: np.ndarray) -> None:
        # those taken are among the best too, so more are kept than will be shown
        order = np.argsort(-scores, kind="stable")[: self._most * 4]
        for place in order.tolist():
            self.scored.append(Scored(self._step, int(concepts[place]), float(scores[place])))
