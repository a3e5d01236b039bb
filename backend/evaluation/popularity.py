"""The popularity prior: the commonest concepts of the training documents, the same for every note.

Most of what a discharge document newly mentions is common, so this is the comparison to beat.
"""

from collections.abc import Iterable

import numpy as np

from backend.evaluation.example import NoteExample


class PopularityPrior:
    """truths: the document concepts of the training pairs, one array a pair. It must hold no evaluated pair."""

    name = "popularity"

    def __init__(self, truths: Iterable[np.ndarray], concepts: int) -> None:
        counts = np.zeros(concepts, dtype=np.int64)
        for truth in truths:
            counts[np.unique(truth)] += 1
        seen = np.flatnonzero(counts)
        self._order = seen[np.lexsort((seen, -counts[seen]))]

    def ranked(self, example: NoteExample, budget: int) -> np.ndarray:
        first = self._order[: budget + len(example.keywords)]
        return np.asarray(first[~np.isin(first, example.keywords)][:budget])
