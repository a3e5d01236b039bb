"""Names in order: runs of word numbers, filed as 64-bit hashes in sorted arrays.

Takes keys (positive word numbers, one behind the other); finds every key in a text at once, however many keys there are. A
match of hashes is a match of words but for a chance of about one in a thousand million per note. Which two numbers stand
beside each other in any key is marked as well: only where all pairs of a run are marked is it sought, a tenth of a note. It
does not know what the numbers stand for; 0 is no word.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from backend.nlp.lexicon.word_sets import Codes, Window, mixed

_FACTOR = 0x9E3779B97F4A7C15  # odd, so that its powers lose no bit
_MARKS = 16
"""Bits a pair: a pair that is not held is taken for one in less than one of ten cases."""


def _by_end(window: Window) -> tuple[int, int]:
    """Windows in the order of their last words, of those with the same the longest first."""
    return window[0] + window[1], -window[1]


class RunFiling:
    """Rows by key; row i is of key i. Picklable, about 12 bytes a key and 4 a pair and a word."""

    def __init__(self, codes: Sequence[int], sizes: Sequence[int]) -> None:
        """From the numbers of all keys, and how many each has."""
        flat, lengths = np.asarray(codes, dtype=np.uint64), np.asarray(sizes, dtype=np.int64)
        ends = np.cumsum(lengths)
        starts = ends - lengths
        single = np.flatnonzero(lengths == 1)
        of = flat[starts[single]].astype(np.int64)
        self._single = single[np.argsort(of, kind="stable")].astype(np.int32)
        counts = np.bincount(of, minlength=int(flat.max(initial=0)) + 1)
        self._starts = np.concatenate([np.zeros(1, dtype=np.int32), np.cumsum(counts, dtype=np.int32)])
        hashes = np.zeros(len(lengths), dtype=np.uint64)
        self._longest = int(lengths.max(initial=0))
        for place in range(self._longest):
            has = np.flatnonzero(lengths > place)
            hashes[has] += mixed(flat[starts[has] + place]) * _power(place)
        longer = np.flatnonzero(lengths > 1)
        order = longer[np.argsort(hashes[longer], kind="stable")]
        self._hashes, self._rows = hashes[order], order.astype(np.int32)
        goes_on = np.ones(len(flat), dtype=bool)
        goes_on[ends[lengths > 0] - 1] = False
        first = np.flatnonzero(goes_on)
        self._pairs = _marked(flat[first], flat[first + 1])

    def windows(self, codes: Sequence[int], blocks: Sequence[int]) -> list[Window]:
        """Every stretch of the text that is a key and lies in one block.

        codes, blocks: one a word of the text, blocks never falling.
        """
        if not codes or not (len(self._single) or len(self._rows)):
            return []
        numbers, block = np.array(codes, dtype=np.uint64), np.array(blocks)
        found: list[Window] = []
        known = np.minimum(numbers, len(self._starts) - 2).astype(np.int64)
        low, high = self._starts[known], self._starts[known + 1]
        for place in np.flatnonzero((high > low) & (numbers == known)).tolist():
            found.append((place, 1, self._single[low[place] : high[place]].tolist()))
        pairs = _is_marked(self._pairs, numbers[:-1], numbers[1:]) & (block[:-1] == block[1:])
        pairs &= (numbers[:-1] > 0) & (numbers[1:] > 0)
        alive = np.flatnonzero(pairs)
        scattered = mixed(numbers)
        hashes, size = scattered[alive], 1
        while len(alive) and size < self._longest:
            hashes = hashes + scattered[alive + size] * _power(size)
            size += 1
            left = self._hashes.searchsorted(hashes, "left")
            right = self._hashes.searchsorted(hashes, "right")
            for place in np.flatnonzero(right > left).tolist():
                rows = self._rows[left[place] : right[place]].tolist()
                found.append((int(alive[place]), size, rows))
            on = alive + size < len(numbers)
            on[on] = pairs[alive[on] + size - 1]
            alive, hashes = alive[on], hashes[on]
        return sorted(found, key=_by_end)

    def rows(self, codes: Sequence[int]) -> list[int]:
        """The rows whose key these numbers are; none for none."""
        return next((rows for _, size, rows in self.windows(codes, [0] * len(codes)) if size == len(codes)), [])


@cache
def _power(place: int) -> np.uint64:
    """The factor of a run's word at this place: its powers modulo 2 to the 64."""
    return np.uint64(pow(_FACTOR, place, 1 << 64))


def _marked(first: Codes, second: Codes) -> npt.NDArray[np.uint8]:
    """Pairs of numbers as bits at their hashes."""
    pairs = len(np.unique(_paired(first, second)))
    marks = np.zeros(1 << (_MARKS * pairs // 8).bit_length(), dtype=np.uint8)
    places = _places(first, second, len(marks))
    np.bitwise_or.at(marks, places >> np.uint64(3), _bits(places))
    return marks


def _is_marked(marks: npt.NDArray[np.uint8], first: Codes, second: Codes) -> npt.NDArray[np.bool_]:
    places = _places(first, second, len(marks))
    return np.asarray((marks[places >> np.uint64(3)] & _bits(places)) != 0)


def _places(first: Codes, second: Codes, size: int) -> Codes:
    """The bit of each pair; size: bytes of the marks, a power of two."""
    return np.asarray((_paired(first, second) >> np.uint64(24)) & np.uint64(8 * size - 1))


def _paired(first: Codes, second: Codes) -> Codes:
    return np.asarray((first * _power(1) + second) * _power(1))


def _bits(places: Codes) -> npt.NDArray[np.uint8]:
    return np.asarray(np.uint8(1) << (places & np.uint64(7)).astype(np.uint8))
