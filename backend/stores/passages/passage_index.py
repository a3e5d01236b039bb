"""Passages, and the nearest of their vectors in Chroma: one index an imported collection.

Vectors come from outside (embedding_function=None), so an index cannot be searched with another encoder's: the
collection's name carries the encoder's. The only module that imports chromadb; one process may open a folder
(source_lock.py).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.schemas.vocabulary import Source
from backend.stores.swapped_folder import private_folder

ADDED_AT_ONCE = 250  # rows between two signs of progress: Chroma holds the interpreter while it adds them


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
    date: str = ""


class VectorIndexes:
    """Nearest rows in Chroma collections by name, kept in a folder. Keys are row numbers; a name's vectors never change.

    Everything here can be built again from the collections' own vectors, so what is damaged or foreign is dropped.
    """

    def __init__(self, folder: Path) -> None:
        """The caller holds the lock of the folder: a second process would read wrong counts."""
        private_folder(folder)
        self._client = _client(folder)
        self._open: dict[str, Any] = {}

    def fill(self, name: str, vectors: np.ndarray, progress: Callable[[int], None] | None = None) -> None:
        """Make the index of that name hold the rows of vectors (n, d); rows that are there already are not added again.

        progress is called with the rows done so far, and may raise to stop.
        """
        collection = _collection(self._client, name)
        done = int(collection.count())
        if done > len(vectors):
            self.drop(name)
            collection, done = _collection(self._client, name), 0
        # rows are added in order and a batch whole, so the count tells which are there
        for start in range(done, len(vectors), ADDED_AT_ONCE):
            rows = np.asarray(vectors[start : start + ADDED_AT_ONCE], dtype=np.float32)
            collection.add(ids=[str(start + i) for i in range(len(rows))], embeddings=rows)
            if progress:
                progress(start + len(rows))
        self._open[name] = collection

    def count(self, name: str) -> int:
        """How many rows the index of that name holds; 0 when there is none."""
        return int(_collection(self._client, name).count()) if name in self.names() else 0

    def nearest(self, name: str, queries: np.ndarray, k: int) -> list[list[tuple[int, float]]]:
        """For each query vector the k nearest rows with their cosine (-1 to 1), best first; nearly always the exact ones."""
        if name not in self._open:
            self._open[name] = _collection(self._client, name)
        collection = self._open[name]
        k = min(k, collection.count())
        if k < 1 or not len(queries):
            return [[] for _ in queries]
        found = collection.query(query_embeddings=queries, n_results=k, include=["distances"])
        return [
            [(int(key), 1.0 - float(distance)) for key, distance in zip(keys, distances, strict=True)]
            for keys, distances in zip(found["ids"], found["distances"], strict=True)
        ]

    def names(self) -> set[str]:
        """The indexes there are."""
        return {str(collection.name) for collection in self._client.list_collections()}

    def drop(self, name: str) -> None:
        """Remove an index; a name that is not there is no error."""
        self._open.pop(name, None)
        if name in self.names():
            self._client.delete_collection(name)

    def close(self) -> None:
        """Let go of the folder, so that another process may open it."""
        self._open.clear()
        close = getattr(self._client, "close", None)  # older versions free it with the last reference
        if close is not None:
            close()


def _client(folder: Path | None) -> Any:
    import chromadb
    from chromadb.config import Settings

    options = Settings(anonymized_telemetry=False)
    return chromadb.EphemeralClient(options) if folder is None else chromadb.PersistentClient(str(folder), options)


def _collection(client: Any, name: str) -> Any:
    return client.get_or_create_collection(
        name, embedding_function=None, configuration={"hnsw": {"space": "cosine", "ef_search": 128}}
    )
