"""Knowledge to language: the template, the raw triple, and what a model may say of a fact."""

import json
from collections.abc import Callable

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.prompts.asking import Asker
from backend.retrieval.entities.entity_index import FoundFact
from backend.retrieval.entities.knowledge_to_language import (
    fact_key,
    item_of,
    marked,
    says_no_more,
    verbalised_by_model,
)
from backend.schemas.drafts.evidence import GraphItem
from backend.stores.graph.graph import Graph
from models.llm.engine_scripted import Dead, Scripted

TEMPLATE = "Heart failure can be treated by furosemide."
Facts = Callable[[str, str, str], FoundFact]


@pytest.fixture
def fact(tiny_graph: Graph, named: Callable[[str], str]) -> Facts:
    def make(head: str, relation: str, tail: str) -> FoundFact:
        edges = [e for e in tiny_graph.edges(named(head), (relation,)) if tiny_graph.names[e.tail] == tail]
        return FoundFact(edges[0].head, edges[0], 1.0, 1.0)

    return make


def item(number: str, text: str = TEMPLATE) -> GraphItem:
    return GraphItem(id=number, concept_id="T:heart-failure", text=text, relation="treated_by", tail_id="T:furosemide")


def test_a_fact_is_told_by_template_or_as_the_raw_triple(tiny_graph: Graph, fact: Facts) -> None:
    treated = fact("heart failure", "treated_by", "furosemide")
    item = item_of(tiny_graph, treated, "G1", raw=False)
    assert (item.text, item.relation, item.tail_name) == (TEMPLATE, "treated_by", "furosemide")
    assert item_of(tiny_graph, treated, "G1", raw=True).text == "heart failure | treated_by | furosemide"
    qualified = fact("lisinopril", "contraindicated_with", "gout")
    assert item_of(tiny_graph, qualified, "G1", raw=True).text == "lisinopril | contraindicated_with | gout | severe"
    assert item_of(tiny_graph, qualified, "G1", raw=False).text.endswith("gout (severe).")


def test_a_definition_is_told_by_template_or_raw(tiny_graph: Graph, named: Callable[[str], str]) -> None:
    definition = FoundFact(tiny_graph.index[named("pneumonia")], None, 1.0, 1.0)
    assert item_of(tiny_graph, definition, "G1", raw=False).text == "Pneumonia: an infection of the lungs."
    assert item_of(tiny_graph, definition, "G1", raw=True).text == "pneumonia | definition | an infection of the lungs"


def test_a_fact_and_its_inverse_are_one(tiny_graph: Graph, fact: Facts) -> None:
    there = fact("heart failure", "treated_by", "furosemide")
    back = fact("furosemide", "treats", "heart failure")
    other = fact("heart failure", "treated_by", "lisinopril")
    assert fact_key(tiny_graph, there) == fact_key(tiny_graph, back) != fact_key(tiny_graph, other)
    symmetric = fact("penicillin", "cross_reacts_with", "cephalosporin")
    mirrored = fact("cephalosporin", "cross_reacts_with", "penicillin")
    assert fact_key(tiny_graph, symmetric) == fact_key(tiny_graph, mirrored)


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("In heart failure, furosemide is one of the medicines in use.", True),
        ("Furosemide is a treatment for heart failure.", True),
        ("Furosemide and lisinopril treat heart failure.", False),  # another drug
        ("Heart failure can be treated.", False),  # one of the two names is missing
        ("Furosemide 40 mg treats heart failure.", False),  # a dose
        ("Furosemide does not treat heart failure.", False),
        ("Furosemide doesn’t treat heart failure.", False),
        ("Heart failure can be treated by furosemide, without risk.", False),
        ("Heart failure can be treated by furosemide or by Xarelto.", False),  # a name that no dictionary here has
        ("Furosemide treats heart failure" + " very well" * 20 + ".", False),  # longer than asked for
        ("", False),
    ],
)
def test_a_model_may_name_the_fact_s_own_names_and_nothing_else(
    tiny_linker: DictionaryLinker, said: str, taken: bool
) -> None:
    assert says_no_more(said, TEMPLATE, tiny_linker) is taken


def test_a_fact_whose_names_no_dictionary_has_is_told_by_template_alone(tiny_linker: DictionaryLinker) -> None:
    assert not says_no_more("Xyz can be treated by abc.", "Xyz can be treated by abc.", tiny_linker)


def test_what_a_model_tells_is_kept_apart_and_marked(tiny_linker: DictionaryLinker) -> None:
    reply = {
        "facts": [
            {"id": "G1", "text": "Furosemide is a treatment\nfor heart failure."},
            {"id": "G2", "text": "Lisinopril cures gout."},
            {"id": "G9", "text": "Furosemide is a treatment for heart failure."},
            {"id": "G1", "text": "Heart failure: furosemide."},
        ]
    }
    model = Scripted(json.dumps(reply))
    items = [item("G1"), item("G2"), GraphItem(id="G3", concept_id="x", text="Gout: a definition.")]
    verbalised = verbalised_by_model(Asker(model, 0), items, tiny_linker)
    assert dict(verbalised.texts) == {"G1": "Furosemide is a treatment for heart failure."}
    assert (verbalised.refused, verbalised.fell) == (3, "")  # more than the fact, no such id, the id a second time
    assert marked(verbalised, "scripted") == (
        "G1, worded by scripted, no evidence: Furosemide is a treatment for heart failure.",
    )
    assert "G3" not in model.calls[0][1].content  # definitions stay as they are
    assert items[0].text == TEMPLATE


def test_without_an_answer_the_template_stands_and_it_is_said(tiny_linker: DictionaryLinker) -> None:
    verbalised = verbalised_by_model(Asker(Dead(), 0), [item("G1")], tiny_linker)
    assert not verbalised.texts
    assert verbalised.fell.startswith("knowledge to language: dead did not answer")


def test_without_facts_a_model_is_not_asked(tiny_linker: DictionaryLinker) -> None:
    model = Scripted("{}")
    assert not verbalised_by_model(Asker(model, 0), [], tiny_linker).texts
    assert model.calls == []
