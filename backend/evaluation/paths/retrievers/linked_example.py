"""One linked pair as retrievers under test see it: what the note says, and what its document talks about."""

from typing import Protocol

import numpy as np


class NoteExample(Protocol):
    """A linked pair; anything with these fields will do, as the `Example` of models.policy.rollouts has them.

    keywords: (k,) concept indices of the note's present mentions, distinct, in note order. truth: (t,) distinct concept
    indices of the document. blocked: concepts that no path may touch, as the note denies them. text_vector: (d,) float32,
    the encoded note, of length 1.
    """

    @property
    def pair_id(self) -> str:
        """The id of the pair it comes from."""
        ...

    @property
    def keywords(self) -> np.ndarray:
        """(k,) int64: the concepts that a path may start from."""
        ...

    @property
    def truth(self) -> np.ndarray:
        """(t,) int64: the concepts that the document names."""
        ...

    @property
    def blocked(self) -> np.ndarray:
        """(b,) int64: the concepts that no path may end at."""
        ...

    @property
    def text_vector(self) -> np.ndarray:
        """(d,) float32 of length 1: the vector of the whole note."""
        ...


def new_concepts(example: NoteExample) -> np.ndarray:
    """What there is to find: concepts of the document that are no keyword of the note, sorted."""
    return np.setdiff1d(example.truth, example.keywords)
