"""Lexical retrieval: BM25 (k1=1.2, b=0.75; RAR2 section 4.1) over English stems, by bm25s."""

from collections.abc import Sequence
from typing import Any

import numpy as np

K1 = 1.2
B = 0.75


class Bm25Index:
    """An index over texts; results are row numbers. It is immutable: build a new one for other texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s
        import Stemmer

        self._bm25s = bm25s
        self._stemmer = Stemmer.Stemmer("english")
        self.size = len(texts)
        self._model: Any = bm25s.BM25(method="lucene", k1=K1, b=B)
        if texts:
            self._model.index(self._tokens(list(texts)), show_progress=False)

    def search(self, query: str, k: int) -> list[tuple[int, float]]:
        """The k best rows with their scores, best first; rows that share no word with the query are left out.

        Scores are at least 0, without an upper bound, comparable within one query only.
        """
        scores = self.scores(query)
        k = min(k, int(np.count_nonzero(scores)))
        if k == 0:
            return []
        best = np.argpartition(-scores, k - 1)[:k]
        best = best[np.lexsort((best, -scores[best]))]
        return [(int(row), float(scores[row])) for row in best]

    def scores(self, query: str) -> np.ndarray:
        """(size,) float32: the score of every row."""
        words = self._tokens([query], as_ids=False)[0] if self.size else []
        known = [word for word in dict.fromkeys(words) if word in self._model.vocab_dict] if self.size else []
        if not known:
            return np.zeros(self.size, dtype=np.float32)
        return np.asarray(self._model.get_scores(known), dtype=np.float32)

    def _tokens(self, texts: list[str], as_ids: bool = True) -> Any:
        return self._bm25s.tokenize(
            texts, stopwords="en", stemmer=self._stemmer, show_progress=False, return_ids=as_ids
        )
