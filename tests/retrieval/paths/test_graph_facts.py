"""Graph facts: each one an edge or a definition, told in words, numbered without gaps."""

from collections.abc import Callable

import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.retrieval.paths.graph_facts import GraphFactRetriever, fact_sentence
from backend.schemas.drafts.evidence import GraphItem
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.stores.graph.graph import Edge, Graph


@pytest.fixture
def facts(tiny_graph: Graph, linked: Callable[[str], LinkedNote]) -> tuple[GraphItem, ...]:
    note = linked("Dyspnea and leg swelling. She takes furosemide.")
    conditions = GraphConditionRanker(tiny_graph, {}).rank(note, DraftRequest(text="x"))
    return GraphFactRetriever(tiny_graph).facts(note, conditions)


def test_ids_count_from_one_and_no_fact_comes_twice(facts: tuple[GraphItem, ...]) -> None:
    assert [item.id for item in facts] == [f"G{i}" for i in range(1, len(facts) + 1)]
    assert len({item.text for item in facts}) == len(facts)


def test_every_fact_is_an_edge_or_a_definition(facts: tuple[GraphItem, ...], tiny_graph: Graph) -> None:
    for item in facts:
        if item.relation:
            assert item.tail_id in tiny_graph.related(item.concept_id, item.relation)
        else:
            row = tiny_graph.row(item.concept_id)
            assert item.text.lower() == f"{row.name}: {row.definition}.".lower()


def test_the_note_s_medicines_are_defined(facts: tuple[GraphItem, ...]) -> None:
    assert "Furosemide: a water pill for leg swelling." in {item.text for item in facts}


def test_a_qualifier_is_told(tiny_graph: Graph) -> None:
    (edge,) = [e for e in tiny_graph.edges("T:lisinopril") if e.qualifier]
    assert isinstance(edge, Edge)
    assert fact_sentence(tiny_graph, edge) == "Lisinopril should not be used with gout (severe)."


def test_what_joins_an_option_or_its_class_to_what_is_asked_comes_first(
    tiny_graph: Graph, linked: Callable[[str], LinkedNote]
) -> None:
    note = linked("Gout. What should not be used?")
    edge = next(e for e in tiny_graph.edges("T:lisinopril") if tiny_graph.ids[e.tail] == "T:gout")
    found = GraphFactRetriever(tiny_graph).facts(note, (), True, ("T:lisinopril", "not in the graph"))
    assert {found[0].concept_id, found[0].tail_id} == {"T:gout", tiny_graph.ids[edge.head]}
    assert found[0].concept_id == "T:gout"  # told from what is asked
