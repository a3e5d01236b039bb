"""Sets of word numbers, filed as 64-bit hashes in one sorted array: names in any order of their words.

Takes keys (tuples of positive word numbers); finds, for all windows of a text at once, which windows hold a key's words
in whatever order. A match of hashes is a match of words but for a chance of about one in ten thousand million per note;
the caller compares the words anyway. It does not know what the numbers stand for; 0 is no word.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.uint64]
_BASE = np.uint64(0x9E3779B97F4A7C15)


Window = tuple[int, int, list[int]]
"""A stretch of a text that is a key: its first word, how many words, and the rows filed under it."""


class Filing:
    """Rows by key; the order of a key's words does not count. Picklable, about 12 bytes a key."""

    def __init__(self, keys: Sequence[tuple[int, ...]], rows: Sequence[int]) -> None:
        hashes = self._hashes(keys)
        order = np.argsort(hashes, kind="stable")
        self._sorted = hashes[order]
        self._rows = np.array(rows, dtype=np.int32)[order]
        used = np.fromiter((code for key in keys for code in key), dtype=np.int64)
        self._used = np.zeros(used.max(initial=0) + 1, dtype=bool)
        self._used[used] = True

    def windows(self, codes: Sequence[int], blocks: Sequence[int], sizes: Iterable[int]) -> list[Window]:
        """Every window of these sizes that is a key, holds no 0 and lies in one block.

        codes, blocks: one a word of the text, blocks never falling.
        """
        if not codes or not len(self._sorted):
            return []
        wanted = set(sizes)
        numbers, block = np.array(codes, dtype=np.uint64), np.array(blocks)
        scattered = mixed(numbers)
        known = self._used[np.where(numbers < len(self._used), numbers, 0)]
        hashes = np.zeros(len(numbers), dtype=np.uint64)
        alive = np.arange(len(numbers))
        found: list[Window] = []
        for size in range(1, max(wanted) + 1):
            alive = alive[alive + size <= len(numbers)]
            last = alive + size - 1
            alive = alive[known[last] & (block[last] == block[alive])]
            if not len(alive):
                break
            hashes[alive] = hashes[alive] + scattered[alive + size - 1]
            if size not in wanted:
                continue
            sought = hashes[alive]
            low = self._sorted.searchsorted(sought, "left")
            hit = low < len(self._sorted)
            hit[hit] = self._sorted[low[hit]] == sought[hit]
            high = self._sorted.searchsorted(sought[hit], "right")
            for first, a, b in zip(alive[hit].tolist(), low[hit].tolist(), high.tolist(), strict=True):
                found.append((first, size, self._rows[a:b].tolist()))
        return found

    def rows(self, codes: Sequence[int]) -> list[int]:
        """The rows of the key that these numbers are in some order; none for none. A 0 is in no key."""
        if not all(codes) or not len(self._sorted):
            return []
        sought = mixed(np.array(codes, dtype=np.uint64)).sum()
        low, high = self._sorted.searchsorted(sought, "left"), self._sorted.searchsorted(sought, "right")
        rows: list[int] = self._rows[low:high].tolist()
        return rows

    def _hashes(self, keys: Sequence[tuple[int, ...]]) -> Codes:
        hashes = np.zeros(len(keys), dtype=np.uint64)
        if not keys:
            return hashes
        lengths = np.array([len(key) for key in keys])
        flat = mixed(np.fromiter((code for key in keys for code in key), dtype=np.uint64, count=int(lengths.sum())))
        offsets = np.cumsum(lengths) - lengths
        for position in range(int(lengths.max())):
            has = np.flatnonzero(lengths > position)
            hashes[has] = hashes[has] + flat[offsets[has] + position]
        return hashes


def mixed(codes: Codes) -> Codes:
    """Scatter small numbers over 64 bits (splitmix64), so that their sums do not meet by chance."""
    z = codes + _BASE
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))
