"""Builds the posting lists of a BM25 index from texts that arrive in parts, so that no text need be held.

bm25s cuts, lower-cases and stems the words and leaves out the commonest English ones. The formula is Lucene's, as bm25s
has it (`method="lucene"`): idf = ln(1 + (N - df + 0.5) / (df + 0.5)), share = idf * tf / (tf + k1 * (1 - b + b * length / mean)).
"""

import logging
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from backend.stores.text_column import TextColumn, text_column

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
