"""Load a graph from Neo4j: concepts, facts and relations, a page at a time.

Takes an export of ours by its name, or a graph of somebody else's by a mapping. Gives what every importer gives. It
builds nothing.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from backend.schemas.vocabulary import Category
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.neo4j.connection import Neo4j
from backend.stores.neo4j.neo4j_mapping import Neo4jMapping
from backend.stores.neo4j.neo4j_source import PAGE, Progress, Source, check_count, find_source, pages

_CATEGORIES = {category.value for category in Category}


class LoadedGraph(NamedTuple):
    """concepts and triples are read from the server as they are taken, concepts first or alone. left_out: in words."""

    concepts: Iterator[ConceptRow]
    triples: Iterator[TripleRow]
    relations: dict[str, RelationRow]
    left_out: tuple[str, ...]


def load_graph(
    db: Neo4j, wanted: str | Neo4jMapping, progress: Progress | None = None, page: int = PAGE
) -> LoadedGraph:
    """A concept of somebody else's that has no name bears its id; a category we do not know becomes `concept`.

    progress(done, total, what) is called after each page; of facts it counts the concepts they leave.
    Raises NotFoundError, ConflictError, InputError (see find_source); while reading, KnowledgeError and MissingError.
    """
    source = find_source(db, wanted)
    notify = progress or (lambda done, total, what: None)
    return LoadedGraph(
        _concepts(db, source, notify, page), _triples(db, source, notify, page), source.relations, source.left_out
    )


def _concepts(db: Neo4j, source: Source, progress: Progress, page: int) -> Iterator[ConceptRow]:
    layout, done = source.layout, 0
    for rows in pages(db, layout, layout.first_concepts, layout.concepts, page):
        for row in rows:
            yield _concept(row, layout.groups[row[2]])
        done += len(rows)
        progress(done, source.concepts, "concepts")
    check_count(done, source, "concepts")


def _concept(row: tuple[Any, ...], group: str) -> ConceptRow:
    key, name, _, category, synonyms, definition, condition, must_not_miss = row
    return ConceptRow(
        concept_id=str(key),
        name=str(name or key),
        group=group,
        category=category if category in _CATEGORIES else Category.CONCEPT.value,
        synonyms=(synonyms,) if isinstance(synonyms, str) else tuple(str(synonym) for synonym in synonyms or ()),
        definition=str(definition or ""),
        condition=bool(condition),
        must_not_miss=bool(must_not_miss),
    )


def _triples(db: Neo4j, source: Source, progress: Progress, page: int) -> Iterator[TripleRow]:
    layout, done = source.layout, 0
    for rows in pages(db, layout, layout.first_facts, layout.facts, page):
        for head, facts in rows:
            for kind, tail, qualifier in facts:
                yield TripleRow(str(head), layout.relations[kind], str(tail), str(qualifier))
        done += len(rows)
        progress(done, source.concepts, "concepts with their facts")
    check_count(done, source, "concepts")
