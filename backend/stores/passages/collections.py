"""Collections: passages that are searched with others as one source. In memory, or an imported collection in files.

A collection is opened from its files without reading them: passages in SQLite, BM25 and vectors memory-mapped, nearest
rows by Chroma, or by comparing all where this process has no Chroma open.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from backend.errors import KnowledgeError
from backend.stores.passages.bm25 import Bm25Index
from backend.stores.passages.collection_build import BM25, TABLE, TOPIC_ROWS, TOPICS
from backend.stores.passages.collection_meta import read_meta
from backend.stores.passages.passage_index import PassageRow, VectorIndexes
from backend.stores.passages.passage_table import NO_TOPIC, PassageTable
from backend.stores.passages.passage_vectors import open_array
from backend.stores.torch_threads import one_torch_thread

PART = 256  # rows widened at once: what they take in memory stays in the processor's cache
SCORED = 65_536  # rows whose scores are held at once


class PassageCollection(Protocol):
    """Passages that are searched with others as one source. vectors: (n, d), rows of length 1."""

    documents: int
    bm25: Bm25Index

    @property
    def vectors(self) -> np.ndarray:
        """(n, d), rows of length 1."""
        ...

    def nearest(self, queries: np.ndarray, k: int) -> list[list[tuple[int, float]]]:
        """For each query vector (m, d) the k nearest rows with their cosine, best first."""
        ...

    def rows(self, numbers: Sequence[int]) -> list[PassageRow]:
        """The passages of these numbers, in this order."""
        ...

    def titled(self, title: str) -> int | None:
        """The number of the passage with this title, case aside; None without one."""
        ...

    def of_document(self, document_id: str) -> list[PassageRow]:
        """All passages of a document, in order; none for an id that is not here."""
        ...

    def topics(self, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers), d) float32: the vectors of what the passages' documents are about; zeros where it is not known."""
        ...


class MemoryCollection:
    """Passages in memory, compared with exactly.

    Args:
        rows: the passages.
        words: what is indexed of each.
        vectors: (n, d) float32 of length 1.
        topics: (n, d) float32, of what each one's document is about; zeros where it is not known. None: of none.
    """

    def __init__(
        self, rows: Sequence[PassageRow], words: Bm25Index, vectors: np.ndarray, topics: np.ndarray | None = None
    ) -> None:
        """Keep the passages."""
        self._topics = topics
        self._rows = tuple(rows)
        self._titles = {row.title.lower(): i for i, row in reversed(list(enumerate(rows)))}
        self.documents = len({row.document_id for row in rows})
        self.bm25 = words
        self.vectors = vectors

    def nearest(self, queries: np.ndarray, k: int) -> list[list[tuple[int, float]]]:
        """For each query vector the k nearest rows with their cosine, best first, equal ones by number."""
        near = queries @ self.vectors.T
        places = np.argsort(-near, axis=1, kind="stable")[:, :k]
        return [[(int(row), float(cosines[row])) for row in best] for best, cosines in zip(places, near, strict=True)]

    def rows(self, numbers: Sequence[int]) -> list[PassageRow]:
        """The passages of these numbers, in this order."""
        return [self._rows[number] for number in numbers]

    def titled(self, title: str) -> int | None:
        """The first row of that title, case aside."""
        return self._titles.get(title.lower())

    def of_document(self, document_id: str) -> list[PassageRow]:
        """All passages of a document, in order."""
        return [row for row in self._rows if row.document_id == document_id]

    def topics(self, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers), d) float32: the vectors of what the passages' documents are about."""
        if self._topics is None:
            return np.zeros((len(numbers), self.vectors.shape[1]), dtype=np.float32)
        return np.asarray(self._topics[list(numbers)], dtype=np.float32)


class Collection:
    """One collection, open, in files. vectors: (n, d) float16, memory-mapped."""

    def __init__(self, folder: Path, indexes: VectorIndexes | None) -> None:
        """Without indexes, nearest rows are found by comparing all.

        Raises:
            KnowledgeError: for a damaged folder.
        """
        self.meta = read_meta(folder)
        self.documents = self.meta.documents
        self.table = PassageTable(folder / TABLE, self.meta.source, self.meta.name)
        self.bm25 = Bm25Index.read(folder / BM25)
        self.vectors = open_array(folder, "vectors", np.float16)
        self._topics, self._topic_rows = _read_topics(folder, self.vectors)
        sizes = (self.table.size, self.bm25.size, len(self.vectors))
        if set(sizes) != {self.meta.passages}:
            raise KnowledgeError(
                f"The collection {folder.name!r} states {self.meta.passages} passages and holds {sizes} in table, words and "
                "vectors. Import it again with: python -m backend knowledge add"
            )
        self._indexes = indexes
        self.retired = False
        if indexes is not None:
            indexes.fill(self.meta.vectors, self.vectors)  # adds nothing where the index is whole

    def nearest(self, queries: np.ndarray, k: int) -> list[list[tuple[int, float]]]:
        """For each query vector the k nearest rows with their cosine, best first."""
        if self._indexes is not None and not self.retired:
            try:
                return self._indexes.nearest(self.meta.vectors, queries, k)
            except Exception:
                # an import may have replaced this collection in between; whoever still holds it gets its answer
                if not self.retired:
                    raise
        return nearest_halves(self.vectors, queries, k)

    def rows(self, numbers: Sequence[int]) -> list[PassageRow]:
        """The passages of these numbers, in this order."""
        return self.table.rows(numbers)

    def titled(self, title: str) -> int | None:
        """The number of the passage with this title, case aside; None without one."""
        return self.table.titled(title)

    def of_document(self, document_id: str) -> list[PassageRow]:
        """All passages of a document, in order."""
        return self.table.of_document(document_id)

    def topics(self, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers), d) float32: the vectors of what the passages' documents are about; zeros where it is not known."""
        places = self._topic_rows[np.asarray(numbers, dtype=np.int64)]
        out = np.zeros((len(places), self.vectors.shape[1]), dtype=np.float32)
        known = places != NO_TOPIC
        out[known] = self._topics[places[known]]
        return out


def _read_topics(folder: Path, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The topics' vectors, and which one each row has; none in a collection that an earlier version made.

    Raises:
        KnowledgeError: they do not fit the rows.
    """
    if not (folder / TOPICS).is_dir():
        return vectors[:0], np.full(len(vectors), NO_TOPIC, dtype=np.int32)
    topics = open_array(folder / TOPICS, "vectors", np.float16)
    places = open_array(folder / TOPICS, TOPIC_ROWS, np.int32)[:, 0]
    if (
        len(places) != len(vectors)
        or topics.shape[1] != vectors.shape[1]
        or (len(places) and not NO_TOPIC <= int(places.min()) <= int(places.max()) < max(1, len(topics)))
    ):
        raise KnowledgeError(
            f"The topics of the collection {folder.name!r} do not fit its passages. "
            "Import it again with: python -m backend knowledge add"
        )
    return topics, places


def nearest_halves(vectors: np.ndarray, queries: np.ndarray, k: int) -> list[list[tuple[int, float]]]:
    """For each query (q, d) the k rows of vectors (n, d) float16 with the greatest inner product, best first.

    Of equal products the lower row comes first. Equal vectors may differ in a product's last bit, since sums at the edge of a block run in another order.

    Every row is compared, exactly. torch widens and multiplies, a part that stays in the processor's cache at a time: numpy
    widens float16 a value at a time, which takes longer than comparing.
    """
    best = min(k, len(vectors))
    if best < 1 or not len(queries):
        return [[] for _ in queries]
    import torch  # not needed before a collection is searched this way

    asked = torch.from_numpy(np.array(queries, dtype=np.float32))
    halves = np.empty((PART, vectors.shape[1]), dtype=np.float16)
    wide = torch.empty((PART, vectors.shape[1]), dtype=torch.float32)
    held = [(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float32)) for _ in queries]
    with one_torch_thread():
        for first in range(0, len(vectors), SCORED):
            scores = np.empty((len(queries), min(SCORED, len(vectors) - first)), dtype=np.float32)
            for start in range(0, scores.shape[1], PART):
                begin, end = first + start, first + min(start + PART, scores.shape[1])
                halves[: end - begin] = vectors[begin:end]
                part = wide[: end - begin].copy_(torch.from_numpy(halves[: end - begin]))
                scores[:, start : start + end - begin] = (asked @ part.T).numpy()
            held = [_merged(*kept, row, first, best) for kept, row in zip(held, scores, strict=True)]
    return [list(zip(rows.tolist(), values.tolist(), strict=True)) for rows, values in held]


def _merged(
    rows: np.ndarray, values: np.ndarray, scores: np.ndarray, first: int, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """The k best of those held and of the scores of the rows from `first` on, best first; equal: lower row."""
    if len(scores) > k:
        # every row that ties with the k-th stays until the order decides
        places = np.flatnonzero(scores >= np.partition(scores, len(scores) - k)[len(scores) - k])
    else:
        places = np.arange(len(scores))
    rows, values = np.append(rows, places + first), np.append(values, scores[places])
    order = np.lexsort((rows, -values))[:k]
    return rows[order], values[order]
