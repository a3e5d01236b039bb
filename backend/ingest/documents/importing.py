"""Imports a text source as a job: read, cut, encode, index, swap. The command line and a service run the same job.

A job may run in a thread while the service keeps answering: it encodes a few texts at a time, and readers keep the old
collection until the new one is whole. It can be cancelled between any two steps, or killed; the next job of the same input
goes on where it stopped and ends with the same collection.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from backend.errors import ConflictError, InputError
from backend.ingest.documents.cutting import cut, input_key
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.documents.import_task import Cancelled, ImportResult, ImportTask
from backend.ingest.documents.source_documents import LONGEST_TITLE, Reading, SourceDocument, storable
from backend.ingest.importers import ReadDocuments, TextImporter, text_importer
from backend.interfaces import Encoder
from backend.stores.passages.collection_build import BM25, TABLE, BuildTask, CollectionBuild
from backend.stores.passages.collection_meta import checked_name, collection_folder, found, name_of, read_meta
from backend.stores.passages.passage_table import DocumentRow, TableWriter, topic_text
from backend.stores.passages.passage_vectors import AT_ONCE
from backend.stores.passages.stored_sources import Sources

Progress = Callable[[int, int, str], None]
SAVED_EVERY = 100  # documents between two commits


class Spreading(Protocol):
    """Reading and encoding on several machines, with the result of one."""

    def importer(self, importer: TextImporter) -> ReadDocuments:
        """An importer that gives the same documents in the same order, and the same report."""
        ...

    def encode(self, groups: Sequence[Sequence[str]]) -> Iterator[np.ndarray]:
        """The vectors of each group, in order; each group is encoded by one call, as locally."""
        ...


class ImportJob:
    """One import. run() may be called again after Cancelled, by this object or another of the same task."""

    def __init__(
        self,
        task: ImportTask,
        sources: Sources,
        encoder: Encoder,
        progress: Progress | None = None,
        cancel: Callable[[], bool] | None = None,
        at_once: int = AT_ONCE,
        spreading: Spreading | None = None,
        other_names: Callable[[str], Sequence[str]] = lambda title: (),
    ) -> None:
        """Check what is asked for; nothing is read yet.

        Args:
            task: what to import.
            sources: opened with the lock, by the process that runs the job.
            encoder: the one that the sources are open for.
            progress: called with done, total and what is counted.
            cancel: asked between any two steps.
            at_once: texts a call of the encoder.
            spreading: has several machines read and encode (ray_import.py).
            other_names: of what a title names, for documents that state none.

        Raises:
            ConflictError: the sources are open for another encoder.
            InputError: for a kind, name or path that cannot be taken, before anything is read.
        """
        self.task, self._sources, self._encoder, self._at_once = task, sources, encoder, at_once
        self._spreading = spreading
        self._other_names = other_names
        self._importer = text_importer(task.importer)
        self._report_progress = progress or (lambda done, total, what: None)
        self._cancel = cancel or (lambda: False)
        if not task.path.exists():
            raise InputError(
                f"There is no file or folder {str(task.path)!r}. Name what is to be imported after --from."
            )
        if encoder.name != sources.encoder:
            raise ConflictError(
                f"The sources are open for the encoder {sources.encoder!r}, not for {encoder.name!r}. Open them for the one that encodes."
            )
        self.name = checked_name(task.name or name_of(task.path.absolute()))
        taken = [meta.source for meta in sources.metas() if meta.name == self.name and meta.source != task.source]
        if taken:
            raise InputError(
                f"The name {self.name!r} belongs to a collection of the source {taken[0].value!r}. Choose another with --name, "
                f"or remove that one first: python -m backend knowledge remove collection {self.name}"
            )

    def run(self) -> ImportResult:
        """Do the work; the new collection is searched from its end on.

        Raises:
            ConflictError: the sources are not held with the lock, or another import runs.
            InputError: the input is damaged, or gives nothing.
        """
        if self._sources.indexes is None:
            raise ConflictError(
                "The sources were opened for searching only; an import needs them opened with the lock."
            )
        if not self._sources.changing.acquire(blocking=False):
            raise ConflictError("Another import is running. Wait for it to end, or cancel it.")
        try:
            build = CollectionBuild(self._sources.data, self._build_task())
            try:
                reports = self._read(build)
            except InputError:
                # what cannot be read will not be gone on with: other bytes are another task
                build.abandon()
                raise
            if not reports["documents"].kept:
                build.abandon()
                raise InputError(_nothing(build.task, reports))
            encoded = build.encode(
                self._encoder, self._progress, self._at_once, self._spreading.encode if self._spreading else None
            )
            build.index(self._progress)
            report_rows = {part: report.as_json() for part, report in reports.items()}
            meta = build.finish(self._sources.indexes, report_rows, self._progress)
            self._sources.adopt(self.name)
            return ImportResult(meta, reports, encoded.fresh, encoded.taken_over)
        finally:
            self._sources.changing.release()

    def _build_task(self) -> BuildTask:
        task = self.task
        return BuildTask(
            name=self.name,
            source=task.source,
            importer=task.importer,
            origin=task.path.absolute().name,
            input=input_key(task.path),
            licence=task.licence,
            limit=task.limit,
            encoder=self._encoder.name,
            dimension=self._encoder.dimension,
        )

    def _read(self, build: CollectionBuild) -> dict[str, ImportReport]:
        """Fill the table. The importer reads from the start each time; what the table has already is passed over."""
        writer = build.writer()
        try:
            state = writer.state()
            if state.get("whole"):
                return _reports(state)
            position = int(str(state.get("position", 0)))
            counts = _reports(state) if state else {"documents": ImportReport(), "passages": ImportReport()}
            reading = Reading()
            number = 0
            importer = self._spreading.importer(self._importer) if self._spreading else self._importer.read
            for number, document in enumerate(importer(self.task.path, reading), start=1):
                if number > position:
                    self._take(writer, document, counts)
                if number % SAVED_EVERY == 0:
                    if number > position:
                        writer.save({"position": number, "whole": False, "reports": _as_json(counts)})
                    self._progress(reading.done, reading.total, reading.unit)
            counts = {"items": reading.report, **counts}
            writer.save({"position": number, "whole": True, "reports": _as_json(counts)})
            self._progress(reading.total, reading.total, reading.unit)
            return counts
        finally:
            writer.close()

    def _take(self, writer: TableWriter, document: SourceDocument, counts: dict[str, ImportReport]) -> None:
        licence = storable(self.task.licence or document.licence)
        title, url = storable(document.title[:LONGEST_TITLE]), storable(document.url)
        names = document.synonyms or self._other_names(title)
        named = title != document.document_id  # an id that stands for a title names nothing
        topic = topic_text(title, [storable(name) for name in names]) if named else ""
        row = DocumentRow(storable(document.document_id), title, url, licence, document.date, topic)
        added = writer.add(row, cut(document, self.task.limit))
        counts["documents"].seen()
        if added.refused:
            counts["documents"].skip(added.refused)
        else:
            counts["documents"].keep()
            counts["passages"].seen(added.kept + added.equal)
            counts["passages"].keep(added.kept)
            if added.equal:
                counts["passages"].skip("the same title and text as a passage before", count=added.equal)

    def _progress(self, done: int, total: int, what: str) -> None:
        if self._cancel():
            raise Cancelled(f"The import of {self.name!r} was cancelled; begun again, it goes on where it stopped.")
        self._report_progress(done, total, what)


class EncodeJob(ImportJob):
    """Encodes a stored collection again with another encoder, from its own passages; nothing is read anew."""

    def __init__(
        self,
        name: str,
        sources: Sources,
        encoder: Encoder,
        progress: Progress | None = None,
        cancel: Callable[[], bool] | None = None,
        at_once: int = AT_ONCE,
    ) -> None:
        """Raises NotFoundError for a name that is none."""
        self._old = read_meta(found(sources.data, name))
        self._sources, self._encoder, self._at_once, self.name = sources, encoder, at_once, name
        self._spreading = None
        self._report_progress = progress or (lambda done, total, what: None)
        self._cancel = cancel or (lambda: False)

    def _build_task(self) -> BuildTask:
        old = self._old
        key = f"{old.fingerprint} encoded again"
        fields = (old.name, old.source, old.importer, old.origin, key, old.licence, old.limit)
        return BuildTask(*fields, self._encoder.name, self._encoder.dimension)

    def _read(self, build: CollectionBuild) -> dict[str, ImportReport]:
        folder = collection_folder(self._sources.data, self._old.source, self.name)
        if not (build.work / TABLE).exists():
            partial = build.work / f"{TABLE}.partial"
            shutil.copyfile(folder / TABLE, partial)
            shutil.rmtree(build.work / BM25, ignore_errors=True)
            shutil.copytree(folder / BM25, build.work / BM25)
            partial.replace(build.work / TABLE)
        return {part: ImportReport.from_json(row) for part, row in self._old.reports.items()}


def _nothing(task: BuildTask, reports: dict[str, ImportReport]) -> str:
    """Why an import that gave nothing gave nothing, in one line."""
    reasons = [f"{reason} ({count:,})" for report in reports.values() for reason, count in report.skipped.items()]
    return (
        f"Nothing in {task.origin!r} could be imported as {task.importer!r}: {'; '.join(reasons[:4]) or 'it holds no document'}. "
        "Check the kind and the file."
    )


def _as_json(reports: dict[str, ImportReport]) -> dict[str, Any]:
    return {part: report.as_json() for part, report in reports.items()}


def _reports(state: dict[str, Any]) -> dict[str, ImportReport]:
    return {part: ImportReport.from_json(row) for part, row in state["reports"].items()}
