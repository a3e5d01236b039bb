"""Names in order: an Aho-Corasick automaton over the numbers of a text's words.

Takes keys (tuples of positive word numbers); finds every key in a text in one pass, however many keys there are. An
automaton over words rather than letters keeps to word borders by itself and has fewer nodes. Each number is spelt in
DIGITS digits, since pyahocorasick looks through a node's children one by one and a root with a child for each word
would be slow. It does not know what the numbers stand for; 0 is no word.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import ahocorasick
import numpy as np
import numpy.typing as npt

from backend.nlp.lexicon.word_sets import Window

DIGITS = 4


def _by_end(window: Window) -> tuple[int, int]:
    """Windows in the order of their last words, of those with the same the longest first."""
    return window[0] + window[1], -window[1]


def _filed(pairs: Iterable[tuple[int, int]]) -> npt.NDArray[np.bool_]:
    """Pairs of numbers as marks at their hashes: a pair that is not held is taken for one in less than one of ten cases."""
    numbers = np.array(list(pairs), dtype=np.uint64).reshape(-1, 2)
    marks = np.zeros(1 << (16 * len(numbers)).bit_length(), dtype=bool)
    marks[_hashed(numbers[:, 0], numbers[:, 1], len(marks))] = True
    return marks


def _hashed(first: npt.NDArray[np.uint64], second: npt.NDArray[np.uint64], size: int) -> npt.NDArray[np.uint64]:
    """Pairs of numbers scattered below a size, which is a power of two."""
    mixed = (first * _FACTOR + second) * _FACTOR
    return (mixed >> np.uint64(32)) & np.uint64(size - 1)


_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class NameAutomaton:
    """Rows by key. Keys that are the same share an entry. Picklable."""

    def __init__(self, keys: Sequence[tuple[int, ...]]) -> None:
        rows: dict[tuple[int, ...], list[int]] = {}
        for row, key in enumerate(keys):
            rows.setdefault(key, []).append(row)
        highest = max((code for key in rows for code in key), default=1)
        self._base = max(2, int(highest ** (1 / DIGITS)) + 2)
        self._digits: dict[int, tuple[int, ...]] = {0: (0, 0, 0, 0)}
        self._sizes = [len(key) for key in rows]
        self._rows = list(rows.values())
        self._single = {key[0]: held for key, held in rows.items() if len(key) == 1}
        self._pairs = _filed({pair for key in rows for pair in pairwise(key)})
        self._automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS, ahocorasick.KEY_SEQUENCE)
        for place, key in enumerate(rows):
            self._automaton.add_word(self._spelt(key), place)
        if rows:
            self._automaton.make_automaton()

    def windows(self, codes: Sequence[int], blocks: Sequence[int]) -> list[Window]:
        """Every stretch of the text that is a key and lies in one block.

        codes, blocks: one a word of the text, blocks never falling.
        """
        if not self._rows or not codes:
            return []
        found = [(i, 1, rows) for i, rows in enumerate(map(self._single.get, codes)) if rows is not None]
        # only where a word and the next may stand so in a key are longer keys sought: a tenth of a note
        numbers, block = np.array(codes, dtype=np.uint64), np.array(blocks)
        goes_on = self._pairs[_hashed(numbers[:-1], numbers[1:], len(self._pairs))] & (block[:-1] == block[1:])
        # a 0, which no key holds, stands between stretches, so that no name reaches over one
        spelt: list[int] = []
        place: list[int] = []
        digits, last = self._digits, -1
        for i in np.flatnonzero(goes_on).tolist():
            if i != last:
                spelt += digits[0]
                spelt += digits.get(codes[i]) or self._spell(codes[i])
                place += (i, i)
            last = i + 1
            spelt += digits.get(codes[last]) or self._spell(codes[last])
            place.append(last)
        sizes, rows = self._sizes, self._rows
        for end, entry in self._automaton.iter(tuple(spelt)) if spelt else ():
            if (size := sizes[entry]) > 1:
                found.append((place[end // DIGITS] + 1 - size, size, rows[entry]))
        return sorted(found, key=_by_end)

    def rows(self, codes: Sequence[int]) -> list[int]:
        """The rows whose key these numbers are; none for none."""
        place = self._automaton.get(self._spelt(codes), None) if self._rows else None
        return [] if place is None else self._rows[place]

    def _spelt(self, codes: Sequence[int]) -> tuple[int, ...]:
        """DIGITS symbols a number, each place with symbols of its own, so that no match begins within a word."""
        digits, spelt = self._digits, list[int]()
        for code in codes:
            spelt += digits.get(code) or self._spell(code)
        return tuple(spelt)

    def _spell(self, code: int) -> tuple[int, ...]:
        base = self._base
        rest, first = divmod(code, base)
        rest, second = divmod(rest, base)
        fourth, third = divmod(rest, base)
        self._digits[code] = 1 + first, 1 + base + second, 1 + 2 * base + third, 1 + 3 * base + fourth
        return self._digits[code]
