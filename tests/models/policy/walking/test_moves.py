"""One step of many walks into one group: what a path connects to, what it retrieves, and what it may not touch."""

import numpy as np
import pytest

from backend.stores.graph.graph import Graph
from models.policy.walking.environment import CosineStep, Environment
from models.policy.walking.moves import Move
from models.policy.walking.note_view import NoteView
from models.policy.walking.walk_settings import OURS, WalkSettings
from models.policy.walking.walk_state import KEYWORD, LEAP, WalkState
from tests.models.world import CHEM, PROC, axes, world


@pytest.fixture
def graph() -> Graph:
    """Two disorders; three drugs of k1, one of which k2 has too."""
    names = {"k1": "DISO", "k2": "DISO", "m1": "CHEM", "m2": "CHEM", "m3": "CHEM"}
    return world(names, [("k1", "m1"), ("k1", "m2"), ("k1", "m3"), ("k2", "m1")])


@pytest.fixture
def vectors(graph: Graph) -> np.ndarray:
    """m1 is nearest to k1, then m2, then m3."""
    return axes(graph, k1=(1, 0, 0), k2=(0, 1, 0), m1=(5, 1, 0), m2=(1, 0, 1), m3=(1, 0, 3))


def indices(graph: Graph, *names: str) -> np.ndarray:
    return np.array([graph.index[name] for name in names], dtype=np.int32)


def moved(graph: Graph, settings: WalkSettings, views: list[NoteView], group: int = CHEM) -> list[WalkState]:
    start = Environment(graph, settings).start
    states = [start(view) for view in views]
    return Move(graph, settings, CosineStep(settings.connect_score), views, states, group).made()


def paths(graph: Graph, state: WalkState) -> list[list[str]]:
    return [[graph.concepts[c].name for c in row if c >= 0] for row in state.paths.tolist()]


def test_without_leaps_a_path_follows_its_own_edge_to_the_nearest(graph: Graph, vectors: np.ndarray) -> None:
    settings = OURS._replace(leaps=False)
    (state,) = moved(graph, settings, [NoteView(indices(graph, "k1"), vectors)])
    assert paths(graph, state) == [["k1", "m1"]]
    assert state.links[0, :2].tolist() == [KEYWORD, graph.relations.index("associated_with")]
    assert state.group == CHEM


def test_a_concept_on_a_path_is_taken_again_only_where_nothing_else_is_left(graph: Graph, vectors: np.ndarray) -> None:
    view = NoteView(indices(graph, "k1", "k2"), vectors)
    (state,) = moved(graph, OURS._replace(leaps=False), [view])
    assert paths(graph, state) == [["k1", "m1"], ["k2", "m1"]]  # k2 has no other edge
    (free,) = moved(graph, OURS._replace(leaps=False), [NoteView(indices(graph, "k2", "k1"), vectors)])
    assert paths(graph, free) == [["k2", "m1"], ["k1", "m2"]]  # k1 takes its second best
    assert free.explored.tolist() == indices(graph, "k2", "k1", "m1", "m2").tolist()
    np.testing.assert_allclose(free.total, vectors[free.explored].sum(axis=0), rtol=1e-6)


def test_a_closed_concept_is_touched_by_no_path(graph: Graph, vectors: np.ndarray) -> None:
    allowed = np.ones(len(graph.concepts), dtype=bool)
    allowed[graph.index["m1"]] = False
    closed, open_ = NoteView(indices(graph, "k1"), vectors, allowed), NoteView(indices(graph, "k1"), vectors)
    settings = OURS._replace(leaps=False)
    assert [paths(graph, one) for one in moved(graph, settings, [closed, open_])] == [[["k1", "m2"]], [["k1", "m1"]]]


def test_a_path_without_a_candidate_stays_as_it_is(graph: Graph, vectors: np.ndarray) -> None:
    for settings in (OURS, OURS._replace(leaps=False)):
        (state,) = moved(graph, settings, [NoteView(indices(graph, "k1", "k2"), vectors)], PROC)
        assert paths(graph, state) == [["k1"], ["k2"]]
        assert state.explored.tolist() == indices(graph, "k1", "k2").tolist()


@pytest.mark.parametrize("leaps", [True, False])
def test_a_walk_goes_the_same_way_in_any_company(graph: Graph, vectors: np.ndarray, leaps: bool) -> None:
    settings = OURS._replace(leaps=leaps)

    def views() -> list[NoteView]:
        return [NoteView(indices(graph, *names), vectors) for names in (("k1",), ("k2", "k1"), ("m3",))]

    together = moved(graph, settings, views())
    alone = [moved(graph, settings, [view])[0] for view in views()]
    for one, other in zip(together, alone, strict=True):
        for left, right in zip(one, other, strict=True):
            np.testing.assert_array_equal(left, right)


def test_a_cap_keeps_the_concepts_that_are_worth_most_to_the_note(graph: Graph, vectors: np.ndarray) -> None:
    class Worth(CosineStep):
        """Worth most is what the path likes least."""

        def worth(self, view: NoteView, concepts: np.ndarray) -> np.ndarray:
            return -view.similarity(concepts)

    settings = OURS._replace(leaps=False, retrieve_cap=1)
    view = NoteView(indices(graph, "k1"), vectors)
    state = Environment(graph, settings).start(view)
    (capped,) = Move(graph, settings, Worth(settings.connect_score), [view], [state], CHEM).made()
    assert paths(graph, capped) == [["k1", "m3"]]
    (free,) = Move(
        graph, settings._replace(retrieve_cap=0), Worth(settings.connect_score), [view], [state], CHEM
    ).made()
    assert paths(graph, free) == [["k1", "m1"]]


def test_a_leap_is_marked_and_the_state_before_is_left_as_it_was(graph: Graph, vectors: np.ndarray) -> None:
    view = NoteView(indices(graph, "k1"), vectors)
    state = Environment(graph, OURS).start(view)
    (after,) = Move(graph, OURS, CosineStep(OURS.connect_score), [view], [state], CHEM).made()
    assert after.links[0, 1] == LEAP
    assert after.lengths.tolist() == [2]
    assert (state.lengths.tolist(), state.paths[0, 1]) == ([1], -1)
