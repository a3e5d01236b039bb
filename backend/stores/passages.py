"""Passages and their vectors: one Chroma collection a source.

Vectors come from outside (embedding_function=None), so an index cannot be searched with another encoder's: the
collection's name carries the encoder's. The only module that imports chromadb; one process may open a folder.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.errors import MissingError
from backend.schemas.vocabulary import Source

LARGEST_BATCH = 5_000  # Chroma takes at most 5,461 rows at once


class PassageRow(NamedTuple):
    """A passage before it is retrieved. start_char and end_char index its source document."""

    key: str
    source: Source
    document_id: str
    title: str
    text: str
    start_char: int
    end_char: int
    url: str = ""
    licence: str = ""
    section: str = ""
    concept_id: str = ""


class PassageVectors:
    """Nearest passages by cosine. folder=None keeps everything in memory."""

    def __init__(self, encoder: str, folder: Path | None = None) -> None:
        import chromadb
        from chromadb.config import Settings

        options = Settings(anonymized_telemetry=False)
        self._client: Any = (
            chromadb.EphemeralClient(options) if folder is None else chromadb.PersistentClient(str(folder), options)
        )
        self._encoder = encoder
        self._collections: dict[Source, Any] = {}

    def put(self, source: Source, keys: Sequence[str], vectors: np.ndarray) -> None:
        """Replace a source's vectors. keys are row numbers or ids as text; vectors (len(keys), d) of length 1."""
        digest = hashlib.sha256("\n".join(keys).encode() + vectors.tobytes()).hexdigest()[:16]
        name = f"{source.value}-{self._encoder}-{digest}"
        existing = {collection.name for collection in self._client.list_collections()}
        collection = self._client.get_or_create_collection(
            name, embedding_function=None, configuration={"hnsw": {"space": "cosine", "ef_search": 128}}
        )
        if name not in existing:
            for start in range(0, len(keys), LARGEST_BATCH):
                end = start + LARGEST_BATCH
                collection.add(ids=list(keys[start:end]), embeddings=vectors[start:end])
        self._collections[source] = collection

    def search(self, source: Source, queries: np.ndarray, k: int) -> list[list[tuple[str, float]]]:
        """For each query vector the k nearest keys with their cosine (-1 to 1), best first."""
        collection = self._collections.get(source)
        if collection is None:
            raise MissingError(
                f"No passages are indexed for source '{source.value}'. Add some with: "
                f"python -m backend knowledge add jsonl --source {source.value} --from FILE"
            )
        k = min(k, collection.count())
        if k == 0 or not len(queries):
            return [[] for _ in queries]
        found = collection.query(query_embeddings=queries, n_results=k, include=["distances"])
        return [
            [(key, 1.0 - float(distance)) for key, distance in zip(keys, distances, strict=True)]
            for keys, distances in zip(found["ids"], found["distances"], strict=True)
        ]

    def sources(self) -> tuple[Source, ...]:
        return tuple(self._collections)
