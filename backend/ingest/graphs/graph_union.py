"""Join the starter graph and an imported one: what both know becomes one concept, the rest stands side by side.

Takes two graphs; gives one snapshot. An imported concept is merged where its names, compared without case and
punctuation, meet exactly one starter concept of its semantic group; an abbreviation counts only as the name of both. Its names
become synonyms and its codes cross-references of the starter concept. Nothing that the starter knowledge says of its own concepts
changes: what names one of them comes to no other, and a fact between two of them is the starter's or is not there.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.ingest.documents.import_report import ImportReport
from backend.ingest.graphs.graph_build import GraphBuilder, Progress, joined_report
from backend.ingest.graphs.obo import XREFS, XREFS_HEAD
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.graph.snapshot import write_snapshot
from backend.stores.graph.snapshot_meta import About

MERGED, AMBIGUOUS = "merged.tsv", "ambiguous.tsv"
BETWEEN = "joins two starter concepts, which the import may not do"
SAME_ID = "the same id"
EVERY = 50_000


class Merge(NamedTuple):
    """One imported concept and the starter concepts its names meet: one means merged, several ambiguous. by: the name."""

    imported: str
    starter: tuple[str, ...]
    by: str


class Union(NamedTuple):
    """The joined graph. merged, ambiguous: what met one starter concept, and what met several and joined as it is."""

    graph: Graph
    merged: tuple[Merge, ...]
    ambiguous: tuple[Merge, ...]
    report: ImportReport


def join_graphs(
    starter: Graph,
    imported: Graph,
    folder: Path,
    about: About,
    progress: Progress | None = None,
    between_starter: bool = False,
    xrefs: str = "",
) -> Union:
    """Write the union as a snapshot, with `merged.tsv`, `ambiguous.tsv` and `xrefs.tsv` beside.

    between_starter: take imported facts between two starter concepts too. xrefs: the import's `xrefs.tsv`. Raises KnowledgeError where an imported id is
    a starter id of another semantic group.
    """
    found = list(_same_names(starter, imported, progress))
    merged = tuple(merge for merge in found if len(merge.starter) == 1)
    ambiguous = tuple(merge for merge in found if len(merge.starter) > 1)
    alias = {merge.imported: merge.starter[0] for merge in merged}
    builder = GraphBuilder()
    gained, taken = _names_gained(starter, imported, alias)
    for row in starter.concepts:
        builder.add_concept(row._replace(synonyms=(*row.synonyms, *gained.get(row.concept_id, ()))))
    for row in imported.concepts:
        if row.concept_id not in alias:
            builder.add_concept(row)
    for triple in starter.triples():
        builder.add_triple(triple)
    relations = Relations(starter, imported)
    for number, triple in enumerate(imported.triples(), start=1):
        if progress and number % EVERY == 0:
            progress(number, imported.edge_count // 2, "imported facts joined")
        moved = relations.moved(triple, alias)
        if not between_starter and moved.head in starter.index and moved.tail in starter.index:
            builder.triples.seen()
            builder.triples.skip(BETWEEN)
        else:
            builder.add_triple(moved)
    graph = builder.finish(relations.rows)
    beside = {MERGED: _table(merged), AMBIGUOUS: _table(ambiguous), XREFS: _moved_xrefs(xrefs, alias)}
    write_snapshot(graph, folder, about, beside)
    report = joined_report(builder)
    report.note(f"{len(merged):,} imported concepts were merged into starter concepts; {MERGED} lists them.")
    report.note(
        f"{sum(map(len, gained.values())):,} of their names are new synonyms; {taken:,} that name another starter concept are not."
    )
    report.note(f"{len(ambiguous):,} met several starter concepts and joined as they are; {AMBIGUOUS} lists them.")
    return Union(graph, merged, ambiguous, report)


def normal_name(name: str) -> str:
    """Lower case, apostrophes out, other punctuation as blanks, accents and width folded; the words stay whole."""
    folded = unicodedata.normalize("NFKD", name).casefold().replace("'", "").replace("\u2019", "")
    kept = (" " if not c.isalnum() else c for c in folded if not unicodedata.combining(c))
    return " ".join("".join(kept).split())


def short_form(name: str) -> bool:
    """Whether a name is an abbreviation such as MDS or B-ALL, which means another thing in another file.

    Of 13 concepts of the Disease Ontology that met a starter concept by an abbreviation alone, 10 meant something else.
    """
    return len(name) <= 6 and " " not in name and sum(c.isupper() for c in name) >= 2


class Relations:
    """How imported relations are told in the union: a name that the starter knows means what it means there."""

    def __init__(self, starter: Graph, imported: Graph) -> None:
        self._known = starter.inverse
        self._inverse = imported.inverse
        self.rows: dict[str, RelationRow] = {row.relation: row for row in starter.relation_table.rows}
        for row in imported.relation_table.rows:
            if row.relation not in self._known and row.inverse not in self._known:
                self.rows[row.relation] = row

    def moved(self, triple: TripleRow, alias: dict[str, str]) -> TripleRow:
        """An imported fact with merged endpoints, turned round where the starter knows only its inverse's name."""
        head, tail = alias.get(triple.head, triple.head), alias.get(triple.tail, triple.tail)
        inverse = self._inverse[triple.relation]
        if triple.relation not in self._known and inverse in self._known:
            return TripleRow(tail, inverse, head, triple.qualifier)
        return TripleRow(head, triple.relation, tail, triple.qualifier)


def _same_names(starter: Graph, imported: Graph, progress: Progress | None) -> Iterator[Merge]:
    """The imported concepts whose names meet starter concepts of their group.

    Yields:
        Merge: one at a time.

    Raises:
        KnowledgeError: an id of one graph means another group in the other.
    """
    named: dict[tuple[str, str], set[str]] = {}
    owned = {(row.group, normal_name(row.name)): row.concept_id for row in starter.concepts}
    for row in starter.concepts:
        for name in _names(row):
            named.setdefault((row.group, name), set()).add(row.concept_id)
    for number, row in enumerate(imported.concepts, start=1):
        if progress and number % EVERY == 0:
            progress(number, len(imported), "names compared")
        if row.concept_id in starter.index:
            if starter.row(row.concept_id).group != row.group:
                raise KnowledgeError(
                    f"The imported concept {row.concept_id} is in the semantic group {row.group}, the starter concept of the "
                    f"same id in {starter.row(row.concept_id).group}. Give the imported graph ids of its own."
                )
            yield Merge(row.concept_id, (row.concept_id,), SAME_ID)
            continue
        hits = {name: named[row.group, name] for name in _names(row) if (row.group, name) in named}
        own = owned.get((row.group, normal_name(row.name)))
        if own:
            hits[normal_name(row.name)] = hits.get(normal_name(row.name), set()) | {own}
        if hits:
            yield Merge(row.concept_id, tuple(sorted(set().union(*hits.values()))), next(iter(hits)))


def _names(row: ConceptRow) -> list[str]:
    """The distinct names of a concept as they are compared, its own name first; short forms are left out."""
    names = (normal_name(name) for name in (row.name, *row.synonyms) if not short_form(name))
    return [name for name in dict.fromkeys(names) if name]


def _names_gained(starter: Graph, imported: Graph, alias: Mapping[str, str]) -> tuple[dict[str, list[str]], int]:
    """By starter id the names that its merged concepts bring, and how many do not come since they name another starter concept."""
    owners: dict[str, set[str]] = {}
    for row in starter.concepts:
        for name in (row.name, *row.synonyms):
            owners.setdefault(normal_name(name), set()).add(row.concept_id)
    gained, taken = defaultdict[str, list[str]](list), 0
    for merged, concept in alias.items():
        row = imported.row(merged)
        for name in (row.name, *row.synonyms):
            owned = owners.setdefault(normal_name(name), set())
            if not owned:
                gained[concept].append(name)
                owned.add(concept)
            taken += concept not in owned
    return gained, taken


def _moved_xrefs(xrefs: str, alias: Mapping[str, str]) -> str:
    """Cross-references by the ids of the union; the id of a merged concept is one of them."""
    pairs = [(concept, merged) for merged, concept in alias.items() if merged != concept]
    for line in xrefs.splitlines()[1:]:
        concept, _, code = line.partition("\t")
        pairs.append((alias.get(concept, concept), code))
    return XREFS_HEAD + "".join(f"{concept}\t{code}\n" for concept, code in dict.fromkeys(pairs))


def _table(merges: tuple[Merge, ...]) -> str:
    lines = (f"{merge.imported}\t{'|'.join(merge.starter)}\t{merge.by}\n" for merge in merges)
    return "imported_id\tstarter_id\tby\n" + "".join(lines)
