"""Export a graph to Neo4j, and remove one by its name.

Facts are written once, in their relation's own direction. A counter on the graph's node is moved in the same
transaction as each batch, so that an export that was cut off goes on where it stopped, writes nothing twice, and a
finished one writes nothing at all. A graph that is not complete is never loaded.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from backend.errors import ConflictError, InputError, KnowledgeError
from backend.stores.graph.graph import Graph
from backend.stores.neo4j.connection import Neo4j, Run
from backend.stores.neo4j.neo4j_layout import CONCEPT, CONSTRAINTS, FACT, GRAPH, RELATION
from backend.stores.neo4j.neo4j_source import BUILDING, COMPLETE, REMOVING, GraphEntry, Progress, graph_entry

Item = TypeVar("Item")
CONCEPT_BATCH, FACT_BATCH, REMOVAL_BATCH = 5_000, 10_000, 1_000
MOST_NAME = 100
FORMAT = 1

_BEGIN = (
    f"MERGE (g:{GRAPH} {{name: $graph}}) "
    f"ON CREATE SET g.state = '{BUILDING}', g.contents = $contents, g.fingerprint = $fingerprint, "
    "g.concepts = $concepts, g.facts = $facts, g.concepts_done = 0, g.facts_done = 0, g.format = $format"
)
_RELATIONS = (
    f"UNWIND $rows AS row MERGE (r:{RELATION} {{graph: $graph, relation: row.relation}}) "
    "SET r.inverse = row.inverse, r.words = row.words, r.inverse_words = row.inverse_words, r.meaning = row.meaning, "
    "r.head_categories = row.head_categories, r.tail_categories = row.tail_categories"
)


def _batch_start(counter: str) -> str:
    """The start of a batch: moves a counter on and unwinds the rows, or does nothing where it was moved already.

    The first SET takes the node's lock before the counter is read, so that of two exports at once one finds it moved.
    """
    return (
        f"MATCH (g:{GRAPH} {{name: $graph}}) SET g.touched = $done WITH g "
        f"WHERE g.state = '{BUILDING}' AND g.{counter} = $before SET g.{counter} = $done WITH g UNWIND $rows AS row "
    )


_CONCEPTS = (
    _batch_start("concepts_done") + f"CREATE (c:{CONCEPT} {{graph: $graph, id: row.id}}) SET c += row RETURN count(c)"
)
_FACTS = (
    _batch_start("facts_done")
    + f"MATCH (a:{CONCEPT} {{graph: $graph, id: row.head}}) MATCH (b:{CONCEPT} {{graph: $graph, id: row.tail}}) "
    f"CREATE (a)-[r:{FACT} {{relation: row.relation, qualifier: row.qualifier}}]->(b) RETURN count(r)"
)
_COUNT = (
    f"MATCH (c:{CONCEPT}) WHERE c.graph = $graph AND c.id IS NOT NULL "
    f"OPTIONAL MATCH (c)-[r:{FACT}]->() RETURN count(DISTINCT c), count(r)"
)
_FINISH = f"MATCH (g:{GRAPH} {{name: $graph}}) WHERE g.state = '{BUILDING}' SET g.state = '{COMPLETE}'"


def export_graph(
    db: Neo4j,
    name: str,
    graph: Graph,
    progress: Progress | None = None,
    concept_batch: int = CONCEPT_BATCH,
    fact_batch: int = FACT_BATCH,
) -> GraphEntry:
    """Write a graph under a name, or finish writing it; gives its entry.

    progress(done, total, what) is called after each batch. Raises ConflictError where the name stands for another graph,
    InputError for a name that is none, KnowledgeError where the server holds something else in the end.

    Raises:
        InputError: the name cannot be one.
        KnowledgeError: the server holds other counts than were written.
    """
    if not name.strip() or len(name) > MOST_NAME or not name.isprintable():
        raise InputError(f"The name of a graph in Neo4j is 1 to {MOST_NAME} printable characters; {name!r} is not.")
    for statement in CONSTRAINTS:
        db.change_schema(statement)
    entry = _begin(db, name, graph)
    notify = progress or (lambda done, total, what: None)
    if entry.state == COMPLETE:
        notify(entry.facts, entry.facts, "facts")
        return entry
    relations = [row._asdict() for row in graph.relation_table.rows]
    for row in relations:
        row |= {key: sorted(row[key]) for key in ("head_categories", "tail_categories")}
    db.write(lambda run: run(_RELATIONS, {"graph": name, "rows": relations}))
    for rows, before in _batches(_concept_rows(graph), entry.concepts_done, concept_batch):
        _write_batch(db, name, _CONCEPTS, before, rows)
        notify(before + len(rows), entry.concepts, "concepts")
    for rows, before in _batches(_fact_rows(graph), entry.facts_done, fact_batch):
        _write_batch(db, name, _FACTS, before, rows)
        notify(before + len(rows), entry.facts, "facts")
    held = db.read(_COUNT, graph=name)[0]
    if held != (entry.concepts, entry.facts):
        raise KnowledgeError(
            f"The graph {name!r} in Neo4j should hold {entry.concepts} concepts and {entry.facts} facts; it holds "
            f"{held[0]} and {held[1]}. Somebody changed it. Remove it by name and export it again."
        )
    db.write(lambda run: run(_FINISH, {"graph": name}))
    return graph_entry(db, name)


def remove_graph(db: Neo4j, name: str, progress: Progress | None = None, batch: int = REMOVAL_BATCH) -> GraphEntry:
    """Remove the export of this name, whatever its state; gives what its entry was. Raises NotFoundError."""
    entry = graph_entry(db, name)
    notify = progress or (lambda done, total, what: None)
    _step(db, f"MATCH (g:{GRAPH} {{name: $graph}}) SET g.state = '{REMOVING}' RETURN count(g)", name, 1)
    done = 0
    concepts = f"MATCH (c:{CONCEPT}) WHERE c.graph = $graph AND c.id IS NOT NULL WITH c LIMIT $size DETACH DELETE c"
    while count := _step(db, f"{concepts} RETURN count(*)", name, batch):
        done += count
        notify(done, max(done, entry.concepts_done), "concepts removed")
    relations = f"MATCH (r:{RELATION}) WHERE r.graph = $graph AND r.relation IS NOT NULL WITH r LIMIT $size DELETE r"
    while _step(db, f"{relations} RETURN count(*)", name, batch):
        pass
    _step(db, f"MATCH (g:{GRAPH} {{name: $graph}}) DELETE g RETURN count(*)", name, 1)
    return entry


def contents_of(graph: Graph) -> str:
    """16 hexadecimal digits that tell whether two exports would write the same; names and synonyms count."""
    digest = hashlib.sha256(f"{FORMAT} {graph.fingerprint}".encode())
    for concept in graph.concepts:
        digest.update(json.dumps(concept).encode())
    for relation in graph.relation_table.rows:
        digest.update(json.dumps([sorted(v) if isinstance(v, frozenset) else v for v in relation]).encode())
    return digest.hexdigest()[:16]


def _begin(db: Neo4j, name: str, graph: Graph) -> GraphEntry:
    contents = contents_of(graph)
    given = {
        "graph": name,
        "contents": contents,
        "fingerprint": graph.fingerprint,
        "concepts": len(graph),
        "facts": _fact_count(graph),
        "format": FORMAT,
    }
    db.write(lambda run: run(_BEGIN, given))
    entry = graph_entry(db, name)
    if entry.contents != contents:
        raise ConflictError(
            f"Neo4j already holds another graph named {name!r} ({entry.concepts} concepts, {entry.state}). Export under "
            "another name, or remove that one by name first."
        )
    if entry.state == REMOVING:
        raise ConflictError(f"The graph {name!r} in Neo4j is being removed. Finish its removal first.")
    return entry


def _write_batch(db: Neo4j, name: str, statement: str, before: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """One batch, unless it was written already, as when the answer to its commit was lost.

    Raises:
        ConflictError: another export writes under the name.
    """
    given = {"graph": name, "before": before, "done": before + len(rows), "rows": rows}

    def work(run: Run) -> int:
        count = int(run(statement, given)[0][0])
        if count not in (0, len(rows)):  # raising takes the batch back
            raise KnowledgeError(
                f"Of {len(rows)} rows for the graph {name!r}, Neo4j could place {count}: concepts of it are gone. "
                "Remove it by name and export it again."
            )
        return count

    if not db.write(work):
        entry = graph_entry(db, name)
        reached = entry.concepts_done if statement is _CONCEPTS else entry.facts_done
        if entry.state != BUILDING or reached < before + len(rows):
            raise ConflictError(
                f"Another export or a removal of {name!r} is at work in Neo4j. Wait for it, then export again."
            )


def _step(db: Neo4j, statement: str, name: str, size: int) -> int:
    return int(db.write(lambda run: run(statement, {"graph": name, "size": size}))[0][0])


def _batches(items: Iterator[Item], done: int, size: int) -> Iterator[tuple[list[Item], int]]:
    """Batches of what lies behind the first `done`, each with the count before it.

    Yields:
        a batch of rows, and how many came before it.
    """
    rest = islice(items, done, None)
    while rows := list(islice(rest, size)):
        yield rows, done
        done += len(rows)


def _concept_rows(graph: Graph) -> Iterator[dict[str, Any]]:
    for concept, reach in zip(graph.concepts, graph.reach.tolist(), strict=True):
        row = concept._asdict()
        row["id"] = row.pop("concept_id")
        row["synonyms"] = list(concept.synonyms)
        yield row | {"reach": reach}


def _fact_rows(graph: Graph) -> Iterator[dict[str, str]]:
    for triple in graph.triples():
        yield triple._asdict()


def _fact_count(graph: Graph) -> int:
    """How many rows graph.triples() gives, without making them."""
    heads = np.repeat(np.arange(len(graph), dtype=np.int32), np.diff(graph.offsets))
    table = graph.relation_table
    own, symmetric = table.forward, table.inverse_ids == np.arange(len(table.names))
    back = symmetric[graph.relation_ids] & (graph.tails < heads)
    return int((own[graph.relation_ids] & ~back).sum())
