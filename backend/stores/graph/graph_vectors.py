"""Vectors by text for a graph from outside: the names of its concepts from their own file, all else as it ships.

A drop-in for VectorFile, so that whoever asks for the vectors of names need not know which graph is loaded.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from backend.interfaces import Encoder
from backend.stores.graph.concept_vectors import KEY_BYTES, KnownVectors
from backend.stores.graph.vector_file import VectorFile, text_key


class GraphVectors(VectorFile):
    """path: the vectors that ship. folders: finished concept vectors, of which those of the encoder count."""

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
