"""Build a graph of any size from the rows of an importer, coded as integers while they stream.

Takes concepts, then triples, one at a time; gives a graph of arrays, or a snapshot of it. Repeated rows and self loops
go, and are counted; so do triples whose endpoint is no concept. It reads no files.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

from backend.ingest.documents.import_report import ImportReport
from backend.ingest.importers import GraphImported, GraphInput
from backend.schemas.visible_text import visible
from backend.stores.graph.adjacency import Facts, adjacency
from backend.stores.graph.concept_table import GROUP_INDEX, ConceptTable, ConceptWriter
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, RelationTable, TripleRow
from backend.stores.graph.snapshot import write_snapshot
from backend.stores.graph.snapshot_meta import About

Progress = Callable[[int, int, str], None]
EVERY = 50_000  # rows between two reports of progress
NO_ID, NO_NAME, REPEATED_ID = "without an id", "without a name", "id seen before"
UNKNOWN_GROUP = "semantic group is none of the 15"
UNKNOWN_HEAD, UNKNOWN_TAIL = "head is no concept kept", "tail is no concept kept"
NO_RELATION, SELF_LOOP, REPEATED_FACT = "without a relation", "leads to itself", "fact seen before"

MADE_UP = "as imported, the inverse made up"


class GraphBuilder:
    """Add every concept, then every triple, then finish. concepts, triples: what was read, kept and skipped."""

    def __init__(self) -> None:
        self.concepts, self.triples = ImportReport(), ImportReport()
        self._writer = ConceptWriter()
        self._places: dict[str, int] = {}
        self._relations: dict[str, int] = {}
        self._qualifiers: dict[str, int] = {"": 0}
        self._columns = tuple(array("i") for _ in range(4))
        self._lines = array("q")

    def add_concept(self, row: ConceptRow, line: int | None = None) -> bool:
        """Take a concept, or skip it with a reason; the first row of an id stands. line: where it was read."""
        self.concepts.seen()
        row = shown_concept(row)
        reason = self._against(row)
        if reason:
            self.concepts.skip(reason, line)
            return False
        self._places[row.concept_id] = len(self._places)
        self._writer.add(row)
        self.concepts.keep()
        return True

    def add_triple(self, row: TripleRow, line: int | None = None) -> bool:
        """Take a triple, or skip it with a reason. Repeated facts are found at the end."""
        self.triples.seen()
        row = row._replace(relation=visible(row.relation), qualifier=visible(row.qualifier))
        head, tail = self._places.get(row.head), self._places.get(row.tail)
        if head is None or tail is None or head == tail or not row.relation:
            reason = UNKNOWN_HEAD if head is None else UNKNOWN_TAIL if tail is None else SELF_LOOP
            self.triples.skip(reason if row.relation else NO_RELATION, line)
            return False
        relation = self._relations.setdefault(row.relation, len(self._relations))
        qualifier = self._qualifiers.setdefault(row.qualifier, len(self._qualifiers))
        for column, value in zip(self._columns, (head, relation, tail, qualifier), strict=True):
            column.append(value)
        self._lines.append(-1 if line is None else line)
        return True

    def finish(self, relations: Mapping[str, RelationRow]) -> Graph:
        """The graph. relations: what is known of them; one that is named nowhere there gets a made-up inverse."""
        order, rank = self._sorted()
        columns = self._writer.columns().take(order)
        known = {row.relation: row for row in map(shown_relation, relations.values())}
        table = RelationTable(completed(known, self._relations))
        made = [row.relation for row in table.rows if row.meaning == MADE_UP]
        if made:
            self.triples.note(f"{len(made)} relations came without an inverse; it was made up from their names.")
        codes = np.array([table.index[name] for name in self._relations], dtype=np.int32)
        qualifiers = sorted(self._qualifiers)
        ranks = np.array([qualifiers.index("")] * len(qualifiers), dtype=np.int32)
        for place, text in enumerate(qualifiers):
            ranks[self._qualifiers[text]] = place
        heads, seen_facts, tails, when = (np.frombuffer(column, dtype=np.int32) for column in self._columns)
        facts = Facts(rank[heads], codes[seen_facts], rank[tails], ranks[when]) if len(heads) else Facts(*[heads] * 4)
        facts = self._distinct(facts, table)
        edges = adjacency(facts, columns.groups, table.inverse_ids)
        return Graph.from_table(ConceptTable(columns), table, tuple(qualifiers), edges)

    def _against(self, row: ConceptRow) -> str:
        if not row.concept_id:
            return NO_ID
        if not row.name:
            return NO_NAME
        if row.group not in GROUP_INDEX:
            return UNKNOWN_GROUP
        return REPEATED_ID if row.concept_id in self._places else ""

    def _sorted(self) -> tuple[np.ndarray, np.ndarray]:
        """order: (n,) the concept that comes at each place. rank: (n,) the place of each concept."""
        order = np.array([self._places[concept_id] for concept_id in sorted(self._places)], dtype=np.int32)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order), dtype=np.int32)
        return order, rank

    def _distinct(self, facts: Facts, table: RelationTable) -> Facts:
        """Each fact once, whichever way round it was told; the others are counted as skipped."""
        inverse = table.inverse_ids
        turned = inverse[facts.relations] < facts.relations if len(inverse) else np.zeros(0, dtype=bool)
        turned |= (inverse[facts.relations] == facts.relations) & (facts.tails < facts.heads)
        heads = np.where(turned, facts.tails, facts.heads)
        tails = np.where(turned, facts.heads, facts.tails)
        relations = np.where(turned, inverse[facts.relations], facts.relations)
        order = np.lexsort((facts.qualifiers, tails, relations, heads))  # stable: the first telling comes first
        fresh = np.ones(len(order), dtype=bool)
        fresh[1:] = False
        for column in (heads, relations, tails, facts.qualifiers):
            fresh[1:] |= column[order[1:]] != column[order[:-1]]
        lines = np.frombuffer(self._lines, dtype=np.int64) if self._lines else np.zeros(0, dtype=np.int64)
        for line in sorted(lines[order[~fresh]].tolist()):
            self.triples.skip(REPEATED_FACT, line if line >= 0 else None)
        kept = order[fresh]
        self.triples.keep(len(kept))
        return Facts(heads[kept], relations[kept], tails[kept], facts.qualifiers[kept])


def shown_concept(row: ConceptRow) -> ConceptRow:
    """The concept with names that read as they are stored; its id, by which facts name it, stays."""
    return row._replace(
        name=visible(row.name),
        category=visible(row.category),
        synonyms=tuple(name for name in map(visible, row.synonyms) if name),
        definition=visible(row.definition),
    )


def shown_relation(row: RelationRow) -> RelationRow:
    """The relation with names and words that read as they are stored."""
    return row._replace(
        relation=visible(row.relation),
        inverse=visible(row.inverse),
        words=visible(row.words),
        inverse_words=visible(row.inverse_words),
    )


def completed(known: Mapping[str, RelationRow], used: Iterable[str]) -> list[RelationRow]:
    """The known relations, and a row for each used name they do not have: its inverse and words come from the name."""
    rows = {row.relation: row for row in known.values()}
    names = {name for row in rows.values() for name in (row.relation, row.inverse)}
    missing = sorted(set(used) - names)
    names.update(missing)
    for name in missing:
        words = in_words(name)
        inverse = f"{name}_inverse"
        while inverse in names:
            inverse += "_"
        everything = frozenset("*")
        rows[name] = RelationRow(name, inverse, everything, everything, words, f"inverse of {words}", MADE_UP)
        names.add(inverse)
    return list(rows.values())


def in_words(relation: str) -> str:
    """`disease_has_location` is "disease has location"."""
    return " ".join(relation.replace("_", " ").replace("#", " ").replace(":", " ").split())


def build_snapshot(
    concepts: Iterable[ConceptRow],
    triples: Iterable[TripleRow],
    relations: Mapping[str, RelationRow] | Callable[[], Mapping[str, RelationRow]],
    folder: Path,
    about: About,
    progress: Progress | None = None,
    extra: dict[str, str] | None = None,
) -> tuple[Graph, ImportReport]:
    """Stream an importer's rows into a snapshot. relations: a function is called once the triples are read.

    Nothing is written before all is read: an import that is interrupted leaves the snapshot that was there.
    """
    builder = GraphBuilder()
    for number, concept in enumerate(concepts, start=1):
        builder.add_concept(concept, number)
        _notify(progress, number, "concepts read")
    for number, triple in enumerate(triples, start=1):
        builder.add_triple(triple, number)
        _notify(progress, number, "facts read")
    graph = builder.finish(relations() if callable(relations) else relations)
    write_snapshot(graph, folder, about, extra)
    if progress:
        progress(len(graph), len(graph), "concepts written")
    return graph, joined_report(builder)


def joined_report(builder: GraphBuilder) -> ImportReport:
    """What the builder read, concepts and triples together."""
    report = ImportReport()
    report.add(builder.concepts, "concept ")
    report.add(builder.triples, "triple ")
    return report


def graph_imported(given: GraphInput, about: About, graph: Graph, report: ImportReport) -> GraphImported:
    """The result of an import that wrote a snapshot."""
    row: dict[str, object] = {"name": given.name, "folder": str(given.folder), "concepts": len(graph)}
    row |= {"edges": graph.edge_count, "fingerprint": graph.fingerprint}
    row |= {"licence": about.licence, "created": about.created}
    lines = (
        f"{given.name}: {len(graph)} concepts, {graph.edge_count} directed edges, fingerprint {graph.fingerprint}",
        f"Make it ready with: python -m backend knowledge load graph {given.name} [--with-starter]",
    )
    return GraphImported(given.folder, report, row, lines)


def _notify(progress: Progress | None, number: int, what: str) -> None:
    if progress and number % EVERY == 0:
        progress(number, 0, what)  # total 0: not known while it streams
