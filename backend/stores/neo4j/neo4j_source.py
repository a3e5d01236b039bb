"""A graph in Neo4j, found and described before it is read: its layout, its relations, its size.

Takes the name of an export of ours, or a mapping for a graph of somebody else's. Pages go by id, each in a transaction
of its own, so that no page costs more than the first.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from backend.errors import ConflictError, KnowledgeError, NotFoundError
from backend.stores.graph.graph_rows import RelationRow
from backend.stores.neo4j.connection import Neo4j, Row
from backend.stores.neo4j.neo4j_layout import GRAPH, RELATION, Layout, mapped_layout, own_layout
from backend.stores.neo4j.neo4j_mapping import Neo4jMapping

COMPLETE, BUILDING, REMOVING = "complete", "building", "removing"
PAGE = 5_000
Progress = Callable[[int, int, str], None]


class GraphEntry(NamedTuple):
    """An export of ours as the server lists it. concepts and facts: how many it has when it is complete.

    fingerprint: that of the graph in memory. concepts_done, facts_done: how far the export has come.
    """

    name: str
    state: str
    concepts: int
    facts: int
    fingerprint: str
    contents: str
    concepts_done: int
    facts_done: int


class Source(NamedTuple):
    """What there is to read. concepts: nodes that will come. left_out: how many will not, and why, in words.

    fingerprint: that of the graph in memory, empty for somebody else's graph.
    """

    layout: Layout
    relations: dict[str, RelationRow]
    concepts: int
    left_out: tuple[str, ...]
    fingerprint: str


def list_graphs(db: Neo4j) -> tuple[GraphEntry, ...]:
    """The exports of ours in this database, by name."""
    rows = db.read(
        f"MATCH (g:{GRAPH}) RETURN g.name, g.state, g.concepts, g.facts, g.fingerprint, g.contents, g.concepts_done, "
        "g.facts_done ORDER BY g.name"
    )
    return tuple(GraphEntry(*row) for row in rows)


def graph_entry(db: Neo4j, name: str) -> GraphEntry:
    """The export of a name.

    Raises:
        NotFoundError: that lists the names there are.
    """
    known = {entry.name: entry for entry in list_graphs(db)}
    if name not in known:
        there = ", ".join(known) or "none"
        raise NotFoundError(f"Neo4j at {db.address.place} holds no graph named {name!r}. There are: {there}")
    return known[name]


def find_source(db: Neo4j, wanted: str | Neo4jMapping) -> Source:
    """Raises NotFoundError for a name that is none, ConflictError for an export that is not finished.

    Raises:
        ConflictError: the export is not finished.
    """
    if isinstance(wanted, str):
        entry = graph_entry(db, wanted)
        if entry.state != COMPLETE:
            todo = "Export it again to finish it" if entry.state == BUILDING else "Remove it again to finish"
            raise ConflictError(f"The graph {wanted!r} in Neo4j is {entry.state}, not complete. {todo}.")
        relations = _own_relations(db, wanted)
        return Source(own_layout(wanted, relations), relations, entry.concepts, (), entry.fingerprint)
    labels = frozenset(row[0] for row in db.read("CALL db.labels() YIELD label RETURN label"))
    layout = mapped_layout(wanted, labels)
    rows = db.read(layout.count, **layout.parameters)
    nodes, with_id, usable = rows[0]
    reasons = ((nodes - with_id, f"without {wanted.id!r}"), (with_id - usable, f"with another {wanted.group!r}"))
    left_out = tuple(f"{count} nodes {why}" for count, why in reasons if count)
    relations = {row.relation: row for row in wanted.relations.values()}
    return Source(layout, relations, usable, left_out, "")


def pages(db: Neo4j, layout: Layout, first: str, following: str, size: int = PAGE) -> Iterator[list[Row]]:
    """The rows of a paged statement of a layout; the first value of each row is its id.

    Yields:
        the rows of a page.
    """
    rows = db.read(first, size=size, **layout.parameters)
    while rows:
        yield rows
        if len(rows) < size:
            return
        rows = db.read(following, size=size, after=rows[-1][0], **layout.parameters)


def check_count(found: int, source: Source, what: str) -> None:
    """Compare what was read with what was counted.

    Raises:
        KnowledgeError: where the pages did not hold what was counted before.
    """
    if found != source.concepts:
        raise KnowledgeError(
            f"Neo4j counted {source.concepts} {what}, {found} came. Either ids repeat or differ in type (text and "
            "numbers), or the graph was changed meanwhile. Mend the ids, or try again."
        )


def _own_relations(db: Neo4j, name: str) -> dict[str, RelationRow]:
    rows: list[tuple[Any, ...]] = db.read(
        f"MATCH (r:{RELATION}) WHERE r.graph = $graph AND r.relation IS NOT NULL RETURN r.relation, r.inverse, "
        "r.head_categories, r.tail_categories, r.words, r.inverse_words, r.meaning ORDER BY r.relation",
        graph=name,
    )
    return {
        row[0]: RelationRow(row[0], row[1], frozenset(row[2]), frozenset(row[3]), row[4], row[5], row[6])
        for row in rows
    }
