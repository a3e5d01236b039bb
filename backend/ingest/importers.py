"""The three seams of importing: texts into collections, graphs into snapshots, files of patients' notes into notes.

An importer is registered by a decorator in its own file (`backend/registry.py`). The command line, the API and the page
list what is registered; `tests/conformance/test_importer.py` holds every importer to the contracts below.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from backend.errors import InputError, NotFoundError
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.documents.source_documents import Reading, SourceDocument
from backend.registry import CORPUS_IMPORTERS, GRAPH_IMPORTERS, NOTE_IMPORTERS, Registry
from backend.schemas.patients.patient_files import NotesFile
from backend.schemas.vocabulary import Source

if TYPE_CHECKING:
    from backend.stores.graph.graph import Graph
    from backend.stores.graph.graph_rows import RelationRow
    from backend.stores.neo4j.connection import Neo4j

Progress = Callable[[int, int, str], None]
NOT_STATED = "not stated"


class ReadDocuments(Protocol):
    """Reads one input as source documents: what `@corpus_importer` decorates.

    The documents and their order depend on the input alone, so that an interrupted import can pass over what it has.
    Ids are unique within an input and the same at every reading. Everything left out is counted in the report with a
    reason, in the units that the module's docstring names: read = kept + skipped at the end. Of an input of several
    files, a damaged one is counted under its name and the others are read.
    """

    def __call__(self, path: Path, reading: Reading, /) -> Iterator[SourceDocument]:
        """The documents of a file or folder, one after the other.

        Args:
            path: exists; may be of any form.
            reading: counts, places and progress go there.

        Raises:
            InputError: the whole input is of another form or damaged; the message names it.
        """
        ...


class TextImporter(NamedTuple):
    """One registered form of text.

    source: where it goes unless the user says otherwise. form: what the input is, for a person. parts: the files of an
    input that may be read apart from one another, in order; None where one pass must see all.
    """

    name: str
    read: ReadDocuments
    source: Source
    form: str
    parts: Callable[[Path], list[Path]] | None


class Choice(NamedTuple):
    """One choice that a graph importer offers: a flag of its command.

    parse: turns the words of the command line into a value; raises ValueError with what to give instead. switch: takes
    no words, and is True where it is given. repeated: may be given several times; the values come as a tuple.
    """

    name: str
    about: str
    parse: Callable[[str], Any] = str
    default: Any = None
    metavar: str | None = None
    options: tuple[str, ...] = ()
    switch: bool = False
    repeated: bool = False


class GraphInput(NamedTuple):
    """What a graph importer works on.

    name: of the graph to be. paths: what --from names; empty where the form has no files. licence: empty where the user
    states none. choices: a value for each Choice of the importer. data: the data folder. folder: where the snapshot of
    that name lies. date: ISO, of the import. known: relations whose inverse and words are known. graph: gives the graph
    in use. neo4j: gives a connection to the server of the settings.
    """

    name: str
    paths: tuple[Path, ...]
    licence: str
    choices: Mapping[str, Any]
    data: Path
    folder: Path
    date: str
    known: "Callable[[], Mapping[str, RelationRow]]"
    graph: "Callable[[], Graph]"
    neo4j: "Callable[[], Neo4j]"
    progress: Progress


class GraphImported(NamedTuple):
    """What was stored.

    path: the snapshot's folder, or the one file. row: for JSON, in this order. lines: for a terminal.
    """

    path: Path
    report: ImportReport
    row: dict[str, object]
    lines: tuple[str, ...]


class ImportGraph(Protocol):
    """Reads a graph, or what belongs to one, and stores it: what `@graph_importer` decorates.

    The same input and choices give the same files. What is left out is counted in the report with a reason. What was
    stored under the name stays as it is until the new one is whole; an import that is stopped can be run again.
    """

    def __call__(self, given: GraphInput, /) -> GraphImported:
        """Read all of it and store it.

        Raises:
            InputError: the choices do not fit together.
            KnowledgeError: an input is absent, damaged, or of another form; the message names it.
        """
        ...


class GraphImporter(NamedTuple):
    """One registered form of graph.

    form: what is read, for a person. files: what --from takes, for a person; empty where the form has no files. several:
    whether --from takes more than one. default_name, licence: as long as the user says nothing else; an empty
    default_name means that what is stored has no name of its own.
    """

    name: str
    run: ImportGraph
    form: str
    files: str
    several: bool
    default_name: str
    licence: str
    choices: tuple[Choice, ...]
    description: str
    again: str


class ReadNotes(Protocol):
    """Reads one file of patients' notes from memory: what `@note_importer` decorates, as a class.

    Nothing is written anywhere. What is left out is counted in `skipped` with a reason of the program's own words.

    Facts of the registration: `endings`; `order`, an integer, by which importers are asked, those without one after the
    others; `takes_any`, True where every file is recognised, so that it is asked when all others have declined.
    """

    def recognises(self, data: bytes) -> bool:
        """Whether the file is of this form, told by its content alone. Cheap, and never raises."""
        ...

    def read(self, data: bytes, name: str) -> NotesFile:
        """The notes by patient, with their texts as they stand.

        Args:
            data: the whole file.
            name: of the file, for errors.

        Raises:
            InputError: it is damaged; the message names the file, and the line where there are lines.
        """
        ...


class NoteImporter(NamedTuple):
    """One registered form of notes. endings: of the files that usually hold it, without the dot."""

    name: str
    reader: ReadNotes
    label: str
    endings: tuple[str, ...]


def text_importers() -> tuple[TextImporter, ...]:
    """Every form of text, in the order of the list."""
    return tuple(text_importer(name) for name in CORPUS_IMPORTERS.names())


def text_importer(name: str) -> TextImporter:
    """The importer of a form of text. Raises InputError for a name that is none, listing those there are."""
    entry = _entry(CORPUS_IMPORTERS, name)
    facts = entry.facts
    return TextImporter(entry.name, entry.value, facts["source"], entry.about, facts.get("parts"))


def graph_importers() -> tuple[GraphImporter, ...]:
    """Every form of graph, in the order of the list."""
    return tuple(graph_importer(name) for name in GRAPH_IMPORTERS.names())


def graph_importer(name: str) -> GraphImporter:
    """The importer of a form of graph. Raises InputError for a name that is none, listing those there are."""
    entry = _entry(GRAPH_IMPORTERS, name)
    facts = entry.facts
    return GraphImporter(
        entry.name,
        entry.value,
        entry.about,
        facts.get("files", ""),
        facts.get("several", False),
        facts.get("default_name", entry.name),
        facts.get("licence", NOT_STATED),
        facts.get("choices", ()),
        facts.get("description", entry.about),
        facts.get("again", "Nothing has changed; run it again."),
    )


def note_importers() -> tuple[NoteImporter, ...]:
    """Every form of patients' notes, in the order in which a file is tried: a form that takes any file is tried last."""
    return tuple(
        NoteImporter(entry.name, entry.value(), entry.label, entry.facts["endings"])
        for entry in sorted(NOTE_IMPORTERS.entries(), key=lambda entry: entry.facts.get("takes_any", False))
    )


def comma_list(words: str) -> tuple[str, ...]:
    """`A,B` as a tuple.

    Raises:
        ValueError: for an empty one.
    """
    found = tuple(name.strip() for name in words.split(",") if name.strip())
    if not found:
        raise ValueError("give names, separated by commas")
    return found


def _entry(registry: Registry[Any], name: str) -> Any:
    try:
        return registry.get(name)
    except NotFoundError as error:
        raise InputError(str(error)) from None
