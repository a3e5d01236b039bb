"""Verbs of facts and paths agree with what they are said of."""

import pytest

from backend.container.container import Container
from backend.retrieval.paths.graph_facts import fact_sentence
from backend.retrieval.paths.verb_agreement import is_plural, of_many


@pytest.mark.parametrize("name", ["chills", "pinpoint pupils", "gallstones", "burning feet", "halos around lights"])
def test_a_name_of_many_things_is_plural(name: str) -> None:
    assert is_plural(name)


@pytest.mark.parametrize(
    "name",
    [
        "diabetes",
        "gestational diabetes",
        "sepsis",
        "weakness",
        "loss of reflexes",
        "change in bowel habits",
        "seeing spots",
        "tetanus",
    ],
)
def test_a_name_of_one_thing_is_not(name: str) -> None:
    assert not is_plural(name)


def test_the_verb_of_many() -> None:
    predicates = [
        "is a common sign of",
        "commonly shows as",
        "can lead to",
        "has the warning sign",
        "calls for attention to this:",
    ]
    many = [
        "are a common sign of",
        "commonly show as",
        "can lead to",
        "have the warning sign",
        "call for attention to this:",
    ]
    assert [of_many(words) for words in predicates] == many


def test_chills_are_and_fever_is_a_sign(container: Container) -> None:
    graph = container.graph
    sentences = {
        head: fact_sentence(graph, next(e for e in graph.edges(f"LN:{head}", ("finding_of",))))
        for head in ("chills", "fever")
    }
    assert sentences["chills"].startswith("Chills are a")
    assert sentences["fever"].startswith("Fever is a")
