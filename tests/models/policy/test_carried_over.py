"""A policy on another graph: counts by concept ids, weights by relation names, scores as they were where nothing changed."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from models.policy.carried_over import (
    GraphNames,
    carried_places,
    carried_statistics,
    carried_weights,
    names_of,
)
from models.policy.concept_step.concept_features import NAMES, Statistics
from models.policy.concept_step.concept_scorer import LearnedStep, ScorerWeights
from models.policy.concept_step.two_towers import Towers
from tests.models.policy.concept_step.test_concept_step import learned
from tests.models.world import random_world


class Concept(NamedTuple):
    name: str
    synonyms: tuple[str, ...] = ()


class Other(NamedTuple):
    index: Mapping[str, int]  # type: ignore[assignment]
    relations: tuple[str, ...]
    concepts: tuple[Concept, ...] = ()


OLD = GraphNames(("a", "b", "c", "d"), ("treats", "shows"))
# b is gone, e is new, and the order is another
NEW = Other({"d": 0, "e": 1, "a": 2, "c": 3}, ("eases", "shows"))


def test_counts_follow_their_concepts() -> None:
    # documents name b, c, d (2, 5, 7 times); keywords a, b; of a's notes 1 names c and 3 name d
    counted = Statistics(
        9,
        np.array([1, 2, 3], dtype=np.int32),
        np.array([2, 5, 7], dtype=np.float32),
        np.array([0, 1], dtype=np.int32),
        np.array([4, 6], dtype=np.float32),
        csr_matrix(np.array([[0, 1, 3], [2, 0, 0]], dtype=np.float32)),
        np.ones((2, 3), dtype=np.float16),
        csr_matrix(np.array([[1, 1, 0], [0, 0, 1]], dtype=np.float32)),
    )
    places = carried_places(OLD, NEW, counted)
    assert places.where.tolist() == [2, -1, 3, 0]
    assert (places.share, places.by_name) == (0.75, 0)  # of a, b, c, d all but b
    found = carried_statistics(counted, places.where)
    assert found.held.toarray().tolist() == [[0, 1], [1, 0]] and found.texts.shape == (2, 3)
    assert found.vocabulary.tolist() == [0, 3]  # d, c: sorted by their new places
    assert found.truth_counts.tolist() == [7, 5]
    assert (found.keywords.tolist(), found.keyword_counts.tolist()) == ([2], [4])
    assert found.joint.toarray().tolist() == [[3, 1]]
    assert found.notes == 9


def test_weights_follow_their_relations() -> None:
    first = len(NAMES)
    base = np.arange(first + 4, dtype=np.float32)
    weights = ScorerWeights(base, base + 1, base + 2, 0.5, 0.25, np.array([10, 11, 12, 13], dtype=np.float32))
    found = carried_weights(weights, OLD, NEW)
    # of each half "eases" is new, "shows" was the second
    assert found.centre[first:].tolist() == [0, first + 1, 0, first + 3]
    assert found.scale[first:].tolist() == [1, first + 2, 1, first + 4]
    assert found.base[first:].tolist() == [0, first + 3, 0, first + 5]
    assert found.base[:first].tolist() == (base + 2)[:first].tolist()
    assert found.relation.tolist() == [0, 11, 12, 13]  # no relation and a leap stay last
    assert (found.shift, found.path, found.towers) == (0.5, 0.25, None)


def test_a_towers_reading_of_paths_follows_its_relations() -> None:
    first = len(NAMES)
    path = np.arange(2 * (first + 4), dtype=np.float32).reshape(-1, 2)
    towers = Towers(np.ones((3, 2)), np.ones((1, 2)), path)
    base = np.ones(first + 4, dtype=np.float32)
    found = carried_weights(ScorerWeights(base, base, base, 0.0, 0.0, np.ones(4), towers), OLD, NEW).towers
    assert found is not None
    np.testing.assert_array_equal(found.path[:first], path[:first])
    # of each half "eases" is new and read as nothing, "shows" was the second
    np.testing.assert_array_equal(found.path[first:], [[0, 0], path[first + 1], [0, 0], path[first + 3]])
    assert found.note is towers.note and found.concept is towers.concept


def test_scores_are_as_they_were_on_an_equal_graph() -> None:
    step, view, vectors = learned()
    graph, _ = random_world(4)
    ids = tuple(f"C{place}" for place in range(len(graph.groups)))
    same = Other(
        {one: place for place, one in enumerate(ids)}, graph.relations, tuple(Concept(f"concept {one}") for one in ids)
    )
    names = names_of(same, ids, step.statistics)
    assert names.names[int(step.statistics.vocabulary[0])].startswith("concept C") and "" in names.names
    where = carried_places(names, same, step.statistics).where
    made = LearnedStep(carried_statistics(step.statistics, where), carried_weights(step.weights, names, same), graph)
    every = np.arange(120)
    np.testing.assert_allclose(made.base(type(view)(view.keywords, vectors), every), step.base(view, every))


def test_a_concept_of_another_vocabulary_is_found_by_its_name_before_a_synonym_and_none_takes_a_place_twice() -> None:
    names = GraphNames(("s1", "s2", "s3", "s4"), (), ("Gout|podagra", "heart attack", "podagra, acute", ""))
    theirs = (Concept("Podagra"), Concept("myocardial infarction", ("Heart  attack",)), Concept("gout", ("podagra",)))
    found = carried_places(names, Other({"m1": 0, "m2": 1, "m3": 2}, (), theirs), None)
    # gout by its own name, not the concept called podagra; heart attack by their synonym; the last two are nowhere
    assert found.where.tolist() == [2, 1, -1, -1]
    assert (found.share, found.by_name) == (0.5, 2)
