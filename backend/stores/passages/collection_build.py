"""Builds one collection beside the old one: table, vectors, BM25, index of nearest rows; then it takes the old one's place.

Each step finds what an earlier, killed run left in the building folder and goes on from there. The result does not depend on
how often it was killed: rows, windows and batches are cut the same way every time.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.interfaces import Encoder
from backend.schemas.vocabulary import Source
from backend.stores.passages.bm25 import Bm25Index
from backend.stores.passages.collection_meta import CollectionMeta, collection_folder, listed
from backend.stores.passages.collection_swap import building, finish, mend
from backend.stores.passages.passage_index import VectorIndexes
from backend.stores.passages.passage_table import PassageTable, TableWriter
from backend.stores.passages.passage_vectors import (
    AT_ONCE,
    Encoded,
    KnownRows,
    Spread,
    encode_rows,
    keep_rows,
    open_array,
)
from backend.stores.swapped_folder import MARK, private_folder

TABLE, BM25, KEPT = "passages.sqlite", "bm25", "kept"
TOPICS, TOPIC_ROWS = "topics", "rows"
LICENCES_SHOWN = 3
NO_TITLE = "untitled"  # so that the file of a collection without any title is no empty one
LAYOUT = 2  # of the building folder: what another layout left is not taken up, but for its vectors
Progress = Callable[[int, int, str], None]


class BuildTask(NamedTuple):
    """What is built. input: changes with the bytes that are imported. origin: the file or folder's name, for listing."""

    name: str
    source: Source
    importer: str
    origin: str
    input: str
    licence: str
    limit: int
    encoder: str
    dimension: int


class CollectionBuild:
    """One collection in the making. The caller holds the lock of the sources."""

    def __init__(self, data: Path, task: BuildTask) -> None:
        """Take up what an earlier run of the same task left; what another task left is removed."""
        self.task = task
        self._data = data
        self.folder = collection_folder(data, task.source, task.name)
        mend(self.folder)
        self.work = building(self.folder)
        task_text = json.dumps({**task._asdict(), "layout": LAYOUT}, sort_keys=True)
        mark = self.work / "task.json"
        self.resumed = mark.is_file() and mark.read_text(encoding="utf-8") == task_text
        if not self.resumed:
            self._begin(mark)
            partial = mark.with_suffix(".partial")
            partial.write_text(task_text, encoding="utf-8")
            partial.replace(mark)

    def _begin(self, mark: Path) -> None:
        """An empty building folder; vectors of the same encoder that another task left are kept for their texts."""
        kept = self.work.with_name(f"{self.work.name}-kept")
        shutil.rmtree(kept, ignore_errors=True)
        if _encoder_of(mark) == self.task.encoder:
            keep_rows(self.work, kept)
        shutil.rmtree(self.work, ignore_errors=True)
        private_folder(self.work)
        if kept.exists():
            kept.rename(self.work / KEPT)

    def abandon(self) -> None:
        """Nothing will come of this task: its folder goes, but for vectors that another try may take over."""
        if not (self.work / KEPT).exists():
            shutil.rmtree(self.work, ignore_errors=True)

    def writer(self) -> TableWriter:
        """The table to fill; what was saved before is in it."""
        return TableWriter(self.work / TABLE)

    def encode(
        self, encoder: Encoder, progress: Progress, at_once: int = AT_ONCE, spread: Spread | None = None
    ) -> Encoded:
        """The vectors of all passages and topics; those that other collections of the encoder hold are taken over."""
        table = PassageTable(self.work / TABLE, self.task.source, self.task.name)
        folders = [
            collection_folder(self._data, meta.source, meta.name)
            for meta in listed(self._data)
            if meta.encoder == self.task.encoder
        ]
        if (self.work / KEPT).exists():
            folders.append(self.work / KEPT)
        known = KnownRows(folders, self.task.dimension)
        topics = KnownRows([one / TOPICS for one in folders if (one / TOPICS).is_dir()], self.task.dimension)
        try:
            encoded = encode_rows(
                self.work,
                table.indexed_texts,
                table.size,
                encoder,
                known,
                lambda done: progress(done, table.size, "passages encoded"),
                at_once,
                spread,
            )
        finally:
            table.close()
        self._encode_topics(encoder, topics, progress, at_once)
        return encoded

    def _encode_topics(self, encoder: Encoder, known: KnownRows, progress: Progress, at_once: int) -> None:
        """The vectors of the documents' topics, each once, and which topic each passage's document has."""
        folder = self.work / TOPICS
        private_folder(folder)
        table = PassageTable(self.work / TABLE, self.task.source, self.task.name)
        try:
            topics, places = table.topics()
        finally:
            table.close()
        topics = topics or [NO_TITLE]
        encode_rows(
            folder,
            lambda start, end: iter(topics[start:end]),
            len(topics),
            encoder,
            known,
            lambda done: progress(done, len(topics), "topics encoded"),
            at_once,
        )
        np.save(folder / f"{TOPIC_ROWS}.npy", places.reshape(-1, 1), allow_pickle=False)

    def index(self, progress: Progress) -> None:
        """The BM25 index over the same texts."""
        if (self.work / BM25 / MARK).is_file():
            return
        table = PassageTable(self.work / TABLE, self.task.source, self.task.name)

        def counted() -> Any:
            for number, text in enumerate(table.indexed_texts(), start=1):
                if number % 1000 == 0 or number == table.size:
                    progress(number, table.size, "passages indexed by word")
                yield text

        Bm25Index(counted()).write(self.work / BM25)
        table.close()

    def finish(self, indexes: VectorIndexes, reports: dict[str, Any], progress: Progress) -> CollectionMeta:
        """Fill the index of nearest rows, and put the collection in place of the one that had its name."""
        shutil.rmtree(self.work / KEPT, ignore_errors=True)
        table = PassageTable(self.work / TABLE, self.task.source, self.task.name)
        vectors = open_array(self.work, "vectors", np.float16)
        topics = open_array(self.work / TOPICS, "vectors", np.float16)
        fingerprint = _fingerprint(table, (vectors, topics), self.task.encoder)
        name = f"{self.task.source.value}-{self.task.name}-{fingerprint}"
        indexes.fill(name, vectors, lambda done: progress(done, len(vectors), "vectors indexed"))
        meta = CollectionMeta(
            name=self.task.name,
            source=self.task.source,
            importer=self.task.importer,
            origin=self.task.origin,
            licence=self.task.licence or "; ".join(table.licences()[:LICENCES_SHOWN]),
            date=datetime.now(UTC).date().isoformat(),
            encoder=self.task.encoder,
            dimension=self.task.dimension,
            documents=table.documents,
            passages=table.size,
            limit=self.task.limit,
            fingerprint=fingerprint,
            vectors=name,
            bytes=sum(path.stat().st_size for path in self.work.rglob("*") if path.is_file()),
            reports=reports,
        )
        table.close()
        partial = self.work / f"{MARK}.partial"
        partial.write_text(meta.as_json(), encoding="utf-8")
        partial.replace(self.work / MARK)
        finish(self.folder)
        return meta


def _encoder_of(mark: Path) -> str:
    """The encoder of the task that a building folder was begun for; empty when it cannot be told."""
    try:
        return str(json.loads(mark.read_bytes())["encoder"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _fingerprint(table: PassageTable, held: Sequence[np.ndarray], encoder: str) -> str:
    """16 hexadecimal digits over rows, encoder and vectors, those of the topics too."""
    summed = hashlib.sha256(f"{table.digest()} {encoder} {[vectors.shape for vectors in held]}".encode())
    for vectors in held:
        for start in range(0, len(vectors), 65_536):
            summed.update(np.ascontiguousarray(vectors[start : start + 65_536]).data)
    return summed.hexdigest()[:16]
