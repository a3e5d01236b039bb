"""One step of the walk, followed by hand, and what holds on any graph."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.policy.walking.environment import Environment, leap_relation
from models.policy.walking.note_view import NoteView, distinct, single, summed
from models.policy.walking.walk_settings import OURS, PAPER
from models.policy.walking.walk_state import KEYWORD, LEAP, average
from models.policy.walking.walks import UniformPolicy, walk
from tests.models.world import ANAT, CHEM, DISO, PROC, axes, random_world, world


def indices(graph: object, *names: str) -> np.ndarray:
    return np.array([graph.index[name] for name in names], dtype=np.int32)  # type: ignore[attr-defined]


@pytest.fixture
def small() -> tuple[object, np.ndarray]:
    """Two keywords k1, k2 (DISO); drugs m1 (of k1), m2 (of m1), m3 (of k2); s1 another disorder next to k1."""
    graph = world(
        {"k1": "DISO", "k2": "DISO", "m1": "CHEM", "m2": "CHEM", "m3": "CHEM", "s1": "DISO"},
        [("k1", "m1"), ("m1", "m2"), ("k2", "m3"), ("k1", "s1")],
    )
    vectors = axes(graph, k1=(1, 0, 0), k2=(0, 1, 0), m1=(2, 1, 0), m2=(1, 1, 0), m3=(1, 3, 0), s1=(1, 0, 1))
    return graph, vectors


def test_the_start_is_the_keywords_in_their_majority_group(small: tuple[object, np.ndarray]) -> None:
    graph, vectors = small
    view = NoteView(indices(graph, "k2", "k1"), vectors)
    state = Environment(graph, OURS).start(view)  # type: ignore[arg-type]
    assert state.group == DISO
    assert state.paths[:, 0].tolist() == [1, 0]
    assert state.links[:, 0].tolist() == [KEYWORD, KEYWORD]
    np.testing.assert_allclose(average(state), [0.5, 0.5, 0.0])


def test_legal_groups_by_candidate_kind_and_the_scarce_one(small: tuple[object, np.ndarray]) -> None:
    graph, vectors = small
    view = NoteView(indices(graph, "k1", "k2"), vectors)
    ours, paper = Environment(graph, OURS), Environment(graph, PAPER)  # type: ignore[arg-type]
    state = ours.start(view)
    assert np.flatnonzero(ours.legal(state)).tolist() == [CHEM, DISO]
    assert np.flatnonzero(paper.legal(state)).tolist() == [DISO]
    # CHEM holds no keyword and can be reached; ACTI holds none either, but cannot be reached
    assert ours.scarce(view, state) == CHEM
    assert paper.scarce(view, state) == DISO


def test_a_frontier_step_connects_each_path_then_retrieves(small: tuple[object, np.ndarray]) -> None:
    graph, vectors = small
    view = NoteView(indices(graph, "k1", "k2"), vectors)
    environment = Environment(graph, OURS)  # type: ignore[arg-type]
    state = environment.advance(view, environment.start(view), CHEM)
    # Connection points: m1 (next to k1) and m3 (next to k2). S^Q is (1, 1)/sqrt 2. m1 = (2, 1)/sqrt 5, m3 = (1, 3)/sqrt 10.
    # For k1: half cos(m1, k1) + half cos(m1, S^Q) = (0.894 + 0.949)/2; m3: (0.316 + 0.894)/2, so m1.
    # For k2, m1 is taken, so m3. Then m1's neighbour in CHEM is m2; m3 has none, so its path ends there.
    named = [[graph.concepts[c].name for c in row if c >= 0] for row in state.paths.tolist()]  # type: ignore[attr-defined]
    assert named == [["k1", "m1", "m2"], ["k2", "m3"]]
    edge = graph.relations.index("associated_with")  # type: ignore[attr-defined]
    assert state.links[0, :3].tolist() == [KEYWORD, LEAP, edge]
    assert state.explored.tolist() == indices(graph, "k1", "k2", "m1", "m3", "m2").tolist()
    assert leap_relation(graph, 0, graph.index["m1"]) == edge  # type: ignore[arg-type,attr-defined]
    assert leap_relation(graph, 1, graph.index["m1"]) == LEAP  # type: ignore[arg-type,attr-defined]


def test_staying_in_the_group_retrieves_from_the_last_concept(small: tuple[object, np.ndarray]) -> None:
    graph, vectors = small
    view = NoteView(indices(graph, "k1", "k2"), vectors)
    environment = Environment(graph, PAPER)  # type: ignore[arg-type]
    state = environment.advance(view, environment.start(view), DISO)
    named = [[graph.concepts[c].name for c in row if c >= 0] for row in state.paths.tolist()]  # type: ignore[attr-defined]
    assert named == [["k1", "s1"], ["k2"]]


def test_the_papers_connection_anchors_at_a_concept_that_the_path_already_holds() -> None:
    # k (DISO) and p (PROC) are keywords; x is p's neighbour in PROC. PROC is chosen after DISO.
    graph = world({"k": "DISO", "p": "PROC", "x": "PROC"}, [("p", "x")])
    vectors = axes(graph, k=(1, 0), p=(0, 1), x=(1, 1))
    view = NoteView(indices(graph, "k", "p"), vectors)
    environment = Environment(graph, PAPER)
    state = environment.advance(view, environment.start(view), PROC)
    named = [[graph.concepts[c].name for c in row if c >= 0] for row in state.paths.tolist()]
    # C_cand is p alone. k leaps to p, then to x; p is on its own path already: anchored there, then x, by the edge.
    assert named == [["k", "p", "x"], ["p", "x"]]
    assert state.links[1, 1] == graph.relations.index("associated_with")


def test_eq6_averages_the_two_cosines() -> None:
    # From k1, candidates a = (3, 4)/5 and b = (1, 0). S^Q is (1, 1)/sqrt 2 for keywords (1, 0) and (0, 1); the path is (1, 0).
    # a: (0.6 + 0.98995)/2 = 0.795; b: (1 + 0.7071)/2 = 0.854: b, though a is nearer to the keywords.
    graph = world({"a": "DISO", "b": "DISO", "k1": "DISO", "k2": "DISO"}, [("k1", "a"), ("k1", "b")])
    vectors = axes(graph, a=(3, 4), b=(1, 0), k1=(1, 0), k2=(0, 1))
    view = NoteView(indices(graph, "k1", "k2"), vectors)
    environment = Environment(graph, PAPER)
    state = environment.advance(view, environment.start(view), DISO)
    assert state.paths[0, 1] == graph.index["b"]


def test_concepts_that_are_not_allowed_are_never_walked_through() -> None:
    graph, vectors = random_world(3)
    allowed = np.ones(len(graph), dtype=bool)
    allowed[::3] = False
    keywords = np.flatnonzero(allowed)[:8].astype(np.int32)
    view = NoteView(keywords, vectors, allowed)
    found = walk(Environment(graph, OURS), view, UniformPolicy(), np.random.default_rng(0)).end
    assert len(found.explored) > len(keywords)
    assert allowed[found.explored].all()


def test_without_leaps_every_step_is_an_edge_of_the_graph() -> None:
    graph, vectors = random_world(5)
    view = NoteView(np.arange(6, dtype=np.int32), vectors)
    state = walk(Environment(graph, OURS._replace(leaps=False)), view, UniformPolicy(), np.random.default_rng(1)).end
    assert (state.links[:, 1:][state.paths[:, 1:] >= 0] >= 0).all()
    for row in state.paths.tolist():
        held = [c for c in row if c >= 0]
        assert all(leap_relation(graph, a, b) >= 0 for a, b in pairwise(held))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), paper=st.booleans())
def test_any_walk_keeps_its_promises(seed: int, paper: bool) -> None:
    graph, vectors = random_world(seed % 50)
    chosen = PAPER if paper else OURS
    keywords = np.random.default_rng(seed).choice(len(graph), 5, replace=False).astype(np.int32)
    found = walk(Environment(graph, chosen), NoteView(keywords, vectors), UniformPolicy(), np.random.default_rng(seed))
    assert len(found.choices) == chosen.steps
    for (before, after), choice in zip(pairwise(found.states), found.choices, strict=True):
        grown = after.lengths - before.lengths
        assert grown.max() <= 2
        added = after.paths[(after.paths >= 0) & (before.paths < 0)]
        assert (graph.groups[added] == choice.action).all()  # a step adds concepts of its group alone
        assert choice.legal[choice.action]
    for row in found.end.paths.tolist():
        held = [c for c in row if c >= 0]
        assert len(held) == len(set(held))  # no path comes by a concept twice
    reached = np.unique(found.end.paths[found.end.paths >= 0])
    assert reached.tolist() == np.unique(found.end.explored).tolist()
    assert len(found.end.explored) == len(set(found.end.explored.tolist()))
    np.testing.assert_allclose(average(found.end), vectors[found.end.explored].mean(axis=0), atol=1e-5)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), paper=st.booleans(), closed=st.booleans())
def test_walks_in_company_go_as_each_does_alone(seed: int, paper: bool, closed: bool) -> None:
    graph, vectors = random_world(seed % 50)
    rng = np.random.default_rng(seed)
    environment = Environment(graph, PAPER if paper else OURS._replace(connect_cap=6, retrieve_cap=3))
    views = []
    for note in range(5):
        allowed = rng.random(len(graph)) > 0.2 if closed and note != 2 else None
        places = np.arange(len(graph)) if allowed is None else np.flatnonzero(allowed)
        keywords = rng.choice(places, int(rng.integers(1, 8)), replace=False).astype(np.int32)
        views.append(NoteView(keywords, vectors, allowed))
    states = [environment.start(view) for view in views]
    for group in rng.choice(sorted(set(graph.groups.tolist())), 4).tolist():
        alone = [environment.advance(view, state, group) for view, state in zip(views, states, strict=True)]
        states = environment.advance_many(views, states, group)
        for one, same in zip(alone, states, strict=True):
            for part, other in zip(one, same, strict=True):
                np.testing.assert_array_equal(part, other)
    assert any(len(state.explored) > len(view.keywords) for state, view in zip(states, views, strict=True))


def test_the_caps_keep_the_nearest_to_the_keywords() -> None:
    # hub h (DISO) has 40 drugs; with a cap of 1 only the one nearest to the keywords can be retrieved
    names = {"h": "DISO", "c": "CHEM"} | {f"d{i:02d}": "CHEM" for i in range(40)}
    graph = world(names, [("h", "c")] + [("c", f"d{i:02d}") for i in range(40)])
    angle = {f"d{i:02d}": (np.cos(1.5 - i * 0.03), np.sin(1.5 - i * 0.03)) for i in range(40)}
    vectors = axes(graph, h=(1, 0), c=(0, 1), **angle)  # d39 lies nearest to (1, 0)
    view = NoteView(indices(graph, "h"), vectors)
    environment = Environment(graph, OURS._replace(retrieve_cap=1))
    state = environment.advance(view, environment.start(view), CHEM)
    assert [graph.concepts[c].name for c in state.paths[0] if c >= 0] == ["h", "c", "d39"]


def test_groups_that_no_keyword_reaches_are_masked() -> None:
    graph = world({"a": "ANAT", "b": "DISO", "c": "CHEM"}, [("b", "c")])
    view = NoteView(indices(graph, "b"), axes(graph, a=(1, 0), b=(0, 1), c=(1, 1)))
    environment = Environment(graph, OURS)
    assert not environment.legal(environment.start(view))[ANAT]


@pytest.mark.parametrize("ids", [[], [3], [3, 1, 3, 2, 1], [5, 5, 5]])
def test_distinct_ids_are_sorted_and_stand_once(ids: list[int]) -> None:
    wanted = np.array(ids, dtype=np.int32)
    found = distinct(wanted)
    assert found.tolist() == sorted(set(ids)) and found.dtype == np.int32


def test_float16_rows_become_the_same_float32_as_by_numpy() -> None:
    rows = np.arange(1 << 16, dtype=np.uint16).view(np.float16)  # every float16 there is
    np.testing.assert_array_equal(single(rows), rows.astype(np.float32))
    assert single(rows).dtype == np.float32


def test_runs_of_rows_are_summed_by_hand() -> None:
    rows = np.array([[1, 0], [2, 1], [4, 4], [8, 0]], dtype=np.float32)
    assert summed(rows, np.array([2, 1, 1])).tolist() == [[3, 1], [4, 4], [8, 0]]
