"""A UMLS release in Rich Release Format as rows for the graph: concepts, facts between them, and their relations.

Streams MRCONSO, MRSTY, MRDEF and MRREL once each and holds only what belongs to the subset, in arrays. With a work
folder the outcome of each file is kept there, and an import that was killed takes up after the last finished file.
docs/umls.md says what is taken, what is left out and why. It knows no graph and no vectors.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from backend.ingest.documents.import_report import ImportReport
from backend.ingest.umls.umls_checkpoints import Arrays, Checkpoints, input_key
from backend.ingest.umls.umls_definitions import read_definitions
from backend.ingest.umls.umls_doc import read_documentation
from backend.ingest.umls.umls_facts import read_facts
from backend.ingest.umls.umls_files import Progress, needed_file, release_file
from backend.ingest.umls.umls_relations import AllowList, read_allowed
from backend.ingest.umls.umls_settings import UmlsSettings
from backend.ingest.umls.umls_terms import Terms, cui_text, read_terms
from backend.ingest.umls.umls_types import NO_TYPE, read_semantic_types, read_types
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow


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
        """
        kept = self._kept(progress)
        cuis, kinds = kept["cuis"], kept["kinds"].tolist()
        told = self._make("definitions", progress)
        blob, offsets = told["blob"].tobytes(), told["offsets"].tolist()
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
        """The facts, each once, in the direction of `relations`."""
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
