"""The graph that is walked live: opened once, left alone after a failure, refused when it is another."""

from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from backend.errors import KnowledgeError, LeapnoteError, MissingError
from backend.stores.graph.graph import Graph
from backend.stores.neo4j import live_graph as neo4j_live
from backend.stores.neo4j.connection import Neo4jAddress
from backend.stores.neo4j.live_graph import REST_S, LiveGraph

ADDRESS = Neo4jAddress("bolt://127.0.0.1:1", "u", SecretStr("p"))


class Server:
    """Stands in for connection and read graph. up: whether it answers. opened, closed: how often."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.up = True
        self.opened = self.closed = 0
        self.fingerprint = graph.fingerprint

    def connect(self, address: Neo4jAddress) -> "Server":
        if not self.up:
            raise MissingError("cannot be reached")
        self.opened += 1
        return self

    def close(self) -> None:
        self.closed += 1

    def read(self, db: "Server", name: str) -> "Shared":
        return Shared(self)


class Shared:
    def __init__(self, server: Server) -> None:
        self.server = server
        self.fingerprint, self.relations = server.fingerprint, server.graph.relations
        self.groups, self.reach = server.graph.groups, server.graph.reach

    def __len__(self) -> int:
        return len(self.server.graph)


@pytest.fixture
def clock() -> list[float]:
    return [0.0]


@pytest.fixture
def server(tiny_graph: Graph, monkeypatch: pytest.MonkeyPatch) -> Server:
    made = Server(tiny_graph)
    monkeypatch.setattr(neo4j_live, "Neo4j", made.connect)
    monkeypatch.setattr(neo4j_live, "Neo4jPathGraph", made.read)
    return made


@pytest.fixture
def live(server: Server, clock: list[float]) -> LiveGraph:
    return LiveGraph(ADDRESS, "g", server.graph, lambda: clock[0])


def test_all_walks_share_one_connection(live: LiveGraph, server: Server) -> None:
    assert live.walk() is not live.walk()
    assert server.opened == 1


def test_a_server_that_did_not_answer_is_left_alone_for_a_while(
    live: LiveGraph, server: Server, clock: list[float]
) -> None:
    server.up = False
    with pytest.raises(MissingError, match="reached"):
        live.walk()
    server.up = True
    clock[0] = REST_S - 1
    with pytest.raises(MissingError, match="reached"):
        live.walk()
    assert server.opened == 0
    clock[0] = REST_S + 1
    live.walk()
    assert server.opened == 1


@pytest.mark.parametrize("error", [MissingError("lost"), KnowledgeError("changed")])
def test_a_walk_that_loses_the_server_closes_the_connection(
    live: LiveGraph, server: Server, clock: list[float], monkeypatch: pytest.MonkeyPatch, error: LeapnoteError
) -> None:
    def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(neo4j_live.Neo4jWalk, "fetch", fail)
    first, late = live.walk(), live.walk()
    with pytest.raises(type(error), match=str(error)):
        first.fetch(np.zeros(1, dtype=np.int32), 0)
    assert server.closed == 1
    with pytest.raises(type(error), match=str(error)):
        live.walk()
    clock[0] = REST_S + 1
    live.walk()
    # a walk of the old connection that fails only now must not end the new one
    with pytest.raises(type(error)):
        late.fetch(np.zeros(1, dtype=np.int32), 0)
    live.walk()
    assert (server.opened, server.closed) == (2, 1)


def test_another_graph_of_that_name_is_refused_with_both_fingerprints(live: LiveGraph, server: Server) -> None:
    server.fingerprint = "0123456789abcdef"
    with pytest.raises(KnowledgeError, match=f"0123456789abcdef there, {server.graph.fingerprint} here"):
        live.walk()
    assert server.closed == 1


def test_while_one_thread_opens_it_others_do_not_wait(
    live: LiveGraph, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def connect(address: Neo4jAddress) -> Server:
        with pytest.raises(MissingError) as refused:  # what another request gets meanwhile
            live.walk()
        said.append(str(refused.value))
        return server.connect(address)

    monkeypatch.setattr(neo4j_live, "Neo4j", connect)
    live.walk()
    assert said == ["The graph 'g' in Neo4j is still being opened."]


def test_once_it_is_let_go_of_nothing_is_walked_there(live: LiveGraph, server: Server, clock: list[float]) -> None:
    live.walk()
    live.close()
    clock[0] = 1e9
    with pytest.raises(MissingError, match="let go of"):
        live.walk()
    assert server.closed == 1
