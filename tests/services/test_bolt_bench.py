"""The comparison of walks over Bolt and in memory, run whole on little data."""

from collections.abc import Iterator

import numpy as np
import pytest

from backend.bench.graph.bolt import Walks, bolt_peer, compare, synthetic_graph
from backend.stores.neo4j.connection import Neo4j, Neo4jAddress
from backend.stores.neo4j.neo4j_source import list_graphs
from models.policy.walking.walks import UniformPolicy
from tests.services.bolt import served

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jAddress]:
    with served("arcadedb", tmp_path_factory.mktemp("bolt")) as found:
        yield found


def test_the_comparison_finds_equal_paths_and_leaves_nothing_behind(address: Neo4jAddress) -> None:
    found = compare(address, concepts=600, facts=2_000)  # it raises where the paths differ
    assert found.facts == synthetic_graph(600, 2_000).edge_count / 2
    assert 0 < found.round_trips <= 5  # five steps; a step into a group that was fetched before may need none
    assert found.ratio == pytest.approx(found.bolt_median_ms / found.memory_median_ms, abs=0.06)
    with Neo4j(address) as db:
        assert list_graphs(db) == ()


def test_a_peer_counts_the_walks_after_the_warm_ones(address: Neo4jAddress) -> None:
    graph = synthetic_graph(200, 600)
    vectors = np.eye(200, dtype=np.float32)
    notes = [np.array([place, place + 50], dtype=np.int32) for place in range(8)]
    peer = bolt_peer(address, graph, Walks(vectors, notes, UniformPolicy()))
    assert peer.n == 5  # three of the eight are warm-up
    assert peer.median_ms <= peer.p95_ms
    assert peer.build_s is not None
