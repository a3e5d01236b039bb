"""Retrievers that walk by a policy, and what they are compared with."""

import itertools
from typing import Any

import numpy as np
import pytest

from backend.evaluation.paths.retrievers.concept_retrievers import Knowledge
from backend.evaluation.paths.retrievers.policy_retrievers import (
    DRAWS,
    PolicyRetriever,
    Variant,
    World,
    foreign_states,
    fused,
    policy_retrievers,
)
from backend.stores.graph.graph import GROUPS
from models.policy.checkpoint import Checkpoint
from models.policy.network import PolicyNetwork
from models.policy.walking.environment import GROUP_COUNT
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import OURS, PAPER, WalkSettings
from models.policy.walking.walks import UniformPolicy
from tests.evaluation.conftest import LinkedPair, pair

A, B, C, D, E, F, G = range(7)
PAIRS = [pair("1", [A], [C, E], 10), pair("2", [A, B], [F], 90), pair("3", [D], [G], 45)]
INDEX = {group.value: i for i, group in enumerate(GROUPS)}


class Always:
    """Goes into the same group at every step, if it may."""

    def __init__(self, group: str) -> None:
        self._group = INDEX[group]
        self.seen: list[np.ndarray] = []

    def probabilities(self, step: int, group: int, scarce: int, average: np.ndarray, legal: np.ndarray) -> np.ndarray:
        self.seen.append(average)
        chosen = self._group if legal[self._group] else int(np.argmax(legal))
        return np.asarray(np.arange(len(legal)) == chosen, dtype=float)


@pytest.fixture
def world(knowledge: Knowledge) -> World:
    graph: Any = knowledge.graph
    return World(graph, knowledge.vectors, None, seed=3)


def retriever(world: World, group: str = "CHEM", **changes: Any) -> PolicyRetriever:
    policy = Always(group)
    base = Variant("always", "test", lambda _: policy, OURS._replace(steps=2), None)
    return PolicyRetriever(world, base._replace(**changes))


def checkpoint(walk: WalkSettings = OURS) -> Checkpoint:
    policy = PolicyNetwork(2, stop=walk.stop, seed=1).fold()
    return Checkpoint("trained", policy, walk._replace(steps=2), False, None, None, {})


def test_the_concepts_of_the_walk_are_ranked_by_the_cosine_to_the_keywords(world: World) -> None:
    # from a into CHEM: connect to its neighbour c, no CHEM neighbour of c to retrieve: c alone
    assert retriever(world).ranked(PAIRS[0], 9).tolist() == [C]
    # into PROC: connect d, retrieve e; at 0 degrees e (45) is nearer than d (60)
    assert retriever(world, "PROC").ranked(PAIRS[0], 9).tolist() == [E, D]
    assert retriever(world, "PROC").ranked(PAIRS[0], 1).tolist() == [E]


class Step:
    """A learned step that proposes what it is given, and finds each concept worth what it is given."""

    def __init__(self, proposed: list[int], worth: list[float]) -> None:
        self._proposed = np.array(proposed)
        self._worth = np.array(worth)

    def proposals(self, view: NoteView, most: int) -> tuple[np.ndarray, np.ndarray]:
        return self._proposed[:most], self._worth[self._proposed[:most]]

    def worth(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
        return self._worth[concepts]

    def connect_scores(self, view: NoteView, concepts: np.ndarray, path_cosine: np.ndarray) -> np.ndarray:
        return self._worth[concepts] + 0 * path_cosine

    def retrieve_scores(
        self, view: NoteView, concepts: np.ndarray, relations: np.ndarray, path_cosine: np.ndarray
    ) -> np.ndarray:
        return self._worth[concepts]


def test_fused_by_rank_a_walked_concept_enters_a_full_list_that_log_odds_keep_it_out_of(world: World) -> None:
    # from a into PROC: d and then e, neither proposed and both worth less than all that is
    step: Any = Step([B, C, F, G], [0, 4, 3, -2, -1, 2, 1])
    joined = retriever(world, "PROC", learned=step, propose=True)
    alone = retriever(world, "PROC", learned=step, propose=True, walks=False)
    both = retriever(world, "PROC", learned=step, propose=True, fused=True)
    assert joined.ranked(PAIRS[0], 4).tolist() == alone.ranked(PAIRS[0], 4).tolist() == [B, C, F, G]
    # one step finds both, e worth more: e and b are first in their lists, 1/61 each, then d and c, 1/62; at a tie the lower index
    assert both.ranked(PAIRS[0], 4).tolist() == [B, E, C, D]


def test_rankings_are_fused_by_reciprocal_ranks() -> None:
    # 7: 1/62 + 1/61; 5: 1/61; 9: 1/62
    assert fused([np.array([5, 7]), np.array([7, 9])], 9).tolist() == [7, 5, 9]
    assert fused([np.array([5, 7]), np.array([7, 9])], 1).tolist() == [7]


def test_what_the_note_denies_and_fillers_are_not_walked_through(world: World) -> None:
    assert retriever(world, "PROC").ranked(pair("1", [A], [], blocked=(E,)), 9).tolist() == [D]
    allowed = np.ones(7, dtype=bool)
    allowed[D] = False
    # without d there is no way into PROC
    assert not {D, E} & set(retriever(world._replace(allowed=allowed), "PROC").ranked(PAIRS[0], 9).tolist())


def test_a_note_without_keywords_gives_nothing(world: World) -> None:
    assert retriever(world).ranked(pair("1", [], [C]), 9).tolist() == []


def test_only_the_best_paths_count_where_their_number_is_set(world: World) -> None:
    # from c and g into DISO: c leads to a and b, and two paths spread over them
    both = retriever(world, "DISO").ranked(pair("1", [C, G], []), 9)
    one = retriever(world, "DISO", paths=1).ranked(pair("1", [C, G], []), 9)
    assert set(one.tolist()) < set(both.tolist())
    assert len(one)


def test_drawn_walks_are_the_same_for_the_same_seed_and_differ_between_seeds(world: World) -> None:
    uniform = UniformPolicy()

    def drawn(seed: int) -> list[list[int]]:
        found = retriever(world._replace(seed=seed), policy=lambda _: uniform, sampled=True)
        return [found.ranked(pair(str(i), [A, D], []), 9).tolist() for i in range(20)]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)


def test_shuffled_states_are_those_of_another_note(world: World) -> None:
    policy = Always("PROC")
    whole = PolicyRetriever(world, Variant("always", "", lambda _: policy, OURS._replace(steps=2), None))
    states = foreign_states(whole, policy, PAIRS)
    for example in PAIRS:
        foreign = states(example.pair_id)
        policy.seen.clear()
        foreign.probabilities(0, 0, 0, np.full(2, 9.0), np.ones(GROUP_COUNT, dtype=bool))
        (shown,) = policy.seen
        own = world.vectors[example.keywords].astype(np.float32).mean(axis=0)
        others = [world.vectors[o.keywords].astype(np.float32).mean(axis=0) for o in PAIRS if o is not example]
        assert not np.allclose(shown, own)
        assert any(np.allclose(shown, other) for other in others)


def names(found: list[tuple[PolicyRetriever, str]]) -> set[str]:
    return {retriever.name for retriever, _ in found}


def test_a_checkpoint_comes_with_what_it_must_beat_and_with_each_part_left_out(
    world: World, knowledge: Knowledge
) -> None:
    found = policy_retrievers(checkpoint(), world, knowledge.graph, PAIRS, PAIRS)
    assert names(found) == {
        "trained", "trained-uniform", "trained-schedule", "trained-shuffled", "trained-no-leaps", "trained-no-frontier",
        "trained-no-spread", "trained-no-caps", "trained-connect-path", "trained@paths=1", "trained@paths=3",
        "trained@paths=5", "trained@paths=10", "trained@paths=20",
    }  # fmt: skip
    for retriever, what in found:
        assert what
        for example in PAIRS:
            ranked = retriever.ranked(example, 5)
            assert len(set(ranked.tolist())) == len(ranked) <= 5
            assert not set(ranked.tolist()) & set(example.keywords.tolist())


def test_a_part_the_walk_has_not_is_not_left_out(world: World, knowledge: Knowledge) -> None:
    found = names(policy_retrievers(checkpoint(PAPER), world, knowledge.graph, [], PAIRS[:1]))
    assert not found & {
        "trained-no-frontier", "trained-no-spread", "trained-no-caps", "trained-schedule", "trained-shuffled",
    }  # fmt: skip
    assert "trained-no-leaps" in found


def test_a_policy_alone_has_no_variants_and_takes_another_name(world: World, knowledge: Knowledge) -> None:
    found = policy_retrievers(checkpoint(), world, knowledge.graph, PAIRS, PAIRS, name="gro@G=5", variants=False)
    assert names(found) == {"gro@G=5"}


def test_the_schedule_is_the_same_for_every_note(world: World, knowledge: Knowledge) -> None:
    found = policy_retrievers(checkpoint(), world, knowledge.graph, PAIRS, PAIRS)
    (schedule,) = [retriever for retriever, _ in found if retriever.name == "trained-schedule"]
    a, b = (schedule.walk(pair(str(i), [A], [], angle=i)) for i in (10, 80))
    assert [choice.action for choice in a.choices] == [choice.action for choice in b.choices]


@pytest.mark.parametrize("example", PAIRS, ids=lambda example: example.pair_id)
def test_no_leaps_never_leaves_the_concepts_that_edges_reach(world: World, example: LinkedPair) -> None:
    still = retriever(world, "PROC", walk=OURS._replace(steps=2, leaps=False)).walk(example)
    graph: Any = world.graph
    for row in range(len(still.end.paths)):
        path = still.end.paths[row, : still.end.lengths[row]].tolist()
        for before, after in itertools.pairwise(path):
            assert after in [edge.tail for edge in graph.edges(before)]


def test_a_sampled_policy_has_ten_draws_with_seeds_of_their_own_and_another_one(world: World) -> None:
    drawn = retriever(world, sampled=True).drawn()
    assert len(drawn) == DRAWS == 10
    assert [one._world.seed for one in drawn] == [3 + i for i in range(10)]
    assert len(retriever(world).drawn()) == 1
