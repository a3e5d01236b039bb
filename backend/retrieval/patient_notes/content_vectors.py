"""Vectors by content: a text that was encoded once is not encoded again, whichever patient or request it comes with.

Only hashes and vectors are held, no text; the oldest are let go beyond the capacity.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np

from backend.interfaces import Encoder
from backend.stores.graph.vector_file import text_key

CAPACITY = 20_000  # at 384 floats a vector about 30 MB
AT_ONCE = 64  # texts between two notes of progress

Progress = Callable[[int, int, str], None]


class ContentVectors:
    """May be shared by requests that run at once; each text is then encoded by the first one that needs it."""

    def __init__(self, encoder: Encoder, capacity: int = CAPACITY) -> None:
        if capacity < 1:
            raise ValueError(f"capacity is {capacity}; it must be at least 1 vector.")
        self._encoder = encoder
        self._capacity = capacity
        self._rows: OrderedDict[bytes, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Let go of every vector."""
        with self._lock:
            self._rows.clear()

    def vectors(self, texts: Sequence[str], progress: Progress | None = None) -> np.ndarray:
        """(len(texts), d) float32, rows of length 1. progress may raise to stop; what is encoded by then is kept."""
        keys = [text_key(text) for text in texts]
        # one encoder works at a time anyway, so waiting here costs nothing and saves encoding twice
        with self._lock:
            absent = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._rows}
            held = {key: self._rows[key] for key in keys if key in self._rows}
            pending = list(absent.items())
            for start in range(0, len(pending), AT_ONCE):
                if progress is not None:
                    progress(start, len(pending), "chunks encoded")
                batch = pending[start : start + AT_ONCE]
                fresh = self._encoder.encode([text for _, text in batch])
                for (key, _), row in zip(batch, fresh, strict=True):
                    held[key] = self._rows[key] = np.asarray(row, dtype=np.float32)
            if progress is not None and pending:
                progress(len(pending), len(pending), "chunks encoded")
            for key in dict.fromkeys(keys):
                self._rows.move_to_end(key)
            while len(self._rows) > self._capacity:
                self._rows.popitem(last=False)
        if not texts:
            return np.empty((0, self._encoder.dimension), dtype=np.float32)
        return np.stack([held[key] for key in keys])
