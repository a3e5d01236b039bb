"""What every importer must do, as checks that take an importer: for the shipped ones, for a new one, and for broken ones."""

import hashlib
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from backend.errors import InputError, KnowledgeError
from backend.ingest.documents.cutting import cut
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.documents.import_task import Cancelled, ImportResult, ImportTask
from backend.ingest.documents.importing import ImportJob
from backend.ingest.documents.source_documents import LONGEST_TITLE, Reading, SourceDocument, storable
from backend.ingest.importers import (
    GraphImported,
    GraphImporter,
    GraphInput,
    NoteImporter,
    Progress,
    TextImporter,
    text_importer,
)
from backend.stores.graph.graph import Graph
from backend.stores.neo4j.connection import Neo4j
from backend.stores.passages.stored_sources import Sources
from tests.conformance.importer_samples import GraphSample, NoteSample, TextSample
from tests.conftest import WordEncoder

OTHER_FORM = bytes(range(256)) * 20


def documents_are_whole(importer: TextImporter, sample: TextSample) -> None:
    """Unique ids, titles that fit, sections with text that is stored as it is."""
    documents, _ = read(importer, sample.path)
    assert len(documents) > 1
    assert len({document.document_id for document in documents}) == len(documents)
    for document in documents:
        assert document.document_id.strip()
        assert len(document.title) <= LONGEST_TITLE
        assert document.sections
        for section in document.sections:
            assert section.text.strip()
            assert storable(section.text) == section.text


def offsets_are_exact(importer: TextImporter, sample: TextSample) -> None:
    """A passage's offsets give its text in the document, at any limit; the sections' borders are in no passage."""
    for document in read(importer, sample.path)[0]:
        text = "\n\n".join(section.text for section in document.sections)
        for limit in (10, 1000):
            pieces = cut(document, limit)
            assert [text[piece.start_char : piece.end_char] for piece in pieces] == [piece.text for piece in pieces]
            assert "".join("".join(piece.text for piece in pieces).split()) == "".join(text.split())


def all_is_counted(importer: TextImporter, sample: TextSample) -> None:
    """Every unit is kept or left out with a reason."""
    _counted(read(importer, sample.path)[1], leaves_out=True)


def the_same_input_gives_the_same(importer: TextImporter, sample: TextSample) -> None:
    """Two readings give equal documents in equal order, and equal reports."""
    (first, one), (second, other) = read(importer, sample.path), read(importer, sample.path)
    assert first == second
    assert one.as_json() == other.as_json()


def a_broken_file_is_named(importer: TextImporter, sample: TextSample) -> None:
    """One file of several that cannot be read is named, and the others are read; another form is refused by name."""
    if sample.broken:
        documents, report = read(importer, sample.path)
        assert len(documents) > 1
        assert any(sample.broken in map(str, places) for places in report.examples.values())
    other = sample.path.parent / "other-form.bin"
    other.write_bytes(OTHER_FORM)
    try:
        documents, report = read(importer, other)
    except InputError as error:
        assert other.name in str(error)
    else:
        assert documents == []
        assert report.skipped


def a_stopped_import_goes_on(importer: TextImporter, sample: TextSample, data: Path) -> None:
    """Stopped at each sign of progress in turn, the import ends with what an import in one go gives."""
    whole = imported(importer, sample, data / "whole")
    is_private(data / "whole")
    for stop in range(1, 4):
        left = [stop]

        def cancel(left: list[int] = left) -> bool:
            left[0] -= 1
            return left[0] == 0

        with pytest.raises(Cancelled):
            imported(importer, sample, data / f"stopped-{stop}", cancel)
        again = imported(importer, sample, data / f"stopped-{stop}")
        assert again.meta.fingerprint == whole.meta.fingerprint
        assert again.meta.reports == whole.meta.reports


TEXT_CHECKS: tuple[Callable[[TextImporter, TextSample], None], ...] = (
    documents_are_whole,
    offsets_are_exact,
    all_is_counted,
    the_same_input_gives_the_same,
    a_broken_file_is_named,
)


def read(importer: TextImporter, path: Path) -> tuple[list[SourceDocument], ImportReport]:
    """All documents of an input, and the report."""
    reading = Reading()
    return list(importer.read(path, reading)), reading.report


def imported(
    importer: TextImporter, sample: TextSample, data: Path, cancel: Callable[[], bool] = lambda: False
) -> ImportResult:
    """The import as a job, by the registered name."""
    encoder = WordEncoder()
    sources = Sources(data, encoder.name)
    try:
        task = ImportTask(text_importer(importer.name).name, importer.source, sample.path, "sample")
        return ImportJob(task, sources, encoder, cancel=cancel).run()
    finally:
        sources.close()


def _counted(report: ImportReport, leaves_out: bool) -> None:
    assert report.read == report.kept + report.skipped_count
    assert bool(report.skipped) >= leaves_out
    assert all(reason.strip() and count > 0 for reason, count in report.skipped.items())


def is_private(data: Path) -> None:
    """No other account reads what was imported: folders are 0700, and files that are done 0600."""
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    for path in data.rglob("*"):
        if ".chroma" not in path.parts:  # within a private folder
            assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


class GraphWorld:
    """Runs a graph importer in a data folder of its own, on one graph in use and one server."""

    def __init__(self, graph: Graph, neo4j: Callable[[], Neo4j]) -> None:
        self.graph, self.neo4j = graph, neo4j

    def run(
        self,
        importer: GraphImporter,
        paths: Sequence[Path],
        choices: Mapping[str, Any],
        data: Path,
        progress: Progress = lambda done, total, what: None,
    ) -> GraphImported:
        """Import under the name `sample`."""
        folder = data / "graphs" / "sample"
        return importer.run(
            GraphInput(
                "sample",
                tuple(paths),
                "",
                choices,
                data,
                folder,
                "2031-01-31",
                dict,
                lambda: self.graph,
                self.neo4j,
                progress,
            )
        )


def what_is_stored_is_counted(importer: GraphImporter, sample: GraphSample, world: GraphWorld, data: Path) -> None:
    """Rows are kept or left out with a reason; what is stored is where the result says."""
    result = world.run(importer, sample.paths, sample.choices, data)
    assert result.path.exists()
    assert result.path.is_relative_to(data)
    assert result.row
    assert result.lines
    _counted(result.report, leaves_out=bool(sample.paths))
    is_private(data)


def a_graph_is_the_same_again(importer: GraphImporter, sample: GraphSample, world: GraphWorld, data: Path) -> None:
    """Two imports give equal files."""
    first = world.run(importer, sample.paths, sample.choices, data / "a")
    assert tree(first.path) == tree(world.run(importer, sample.paths, sample.choices, data / "b").path)


def a_stopped_graph_is_whole_again(importer: GraphImporter, sample: GraphSample, world: GraphWorld, data: Path) -> None:
    """Stopped at any sign of progress, the one that was stored stays; run again, it gives what one go gives."""
    whole = tree(world.run(importer, sample.paths, sample.choices, data).path)
    for stop in range(1, 30):
        left = [stop]

        def progress(done: int, total: int, what: str, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt

        fresh = data / f"fresh-{stop}"
        try:
            world.run(importer, sample.paths, sample.choices, fresh, progress)
        except KeyboardInterrupt:
            left[0] = stop
            with pytest.raises(KeyboardInterrupt):
                world.run(importer, sample.paths, sample.choices, data, progress)
        else:
            assert stop > 1
            return
        result = world.run(importer, sample.paths, sample.choices, fresh)
        assert tree(result.path) == whole
        assert tree(world.run(importer, sample.paths, sample.choices, data).path) == whole
    pytest.fail("the importer never ended")


def a_broken_graph_is_refused(importer: GraphImporter, sample: GraphSample, world: GraphWorld, data: Path) -> None:
    """A damaged file is named, and what was stored under the name stays as it was."""
    if not sample.broken:
        return
    stored = world.run(importer, sample.paths, sample.choices, data)
    before = tree(stored.path)
    with pytest.raises((InputError, KnowledgeError)) as raised:
        world.run(importer, sample.broken, sample.choices, data)
    assert sample.named in str(raised.value)
    assert tree(stored.path) == before


GRAPH_CHECKS: tuple[Callable[[GraphImporter, GraphSample, GraphWorld, Path], None], ...] = (
    what_is_stored_is_counted,
    a_graph_is_the_same_again,
    a_stopped_graph_is_whole_again,
    a_broken_graph_is_refused,
)


def tree(path: Path) -> dict[str, str]:
    """Name and SHA-256 of each file."""
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    return {file.relative_to(path).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def notes_are_read_as_they_stand(importer: NoteImporter, sample: NoteSample) -> None:
    """The sample is recognised, and each note's text is the one in the file."""
    assert importer.reader.recognises(sample.data)
    found = importer.reader.read(sample.data, "sample.txt")
    assert found.kind == importer.name
    assert tuple(note.text for record in found.patients for note in record.notes) == sample.texts
    assert bool(found.skipped) >= sample.leaves_out
    assert all(reason.strip() and count > 0 for reason, count in found.skipped.items())
    assert importer.reader.read(sample.data, "sample.txt") == found


def damaged_notes_are_refused_or_read(importer: NoteImporter, sample: NoteSample) -> None:
    """A file cut short anywhere, or of another form, is read in part or refused by its name: nothing else is raised."""
    for data in [OTHER_FORM, b"", *(sample.data[:end] for end in range(1, len(sample.data), 7))]:
        importer.reader.recognises(data)
        try:
            importer.reader.read(data, "sample.txt")
        except InputError as error:
            assert "'sample.txt'" in str(error)


NOTE_CHECKS: tuple[Callable[[NoteImporter, NoteSample], None], ...] = (
    notes_are_read_as_they_stand,
    damaged_notes_are_refused_or_read,
)
