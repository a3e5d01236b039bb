"""Lexical retrieval: BM25 (k1=1.2, b=0.75; RAR2 section 5.3) over English stems.

Each word's share of each row's score is computed once, at indexing (bm25_build.py). The search adds up posting lists,
rarest word first, and stops adding rows as soon as no new row can reach the best k (MaxScore, Turtle and Flood 1995);
the commonest words are then looked up for the remaining candidates only. The result is exact. A word that a query says
twice counts twice, as in Lucene and bm25s. An index can be written to a folder and opened from there by memory-mapping.
"""

import json
import logging
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.errors import KnowledgeError
from backend.stores.graph.text_column import TextColumn, text_column
from backend.stores.swapped_folder import MARK, private_folder

K1 = 1.2
B = 0.75
PART = 20_000  # texts whose words are held as Python numbers at once


class Postings(NamedTuple):
    """An index as arrays; (v) words, (m) postings, (n) rows.

    words: in the order of their UTF-8 bytes. starts: (v + 1,) int64, where each word's postings begin. rows: (m,) int32,
    ascending within a word. shares: (m,) float32, what the word adds to the row. most: (v,) float32, the most it adds to any.
    """

    words: TextColumn
    starts: np.ndarray
    rows: np.ndarray
    shares: np.ndarray
    most: np.ndarray
    size: int


class Tokenizer:
    """Words of texts and queries: lower case, stemmed, two letters or more, without stop words."""

    def __init__(self) -> None:
        import bm25s
        import Stemmer

        logging.getLogger("bm25s").setLevel(logging.WARNING)  # importing it turns its debugging lines on
        self._bm25s = bm25s
        self._stemmer = Stemmer.Stemmer("english")

    def words(self, text: str) -> list[str]:
        """The words of one text, in order, with repetitions."""
        found: list[list[str]] = self._tokenize([text], return_ids=False)
        return found[0]

    def coded(self, texts: list[str]) -> tuple[list[list[int]], dict[str, int]]:
        """The texts as word numbers, and the number of each word."""
        found = self._tokenize(texts, return_ids=True)
        return found.ids, found.vocab

    def _tokenize(self, texts: list[str], return_ids: bool) -> Any:
        return self._bm25s.tokenize(
            texts, stopwords="en", stemmer=self._stemmer, show_progress=False, return_ids=return_ids
        )


def build_postings(texts: Iterable[str], tokenizer: Tokenizer) -> Postings:
    """The posting lists of all texts, rows numbered in their order. Memory: about 30 bytes a distinct word of a text."""
    codes: dict[str, int] = {}
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    lengths: list[np.ndarray] = []
    size = 0
    left = iter(texts)
    while part := list(islice(left, PART)):
        ids, vocabulary = tokenizer.coded(part)
        parts.append(_counted(ids, vocabulary, codes, size))
        lengths.append(np.fromiter((len(row) for row in ids), dtype=np.int64, count=len(ids)))
        size += len(part)
    if not codes:
        nothing = np.zeros(0, dtype=np.float32)
        return Postings(text_column(()), np.zeros(1, dtype=np.int64), nothing.astype(np.int32), nothing, nothing, size)
    return _weighed(codes, parts, np.concatenate(lengths), size)


def _counted(
    ids: Sequence[Sequence[int]], vocabulary: dict[str, int], codes: dict[str, int], first: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Word codes, rows and counts of one part; codes takes in the words that are new."""
    to_code = np.zeros(max(vocabulary.values(), default=-1) + 1, dtype=np.int64)
    for word, number in vocabulary.items():
        to_code[number] = codes.setdefault(word, len(codes))
    sizes = np.fromiter((len(row) for row in ids), dtype=np.int64, count=len(ids))
    words = to_code[np.fromiter(chain.from_iterable(ids), dtype=np.int64, count=int(sizes.sum()))]
    rows = np.repeat(np.arange(len(ids), dtype=np.int64), sizes)
    joined, counts = np.unique(words * len(ids) + rows, return_counts=True)
    return (
        (joined // max(len(ids), 1)).astype(np.int32),
        (joined % max(len(ids), 1) + first).astype(np.int32),
        counts.astype(np.int32),
    )


def _weighed(
    codes: dict[str, int], parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]], lengths: np.ndarray, size: int
) -> Postings:
    ordered = sorted(codes, key=str.encode)
    place = np.empty(len(codes), dtype=np.int32)
    for i, word in enumerate(ordered):
        place[codes[word]] = i
    words, rows, counts = (np.concatenate([part[k] for part in parts]) for k in range(3))
    words = place[words]
    order = np.lexsort((rows, words))  # by word, then by row: searching a row in a list needs the list in order
    words, rows, counts = words[order], rows[order], counts[order]
    starts = np.searchsorted(words, np.arange(len(ordered) + 1))
    found = np.diff(starts)
    idf = np.log(1 + (size - found + 0.5) / (found + 0.5))
    norms = K1 * (1 - B + B * lengths / lengths.mean())
    shares = (idf[words] * counts / (counts + norms[rows])).astype(np.float32)
    most = np.maximum.reduceat(shares, starts[:-1])
    return Postings(text_column(ordered), starts.astype(np.int64), rows, shares, most, size)


__all__ = ["K1", "B", "Bm25Index"]
SLACK = 1e-4  # float32 sums in another order may differ by this; a candidate that close is kept
KIND = "leapnote bm25"
FORMAT = 1
_FILES = {"words_text": "|u1", "words_offsets": "<i8", "starts": "<i8", "rows": "<i4", "shares": "<f4", "most": "<f4"}


class _Postings(NamedTuple):
    """One word: rows (ascending int32), what it adds to each (float32), and the most it adds to any."""

    rows: np.ndarray
    shares: np.ndarray
    most: float


class Bm25Index:
    """An index over texts; results are row numbers. It is immutable: build a new one for other texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._tokenizer = _tokenizer()
        self._fill(build_postings(texts, self._tokenizer))

    def __reduce__(self) -> tuple[Callable[[Postings], "Bm25Index"], tuple[Postings]]:
        return Bm25Index.of_postings, (self._postings_held,)

    @classmethod
    def of_postings(cls, postings: Postings) -> "Bm25Index":
        """An index of what another one holds."""
        index = cls.__new__(cls)
        index._tokenizer = _tokenizer()
        index._fill(postings)
        return index

    @classmethod
    def read(cls, folder: Path) -> "Bm25Index":
        """Open what `write` wrote. Raises KnowledgeError for a folder that is no finished index, or a damaged one."""
        return cls.of_postings(_read(folder))

    def write(self, folder: Path) -> None:
        """Write into a folder; `meta.json` comes last, so that a half-written index is never opened."""
        private_folder(folder)
        (folder / MARK).unlink(missing_ok=True)
        held = self._postings_held
        arrays = {"words_text": held.words.blob, "words_offsets": held.words.offsets, "starts": held.starts}
        arrays |= {"rows": held.rows, "shares": held.shares, "most": held.most}
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", np.ascontiguousarray(array, dtype=_FILES[name]), allow_pickle=False)
        fields = {"kind": KIND, "format": FORMAT, "k1": K1, "b": B, "rows": self.size}
        (folder / MARK).write_text(json.dumps(fields) + "\n", encoding="utf-8")

    def search(self, query: str, k: int, weights: Mapping[str, float] | None = None) -> list[tuple[int, float]]:
        """The k best rows with their scores, best first; rows that share no word with the query are left out.

        Scores are at least 0, without an upper bound, comparable within one query only. Equal scores: the lower row first.
        weights: the idf of each word over more rows than these, where this index is one of several (Bm25Group).
        """
        postings = sorted(self._postings(query, weights), key=lambda word: -word.most)
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
        for word in self._postings(query, None):
            scores[word.rows] += word.shares
        return scores

    def scores_of(self, query: str, rows: Sequence[int], weights: Mapping[str, float] | None = None) -> np.ndarray:
        """(len(rows),) float32: the scores of some rows, equal to those that `search` gives."""
        wanted = np.asarray(rows, dtype=np.int64)
        scores = np.zeros(len(wanted), dtype=np.float32)
        for word in sorted(self._postings(query, weights), key=lambda one: -one.most):
            scores += _looked_up(word, wanted)
        return scores

    def words(self, query: str) -> list[str]:
        """The distinct stems of a query, in order."""
        return list(dict.fromkeys(self._tokenizer.words(query)))

    def document_frequency(self, word: str) -> int:
        """How many rows hold a stem."""
        code = _place(self._postings_held.words, word)
        return 0 if code is None else int(self._starts[code + 1] - self._starts[code])

    def _fill(self, postings: Postings) -> None:
        self._postings_held = postings
        self.size = postings.size
        self._starts, self._rows, self._shares = postings.starts, postings.rows, postings.shares

    def _postings(self, query: str, weights: Mapping[str, float] | None) -> list[_Postings]:
        """The posting lists of a query's distinct words that the index knows, each as heavy as the query says it often."""
        if not len(self._postings_held.words):
            return []
        found = []
        for word, times in Counter(self._tokenizer.words(query)).items():
            code = _place(self._postings_held.words, word)
            if code is None:
                continue
            start, end = int(self._starts[code]), int(self._starts[code + 1])
            shares, most = self._shares[start:end], float(self._postings_held.most[code])
            # the idf is one factor of all shares of a word, so that another idf is another factor
            factor = times * (1.0 if weights is None else weights[word] / idf(self.size, end - start))
            if factor != 1.0:
                shares, most = shares * np.float32(factor), most * factor
            found.append(_Postings(self._rows[start:end], shares, most))
        return found


def idf(size: int, found: int) -> float:
    """Lucene's inverse document frequency of a word that `found` of `size` rows hold; above 0."""
    return math.log(1 + (size - found + 0.5) / (found + 0.5))


@lru_cache(maxsize=1)
def _tokenizer() -> Tokenizer:
    return Tokenizer()


def _place(words: TextColumn, word: str) -> int | None:
    """The number of a word, by bisection over the bytes; None when the index does not know it."""
    wanted = word.encode()
    low, high = 0, len(words)
    while low < high:
        middle = (low + high) // 2
        if bytes(words.raw(middle)) < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(words) and bytes(words.raw(low)) == wanted else None


def _read(folder: Path) -> Postings:
    try:
        fields = json.loads((folder / MARK).read_bytes())
        if (fields["kind"], fields["format"], fields["k1"], fields["b"]) != (KIND, FORMAT, K1, B):
            raise ValueError(fields)
        arrays = {
            # a plain view: slicing numpy.memmap objects costs several times as much
            name: np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)).view(np.ndarray)
            for name in _FILES
        }
        size = int(fields["rows"])
        _check(arrays, size)
    except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
        raise KnowledgeError(
            f"The BM25 index in {folder.parent.name!r} is missing, damaged or of another format "
            f"({type(error).__name__}). Import the collection again with: python -m backend knowledge add"
        ) from error
    words = TextColumn(arrays["words_text"], arrays["words_offsets"])
    return Postings(words, arrays["starts"], arrays["rows"], arrays["shares"], arrays["most"], size)


def _check(arrays: Mapping[str, np.ndarray], size: int) -> None:
    """What would lead outside an array later is refused now.

    Raises:
        ValueError: an array leads outside another.
    """
    starts, offsets, rows = arrays["starts"], arrays["words_offsets"], arrays["rows"]
    sound = (
        all(array.dtype == np.dtype(_FILES[name]) for name, array in arrays.items())
        and len(starts) == len(offsets) == len(arrays["most"]) + 1
        and (starts[0], starts[-1]) == (0, len(rows))
        and len(rows) == len(arrays["shares"])
        and (offsets[0], offsets[-1]) == (0, len(arrays["words_text"]))
        and bool((np.diff(starts) >= 0).all() and (np.diff(offsets) >= 0).all())
        and (not len(rows) or (int(rows.min()) >= 0 and int(rows.max()) < size))
    )
    if not sound:
        raise ValueError("the arrays do not fit each other")


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


class Bm25Group:
    """Several indexes searched as one: a word's idf counts the rows of all, only the mean length stays each one's own."""

    def __init__(self, indexes: Sequence[Bm25Index]) -> None:
        self._indexes = tuple(indexes)
        self.size = sum(index.size for index in indexes)

    def search(self, query: str, k: int) -> list[tuple[int, float]]:
        """As Bm25Index.search; rows are numbered through, in the order of the indexes."""
        if len(self._indexes) == 1:
            return self._indexes[0].search(query, k)
        if not self._indexes:
            return []
        weights = self._weights(query)
        merged: list[tuple[int, float]] = []
        first = 0
        for index in self._indexes:
            merged.extend((first + row, score) for row, score in index.search(query, k, weights))
            first += index.size
        return sorted(merged, key=lambda item: (-item[1], item[0]))[:k]

    def scores_of(self, query: str, rows: Sequence[int]) -> np.ndarray:
        """(len(rows),) float32: the scores of some rows, numbered through, equal to those that `search` gives."""
        wanted = np.asarray(rows, dtype=np.int64)
        scores = np.zeros(len(wanted), dtype=np.float32)
        weights = self._weights(query) if len(self._indexes) > 1 else None
        first = 0
        for index in self._indexes:
            own = (wanted >= first) & (wanted < first + index.size)
            if own.any():
                scores[own] = index.scores_of(query, (wanted[own] - first).tolist(), weights)
            first += index.size
        return scores

    def _weights(self, query: str) -> dict[str, float]:
        """The idf over all rows of each word of a query."""
        known = {
            word: sum(index.document_frequency(word) for index in self._indexes)
            for word in self._indexes[0].words(query)
        }
        return {word: idf(self.size, found) for word, found in known.items()}
