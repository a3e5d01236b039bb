"""A linker that reads each sentence and passage once: drafting, verification and safety all read the same ones.

A longer text, such as a whole note, is linked anew and not kept: memory stays small, and a note is not held on to.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TypeVar

from backend.interfaces import Linker
from backend.schemas.corrections import Correction
from backend.schemas.drafts.note import LinkedNote, Mention

Read = TypeVar("Read")
LONGEST_KEPT = 1_000  # code points; a passage has at most so many


class CachedLinker:
    """Keeps the most recent short texts in memory only. Safe to share between threads."""

    def __init__(self, linker: Linker, size: int = 8192) -> None:
        self._linker = linker
        self._size = size
        self._known: OrderedDict[str, LinkedNote] = OrderedDict()
        self._named: OrderedDict[str, tuple[Mention, ...]] = OrderedDict()
        self._records: OrderedDict[str, LinkedNote] = OrderedDict()
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Let go of every text that was read."""
        with self._lock:
            for known in (self._known, self._named, self._records):
                known.clear()

    def link(self, text: str) -> LinkedNote:
        """The note as read, from memory where the same text was read before; very long texts are not kept."""
        return self._kept(self._known, self._linker.link, text)

    def named(self, text: str) -> tuple[Mention, ...]:
        """What a text names, kept in the same way."""
        return self._kept(self._named, self._linker.named, text)

    def _kept(self, known: "OrderedDict[str, Read]", read: Callable[[str], Read], text: str) -> Read:
        if len(text) > LONGEST_KEPT:
            return read(text)
        with self._lock:
            found = known.get(text)
        if found is None:
            found = read(text)
            with self._lock:
                known[text] = found
                while len(known) > self._size:
                    known.popitem(last=False)
        return found

    def read(self, text: str, corrections: Sequence[Correction] = ()) -> LinkedNote:
        """The text with its record: of a medicine's line from memory like its mentions, a longer note or a corrected one anew."""
        if corrections:
            return self._linker.read(text, corrections)
        return self._kept(self._records, self._linker.read, text)

    def correct(self, linked: LinkedNote, corrections: Sequence[Correction]) -> LinkedNote:
        """The note with a clinician's corrections."""
        return self._linker.correct(linked, corrections)
