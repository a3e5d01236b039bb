"""Eq. 2 and 3 on a graph and passages small enough to work out by hand."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from backend.retrieval.entities.entity_extraction import Entity, EntityCategory
from backend.retrieval.entities.entity_index import EntityVectors, find_facts, find_passages, nearest_of
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from backend.stores.passages.entity_table import EntityTable, TableKey, build_table
from tests.stores.passages.test_entity_table import Passages, Reader, quiet

RELATION = RelationRow("shows_as", "sign_of", frozenset("*"), frozenset("*"), "shows as", "is a sign of", "")


def graph_of(*triples: tuple[str, str], defined: Sequence[str] = ()) -> Graph:
    rows = [ConceptRow(c, c, "DISO", "disease", definition=f"what {c} is" if c in defined else "") for c in "abcde"]
    return Graph(rows, [TripleRow(h, "shows_as", t) for h, t in triples], {"shows_as": RELATION})


def entity(name: str, concept: str = "") -> Entity:
    return Entity(name, EntityCategory.DISEASE, name, concept, 0)


# a and b are near (0.8), c is at a right angle to both, d opposite to a, e between
VECTORS = np.array([[1, 0], [0.8, 0.6], [0, 1], [-1, 0], [math.sqrt(0.5), math.sqrt(0.5)]], dtype=np.float32)


def encode(texts: Sequence[str]) -> np.ndarray:
    return np.array([[0.6, 0.8] for _ in texts], dtype=np.float32)


def test_the_score_is_the_cosine_and_1_for_the_concept_itself() -> None:
    cosines = EntityVectors(graph_of(), VECTORS, encode).cosines([entity("b", "b"), entity("something else")])
    # b: 0.8, itself, 0.6, -0.8, 0.8 * 0.7071 + 0.6 * 0.7071; the unknown one is encoded: 0.6, 0.48 + 0.48, 0.8, -0.6, 0.99
    assert cosines[0].tolist() == pytest.approx([0.8, 1, 0.6, -0.8, 1.4 * math.sqrt(0.5)])
    assert cosines[1].tolist() == pytest.approx([0.6, 0.96, 0.8, -0.6, 1.4 * math.sqrt(0.5)])
    assert cosines[0, 1] == 1.0


def test_vectors_of_half_precision_compared_in_pieces_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.retrieval.entities.entity_index.AT_ONCE", 2)
    halves = EntityVectors(graph_of(), VECTORS.astype(np.float16), encode).cosines([entity("b", "b")])
    assert halves[0].tolist() == pytest.approx([0.8, 1, 0.6, -0.8, 0.99], abs=1e-3)


def test_without_vectors_an_entity_finds_itself_alone() -> None:
    vectors = EntityVectors(graph_of(), None, encode, "none were made")
    assert vectors.cosines([entity("b", "b"), entity("x")]).tolist() == [[0, 1, 0, 0, 0], [0] * 5]
    assert vectors.of_text("anything").tolist() == [0] * 5
    assert vectors.missing == "none were made"


def table_of(*texts: str) -> EntityTable:
    index = {c: i for i, c in enumerate("abcde")}
    return build_table(Passages(*(("-", text) for text in texts)), Reader(), index, None, TableKey("", ""), quiet)


def test_a_passage_with_the_entity_comes_before_those_with_near_ones() -> None:
    table = table_of("b", "c", "a", "e")
    cosines = EntityVectors(graph_of(), VECTORS, encode).cosines([entity("a", "a")])
    (found,) = find_passages(table, cosines, 0.75, 3)
    # a 1.0, b 0.8; e (0.71), c (0) and d are below the least
    assert [(f.place, round(f.score, 3)) for f in found] == [(2, 1.0), (0, 0.8)]
    assert [[f.place for f in one] for one in find_passages(table, cosines, 0.7, 2)] == [[2, 0]]


def test_among_equals_the_one_that_holds_more_of_the_note_comes_first_rare_entities_counting_more() -> None:
    # a is in all four passages, c in two, d in one; each is a word of its passage
    table = table_of("a", "a c", "a d", "a c e")
    exact = np.eye(5, dtype=np.float32)[[0, 2, 3]]
    found = find_passages(table, exact, 0.9, 4)
    # weights log(1 + 4 / passages): a ln 2 = 0.693, c ln 3 = 1.099, d ln 5 = 1.609, together 3.401
    # relevance: 0.693 / 3.401 = 0.204; with c 1.792 / 3.401 = 0.527; with d 2.302 / 3.401 = 0.677
    # passages 1 and 3 are equal in it, and a is half of what 1 names and a third of what 3 names
    assert [f.place for f in found[0]] == [2, 1, 3, 0]
    assert [f.relevance for f in found[0]] == pytest.approx([0.677, 0.527, 0.527, 0.204], abs=1e-3)
    assert [[f.place for f in one] for one in found[1:]] == [[1, 3], [2]]


def test_what_no_passage_names_finds_nothing_and_weighs_as_if_one_did() -> None:
    exact = np.eye(5, dtype=np.float32)[[1, 4]]
    found = find_passages(table_of("b", "a"), exact, 0.9, 4)
    assert [[f.place for f in one] for one in found] == [[0], []]
    # of two passages one names b and none e: both weigh ln 3
    assert found[0][0].relevance == pytest.approx(0.5)
    assert find_passages(table_of("zz"), exact, 0.9, 4) == [[], []]
    assert find_passages(table_of("b"), exact[:0], 0.9, 4) == []


def test_a_passage_is_found_once_for_an_entity_by_the_nearest_of_its_names() -> None:
    cosines = EntityVectors(graph_of(), VECTORS, encode).cosines([entity("a", "a")])
    (found,) = find_passages(table_of("a b e", "b"), cosines, 0.5, 5)
    assert [(f.place, round(f.score, 3)) for f in found] == [(0, 1.0), (1, 0.8)]


def test_facts_between_two_of_the_note_s_entities_come_first_after_the_definition() -> None:
    graph = graph_of(("a", "c"), ("a", "d"), ("b", "a"), defined=("a",))
    exact = np.eye(5, dtype=np.float32)[[0, 3]]
    found = find_facts(graph, exact, 0.9, 4)
    relations = [(f.edge.relation, graph.ids[f.edge.tail]) if f.edge else "definition" for f in found[0]]
    assert relations == ["definition", ("shows_as", "d"), ("shows_as", "c"), ("sign_of", "b")]
    # 6 directed edges; a has 3 and d 1: weights ln 3 = 1.099 and ln 7 = 1.946, of 3.045
    assert [f.relevance for f in found[0]] == pytest.approx([0.361, 1.0, 0.361, 0.361], abs=1e-3)
    assert [f.score for f in found[0]] == [1.0] * 4
    assert len(find_facts(graph, exact, 0.9, 1)[0]) == 1


def test_facts_of_a_near_concept_fill_up_what_the_entity_s_own_leave() -> None:
    graph = graph_of(("a", "c"), ("b", "d"))
    cosines = EntityVectors(graph, VECTORS, encode).cosines([entity("a", "a")])
    (found,) = find_facts(graph, cosines, 0.75, 5)
    assert [(graph.ids[f.concept], round(f.score, 3)) for f in found] == [("a", 1.0), ("b", 0.8)]


def test_a_whole_text_leads_to_its_nearest_entities_of_a_source() -> None:
    rows = nearest_of(np.array([0.9, 0.5, 0.7, -0.2, 0.0], dtype=np.float32), np.array([1, 2, 3, 4]), 3)
    # a is not in the source; of b, c, d and e only b and c are above 0
    assert np.allclose(rows, [[0, 0, 0.7, 0, 0], [0, 0.5, 0, 0, 0]])
    assert rows.shape == (2, 5)
