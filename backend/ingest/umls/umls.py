"""A UMLS release in Rich Release Format as rows for the graph: concepts, facts between them, and their relations.

Streams MRCONSO, MRSTY, MRDEF and MRREL once each and holds only what belongs to the subset, in arrays. With a work
folder the outcome of each file is kept there, and an import that was killed takes up after the last finished file.
docs/graphs.md says what is taken, what is left out and why. It knows no graph and no vectors.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from backend.errors import InputError
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.graphs.graph_build import build_snapshot, graph_imported
from backend.ingest.graphs.tsv_graph import semantic_groups
from backend.ingest.importers import Choice, GraphImported, GraphInput, comma_list
from backend.ingest.umls.umls_checkpoints import Arrays, Checkpoints, input_key
from backend.ingest.umls.umls_definitions import read_definitions
from backend.ingest.umls.umls_facts import read_facts
from backend.ingest.umls.umls_files import Progress, needed_file, read_documentation, release_file
from backend.ingest.umls.umls_relations import AllowList, read_allowed
from backend.ingest.umls.umls_settings import ALL_SOURCES, RelationList, UmlsSettings
from backend.ingest.umls.umls_terms import Terms, cui_text, read_terms
from backend.ingest.umls.umls_types import NO_TYPE, read_semantic_types, read_types
from backend.registry import graph_importer
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.graph.snapshot_meta import About

LICENCE = "UMLS Metathesaurus licence, and those of its sources"


class UmlsRelease:
    """One release with one choice of settings. `report` is complete once `concepts` and `triples` went through."""

    def __init__(self, folder: Path, settings: UmlsSettings | None = None, work: Path | None = None) -> None:
        """folder: the one that holds MRCONSO.RRF, or the one above its META. work: where checkpoints go; None keeps none.

        Raises InputError when a needed file is not there, KnowledgeError when a rule file is malformed.
        """
        self.report = ImportReport()
        self._folder, self._settings = folder, settings or UmlsSettings()
        self._types = read_semantic_types(self._settings.semantic_file)
        self._documentation = read_documentation(folder)
        self._allowed = AllowList(
            read_allowed(self._settings.relation_file), self._settings.relation_list, self._documentation.inverses
        )
        files = [needed_file(folder, table) for table in ("MRCONSO", "MRSTY", "MRREL")]
        files += [file for table in ("MRDEF", "MRDOC") if (file := release_file(folder, table))]
        rules = [
            path.read_text(encoding="utf-8") for path in (self._settings.relation_file, self._settings.semantic_file)
        ]
        self._key = input_key(files, [self._settings.as_json(), rules])
        self._checkpoints = Checkpoints(work)
        self._made: dict[str, Arrays] = {}

    def concepts(self, progress: Progress | None = None) -> Iterator[ConceptRow]:
        """The concepts in order of their CUIs; every one has a semantic type of the wanted groups.

        None is marked as a condition: UMLS does not say which diseases a patient is admitted for.

        Yields:
            ConceptRow: one at a time.
        """
        kept = self._kept(progress)
        cuis, kinds = kept["cuis"], kept["kinds"].tolist()
        stated = self._make("definitions", progress)
        blob, offsets = stated["blob"].tobytes(), stated["offsets"].tolist()
        terms = self._make("terms", progress)
        names = Terms(terms["cuis"], terms["starts"], terms["offsets"], terms["blob"]).names()
        wanted = iter(zip(cuis.tolist(), kinds, range(len(cuis)), strict=True))
        following = next(wanted, None)
        for cui, (name, synonyms) in zip(terms["cuis"].tolist(), names, strict=True):
            if following is None:
                break
            if cui != following[0]:
                continue
            _, kind, place = following
            row = self._types[kind]
            definition = blob[offsets[place] : offsets[place + 1]].decode()
            yield ConceptRow(cui_text(cui), name, row.group.value, row.category.value, synonyms, definition)
            following = next(wanted, None)

    def triples(self, progress: Progress | None = None) -> Iterator[TripleRow]:
        """The facts, each once, in the direction of `relations`.

        Yields:
            TripleRow: one at a time.
        """
        facts = self._make("facts", progress)
        ids = [cui_text(cui) for cui in self._kept(progress)["cuis"].tolist()]
        names = [str(name) for name in facts["names"]]
        step = 1 << 18
        for start in range(0, len(facts["heads"]), step):
            part = slice(start, start + step)
            for head, code, tail in zip(
                facts["heads"][part].tolist(), facts["codes"][part].tolist(), facts["tails"][part].tolist(), strict=True
            ):
                yield TripleRow(ids[head], names[code], ids[tail])

    def relations(self, progress: Progress | None = None) -> dict[str, RelationRow]:
        """The relations that the facts have, by name, each with its inverse and its words."""
        facts = self._make("facts", progress)
        return {
            str(name): self._allowed.row(str(name), str(inverse))
            for name, inverse in zip(facts["names"], facts["inverses"], strict=True)
        }

    def clear(self) -> None:
        """Remove the checkpoints; after an import that went through nobody needs them."""
        self._checkpoints.clear()

    def _kept(self, progress: Progress | None) -> Arrays:
        """`cuis` and `kinds` of the concepts that stay: (n,) each."""
        if "kept" not in self._made:
            cuis, kinds = self._make("terms", progress)["cuis"], self._make("types", progress)["types"]
            groups = self._settings.groups
            wanted = [not groups or row.group in groups for row in self._types]
            chosen = np.array([*wanted, *[False] * (NO_TYPE + 1 - len(wanted))], dtype=bool)[kinds]
            none, others = int((kinds == NO_TYPE).sum()), int((~chosen).sum())
            if none:
                self.report.note(f"Concepts without a semantic type in MRSTY.RRF, left out: {none:,}.")
            if others > none:
                self.report.note(f"Concepts of semantic groups that were not asked for, left out: {others - none:,}.")
            self._made["kept"] = {"cuis": cuis[chosen], "kinds": kinds[chosen]}
        return self._made["kept"]

    def _make(self, name: str, progress: Progress | None) -> Arrays:
        """What one file gives, from memory, from its checkpoint or by reading it."""
        if name not in self._made:
            # What a pass needs of the passes before it is made first, so that reports come in the order of the files.
            cuis = self._kept(progress)["cuis"] if name in ("definitions", "facts") else None
            if name == "types":
                cuis = self._make("terms", progress)["cuis"]
            self._made[name], report = self._checkpoints.take(
                name, self._key, lambda report: self._read(name, cuis, report, progress)
            )
            self.report.add(report, prefix=f"{_TABLES[name]}: ")
        return self._made[name]

    def _read(self, name: str, cuis: np.ndarray | None, report: ImportReport, progress: Progress | None) -> Arrays:
        settings, folder = self._settings, self._folder
        if cuis is None:
            return read_terms(folder, settings, self._documentation.obsolete_types, report, progress)
        if name == "types":
            return read_types(folder, cuis, self._types, report, progress)
        if name == "definitions":
            return read_definitions(folder, cuis, settings, report, progress)
        return read_facts(folder, cuis, settings, self._allowed, self._documentation.inverses, report, progress)


_TABLES = {"terms": "MRCONSO", "types": "MRSTY", "definitions": "MRDEF", "facts": "MRREL"}


@graph_importer(
    "umls",
    label="UMLS",
    about="a UMLS release in RRF",
    files="the folder of MRCONSO.RRF",
    licence=LICENCE,
    choices=(
        Choice("sources", "whose concepts are taken (SNOMEDCT_US), or all", comma_list, metavar="A,B"),
        Choice("language", "(ENG)", metavar="LAT"),
        Choice("other_synonyms", "names of other sources for these concepts too", switch=True),
        Choice("relation_sources", "whose relations (those of --sources)", comma_list, metavar="A,B"),
        Choice("relation_list", "which relations (proposed)", options=tuple(RelationList)),
        Choice("relation_file", "another list than assets/rules/umls_relations", Path, metavar="FILE"),
        Choice("groups", "semantic groups to keep (all 15)", semantic_groups, metavar="DISO,CHEM"),
        Choice("definition_sources", "the most wanted first; none: no definitions", comma_list, metavar="A,B"),
    ),
    description="Imports a subset of a UMLS release (docs/graphs.md). Stopped or killed, the same command goes on after the "
    "last finished file.",
    again="The same command goes on after the last finished file.",
    order=1,
)
def import_umls(given: GraphInput) -> GraphImported:
    """Read a release's files into one snapshot; what each file gave is kept until the import is through.

    Args:
        given: paths holds the one folder.

    Returns:
        The snapshot, with counts of the rows of the files.
    """
    chosen = chosen_settings(given.choices)
    stated = {name: ", ".join(v) if isinstance(v, list | tuple) else str(v) for name, v in chosen.as_json().items()}
    about = About(
        given.name, f"UMLS, {', '.join(chosen.sources) or 'all sources'}", given.licence or LICENCE, given.date, stated
    )
    release = UmlsRelease(given.paths[0], chosen, given.data / "work" / "umls")

    def files(done: int, total: int, table: str) -> None:
        given.progress(done, total, f"bytes of {table}")

    graph, joined = build_snapshot(
        release.concepts(files), release.triples(files), release.relations, given.folder, about, given.progress
    )
    if joined.skipped:  # its rows were counted once, as those of the files
        release.report.add(joined, "graph: ")
    release.clear()
    return graph_imported(given, about, graph, release.report)


def chosen_settings(choices: Mapping[str, Any]) -> UmlsSettings:
    """The settings of an import; what is not chosen stays as `UmlsSettings` has it.

    Raises:
        InputError: the relation file is not there.
    """
    plain = ("sources", "language", "relation_sources", "relation_file", "groups", "other_synonyms")
    given: dict[str, Any] = {name: choices[name] for name in plain if choices.get(name)}
    if given.get("sources") == (ALL_SOURCES,):
        given["sources"] = ()
    if choices.get("relation_list"):
        given["relation_list"] = RelationList(choices["relation_list"])
    if wanted := choices.get("definition_sources"):
        given["definition_sources"] = () if wanted == ("none",) else wanted
    file = choices.get("relation_file")
    if file and not file.is_file():
        raise InputError(f"There is no file {file.name!r}. Give a list like assets/rules/umls_relations.tsv.")
    return UmlsSettings(**given)
