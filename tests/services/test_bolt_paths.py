"""Walks over Bolt: the same as in memory, one round trip a step, and safe when the server goes away."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import numpy as np
import pytest

from backend.errors import ConflictError, KnowledgeError, LeapnoteError, MissingError, NotFoundError
from backend.stores.graph.graph import GROUPS, Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.neo4j.connection import Neo4j, Neo4jAddress
from backend.stores.neo4j.neo4j_export import export_graph, remove_graph
from backend.stores.neo4j.neo4j_paths import Neo4jPathGraph, Neo4jWalk
from models.policy.walking.environment import Environment
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import OURS
from tests.conformance.path_graph import (
    CHEM,
    PLACES,
    RELATIONS,
    GraphOf,
    PathGraphConformance,
    random_graph,
    rows_of,
    triples_of,
)
from tests.services.bolt import bolt_server, served, servers
from tests.services.bolt_proxy import proxied

pytestmark = pytest.mark.services
PathGraphOf = Callable[[Sequence[ConceptRow], Sequence[TripleRow], Mapping[str, RelationRow]], Neo4jPathGraph]


@pytest.fixture(scope="module", params=servers())
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jAddress]:
    with served(request.param, tmp_path_factory.mktemp("bolt")) as found:
        yield found


@pytest.fixture(scope="module")
def db(address: Neo4jAddress) -> Iterator[Neo4j]:
    with Neo4j(address) as connection:
        yield connection


@pytest.fixture
def path_graph_of(db: Neo4j) -> Iterator[PathGraphOf]:
    made: list[str] = []

    def make(
        rows: Sequence[ConceptRow], triples: Sequence[TripleRow], relations: Mapping[str, RelationRow]
    ) -> Neo4jPathGraph:
        made.append(f"test {uuid4()}")
        export_graph(db, made[-1], Graph(rows, triples, relations))
        return Neo4jPathGraph(db, made[-1], page=1_000)

    yield make
    for name in made:
        remove_graph(db, name)


class TestNeo4jPathGraph(PathGraphConformance):
    @pytest.fixture
    def graph_of(self, path_graph_of: PathGraphOf) -> GraphOf:
        return lambda rows, triples, relations: path_graph_of(rows, triples, relations).walk()


def chain(steps: int) -> tuple[list[ConceptRow], list[TripleRow]]:
    """c0 - c1 - c2 …, each in another semantic group than the one before."""
    rows = rows_of(*((f"c{i}", GROUPS[i].value) for i in range(steps + 1)))
    return rows, triples_of(*((f"c{i}", "shows", f"c{i + 1}") for i in range(steps)))


def walk_chain(walk: Neo4jWalk, steps: int) -> list[int]:
    vectors = np.eye(steps + 1, dtype=np.float32)
    environment = Environment(walk, OURS._replace(steps=steps))
    view = NoteView(np.array([0], dtype=np.int32), vectors)
    state = environment.start(view)
    for group in range(1, steps + 1):
        state = environment.advance(view, state, group)
    return [int(c) for c in state.explored]


def test_a_walk_of_five_steps_is_five_round_trips_on_the_wire(
    path_graph_of: PathGraphOf, address: Neo4jAddress
) -> None:
    shared = path_graph_of(*chain(5), RELATIONS)
    with proxied(address) as proxy, Neo4j(proxy.address) as connection:
        through = Neo4jPathGraph(connection, shared.name)
        walk_chain(through.walk(), 5)  # what a connection says once is said
        before, asked = proxy.turns, connection.round_trips
        walk = through.walk()
        assert walk_chain(walk, 5) == [0, 1, 2, 3, 4, 5]
        assert walk.round_trips == 5
        assert connection.round_trips - asked == 5
        assert proxy.turns - before == 5


def test_a_step_with_many_edges_is_still_one_round_trip(path_graph_of: PathGraphOf, address: Neo4jAddress) -> None:
    spokes = [(f"s{i:04d}", "CHEM") for i in range(2_500)]
    facts = triples_of(*((spoke, "treats", "hub") for spoke, _ in spokes))
    shared = path_graph_of(rows_of(("hub", "DISO"), *spokes), facts, RELATIONS)
    with proxied(address) as proxy, Neo4j(proxy.address) as connection:
        through = Neo4jPathGraph(connection, shared.name)
        hub = np.array([0], dtype=np.int32)
        through.walk().fetch(hub, CHEM)
        before = proxy.turns
        walk = through.walk()
        walk.fetch(hub, CHEM)
        assert len(walk.into_group_many(hub, CHEM)[1]) == 2_500
        assert proxy.turns - before == 1


def test_what_came_before_and_what_cannot_be_is_not_asked_for_again(path_graph_of: PathGraphOf) -> None:
    walk = path_graph_of(rows_of(*PLACES), triples_of(("b", "treats", "a")), RELATIONS).walk()
    a, e = np.array([0], dtype=np.int32), np.array([4], dtype=np.int32)
    walk.fetch(a, CHEM)
    walk.fetch(a, CHEM)
    walk.fetch(e, CHEM)  # reach says that no edge leads there
    assert walk.round_trips == 1


def test_a_concept_that_was_not_fetched_is_an_error_that_says_so(path_graph_of: PathGraphOf) -> None:
    walk = path_graph_of(rows_of(*PLACES), triples_of(("b", "treats", "a")), RELATIONS).walk()
    with pytest.raises(LeapnoteError, match=r"'a' into CHEM were not fetched.*Call fetch"):
        walk.into_group_many(np.array([0], dtype=np.int32), CHEM)


def test_reading_tells_the_server_that_it_only_reads(path_graph_of: PathGraphOf, address: Neo4jAddress) -> None:
    shared = path_graph_of(rows_of(*PLACES), triples_of(("b", "treats", "a")), RELATIONS)
    only_reads = b"\x84mode\x81r"  # the entry of Bolt's BEGIN and RUN; it is left out of one that writes
    with proxied(address) as proxy, Neo4j(proxy.address) as connection:
        graph = Neo4jPathGraph(connection, shared.name)
        loaded = proxy.sent.count(only_reads)
        assert loaded == proxy.sent.count(b"RETURN")  # every statement so far
        graph.walk().fetch(np.array([0], dtype=np.int32), CHEM)
        assert proxy.sent.count(only_reads) == loaded + 1
        connection.write(lambda run: run("RETURN 1", {}))
        assert proxy.sent.count(only_reads) == loaded + 1


def test_no_id_stands_in_a_statement(path_graph_of: PathGraphOf, address: Neo4jAddress) -> None:
    rows = rows_of(("peculiar id", "DISO"), ("other", "CHEM"))
    shared = path_graph_of(rows, triples_of(("other", "treats", "peculiar id")), RELATIONS)
    with proxied(address) as proxy, Neo4j(proxy.address) as connection:
        Neo4jPathGraph(connection, shared.name).walk().fetch(np.array([1], dtype=np.int32), CHEM)
        statements = [part for part in proxy.sent.split(b"\xb3\x10") if b"UNWIND" in part]  # RUN messages
        assert len(statements) == 1
        text, parameters = statements[0].split(b"coming", 1)  # the last word of the statement
        assert b"peculiar" not in text
        assert b"peculiar id" in parameters


def test_two_walks_at_once_do_not_see_each_other(path_graph_of: PathGraphOf) -> None:
    rows, facts = random_graph(np.random.default_rng(3), concepts=50, facts=250)
    shared, memory = path_graph_of(rows, facts, RELATIONS), Graph(rows, facts, RELATIONS)

    def one(seed: int) -> bool:
        draw, walk = np.random.default_rng(seed), shared.walk()
        for _ in range(6):
            asked, group = draw.integers(50, size=4).astype(np.int32), int(draw.integers(len(GROUPS)))
            walk.fetch(asked, group)
            for got, wanted in zip(
                walk.into_group_many(asked, group), memory.into_group_many(asked, group), strict=True
            ):
                assert got.tolist() == wanted.tolist()
        return True

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(one, range(12)))


def test_a_connection_that_died_idle_is_opened_anew_in_mid_walk(
    path_graph_of: PathGraphOf, address: Neo4jAddress
) -> None:
    shared = path_graph_of(*chain(3), RELATIONS)
    with proxied(address) as proxy, Neo4j(proxy.address) as connection:
        walk = Neo4jPathGraph(connection, shared.name).walk()
        walk.fetch(np.array([0], dtype=np.int32), 1)
        proxy.drop()
        walk.fetch(np.array([1], dtype=np.int32), 2)
        assert walk.into_group_many(np.array([1]), 2)[1].tolist() == [2]


def test_a_server_lost_in_mid_walk_is_a_missing_component(path_graph_of: PathGraphOf, address: Neo4jAddress) -> None:
    shared = path_graph_of(*chain(3), RELATIONS)
    with proxied(address) as proxy, Neo4j(proxy.address) as connection:
        walk = Neo4jPathGraph(connection, shared.name).walk()
        walk.fetch(np.array([0], dtype=np.int32), 1)
        proxy.close()
        with pytest.raises(MissingError, match=r"cannot be reached, or the connection was lost.*LEAPNOTE_NEO4J_URI"):
            walk.fetch(np.array([1], dtype=np.int32), 2)
        # what came before still answers
        assert walk.into_group_many(np.array([0]), 1)[1].tolist() == [1]


def test_a_server_that_crashes_in_mid_walk_is_a_missing_component(tmp_path_factory: pytest.TempPathFactory) -> None:
    pytest.importorskip("arcadedb_embedded", reason="no Bolt server: pip install -r requirements-services.txt")
    with bolt_server(tmp_path_factory.mktemp("crash")) as server, Neo4j(server.address) as connection:
        export_graph(connection, "chain", Graph(*chain(3), RELATIONS))
        walk = Neo4jPathGraph(connection, "chain").walk()
        walk.fetch(np.array([0], dtype=np.int32), 1)
        server.stop()
        with pytest.raises(MissingError, match="cannot be reached"):
            walk.fetch(np.array([1], dtype=np.int32), 2)


def test_a_graph_changed_after_it_was_read_is_noticed(path_graph_of: PathGraphOf, db: Neo4j) -> None:
    shared = path_graph_of(rows_of(*PLACES), triples_of(("b", "treats", "a")), RELATIONS)
    gone = "MATCH (c:LeapnoteConcept) WHERE c.graph = $graph AND c.id = $id DETACH DELETE c"
    db.write(lambda run: run(gone, {"graph": shared.name, "id": "a"}))
    with pytest.raises(KnowledgeError, match=r"gone from Neo4j, 'a'.*Start again"):
        shared.walk().fetch(np.array([0], dtype=np.int32), CHEM)


def test_a_graph_that_is_not_there_is_named_with_those_that_are(path_graph_of: PathGraphOf, db: Neo4j) -> None:
    there = path_graph_of(rows_of(*PLACES), [], RELATIONS)
    with pytest.raises(NotFoundError, match=rf"no graph named 'nowhere'.*{there.name}"):
        Neo4jPathGraph(db, "nowhere")


def test_an_unfinished_graph_is_not_walked(path_graph_of: PathGraphOf, db: Neo4j) -> None:
    there = path_graph_of(rows_of(*PLACES), [], RELATIONS)
    begun = "MATCH (g:LeapnoteGraph {name: $graph}) SET g.state = 'building'"
    db.write(lambda run: run(begun, {"graph": there.name}))
    with pytest.raises(ConflictError, match=r"is building, not complete. Export it again"):
        Neo4jPathGraph(db, there.name)


def test_ids_names_and_fingerprint_are_those_of_the_graph_in_memory(path_graph_of: PathGraphOf) -> None:
    rows, facts = random_graph(np.random.default_rng(4), concepts=30, facts=90)
    found, memory = path_graph_of(rows, facts, RELATIONS), Graph(rows, facts, RELATIONS)
    assert found.ids == tuple(memory.ids)
    assert found.names == tuple(memory.names)
    assert found.index["C00007"] == 7
    assert found.fingerprint == memory.fingerprint
    assert found.reach.tolist() == memory.reach.tolist()
    assert found.words == memory.words
