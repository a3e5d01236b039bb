"""Every registered importer held to the contracts of `backend/ingest/importers.py`; broken ones fail the same checks.

A new importer is tested by being registered: it needs a sample in `importer_samples.py`, and nothing else here.
"""

import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_group

from backend.api.routers import routes_knowledge, routes_visits
from backend.cli.knowledge import knowledge
from backend.errors import InputError, KnowledgeError
from backend.ingest.clinical_notes.patient_note_files import read_patient_file
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument
from backend.ingest.graphs.tsv_graph import import_tsv_files
from backend.ingest.importers import (
    Choice,
    GraphImported,
    GraphInput,
    graph_importer,
    graph_importers,
    note_importers,
    text_importer,
    text_importers,
)
from backend.registry import CORPUS_IMPORTERS, GRAPH_IMPORTERS, NOTE_IMPORTERS
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_files import NotesFile, PatientFile
from backend.schemas.vocabulary import Source
from backend.stores.graph.graph import Graph
from backend.stores.neo4j.connection import Neo4j
from backend.stores.neo4j.neo4j_export import export_graph
from tests.conformance import importer_checks as checks
from tests.conformance.importer_samples import GRAPHS, NOTES, TEXTS, GraphSample, NoteSample, TextSample
from tests.services.bolt import served


def no_server() -> Neo4j:
    raise AssertionError("the importer asked for a server that it does not need")


@pytest.fixture
def world(tiny_graph: Graph) -> checks.GraphWorld:
    return checks.GraphWorld(tiny_graph, no_server)


def sample(samples: Mapping[str, Any], name: str) -> Any:
    """The input of an importer."""
    assert name in samples, f"importer '{name}' has no input: add one to tests/conformance/importer_samples.py"
    return samples[name]


def sample_folder(tmp_path: Path) -> Path:
    (folder := tmp_path / "input").mkdir()
    return folder


@pytest.mark.parametrize("check", checks.TEXT_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", CORPUS_IMPORTERS.names())
def test_a_text_importer(name: str, check: Callable, tmp_path: Path) -> None:
    check(text_importer(name), sample(TEXTS, name)(sample_folder(tmp_path)))


@pytest.mark.parametrize("name", CORPUS_IMPORTERS.names())
def test_a_stopped_import_of_texts_goes_on(name: str, tmp_path: Path) -> None:
    checks.a_stopped_import_goes_on(text_importer(name), sample(TEXTS, name)(sample_folder(tmp_path)), tmp_path)


@pytest.mark.parametrize("check", checks.GRAPH_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", [one.name for one in graph_importers() if one.files])
def test_a_graph_importer(name: str, check: Callable, world: checks.GraphWorld, tmp_path: Path) -> None:
    check(graph_importer(name), sample(GRAPHS, name)(sample_folder(tmp_path)), world, tmp_path / "data")


@pytest.mark.services
@pytest.mark.parametrize("check", checks.GRAPH_CHECKS, ids=lambda check: check.__name__)
def test_the_graph_importer_without_files(check: Callable, tiny_graph: Graph, tmp_path: Path) -> None:
    assert [one.name for one in graph_importers() if not one.files] == ["neo4j"]
    with served("arcadedb", tmp_path) as address:
        with Neo4j(address) as db:
            export_graph(db, "tiny", tiny_graph)
        world = checks.GraphWorld(tiny_graph, lambda: Neo4j(address))
        check(graph_importer("neo4j"), GraphSample((), (), "", {"there": "tiny"}), world, tmp_path / "data")


@pytest.mark.parametrize("check", checks.NOTE_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", NOTE_IMPORTERS.names())
def test_a_note_importer(name: str, check: Callable) -> None:
    (importer,) = [one for one in note_importers() if one.name == name]
    check(importer, sample(NOTES, name))


def test_each_sample_of_notes_is_recognised_as_what_it_is() -> None:
    for name, sample in NOTES.items():
        assert next(one.name for one in note_importers() if one.reader.recognises(sample.data)) == name


def test_an_importer_without_an_order_is_asked_before_the_one_that_takes_any_file() -> None:
    class Own:
        """Notes that begin with a word of their own."""

        def recognises(self, data: bytes) -> bool:
            return data.startswith(b"OWN")

        def read(self, data: bytes, name: str) -> NotesFile:
            return NotesFile(kind="zz-own", patients=(PatientFile(patient="", notes=(PatientNote(text="Own."),)),))

    with NOTE_IMPORTERS.scratch():
        NOTE_IMPORTERS.register("zz-own", label="Own", endings=("own",))(Own)
        assert read_patient_file(b"OWN x", "a.own").kind == "zz-own"
    assert read_patient_file(b"OWN x", "a.own").kind == "text"


def test_only_the_last_importer_recognises_every_file() -> None:
    nothing = b"Anything at all."
    assert [one.reader.recognises(nothing) for one in note_importers()] == [False] * (
        len(NOTE_IMPORTERS.names()) - 1
    ) + [True]


def test_an_unknown_name_lists_the_importers() -> None:
    with pytest.raises(InputError, match="medquad, pubmed, bioasq"):
        text_importer("nothing")
    with pytest.raises(InputError, match="umls, obo, tsv"):
        graph_importer("nothing")


# Broken importers: each breaks one part of the contract, and the check of that part must see it.


def lines(path: Path) -> list[str]:
    return path.read_text(errors="replace").splitlines() if path.is_file() else []


def one_id(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """Two documents of one id."""
    for line in lines(path):
        yield SourceDocument("same", "T", (Section("", line),))


def unstorable(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """A text that is not stored as it is."""
    for line in lines(path):
        yield SourceDocument(line, "T", (Section("", f"\x00{line}"),))


def silent(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """Leaves every other line out and does not say so."""
    for line in lines(path)[::2]:
        reading.report.seen()
        reading.report.seen()
        reading.report.keep()
        yield SourceDocument(line, "T", (Section("", line),))


def random_ids(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """Another id at each reading."""
    for line in lines(path):
        yield SourceDocument(str(uuid.uuid4()), "T", (Section("", line),))


def takes_anything(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """Bytes of another form become a document."""
    yield SourceDocument(path.name, "T", (Section("", "text"),))


def nameless(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """Refuses without saying what."""
    raise InputError("It is broken.")
    yield


def other_after_a_stop(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """The order depends on when it is read."""
    order = lines(path)
    order = order if uuid.uuid4().int % 2 else order[::-1]
    for place, line in enumerate([*order, uuid.uuid4().hex]):
        yield SourceDocument(str(place), "T", (Section("", line),))


BROKEN_TEXT = [
    (one_id, checks.documents_are_whole),
    (unstorable, checks.documents_are_whole),
    (silent, checks.all_is_counted),
    (random_ids, checks.the_same_input_gives_the_same),
    (takes_anything, checks.a_broken_file_is_named),
    (nameless, checks.a_broken_file_is_named),
]


@pytest.mark.parametrize(("broken", "check"), BROKEN_TEXT)
def test_the_checks_see_a_broken_text_importer(broken: Callable, check: Callable, tmp_path: Path) -> None:
    path = sample_folder(tmp_path) / "lines.txt"
    path.write_text("One.\nTwo.\nThree.\nFour.")
    with CORPUS_IMPORTERS.scratch():
        CORPUS_IMPORTERS.register("broken", source=Source.BOOK, about="lines")(broken)
        assert "broken" in [one.name for one in text_importers()]
        with pytest.raises(AssertionError):
            check(text_importer("broken"), TextSample(path))
    assert "broken" not in CORPUS_IMPORTERS.names()


def test_the_checks_see_an_importer_that_ends_at_a_broken_file(tmp_path: Path) -> None:
    sample = TEXTS["jsonl"](sample_folder(tmp_path))

    def ends(path: Path, reading: Reading) -> Iterator[SourceDocument]:
        """Reads what comes before the broken file, and says nothing of it."""
        for number, line in enumerate(lines(path / "a.jsonl")):
            yield SourceDocument(str(number), "T", (Section("", line),))

    with CORPUS_IMPORTERS.scratch():
        CORPUS_IMPORTERS.register("broken", source=Source.BOOK, about="lines")(ends)
        with pytest.raises(AssertionError):
            checks.a_broken_file_is_named(text_importer("broken"), sample)


def test_the_checks_see_an_importer_that_cannot_be_taken_up(tmp_path: Path) -> None:
    path = sample_folder(tmp_path) / "lines.txt"
    path.write_text("One.\nTwo.\nThree.\nFour.")
    with CORPUS_IMPORTERS.scratch():
        CORPUS_IMPORTERS.register("broken", source=Source.BOOK, about="lines")(other_after_a_stop)
        with pytest.raises(AssertionError):
            checks.a_stopped_import_goes_on(text_importer("broken"), TextSample(path), tmp_path)


def miscounts(given: GraphInput) -> GraphImported:
    result = import_tsv_files(given)
    result.report.seen()
    return result


def writes_noise(given: GraphInput) -> GraphImported:
    result = import_tsv_files(given)
    (given.folder / "noise").write_text(uuid.uuid4().hex)
    return result


def empties_first(given: GraphInput) -> GraphImported:
    if given.folder.exists():
        for file in given.folder.iterdir():
            file.unlink()
    return import_tsv_files(given)


def hides_the_name(given: GraphInput) -> GraphImported:
    try:
        return import_tsv_files(given)
    except KnowledgeError:
        raise KnowledgeError("It is broken.") from None


def loses_its_place(given: GraphInput) -> GraphImported:
    mark = given.data / "begun"
    if mark.exists() and not given.folder.exists():
        raise KnowledgeError("A broken-off import is in the way.")
    given.data.mkdir(parents=True, exist_ok=True)
    mark.write_text("")
    given.progress(0, 1, "files")
    return import_tsv_files(given)


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (miscounts, checks.what_is_stored_is_counted),
        (writes_noise, checks.a_graph_is_the_same_again),
        (empties_first, checks.a_broken_graph_is_refused),
        (hides_the_name, checks.a_broken_graph_is_refused),
        (loses_its_place, checks.a_stopped_graph_is_whole_again),
    ],
)
def test_the_checks_see_a_broken_graph_importer(
    broken: Callable, check: Callable, world: checks.GraphWorld, tmp_path: Path
) -> None:
    with GRAPH_IMPORTERS.scratch():
        GRAPH_IMPORTERS.register("broken", about="tsv", files="two files")(broken)
        with pytest.raises((AssertionError, KnowledgeError)):
            check(graph_importer("broken"), GRAPHS["tsv"](sample_folder(tmp_path)), world, tmp_path / "data")


class Loses:
    """Reads all notes but the last, and says nothing of it."""

    def recognises(self, data: bytes) -> bool:
        return True

    def read(self, data: bytes, name: str) -> NotesFile:
        notes = tuple(PatientNote(text=line) for line in data.decode(errors="replace").split("\n")[:-1] if line)
        return NotesFile(kind="broken", patients=(PatientFile(notes=notes),))


class Breaks:
    """Raises what no caller expects."""

    def recognises(self, data: bytes) -> bool:
        return True

    def read(self, data: bytes, name: str) -> NotesFile:
        data.decode("ascii")
        return NotesFile(kind="broken", patients=())


@pytest.mark.parametrize(
    ("broken", "check", "error"),
    [
        (Loses, checks.notes_are_read_as_they_stand, AssertionError),
        (Breaks, checks.damaged_notes_are_refused_or_read, UnicodeDecodeError),
    ],
)
def test_the_checks_see_a_broken_note_importer(broken: type, check: Callable, error: type[Exception]) -> None:
    with NOTE_IMPORTERS.scratch():
        NOTE_IMPORTERS.register("broken", endings=("x",))(broken)
        (importer,) = [one for one in note_importers() if one.name == "broken"]
        with pytest.raises(error):
            check(importer, NoteSample(b"One.\nTwo.", ("One.", "Two.")))


def test_what_is_registered_is_listed_by_commands_and_routes() -> None:
    with CORPUS_IMPORTERS.scratch(), GRAPH_IMPORTERS.scratch(), NOTE_IMPORTERS.scratch():
        CORPUS_IMPORTERS.register("leaflets", source=Source.BOOK, about="leaflets")(silent)
        choices = (Choice("depth", "levels to read", int, 3), Choice("terse", "names alone", switch=True))
        GRAPH_IMPORTERS.register("atlas", about="an atlas", files="FILE", choices=choices)(miscounts)
        NOTE_IMPORTERS.register("hl7v2", label="HL7 v2", endings=("hl7",))(Loses)
        add = get_group(knowledge.app).commands["add"]
        context = typer.Context(add)
        assert {"atlas", "leaflets"} < set(add.list_commands(context))
        params = {param.name: param for param in add.get_command(context, "atlas").params}
        assert params["terse"].default is False
        assert {"--from", "--name", "--depth", "--terse"} <= {flag for one in params.values() for flag in one.opts}
        assert {"name": "leaflets", "what": "leaflets", "source": "book"} in routes_knowledge.kinds()
        assert {"name": "hl7v2", "label": "HL7 v2", "endings": ["hl7"]} in routes_visits.forms()
