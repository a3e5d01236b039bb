"""Write a graph as TSV files that the TSV importer reads again: concepts, edges, relations.

Takes a graph; gives a folder with the three files, put in place whole. Cells have no quotes, so a tab or a line's end in a
text becomes a blank, and a bar in a synonym a slash; how many texts that changed is counted. Which concepts are candidate
conditions has no column.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from backend.ingest.graphs.graph_build import EVERY, Progress
from backend.stores.graph.graph import Graph
from backend.stores.graph.snapshot_meta import About
from backend.stores.swapped_folder import MARK, beside

KIND = "leapnote graph tsv"
CONCEPTS, EDGES, RELATIONS = "concepts.tsv", "edges.tsv", "relations.tsv"
_BREAKS = re.compile(r"[\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


class Written(NamedTuple):
    """Rows of each file, and how many texts had to be changed to fit a cell."""

    concepts: int
    edges: int
    relations: int
    changed: int


class _Cells:
    """Texts as cells. changed: how many were not the same any more."""

    def __init__(self) -> None:
        self.changed = 0

    def line(self, cells: Iterable[str]) -> str:
        return "\t".join(self.cell(cell) for cell in cells) + "\n"

    def cell(self, text: str) -> str:
        return self._counted(text, _BREAKS.sub(" ", text).strip())

    def listed(self, texts: Sequence[str]) -> str:
        return "|".join(self._counted(text, text.replace("|", "/")) for text in texts)

    def _counted(self, text: str, cell: str) -> str:
        self.changed += cell != text
        return cell


def write_tsv(graph: Graph, folder: Path, about: About, progress: Progress | None = None) -> Written:
    """Replaces an export that was there. Raises KnowledgeError where the folder holds something else."""
    cells = _Cells()
    with beside(folder, KIND) as partial:
        concepts = _write(partial / CONCEPTS, _concepts(graph, cells), len(graph), progress)
        edges = _write(partial / EDGES, _edges(graph, cells), graph.edge_count // 2, progress)
        relations = _write(partial / RELATIONS, _relations(graph, cells), len(graph.relation_table.rows), None)
        stated = {"kind": KIND, **about._asdict(), "fingerprint": graph.fingerprint}
        (partial / MARK).write_text(json.dumps(stated, indent=1) + "\n", encoding="utf-8")
    return Written(concepts, edges, relations, cells.changed)


def exported_licence(folder: Path) -> str:
    """The licence that an export states in its `meta.json`; empty where the folder is none, or says nothing."""
    mark = folder / MARK
    try:
        stated = json.loads(mark.read_text(encoding="utf-8")) if mark.is_file() else {}
    except (OSError, ValueError):
        return ""
    ours = isinstance(stated, dict) and stated.get("kind") == KIND
    return str(stated.get("licence") or "") if ours else ""


def _concepts(graph: Graph, cells: _Cells) -> Iterator[str]:
    yield "id\tname\tgroup\tcategory\tsynonyms\tdefinition\n"
    for row in graph.concepts:
        stated = (row.concept_id, row.name, row.group, str(row.category), cells.listed(row.synonyms), row.definition)
        yield cells.line(stated)


def _edges(graph: Graph, cells: _Cells) -> Iterator[str]:
    yield "head\trelation\ttail\tqualifier\n"
    for triple in graph.triples():
        yield cells.line(triple)


def _relations(graph: Graph, cells: _Cells) -> Iterator[str]:
    yield "relation\tinverse\twords\tinverse_words\n"
    for row in graph.relation_table.rows:
        yield cells.line((row.relation, row.inverse, row.words, row.inverse_words))


def _write(path: Path, lines: Iterator[str], total: int, progress: Progress | None) -> int:
    """How many rows were written, the header left out."""
    written = -1
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as out:
        for line in lines:
            out.write(line)
            written += 1
            if progress and written and written % EVERY == 0:
                progress(written, max(total, written), f"rows of {path.name} written")
    return written
