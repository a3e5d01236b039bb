"""Search of concepts by part of a name: all names in one run of bytes, each with the concept that it is of.

A search looks through the bytes by arrays, so it makes no object for what it does not give.
"""

from collections.abc import Iterable

import numpy as np

from backend.stores.graph.graph_rows import ConceptRow

_BREAK = "\n"


class ConceptSearch:
    """Concepts whose name or synonym holds some words."""

    def __init__(self, concepts: Iterable[ConceptRow]) -> None:
        blob, ends, owners, names = bytearray(_BREAK.encode()), list[int](), list[int](), list[str]()
        for place, row in enumerate(concepts):
            names.append(row.name)
            for name in dict.fromkeys((row.name, *row.synonyms)):
                blob += (_plain(name) + _BREAK).encode()
                ends.append(len(blob))
                owners.append(place)
        self._bytes = np.frombuffer(bytes(blob), dtype=np.uint8)
        self._ends, self._owners = np.array(ends, dtype=np.int64), np.array(owners, dtype=np.int32)
        self._rank = np.empty(len(names), dtype=np.int32)
        self._rank[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names), dtype=np.int32)

    def find(self, words: str, most: int) -> list[int]:
        """At most so many places of concepts: whole names first, then beginnings, then parts, each by the concept's name.

        Case and outer blanks do not count; no words find nothing.
        """
        sought = _plain(words).strip()
        if not sought:
            return []
        found: list[int] = []
        for held in (f"{_BREAK}{sought}{_BREAK}", f"{_BREAK}{sought}", sought):
            new = np.setdiff1d(self._holding(held), found)
            found += new[np.argsort(self._rank[new])][: most - len(found)].tolist()
            if len(found) == most:
                break
        return found

    def _holding(self, text: str) -> np.ndarray:
        """The concepts of the names that hold this text, sorted, without repeats."""
        wanted = text.encode()
        places = np.flatnonzero(self._bytes[: len(self._bytes) - len(wanted) + 1] == wanted[0])
        for offset, byte in enumerate(wanted[1:], start=1):
            places = places[self._bytes[places + offset] == byte]
        # the break before a name is the last byte of the one before it
        inside = places + (1 if text.startswith(_BREAK) else 0)
        return np.unique(self._owners[np.searchsorted(self._ends, inside, side="right")])


def _plain(text: str) -> str:
    return text.lower().replace(_BREAK, " ")
