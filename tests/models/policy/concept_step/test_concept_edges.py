"""What edges tell of a concept: by hand on small graphs, and the quick sum against the laid out table."""

import numpy as np
import pytest

from models.policy.concept_step.concept_edges import by_relation, explaining_disorders
from models.policy.concept_step.concept_features import NAMES, Features, count, feature_names
from models.policy.concept_step.group_promise import Promise
from models.policy.rollouts import Example
from models.policy.walking.note_view import NoteView
from tests.models.world import CHEM, DISO, PROC, random_world, world


def test_the_disorders_that_fit_are_those_most_keywords_point_to() -> None:
    # k has edges to d and e, l to d and p: d gets 1/2 + 1/2 = 1, e 1/2, p is no disorder; squared shares 1 and 1/4
    graph = world(
        {"d": "DISO", "e": "DISO", "k": "DISO", "l": "DISO", "p": "PROC"},
        [("k", "d"), ("k", "e"), ("l", "d"), ("l", "p")],
    )
    at = graph.index
    ids, amounts = explaining_disorders(graph, np.array([at["k"], at["l"]]))
    assert ids.tolist() == [at["d"], at["e"]]
    np.testing.assert_allclose(amounts, [1.0, 0.25])


def test_nothing_fits_keywords_without_edges() -> None:
    graph = world({"a": "DISO", "b": "DISO"}, [])
    ids, amounts = explaining_disorders(graph, np.array([0]))
    assert len(ids) == len(amounts) == 0
    assert by_relation(graph, ids, amounts).amounts.shape == (0, len(graph.relations))


def test_what_reaches_a_concept_is_told_by_relation() -> None:
    graph = world({"a": "DISO", "b": "DISO", "c": "CHEM"}, [("a", "c"), ("b", "c")])
    found = by_relation(graph, np.array([0, 1]), np.array([1.0, 0.5]))
    column = graph.relations.index("associated_with")
    assert found.ids.tolist() == [2]
    assert float(found.amounts[0, column]) == np.float32(np.log1p(1.5))
    assert found.amounts.nnz == 1


def test_the_weighted_sum_is_that_of_the_table() -> None:
    graph, vectors = random_world(5)
    rng = np.random.default_rng(0)
    notes = [Example(str(i), np.array([i, i + 9]), np.sort(rng.choice(50, 6, False))) for i in range(9)]
    found = Features(count(notes), graph, NoteView(np.array([2, 11, 40]), vectors))
    table = found.of(np.arange(120))
    assert table.shape == (120, len(feature_names(graph.relations)))
    assert table[:, len(NAMES) :].any()
    weights = rng.normal(size=table.shape[1]).astype(np.float32)
    np.testing.assert_allclose(found.weighted(np.arange(120), weights), table @ weights, atol=1e-3)


def test_promise_by_hand() -> None:
    # k leads to c, d (CHEM) and p (PROC); q (PROC) is two edges away. Chances: c 1/2, d 3/4, p 1/5, q 9/10.
    graph = world(
        {"c": "CHEM", "d": "CHEM", "k": "DISO", "p": "PROC", "q": "PROC"},
        [("k", "c"), ("k", "d"), ("k", "p"), ("p", "q")],
    )
    at = graph.index
    vocabulary = np.array([at["c"], at["d"], at["p"], at["q"]], dtype=np.int32)
    promise = Promise(graph, vocabulary)
    odds = np.log(np.array([1.0, 3.0, 0.25, 9.0]))
    note = promise.chances(odds, None, np.array([at["k"]]))
    plenty, one = np.full(15, 9), np.ones(15, dtype=np.int64)
    start = np.array([at["k"]])
    found = promise.of(note, start, plenty)
    np.testing.assert_allclose(found[[CHEM, DISO, PROC]], [1.25, 0.0, 0.2], atol=1e-6)
    assert found.sum() == np.float32(1.45)
    # the best one of each group
    np.testing.assert_allclose(promise.of(note, start, one)[[CHEM, PROC]], [0.75, 0.2], atol=1e-6)
    # p explored: it counts no more, and leads to q
    after = promise.of(note, np.array([at["k"], at["p"]]), plenty)
    np.testing.assert_allclose(after[[CHEM, PROC]], [1.25, 0.9], atol=1e-6)
    # what may not be walked through promises nothing
    allowed = np.ones(5, dtype=bool)
    allowed[at["d"]] = False
    closed = promise.chances(odds, allowed, np.array([at["k"]]))
    np.testing.assert_allclose(promise.of(closed, start, plenty)[CHEM], 0.5, atol=1e-6)
    # a keyword of the note is no find
    chances = promise.chances(odds, None, np.array([at["k"], at["d"]]))
    np.testing.assert_allclose(promise.of(chances, start, plenty)[CHEM], 0.5, atol=1e-6)


def test_a_promise_counts_by_what_it_pushes_off_the_list_of_best_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    # A list of two, filled by p (1/5) and q (9/10). c (1/2) and d (3/4) are in reach: d for p gains 0.55, c for q nothing.
    # With r (CHEM, 19/20) as well: r for p gains 0.75, d for q nothing.
    monkeypatch.setattr("models.policy.concept_step.group_promise.BEST", 2)
    graph = world(
        {"c": "CHEM", "d": "CHEM", "k": "DISO", "p": "PROC", "q": "PROC", "r": "CHEM"},
        [("k", "c"), ("k", "d"), ("k", "p"), ("p", "q"), ("q", "r")],
    )
    at = graph.index
    names = ("c", "d", "p", "q", "r")
    promise = Promise(graph, np.array([at[name] for name in names], dtype=np.int32))
    note = promise.chances(np.log(np.array([1.0, 3.0, 0.25, 9.0, 19.0])), None, np.array([at["k"]]))
    plenty = np.full(15, 9)
    without_q = promise.of(note, np.array([at["k"], at["p"]]), plenty)
    # the list still has a free place: d takes it (0.75), c for p gains 0.3; q in it would gain 0.9
    np.testing.assert_allclose(without_q[[CHEM, PROC]], [1.05, 0.9], atol=1e-6)
    full = promise.of(note, np.array([at["k"], at["p"], at["q"]]), plenty)
    np.testing.assert_allclose(full[[CHEM, PROC]], [0.75, 0.0], atol=1e-6)
