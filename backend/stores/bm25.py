"""Lexical retrieval: BM25 (k1=1.2, b=0.75; RAR2 section 4.1) over English stems.

bm25s tokenises, stems and computes each word's share of each row's score once, at indexing. The search is ours: it
adds up posting lists, rarest word first, and stops adding rows as soon as no new row can reach the best k (MaxScore,
Turtle and Flood 1995); the commonest words are then looked up for the remaining candidates only. The result is exact.
"""

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

K1 = 1.2
B = 0.75
SLACK = 1e-4  # float32 sums in another order may differ by this; a candidate that close is kept


class _Postings(NamedTuple):
    """One word: rows (ascending int32), what it adds to each (float32), and the most it adds to any."""

    rows: np.ndarray
    shares: np.ndarray
    most: float


class Bm25Index:
    """An index over texts; results are row numbers. It is immutable: build a new one for other texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s
        import Stemmer

        logging.getLogger("bm25s").setLevel(logging.WARNING)  # importing it turns its debugging lines on
        self._bm25s = bm25s
        self._stemmer = Stemmer.Stemmer("english")
        self.size = len(texts)
        self._words: dict[str, int] = {}
        if not texts:
            return
        model: Any = bm25s.BM25(method="lucene", k1=K1, b=B)
        model.index(self._tokens(list(texts)), show_progress=False)
        self._words = dict(model.vocab_dict)
        stored = model.scores
        starts = np.asarray(stored["indptr"], dtype=np.int64)
        shares = np.asarray(stored["data"], dtype=np.float32)
        rows = np.asarray(stored["indices"], dtype=np.int32)
        # looking a row up in a posting list needs the list in order
        words = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        order = np.lexsort((rows, words))
        self._starts, self._rows, self._shares = starts, rows[order], shares[order]

    def search(self, query: str, k: int) -> list[tuple[int, float]]:
        """The k best rows with their scores, best first; rows that share no word with the query are left out.

        Scores are at least 0, without an upper bound, comparable within one query only. Equal scores: the lower row first.
        """
        postings = sorted(self._postings(query), key=lambda word: -word.most)
        if not postings or k < 1:
            return []
        scores = np.zeros(self.size, dtype=np.float32)
        remaining = float(sum(word.most for word in postings))
        seen: list[np.ndarray] = []
        used, floor = 0, 0.0
        for word in postings:
            if remaining < floor - SLACK:
                break
            before = scores[word.rows]
            after = before + word.shares
            scores[word.rows] = after
            seen.append(word.rows[before == 0])
            remaining -= word.most
            floor = max(floor, _kth(after, k))
            used += 1
        rows = np.concatenate(seen)
        values = scores[rows]
        for word in postings[used:]:
            kept = values + remaining >= floor - SLACK
            rows, values = rows[kept], values[kept]
            values = values + _looked_up(word, rows)
            remaining -= word.most
            floor = max(floor, _kth(values, k))
        return _best(rows, values, k)

    def scores(self, query: str) -> np.ndarray:
        """(size,) float32: the score of every row."""
        scores = np.zeros(self.size, dtype=np.float32)
        for word in self._postings(query):
            scores[word.rows] += word.shares
        return scores

    def _postings(self, query: str) -> list[_Postings]:
        """The posting lists of a query's distinct words that the index knows."""
        if not self.size:
            return []
        words = self._tokens([query], as_ids=False)[0]
        found = []
        for code in dict.fromkeys(self._words[word] for word in words if word in self._words):
            start, end = int(self._starts[code]), int(self._starts[code + 1])
            if end > start:
                shares = self._shares[start:end]
                found.append(_Postings(self._rows[start:end], shares, float(shares.max())))
        return found

    def _tokens(self, texts: list[str], as_ids: bool = True) -> Any:
        return self._bm25s.tokenize(
            texts, stopwords="en", stemmer=self._stemmer, show_progress=False, return_ids=as_ids
        )


def _kth(values: np.ndarray, k: int) -> float:
    """The k-th largest value, a lower bound of the k-th best score; 0 when there are fewer."""
    return float(np.partition(values, len(values) - k)[len(values) - k]) if len(values) >= k else 0.0


def _looked_up(word: _Postings, rows: np.ndarray) -> np.ndarray:
    """What a word adds to each of some rows; 0 where it does not occur."""
    at = np.minimum(np.searchsorted(word.rows, rows), len(word.rows) - 1)
    return np.where(word.rows[at] == rows, word.shares[at], np.float32(0.0))


def _best(rows: np.ndarray, values: np.ndarray, k: int) -> list[tuple[int, float]]:
    if len(rows) > k:
        # every row that ties with the k-th stays until the order decides
        kept = values >= _kth(values, k)
        rows, values = rows[kept], values[kept]
    order = np.lexsort((rows, -values))[:k]
    return [(int(rows[i]), float(values[i])) for i in order if values[i] > 0]
