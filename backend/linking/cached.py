"""A linker that reads each text once: drafting, verification and safety all read the same sentences."""

import threading
from collections import OrderedDict

from backend.interfaces import Linker
from backend.schemas.note import LinkedNote


class CachedLinker:
    """Keeps the most recent texts in memory only. Safe to share between threads."""

    def __init__(self, linker: Linker, size: int = 8192) -> None:
        self._linker = linker
        self._size = size
        self._known: OrderedDict[str, LinkedNote] = OrderedDict()
        self._lock = threading.Lock()

    def link(self, text: str) -> LinkedNote:
        with self._lock:
            found = self._known.get(text)
        if found is None:
            found = self._linker.link(text)
            with self._lock:
                self._known[text] = found
                while len(self._known) > self._size:
                    self._known.popitem(last=False)
        return found
