"""Import a graph from a pair of TSV files: concepts and edges.

Takes files whose first line names the columns, or which have none and stand in the plain order (id, name, group; head,
relation, tail, qualifier). Gives a snapshot. A row that cannot be used is skipped, with its reason and line. Lists of
synonyms are separated by `|`. Cells have no quotes; a file may be gzipped.
"""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from backend.errors import InputError, KnowledgeError
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.graphs.graph_build import GraphBuilder, Progress, graph_imported, in_words, joined_report
from backend.ingest.graphs.tsv_export import exported_licence
from backend.ingest.importers import NOT_STATED, Choice, GraphImported, GraphInput, comma_list
from backend.registry import graph_importer
from backend.schemas.vocabulary import GROUP_NAMES, Category, SemanticGroup
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.graph.snapshot import write_snapshot
from backend.stores.graph.snapshot_meta import About

# column -> the headers it goes by; the order is that of a file without a header
CONCEPT_HEADERS: dict[str, tuple[str, ...]] = {
    "id": ("id", "concept_id", "cui", "identifier"),
    "name": ("name", "concept_name", "label", "preferred_name"),
    "group": ("group", "semantic_group", "sem_group", "cluster"),
    "synonyms": ("synonyms", "synonym", "aliases"),
    "definition": ("definition", "description"),
    "category": ("category",),
}
EDGE_HEADERS: dict[str, tuple[str, ...]] = {
    "head": ("head", "source", "subject", "head_id", "source_id", "subject_id"),
    "relation": ("relation", "predicate", "rel", "edge_type"),
    "tail": ("tail", "target", "object", "tail_id", "target_id", "object_id"),
    "qualifier": ("qualifier",),
}
RELATION_HEADERS: dict[str, tuple[str, ...]] = {
    "relation": ("relation", "predicate", "name"),
    "inverse": ("inverse", "inverse_of"),
    "words": ("words",),
    "inverse_words": ("inverse_words",),
}
# what a concept counts as where its file does not say: never a drug, which the safety checks act on
CATEGORY_OF: dict[str, Category] = {
    "ACTI": Category.ACTIVITY,
    "ANAT": Category.ANATOMY,
    "CHEM": Category.SUBSTANCE,
    "CONC": Category.CONCEPT,
    "DEVI": Category.DEVICE,
    "DISO": Category.DISEASE,
    "GENE": Category.GENE,
    "GEOG": Category.PLACE,
    "LIVB": Category.ORGANISM,
    "OBJC": Category.SUBSTANCE,
    "OCCU": Category.OCCUPATION,
    "ORGA": Category.ORGANIZATION,
    "PHEN": Category.PHENOMENON,
    "PHYS": Category.PHYSIOLOGY,
    "PROC": Category.PROCEDURE,
}
NOT_UTF8, TOO_FEW = "not UTF-8", "too few cells"
EVERY = 50_000


class TsvFiles(NamedTuple):
    """What to import.

    relations: optional, relation and its inverse (and words for both). name_from_id: a concept without a name is named by
    its id rather than skipped.
    """

    concepts: Path
    edges: Path
    relations: Path | None = None
    name_from_id: bool = False


def import_tsv(
    files: TsvFiles,
    folder: Path,
    about: About,
    known: Mapping[str, RelationRow] | None = None,
    progress: Progress | None = None,
) -> tuple[Graph, ImportReport]:
    """Read both files into a snapshot. known: relations whose inverse and words are known already.

    Raises KnowledgeError where a file is absent or nothing in it can be used; the folder is then as it was.
    """
    builder = GraphBuilder()
    for line, concept in _concepts(files, builder.concepts, progress):
        builder.add_concept(concept, line)
    if progress:
        progress(builder.concepts.kept, 0, "concepts read")
    _refuse_nothing(files.concepts, builder.concepts, CONCEPT_HEADERS, "DISO or Disorders")
    for line, triple in _edges(files, builder.triples, progress):
        builder.add_triple(triple, line)
    relations = {**(known or {}), **(read_relation_file(files.relations) if files.relations else {})}
    graph = builder.finish(relations)
    _refuse_nothing(files.edges, builder.triples, EDGE_HEADERS, "ids of the concepts file")
    write_snapshot(graph, folder, about)
    return graph, joined_report(builder)


@graph_importer(
    "tsv",
    label="TSV tables",
    about="concepts and edges as TSV",
    files="a folder with concepts.tsv and edges.tsv (and relations.tsv), or the two files",
    several=True,
    choices=(
        Choice("relations", "relation and its inverse, words for both", Path, metavar="FILE"),
        Choice("name_from_id", "a concept without a name is called by its id", switch=True),
    ),
    description="docs/graphs.md says which columns.",
    order=3,
)
def import_tsv_files(given: GraphInput) -> GraphImported:
    """Read concepts and edges from TSV files into one snapshot.

    Args:
        given: paths holds one folder, or the concepts' file and the edges' file.

    Returns:
        The snapshot; its licence is the one an export of Leapnote's states, unless the user states one.
    """
    named = bool(given.choices.get("name_from_id"))
    files = TsvFiles(*_named_files(given.paths, given.choices.get("relations")), named)
    licence = given.licence or exported_licence(files.concepts.parent) or NOT_STATED
    source = f"{files.concepts.name}, {files.edges.name}"
    about = About(given.name, source, licence, given.date, {"name_from_id": "yes" if named else "no"})
    return graph_imported(given, about, *import_tsv(files, given.folder, about, given.known(), given.progress))


def _named_files(paths: Sequence[Path], relations: Path | None) -> tuple[Path, Path, Path | None]:
    """The files of concepts, edges and relations.

    Raises:
        InputError: there are too many paths, or a file is missing.
    """
    if len(paths) > 2:
        raise InputError("Give one folder, or two files: the concepts, then the edges.")
    if len(paths) == 2:
        return paths[0], paths[1], relations
    folder = paths[0]
    if not folder.is_dir():
        raise InputError(
            f"There is no folder {folder.name!r}. Give one with concepts.tsv and edges.tsv, or both files."
        )
    found = []
    for stem in ("concepts", "edges", "relations"):
        there = [path for end in ("", ".gz") if (path := folder / f"{stem}.tsv{end}").is_file()]
        found.append(there[0] if there else None)
    if found[0] is None or found[1] is None:
        raise InputError(f"{folder.name!r} lacks concepts.tsv or edges.tsv. Give the two files with --from.")
    return found[0], found[1], relations or found[2]


def read_relation_file(path: Path) -> dict[str, RelationRow]:
    """Relations by name from a TSV with the columns relation, inverse and, optionally, words and inverse_words.

    Raises:
        KnowledgeError: a line names no relation or no inverse.
    """
    report, rows = ImportReport(), dict[str, RelationRow]()
    every = frozenset("*")
    for line, cells in _rows(path, RELATION_HEADERS, 2, report):
        relation, inverse = cells["relation"], cells["inverse"]
        if not relation or not inverse:
            raise KnowledgeError(f"{path.name}:{line} names no relation or no inverse. Give both, separated by a tab.")
        words = cells["words"] or in_words(relation)
        stated = cells["inverse_words"] or in_words(inverse)
        rows[relation] = RelationRow(relation, inverse, every, every, words, stated, "as imported")
    return rows


def group_code(stated: str) -> str:
    """The code of a semantic group given by code or by name ("Disorders", "Chemicals & Drugs"); empty for any other."""
    code = stated.strip().upper()
    return code if code in _CODES else _NAMED.get(_plain(stated), "")


def semantic_group(text: str) -> SemanticGroup:
    """A semantic group by code or by name.

    Raises:
        ValueError: that lists them.
    """
    code = group_code(text)
    if not code:
        known = ", ".join(group.value for group in SemanticGroup)
        raise ValueError(f"{text!r} is no semantic group; choose from {known}")
    return SemanticGroup(code)


def semantic_groups(text: str) -> frozenset[SemanticGroup]:
    """Groups separated by commas. Raises ValueError for what is none."""
    return frozenset(semantic_group(name) for name in comma_list(text))


def _concepts(files: TsvFiles, report: ImportReport, progress: Progress | None) -> Iterator[tuple[int, ConceptRow]]:
    """Rows as they stand; an unknown group is left for the builder to refuse.

    Yields:
        the line's number, and its concept.
    """
    for line, cells in _rows(files.concepts, CONCEPT_HEADERS, 3, report, progress):
        concept_id, group = cells["id"], group_code(cells["group"])
        name = cells["name"] or (concept_id if files.name_from_id else "")
        category = cells["category"] if cells["category"] in _CATEGORIES else CATEGORY_OF.get(group, Category.CONCEPT)
        if cells["category"] not in _CATEGORIES and cells["category"]:
            report.note("Some categories are none that Leapnote has; those concepts got the one usual for their group.")
        headers_found = (synonym.strip() for synonym in cells["synonyms"].split("|"))
        synonyms = tuple(dict.fromkeys(synonym for synonym in headers_found if synonym and synonym != name))
        yield line, ConceptRow(concept_id, name, group, str(category), synonyms, cells["definition"])


def _edges(files: TsvFiles, report: ImportReport, progress: Progress | None) -> Iterator[tuple[int, TripleRow]]:
    for line, cells in _rows(files.edges, EDGE_HEADERS, 3, report, progress):
        yield line, TripleRow(cells["head"], cells["relation"], cells["tail"], cells["qualifier"])


def _rows(
    path: Path,
    headers: Mapping[str, tuple[str, ...]],
    needed: int,
    report: ImportReport,
    progress: Progress | None = None,
) -> Iterator[tuple[int, dict[str, str]]]:
    """Line numbers and cells by column; the first `needed` columns of `headers` must be there.

    Yields:
        the line's number, and its cells by column.
    """
    places: dict[str, int] | None = None
    for number, raw in _lines(path):
        if progress and number % EVERY == 0:
            progress(number, 0, f"lines of {path.name} read")
        try:
            cells = [cell.strip() for cell in raw.decode("utf-8-sig" if number == 1 else "utf-8").split("\t")]
        except UnicodeDecodeError:
            report.seen()
            report.skip(NOT_UTF8, number)
            continue
        if not any(cells):
            continue
        if places is None:
            named = _header(cells, headers, needed)
            places = named or {column: i for i, column in enumerate(headers) if i < _plain_columns(headers)}
            if named:
                continue
        if len(cells) <= max(places[column] for column in list(headers)[:needed]):
            report.seen()
            report.skip(TOO_FEW, number)
            continue
        yield number, {column: _cell(cells, places.get(column)) for column in headers}


def _plain_columns(headers: Mapping[str, tuple[str, ...]]) -> int:
    """How many columns a file without a header is taken to have; what follows id, name and group varies, so it is left."""
    return 3 if headers is CONCEPT_HEADERS else len(headers)


def _header(cells: list[str], headers: Mapping[str, tuple[str, ...]], needed: int) -> dict[str, int]:
    """Where each column stands, or nothing where the line is no header: one must name all columns that are needed."""
    headers_found = [cell.lstrip("#").strip().lower().replace(" ", "_") for cell in cells]
    places = {
        column: next(headers_found.index(name) for name in names if name in headers_found)
        for column, names in headers.items()
        if any(name in headers_found for name in names)
    }
    return places if all(column in places for column in list(headers)[:needed]) else {}


def _cell(cells: list[str], place: int | None) -> str:
    return "" if place is None or place >= len(cells) else cells[place]


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines from 1, without their ends.

    Bytes: a line that is not UTF-8 must not end the import.

    Yields:
        the line's number, and its bytes.

    Raises:
        KnowledgeError: the file is not there.
    """
    if not path.is_file():
        raise KnowledgeError(f"There is no file {path.name!r}. Name the concepts file and the edges file.")
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            yield number, line.rstrip(b"\r\n")


def _refuse_nothing(path: Path, report: ImportReport, headers: Mapping[str, tuple[str, ...]], example: str) -> None:
    if report.kept or (headers is EDGE_HEADERS and not report.read):  # a graph without edges is a graph
        return
    columns = ", ".join(list(headers)[:3])
    why = max(report.skipped, key=lambda reason: report.skipped[reason], default="it has no rows")
    raise KnowledgeError(
        f"Nothing in {path.name!r} can be used; the commonest reason: {why}. A first line must name the columns ({columns}), "
        f"or there is none and they stand in that order; see {example} in docs/graphs.md."
    )


def _plain(name: str) -> str:
    return " ".join(name.lower().replace("&", " and ").split())


_CODES = frozenset(group.value for group in SemanticGroup)
_CATEGORIES = frozenset(category.value for category in Category)
_NAMED = {_plain(name): group.value for group, name in GROUP_NAMES.items()}
