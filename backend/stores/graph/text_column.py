"""Many short texts in one array of bytes: no object for each, and nothing read before it is asked for."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import overload

import numpy as np

_CHUNK = 32_768  # texts reordered at once: bounds the index arrays to a few megabytes


class TextColumn(Sequence[str]):
    """Texts in one UTF-8 blob. blob: (bytes,) uint8. offsets: (n + 1,) int64, where each text begins, and the end."""

    def __init__(self, blob: np.ndarray, offsets: np.ndarray) -> None:
        self.blob, self.offsets = blob, offsets
        self._bytes, self._starts = blob.data, offsets.data

    def __reduce__(self) -> tuple[type["TextColumn"], tuple[np.ndarray, np.ndarray]]:
        return TextColumn, (self.blob, self.offsets)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...
    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self[i] for i in range(*place.indices(len(self))))
        return str(self.raw(place), "utf-8")

    def __iter__(self) -> Iterator[str]:
        for start, end in pairwise(self.offsets.tolist()):
            yield str(self._bytes[start:end], "utf-8")

    def raw(self, place: int) -> memoryview:
        """The UTF-8 bytes of one text.

        Raises:
            IndexError: there is no such text.
        """
        if place < 0:
            place += len(self)
        if not 0 <= place < len(self):
            raise IndexError(f"There are {len(self)} texts; {place} is none of them")
        return self._bytes[self._starts[place] : self._starts[place + 1]]

    def take(self, order: np.ndarray) -> "TextColumn":
        """The texts of these places, in this order."""
        starts, lengths = self.offsets[:-1][order], np.diff(self.offsets)[order]
        offsets = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])
        blob = np.empty(int(offsets[-1]), dtype=np.uint8)
        for first in range(0, len(order), _CHUNK):
            chunk = slice(first, min(first + _CHUNK, len(order)))
            begin, end = int(offsets[chunk.start]), int(offsets[chunk.stop])
            places = np.arange(begin, end) + np.repeat(starts[chunk] - offsets[chunk], lengths[chunk])
            blob[begin:end] = self.blob[places]
        return TextColumn(blob, offsets)


class TextWriter:
    """Collects texts for a column, one behind the other."""

    def __init__(self) -> None:
        self._blob = bytearray()
        self._ends: list[int] = []

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, text: str) -> None:
        """Append one text."""
        self._blob += text.encode()
        self._ends.append(len(self._blob))

    def column(self) -> TextColumn:
        """All texts so far, as a copy."""
        offsets = np.zeros(len(self._ends) + 1, dtype=np.int64)
        offsets[1:] = self._ends
        return TextColumn(np.frombuffer(bytes(self._blob), dtype=np.uint8), offsets)


def text_column(texts: Iterable[str]) -> TextColumn:
    """The texts as a column; a column is returned as it is."""
    if isinstance(texts, TextColumn):
        return texts
    writer = TextWriter()
    for text in texts:
        writer.add(text)
    return writer.column()
