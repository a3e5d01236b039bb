"""Vectors kept by content: rows keyed by the sha256 of the encoded text, float16, in one npz file an encoder.

A text that changes has another key, so a stale row is never found; it is only carried until the file is rebuilt. For a graph
from outside the names of its concepts come from their own file, all else from the one that ships.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from backend.interfaces import Encoder
from backend.stores.graph.concept_vectors import KEY_BYTES, KnownVectors
from backend.stores.swapped_folder import private_folder


def text_key(text: str) -> bytes:
    """The first 16 bytes of the text's sha256."""
    return hashlib.sha256(text.encode()).digest()[:16]


class VectorFile:
    """What `<encoder>.npz` holds: keys (n, 16) uint8 and vectors (n, d) float16. An absent file holds nothing."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._rows: dict[bytes, int] = {}
        self._vectors = np.zeros((0, 0), dtype=np.float16)
        if path.is_file():
            with np.load(path) as stored:
                self._rows = {row.tobytes(): i for i, row in enumerate(stored["keys"])}
                self._vectors = stored["vectors"]

    def missing(self, texts: Sequence[str]) -> list[str]:
        """The distinct texts that have no vector here, in order."""
        return [text for text in dict.fromkeys(texts) if text_key(text) not in self._rows]

    def stale(self, texts: Sequence[str]) -> int:
        """How many stored rows belong to none of the texts."""
        return len(self._rows.keys() - {text_key(text) for text in texts})

    def vectors(self, texts: Sequence[str], encoder: Encoder) -> np.ndarray:
        """(len(texts), d) float32; only texts that are not stored are encoded."""
        absent = self.missing(texts)
        fresh = dict(zip(absent, encoder.encode(absent), strict=True)) if absent else {}
        out = np.empty((len(texts), encoder.dimension), dtype=np.float32)
        for i, text in enumerate(texts):
            out[i] = fresh[text] if text in fresh else self._vectors[self._rows[text_key(text)]]
        return out

    def write(self, texts: Sequence[str], encoder: Encoder) -> int:
        """Store exactly these texts, keeping rows that are there; returns how many were encoded."""
        distinct = list(dict.fromkeys(texts))
        encoded = len(self.missing(distinct))
        vectors = self.vectors(distinct, encoder).astype(np.float16)
        keys = np.frombuffer(b"".join(text_key(text) for text in distinct), dtype=np.uint8).reshape(-1, 16)
        private_folder(self.path.parent)
        partial = self.path.with_suffix(".partial.npz")
        np.savez(partial, keys=keys, vectors=vectors)
        partial.replace(self.path)
        self._rows = {row.tobytes(): i for i, row in enumerate(keys)}
        self._vectors = vectors
        return encoded


class GraphVectors(VectorFile):
    """A drop-in for a VectorFile: who asks for vectors of names need not know which graph is loaded.

    path: the vectors that ship. folders: finished concept vectors, of which those of the encoder count.
    """

    def __init__(self, path: Path, folders: tuple[Path, ...], encoder: Encoder) -> None:
        super().__init__(path)
        self._known = KnownVectors(folders, encoder)

    def vectors(self, texts: Sequence[str], encoder: Encoder) -> np.ndarray:
        """(len(texts), d) float32; only texts that are stored nowhere are encoded."""
        keys = np.frombuffer(b"".join(text_key(text) for text in texts), dtype=np.uint8).reshape(-1, KEY_BYTES)
        found = np.zeros((len(texts), encoder.dimension), dtype=np.float16)
        here = self._known.find(keys, found) if len(texts) else np.zeros(0, dtype=bool)
        out = found.astype(np.float32)
        others = np.flatnonzero(~here)
        if len(others):
            out[others] = super().vectors([texts[i] for i in others.tolist()], encoder)
        return out


class StoredFirst:
    """An encoder that looks a text up before it encodes it. Implements interfaces.Encoder."""

    def __init__(self, stored: VectorFile, encoder: Encoder) -> None:
        self.name, self.dimension = encoder.name, encoder.dimension
        self._stored, self._encoder = stored, encoder

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """(len(texts), dimension) float32; rows that were stored have length 1 up to rounding."""
        return self._stored.vectors(texts, self._encoder)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """The same for queries; none of them is stored."""
        return self._encoder.encode_queries(texts)
