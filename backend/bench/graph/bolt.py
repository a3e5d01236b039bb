"""The same walks over Bolt and in memory: what serving paths live from Neo4j costs.

Takes a server's address; exports a graph under a name of its own, walks it both ways, checks that the paths are the
same, and removes it. Run: python -m backend.bench.graph.bolt URI USER [CONCEPTS FACTS], the password in LEAPNOTE_NEO4J_PASSWORD.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar
from uuid import uuid4

import numpy as np
from pydantic import SecretStr

from backend.bench.measuring import Peer, load, machine, median, p95, rss_mb, timed
from backend.errors import KnowledgeError
from backend.interfaces import PathGraph
from backend.schemas.base import Frozen
from backend.schemas.vocabulary import SemanticGroup
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.neo4j.connection import Neo4j, Neo4jAddress
from backend.stores.neo4j.neo4j_export import export_graph, remove_graph
from backend.stores.neo4j.neo4j_load import load_graph
from backend.stores.neo4j.neo4j_paths import Neo4jPathGraph
from models.policy.walking.environment import Environment
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import OURS, WalkSettings
from models.policy.walking.walks import GroupPolicy, UniformPolicy, walk

CONCEPTS, FACTS, DIMENSION = 20_000, 65_000, 64
KEYWORDS, WALKS, WARM = 20, 30, 3
RELATIONS = 20
Result = TypeVar("Result")


class BoltFigures(Frozen):
    """Times of one note's walk in milliseconds; seconds for the whole graph. ratio: median over Bolt by that in memory."""

    concepts: int
    facts: int
    memory_median_ms: float
    memory_p95_ms: float
    bolt_median_ms: float
    bolt_p95_ms: float
    ratio: float
    round_trips: float
    export_s: float
    start_s: float
    load_s: float
    remove_s: float
    server: str
    machine: str
    load: float | None


class Walks(NamedTuple):
    """What is walked: the same notes, policy and seeds on either side. vectors: (n, d). notes: keywords of each."""

    vectors: np.ndarray
    notes: Sequence[np.ndarray]
    policy: GroupPolicy
    settings: WalkSettings = OURS


def bolt_peer(address: Neo4jAddress, graph: Graph, walks: Walks) -> Peer:
    """The figures of these walks over Bolt, as the peer of a row; the graph is exported for it, and removed."""
    with Neo4j(address) as db:
        name = f"bench {uuid4()}"
        start = time.perf_counter()
        try:
            export_graph(db, name, graph, _progress)
            built = time.perf_counter() - start
            shared = Neo4jPathGraph(db, name)
            times, _ = _timed_walks(shared.walk, walks)
        finally:
            remove_graph(db, name)
    return Peer(
        name="the same over Bolt",
        n=len(times),
        median_ms=median(times),
        p95_ms=p95(times),
        rss_mb=rss_mb(),
        build_s=round(built, 1),
    )


def compare(address: Neo4jAddress, concepts: int = CONCEPTS, facts: int = FACTS) -> BoltFigures:
    """Raises KnowledgeError where the paths differ: then the times mean nothing."""
    before = load()
    graph = synthetic_graph(concepts, facts)
    draw = np.random.default_rng(1)
    vectors = draw.standard_normal((concepts, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    notes = [draw.choice(concepts, size=KEYWORDS, replace=False).astype(np.int32) for _ in range(WALKS + WARM)]
    walks = Walks(vectors, notes, UniformPolicy())
    in_memory, wanted = _timed_walks(lambda: graph, walks)
    with Neo4j(address) as db:
        name = f"bench {uuid4()}"
        try:
            export_s, entry = _seconds(lambda: export_graph(db, name, graph, _progress))
            start_s, shared = _seconds(lambda: Neo4jPathGraph(db, name))
            asked = db.round_trips
            over_bolt, found = _timed_walks(shared.walk, walks)
            trips = (db.round_trips - asked) / len(notes)
            load_s, back = _seconds(lambda: _loaded(db, name))
        finally:
            remove_s, _ = _seconds(lambda: remove_graph(db, name))
        server = db.agent
    if found != wanted or back.fingerprint != graph.fingerprint:
        raise KnowledgeError(
            "The graph in Neo4j and the one in memory gave different paths. Is the server's data sound?"
        )
    return BoltFigures(
        concepts=concepts,
        facts=entry.facts,
        memory_median_ms=median(in_memory),
        memory_p95_ms=p95(in_memory),
        bolt_median_ms=median(over_bolt),
        bolt_p95_ms=p95(over_bolt),
        ratio=round(median(over_bolt) / median(in_memory), 1),
        round_trips=round(trips, 2),
        export_s=round(export_s, 1),
        start_s=round(start_s, 1),
        load_s=round(load_s, 1),
        remove_s=round(remove_s, 1),
        server=server,
        machine=machine(),
        load=before,
    )


def synthetic_graph(concepts: int, facts: int, seed: int = 0) -> Graph:
    """A graph with a few hubs: tails by a cube law; groups as unequal as those of UMLS, roughly."""
    draw = np.random.default_rng(seed)
    groups = [group.value for group in SemanticGroup]
    weights = 1.0 / np.arange(1, len(groups) + 1)
    kinds = draw.choice(len(groups), size=concepts, p=weights / weights.sum())
    rows = [ConceptRow(f"C{i:07d}", f"concept {i}", groups[kinds[i]], "concept") for i in range(concepts)]
    any_category = frozenset("*")
    relations = {
        f"r{i:02d}": RelationRow(f"r{i:02d}", f"r{i:02d}_of", any_category, any_category, f"r{i}", f"r{i} of", "")
        for i in range(RELATIONS)
    }
    heads = draw.integers(concepts, size=facts).tolist()
    tails = (concepts * draw.random(facts) ** 3).astype(np.int64).tolist()
    names = [f"r{i:02d}" for i in draw.integers(RELATIONS, size=facts).tolist()]
    triples = (
        TripleRow(rows[head].concept_id, name, rows[tail].concept_id)
        for head, name, tail in zip(heads, names, tails, strict=True)
    )
    return Graph(rows, triples, relations)


def _timed_walks(graph_of: Callable[[], PathGraph], walks: Walks) -> tuple[list[float], list[list[list[int]]]]:
    """Milliseconds of each walk after the first WARM, and the paths of all."""
    paths: list[list[list[int]]] = []

    def one(numbered: tuple[int, np.ndarray]) -> None:
        seed, keywords = numbered
        environment = Environment(graph_of(), walks.settings)
        view = NoteView(keywords, walks.vectors)
        end = walk(environment, view, walks.policy, np.random.default_rng(seed)).end
        paths.append(end.paths.tolist())

    times = timed(one, list(enumerate(walks.notes)))
    return list(times.wall[WARM:]), paths


def _loaded(db: Neo4j, name: str) -> Graph:
    found = load_graph(db, name)
    return Graph(found.concepts, found.triples, found.relations)


def _seconds(run: Callable[[], Result]) -> tuple[float, Result]:
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def _progress(done: int, total: int, what: str) -> None:
    print(f"\r{done:,} of {total:,} {what}   ", end="\n" if done == total else "", file=sys.stderr, flush=True)


if __name__ == "__main__":
    uri, user, *sizes = sys.argv[1:]
    password = SecretStr(os.environ.get("LEAPNOTE_NEO4J_PASSWORD", ""))
    database = os.environ.get("LEAPNOTE_NEO4J_DATABASE", "neo4j")
    print(compare(Neo4jAddress(uri, user, password, database), *map(int, sizes)).model_dump_json())
