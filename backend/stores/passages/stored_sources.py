"""The stored sources, open for searching: book, guideline, research and wiki, each of one or more collections.

Rows of a source are numbered through, in the order of its collections' names. One process may have the sources open with
Chroma (source_lock.py); others may search them exactly, without it.
"""

import glob
import logging
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from backend.errors import ConflictError, KnowledgeError, MissingError
from backend.schemas.vocabulary import Source
from backend.stores.passages.bm25 import Bm25Group
from backend.stores.passages.collection_meta import (
    CollectionMeta,
    collection_folder,
    damaged,
    found,
    listed,
    read_meta,
    sources_folder,
)
from backend.stores.passages.collection_swap import discard, mend_all
from backend.stores.passages.collections import Collection, PassageCollection
from backend.stores.passages.passage_index import PassageRow, VectorIndexes
from backend.stores.passages.sources_lock import SourceLock

log = logging.getLogger("leapnote")


class StoredSource:
    """One source as it is now: all its collections searched as one. It does not change; imports make a new one."""

    def __init__(self, source: Source, text_collections: Sequence[PassageCollection]) -> None:
        self.source = source
        self.text_collections = tuple(text_collections)
        self._starts = np.cumsum([0, *(len(collection.vectors) for collection in self.text_collections)])
        self.word_indexes = tuple(collection.bm25 for collection in self.text_collections)
        self._bm25 = Bm25Group(self.word_indexes)

    def __len__(self) -> int:
        return int(self._starts[-1])

    @property
    def documents(self) -> int:
        """Of all its collections."""
        return sum(collection.documents for collection in self.text_collections)

    def lexical(self, query: str, k: int) -> list[tuple[int, float]]:
        """The k best rows by BM25 with their scores (0 upwards, comparable within one query), best first."""
        return self._bm25.search(query, k)

    def nearest(self, queries: np.ndarray, k: int) -> list[list[tuple[int, float]]]:
        """For each query vector (q, d) the k nearest rows with their cosine (-1 to 1), best first."""
        merged: list[list[tuple[int, float]]] = [[] for _ in queries]
        for first, collection in zip(self._starts.tolist(), self.text_collections, strict=False):
            for i, near in enumerate(collection.nearest(queries, k)):
                merged[i].extend((first + row, cosine) for row, cosine in near)
        return [sorted(near, key=lambda item: (-item[1], item[0]))[:k] for near in merged]

    def rows(self, numbers: Sequence[int]) -> list[PassageRow]:
        """The passages of these numbers, in this order."""
        found_rows: dict[int, PassageRow] = {}
        for place, collection in enumerate(self.text_collections):
            own = [n for n in numbers if self._starts[place] <= n < self._starts[place + 1]]
            first = int(self._starts[place])
            found_rows.update(zip(own, collection.rows([n - first for n in own]), strict=True))
        return [found_rows[number] for number in numbers]

    def vectors(self, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers), d) float32: the vectors of these rows.

        Raises MissingError when the source holds nothing.

        Raises:
            missing: the source holds nothing.
        """
        if not self.text_collections:
            raise missing(self.source)
        wanted = np.asarray(numbers, dtype=np.int64)
        out = np.zeros((len(wanted), self.text_collections[0].vectors.shape[1]), dtype=np.float32)
        places = np.searchsorted(self._starts, wanted, side="right") - 1
        for place, collection in enumerate(self.text_collections):
            own = places == place
            out[own] = collection.vectors[wanted[own] - self._starts[place]]
        return out

    def topics(self, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers), d) float32: the vectors of what these rows' documents are about; zeros where it is not known."""
        wanted = np.asarray(numbers, dtype=np.int64)
        width = self.text_collections[0].vectors.shape[1] if self.text_collections else 0
        out = np.zeros((len(wanted), width), dtype=np.float32)
        places = np.searchsorted(self._starts, wanted, side="right") - 1
        for place, collection in enumerate(self.text_collections):
            own = places == place
            out[own] = collection.topics((wanted[own] - self._starts[place]).tolist())
        return out

    def lexical_of(self, query: str, numbers: Sequence[int]) -> np.ndarray:
        """(len(numbers),) float32: the BM25 score of each of these rows, as `lexical` gives it; 0 without a shared word."""
        return self._bm25.scores_of(query, numbers)

    def titled(self, title: str) -> int | None:
        """The first row whose title is exactly this, case aside; None when there is none."""
        for first, collection in zip(self._starts.tolist(), self.text_collections, strict=False):
            row = collection.titled(title)
            if row is not None:
                return int(first) + row
        return None

    def documents_named(self, document_id: str) -> list[list[PassageRow]]:
        """The passages of every document of that id, in order: one of each collection that has such a document."""
        found_in = (collection.of_document(document_id) for collection in self.text_collections)
        return [rows for rows in found_in if rows]


class Sources:
    """All stored sources of a data folder, for one encoder."""

    def __init__(self, data: Path, encoder: str, who: str = "Leapnote", chroma: bool = True) -> None:
        """Open what is there. encoder: empty opens no collection, to remove one. chroma: take the lock and use Chroma; without it the sources can only be searched, exactly.

        refused: why a collection is not searched, by name; another encoder made it, or it is damaged.
        Raises ConflictError when another process has the lock.
        """
        self.data, self.encoder = data, encoder
        self.changing = threading.Lock()  # one import at a time
        self._swapping = threading.Lock()  # what is searched is exchanged by one thread at a time
        self._lock = SourceLock(data, who) if chroma else None
        self.refused: dict[str, str] = damaged(data)
        self._collections: dict[str, Collection] = {}
        if chroma:
            mend_all(sources_folder(data))
        self.indexes = VectorIndexes(sources_folder(data) / ".chroma") if chroma else None
        for meta in listed(data):
            self._admit(meta)
        if self.indexes is not None:
            self._tidy(self.indexes)

    @property
    def state(self) -> tuple[str, ...]:
        """Changes whenever what can be searched does."""
        return tuple(f"{name} {held.meta.fingerprint}" for name, held in sorted(self._collections.items()))

    def source(self, source: Source, first: Sequence[PassageCollection] = ()) -> StoredSource:
        """A source as it is now, after what else belongs to it.

        Raises:
            KnowledgeError: when nothing of it can be searched for the reason in `refused`.
        """
        held = [c for _, c in sorted(self._collections.items()) if c.meta.source == source]
        if not held and not first:
            reasons = [
                self.refused[meta.name] for meta in self.metas() if meta.source == source and meta.name in self.refused
            ]
            if reasons:
                raise KnowledgeError(reasons[0])
        return StoredSource(source, [*first, *held])

    def metas(self) -> tuple[CollectionMeta, ...]:
        """What is stored, searched or refused, by source and name."""
        return listed(self.data)

    def adopt(self, name: str) -> None:
        """Search the collection of that name as it now lies on disk, in place of what was open under the name."""
        with self._swapping:
            before = self._collections.get(name)
            self._admit(read_meta(found(self.data, name)))
            after = self._collections.get(name)
            if before is not None:
                before.retired = True
                if self.indexes is not None and (after is None or after.meta.vectors != before.meta.vectors):
                    self.indexes.drop(before.meta.vectors)

    def remove(self, name: str) -> None:
        """Remove a collection, and what was being built under its name. Raises NotFoundError.

        While an import runs, any other collection can be removed.

        Raises:
            ConflictError: for the one that is being built, and where the sources were opened without the lock.
        """
        if self._lock is None:
            raise ConflictError(
                "The sources were opened for searching only; open them with the lock to remove from them."
            )
        alone = self.changing.acquire(blocking=False)  # an import may take hours, and nobody should wait for it unasked
        try:
            begun = next(iter(self._begun(glob.escape(name))), None)
            if begun is not None and not alone:
                raise ConflictError(
                    f"The collection {name[:60]!r} may be in the making while an import runs. Wait for it to end, or stop it, "
                    "and remove the collection then."
                )
            self._discard(name, begun or found(self.data, name))
        finally:
            if alone:
                self.changing.release()

    def _discard(self, name: str, folder: Path) -> None:
        with self._swapping:
            before = self._collections.get(name)
            self._collections = {key: value for key, value in self._collections.items() if key != name}
            if before is not None:
                before.retired = True
            self.refused.pop(name, None)
            discard(folder)
            if self.indexes is not None:
                self._tidy(self.indexes)

    def close(self) -> None:
        """Give the folder back to other processes."""
        self._collections = {}
        if self.indexes is not None:
            self.indexes.close()
        if self._lock is not None:
            self._lock.release()

    def _admit(self, meta: CollectionMeta) -> None:
        self.refused.pop(meta.name, None)
        if meta.encoder != self.encoder:
            self.refused[meta.name] = other_encoder(meta, self.encoder)
        else:
            try:
                made = Collection(collection_folder(self.data, meta.source, meta.name), self.indexes)
                self._collections = {**self._collections, meta.name: made}
                return
            except KnowledgeError as error:
                self.refused[meta.name] = str(error)
        self._collections = {key: value for key, value in self._collections.items() if key != meta.name}
        if self.encoder:
            log.warning("the collection %s is not searched: see knowledge list", meta.name)

    def _tidy(self, indexes: VectorIndexes) -> None:
        """Drop indexes that belong to no collection, stored or being built."""
        kept = {meta.vectors for meta in listed(self.data)}
        begun = [f"{folder.parent.name}-{folder.name}-" for folder in self._begun()]
        for name in indexes.names() - kept:
            if not any(name.startswith(start) for start in begun):
                indexes.drop(name)

    def _begun(self, name: str = "*") -> list[Path]:
        """The folders of collections that are being built, finished before or not."""
        found_folders = sources_folder(self.data).glob(f"*/.{name}.building")
        return [path.parent / path.name[1:].rsplit(".", 1)[0] for path in sorted(found_folders)]


def other_encoder(meta: CollectionMeta, encoder: str) -> str:
    """Why a collection is refused under another encoder, and what to do."""
    return (
        f"The collection {meta.name!r} ({meta.source.value}) was encoded by {meta.encoder!r} and cannot be searched with "
        f"{encoder!r}. Set LEAPNOTE_ENCODER to the one that made it, or encode it again with: "
        f"python -m backend knowledge load collection {meta.name}"
    )


def missing(source: Source) -> MissingError:
    """The error for a source that holds nothing, saying how to fill it."""
    return MissingError(
        f"No passages are indexed for source '{source.value}'. Add some with: "
        f"python -m backend knowledge add jsonl --source {source.value} --from FILE"
    )
