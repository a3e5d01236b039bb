"""What a ranking of passages is: the candidates of one query, and the Protocol that every ranking fits.

Hybrid search finds the candidates by BM25 and by cosine; a ranking orders them. One is added by registering it:
`@passage_ranker("name", label="…")` on a class without arguments in a module of this package. `LEAPNOTE_PASSAGE_RANKER`
names the one that searches use; `evaluate retrieval --retrievers ranker:NAME` compares any.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from backend.stores.passages.passage_index import PassageRow


class Candidates(NamedTuple):
    """What one query found in one source.

    Attributes:
        query: the query's text.
        rows: (n,) the passages, each once.
        bm25: (n,) from 0 upwards, comparable within the query; 0 for a passage without a word of the query.
        cosine: (n,) -1 to 1, to the query.
        vectors: (n, d) of length 1.
        topic: (n,) -1 to 1, the cosine of the query to what the passage's document is about, its title and synonyms;
            NaN where that is not known.
    """

    query: str
    rows: Sequence[PassageRow]
    bm25: np.ndarray
    cosine: np.ndarray
    vectors: np.ndarray
    topic: np.ndarray


class PassageRanker(Protocol):
    """A ranking of passages. It holds no state between queries: equal candidates give equal scores."""

    def first_scores(self, candidates: Candidates) -> np.ndarray | None:
        """Scores by which the best documents are opened, so that passages beside the best one become candidates too.

        Returns:
            (n,) higher is better; None where the ranking opens no document.
        """
        ...

    def scores(self, candidates: Candidates) -> np.ndarray:
        """The order of the candidates.

        Returns:
            (n,) at most 1, finite, higher is better, comparable within one query only; (0,) for no candidates.
        """
        ...
