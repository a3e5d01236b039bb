"""A linker that reads each sentence and passage once: drafting, verification and safety all read the same ones.

A longer text, such as a whole note, is linked anew and not kept: memory stays small, and a note is not held on to.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence

from backend.interfaces import Linker
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.record import Correction

LONGEST_KEPT = 1_000  # code points; a passage has at most so many


class CachedLinker:
    """Keeps the most recent short texts in memory only. Safe to share between threads."""

    def __init__(self, linker: Linker, size: int = 8192) -> None:
        self._linker = linker
        self._size = size
        self._known: OrderedDict[str, LinkedNote] = OrderedDict()
        self._lock = threading.Lock()

    def link(self, text: str) -> LinkedNote:
        """The note as read, from memory where the same text was read before; very long texts are not kept."""
        if len(text) > LONGEST_KEPT:
            return self._linker.link(text)
        with self._lock:
            found = self._known.get(text)
        if found is None:
            found = self._linker.link(text)
            with self._lock:
                self._known[text] = found
                while len(self._known) > self._size:
                    self._known.popitem(last=False)
        return found

    def read(self, text: str, corrections: Sequence[Correction] = ()) -> LinkedNote:
        """The note with its record, read anew: a note is not held on to."""
        return self._linker.read(text, corrections)

    def correct(self, linked: LinkedNote, corrections: Sequence[Correction]) -> LinkedNote:
        """The note with a clinician's corrections."""
        return self._linker.correct(linked, corrections)
