"""The chunks of one patient's notes in Chroma, for as long as one request needs them.

Vectors come from outside; every chunk carries its metadata (note type, header name, place under the header, visit, time).
Kept in memory alone and taken out again on leaving: no text is handed to Chroma, and nothing is written.
"""

import threading
import uuid
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np

from backend.schemas.patients.patient_notes import NoteType

LARGEST_BATCH = 5_000  # Chroma takes at most 5,461 rows at once
SLACK = 1e-5  # float32 sums in another order may differ by this
_one_client = threading.Lock()
_clients: list[Any] = []


class ChunkTags(NamedTuple):
    """What Chroma keeps of a chunk. visit is 0 and time empty where the note has no date."""

    note: int
    note_type: NoteType
    header_name: str
    chunk_id_in_header: int
    visit: int
    time: str


class PatientChunkStore:
    """Nearest chunks by cosine, of all notes or of one type. Use it in a `with` statement; rows are numbers 0..n-1."""

    def __init__(self, tags: Sequence[ChunkTags], vectors: np.ndarray) -> None:
        """vectors: (len(tags), d) float32, rows of length 1.

        Raises:
            ValueError: where the two lengths differ.
        """
        if len(tags) != len(vectors):
            raise ValueError(f"There are {len(tags)} chunks and {len(vectors)} vectors; each chunk needs one.")
        self._client = _client()
        self._name = f"patient-{uuid.uuid4().hex}"
        kinds = np.array([tag.note_type.value for tag in tags])
        self._rows = {NoteType(kind): np.flatnonzero(kinds == kind) for kind in sorted(set(kinds.tolist()))}
        self._vectors = vectors
        self._size = len(tags)
        # a quick build and a wide search: over some thousand rows the neighbours found are the exact ones
        index = {"space": "cosine", "ef_construction": 32, "max_neighbors": 16, "ef_search": 256}
        self._collection = self._client.create_collection(
            self._name, embedding_function=None, configuration={"hnsw": index}
        )
        for start in range(0, len(tags), LARGEST_BATCH):
            end = min(start + LARGEST_BATCH, len(tags))
            self._collection.add(
                ids=[str(row) for row in range(start, end)],
                embeddings=vectors[start:end],
                metadatas=[_metadata(tag) for tag in tags[start:end]],
            )

    @property
    def types(self) -> tuple[NoteType, ...]:
        """The types there are, in the order of the vocabulary."""
        return tuple(kind for kind in NoteType if kind in self._rows)

    def nearest(self, queries: np.ndarray, k: int, note_type: NoteType | None = None) -> list[list[tuple[int, float]]]:
        """For each query vector the k nearest rows with their cosine (-1 to 1), best first; of one type where given.

        Chroma's index is approximate, and which of several equal rows it gives changes from call to call. So the last
        cosine that it gives is a floor, and all rows above it are compared exactly: equal ones by row.
        """
        held = self._size if note_type is None else len(self._rows.get(note_type, ()))
        if min(k, held) < 1 or not len(queries):
            return [[] for _ in queries]
        where = None if note_type is None else {"note_type": note_type.value}
        found = self._collection.query(
            query_embeddings=queries, n_results=min(k, held), where=where, include=["distances"]
        )
        rows = np.arange(self._size) if note_type is None else self._rows[note_type]
        return [
            _surely_nearest(rows, self._vectors[rows] @ query, 1.0 - max(distances), k)
            for query, distances in zip(queries, found["distances"], strict=True)
        ]

    def tags(self, rows: Sequence[int]) -> list[ChunkTags]:
        """What is kept of some rows, in their order."""
        if not rows:
            return []
        found = self._collection.get(ids=[str(row) for row in rows], include=["metadatas"])
        by_id = dict(zip(found["ids"], found["metadatas"], strict=True))
        return [_tags(by_id[str(row)]) for row in rows]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.delete_collection(self._name)


def _surely_nearest(rows: np.ndarray, cosines: np.ndarray, floor: float, k: int) -> list[tuple[int, float]]:
    """The k best of the rows whose cosine reaches the floor, best first, equal ones by row."""
    rounded = np.round(cosines.astype(np.float64), 6)
    near = np.flatnonzero(rounded >= floor - SLACK)
    order = near[np.lexsort((rows[near], -rounded[near]))][:k]
    return [(int(rows[i]), float(rounded[i])) for i in order]


def _metadata(tag: ChunkTags) -> dict[str, str | int]:
    return {**tag._asdict(), "note_type": tag.note_type.value}


def _tags(held: Mapping[str, Any]) -> ChunkTags:
    return ChunkTags(**{**held, "note_type": NoteType(held["note_type"])})


def _client() -> Any:
    """One in-memory client a process: making one costs more than a search."""
    with _one_client:
        if not _clients:
            import chromadb
            from chromadb.config import Settings

            _clients.append(chromadb.EphemeralClient(Settings(anonymized_telemetry=False)))
        return _clients[0]
