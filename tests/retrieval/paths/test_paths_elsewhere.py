"""A policy that walks a graph elsewhere: the same paths, and in memory, told with the reason, where that fails."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from backend.errors import KnowledgeError, LeapnoteError, MissingError
from backend.interfaces import Encoder, PathGraph
from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.paths.policy_paths import PolicyPaths, open_concepts
from backend.stores.graph.graph import Graph
from models.policy.checkpoint import Checkpoint
from models.policy.network import PolicyNetwork
from models.policy.walking.walk_settings import PAPER

NOTE = "HPI: Dyspnea and leg swelling for three days."
Elsewhere = Callable[[], PathGraph]
Build = Callable[[Elsewhere | None], PolicyPaths]


@pytest.fixture
def build(tiny_graph: Graph, tiny_reach: AllergyReach, encoder: Encoder) -> Build:
    vectors = encoder.encode([row.name for row in tiny_graph.concepts])
    # one that samples: a walk that is begun again must draw the same
    checkpoint = Checkpoint(
        "paper", PolicyNetwork(vectors.shape[1], seed=1).fold(), PAPER, True, None, None, {"data": {"synthetic": True}}
    )
    closed = open_concepts(tiny_graph, ["lung"])

    def made(elsewhere: Elsewhere | None) -> PolicyPaths:
        return PolicyPaths(
            tiny_graph, vectors, encoder, checkpoint, tiny_reach, closed, 10, elsewhere, "Neo4j graph 'g'"
        )

    return made


class Failing:
    """A graph that answers so many steps and then no more."""

    def __init__(self, graph: Graph, steps: int, error: LeapnoteError) -> None:
        self.groups, self.reach, self.relations = graph.groups, graph.reach, graph.relations
        self._graph, self._left, self._error = graph, steps, error

    def fetch(self, concepts: np.ndarray, group: int) -> None:
        if not self._left:
            raise self._error
        self._left -= 1

    def into_group_many(self, concepts: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self._graph.into_group_many(concepts, group)


def found(paths: PolicyPaths, linker: DictionaryLinker, seed: int) -> tuple[Sequence[object], Sequence[object], str]:
    return paths.paths(linker.link(NOTE), [], seed)


@pytest.mark.parametrize("seed", range(3))
def test_a_walk_elsewhere_finds_what_one_in_memory_finds_and_says_where(
    build: Build, tiny_graph: Graph, tiny_linker: DictionaryLinker, seed: int
) -> None:
    paths, policy, reason = found(build(None), tiny_linker, seed)
    assert "walked" not in reason
    assert found(build(lambda: tiny_graph), tiny_linker, seed) == (
        paths,
        policy,
        f"{reason}, walked in Neo4j graph 'g'",
    )


@pytest.mark.parametrize("steps", [0, 1, 3])
@pytest.mark.parametrize("error", [MissingError("Gone."), KnowledgeError("Changed.")])
def test_a_walk_that_fails_in_the_middle_is_walked_in_memory_with_the_same_draws(
    build: Build, tiny_graph: Graph, tiny_linker: DictionaryLinker, steps: int, error: LeapnoteError
) -> None:
    paths, policy, reason = found(build(None), tiny_linker, 7)
    failing = found(build(lambda: Failing(tiny_graph, steps, error)), tiny_linker, 7)
    assert failing == (paths, policy, f"{reason}, walked in memory and not in Neo4j graph 'g': {error}")


def test_no_graph_elsewhere_is_told_too(build: Build, tiny_linker: DictionaryLinker) -> None:
    def none() -> PathGraph:
        raise MissingError("Not reachable.")

    assert found(build(none), tiny_linker, 0)[2].endswith("walked in memory and not in Neo4j graph 'g': Not reachable.")


def test_a_defect_is_no_reason_to_walk_in_memory(
    build: Build, tiny_graph: Graph, tiny_linker: DictionaryLinker
) -> None:
    with pytest.raises(LeapnoteError, match="defect"):
        found(build(lambda: Failing(tiny_graph, 0, LeapnoteError("a defect"))), tiny_linker, 0)
