"""Knowledge to language: what was found in the graph, verbalised (ClinicalRAG Eq. 4, the KNL agent).

Takes facts; gives graph items whose text is the template's sentence, or the raw triple where the step is switched off. A
model may verbalise the same facts anew. What it says stands beside an item's text, as `wording`, and among the thoughts under the
mark `VERBALISED_BY`: whoever writes may read it, but the template stands in the graph and the model's words do not, so nothing
is checked against them. They are dropped where they name anything but the fact's own names.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import Field

from backend.interfaces import Linker
from backend.prompts.asking import Asker
from backend.prompts.evidence_prompts import KNOWLEDGE
from backend.retrieval.entities.entity_index import FoundFact
from backend.retrieval.paths.graph_facts import capital, fact_sentence
from backend.schemas.base import Frozen
from backend.schemas.drafts.evidence import GraphItem
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import Assertion
from backend.stores.graph.graph import Edge, Graph

VERBALISED_BY = "{id}, worded by {name}, no evidence: {text}"
MOST_WORDS = 40
MOST_FACTS = 24  # facts a model tells in one reply
RAW = " | "
_DENIES = frozenset(["no", "not", "never", "none", "without", "nor", "cannot", "neither", "hardly"])
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


class Verbalised(NamedTuple):
    """texts: by item id, what a model said of it, unmarked. refused: how many sentences were dropped. fell: why, or empty."""

    texts: Mapping[str, str]
    refused: int = 0
    fell: str = ""


class WordedFact(Frozen):
    """A fact in a model's words, by the id that the prompt gave it."""

    id: Annotated[str, Field(min_length=1)]
    text: str


class WordedFacts(Frozen):
    """The reply of the prompt that words facts."""

    facts: tuple[WordedFact, ...]


def fact_key(graph: Graph, fact: FoundFact) -> tuple[int, int, str, str]:
    """The same for a fact and for its inverse; a definition has no other end."""
    edge = fact.edge
    if edge is None:
        return fact.concept, -1, "", ""
    inverse = graph.inverse[edge.relation]
    if (edge.relation, edge.head) <= (inverse, edge.tail):
        return edge.head, edge.tail, edge.relation, edge.qualifier
    return edge.tail, edge.head, inverse, edge.qualifier


def item_of(graph: Graph, fact: FoundFact, number: str, raw: bool) -> GraphItem:
    """A fact as evidence. raw: the triple as it is stored, names and relation with bars between (without KNL)."""
    row = graph.row(fact.concept)
    if fact.edge is None:
        text = RAW.join((row.name, "definition", row.definition)) if raw else f"{capital(row.name)}: {row.definition}."
        return GraphItem(id=number, concept_id=row.concept_id, text=text)
    tail = graph.row(fact.edge.tail)
    return GraphItem(
        id=number,
        concept_id=row.concept_id,
        text=raw_triple(graph, fact.edge) if raw else fact_sentence(graph, fact.edge),
        relation=fact.edge.relation,
        tail_id=tail.concept_id,
        tail_name=tail.name,
    )


def raw_triple(graph: Graph, edge: Edge) -> str:
    """`heart failure | has_finding | dyspnea`, with the qualifier where there is one."""
    parts = (graph.row(edge.head).name, edge.relation, graph.row(edge.tail).name, edge.qualifier)
    return RAW.join(part for part in parts if part)


def verbalised_by_model(asker: Asker, items: Sequence[GraphItem], linker: Linker) -> Verbalised:
    """The relations among the first items worded anew, in one reply; a sentence that says more is refused."""
    facts = {item.id: item.text for item in items if item.tail_id}
    facts = dict(list(facts.items())[:MOST_FACTS])
    if not facts:
        return Verbalised({})
    lines = "\n".join(f"{number}: {text}" for number, text in facts.items())
    reply = asker.shaped(KNOWLEDGE, WordedFacts, {"facts": lines}, words=MOST_WORDS)
    if reply.value is None:
        return Verbalised({}, 0, f"knowledge to language: {reply.reason}, so the template alone words it")
    kept: dict[str, str] = {}
    refused = 0
    for said in reply.value.facts:
        text = " ".join(said.text.split())
        if said.id in facts and said.id not in kept and says_no_more(text, facts[said.id], linker):
            kept[said.id] = text
        else:
            refused += 1
    return Verbalised(kept, refused)


def says_no_more(said: str, template: str, linker: Linker) -> bool:
    """Whether a sentence names what the template's names, all of it and nothing else, and denies no more.

    Names are what the linker finds. A name that no dictionary has can only be told by its looks: a capital letter within
    the sentence, or a number.
    """
    words = _WORD.findall(said.replace("’", "'"))
    known = {word.lower() for word in _WORD.findall(template)}
    if not 0 < len(words) <= MOST_WORDS:
        return False
    odd = [word for i, word in enumerate(words) if (i and word != word.lower()) or any(c.isdigit() for c in word)]
    if any(word.lower() not in known for word in odd):
        return False
    denials = (word.lower() for word in words if word.lower() in _DENIES or word.lower().endswith("n't"))
    if any(word not in known for word in denials):
        return False
    here, there = linker.link(said), linker.link(template)
    named = _named(there)  # a fact whose names the linker does not find cannot be compared
    return bool(named) and _named(here) == named and _denied(here) == _denied(there)


def marked(verbalised: Verbalised, name: str) -> tuple[str, ...]:
    """What a model said, each with the id of its fact and the mark that it is no evidence."""
    return tuple(VERBALISED_BY.format(id=number, name=name, text=text) for number, text in verbalised.texts.items())


def _named(linked: LinkedNote) -> frozenset[str]:
    return frozenset(mention.concept_id for mention in linked.note.mentions)


def _denied(linked: LinkedNote) -> frozenset[str]:
    return frozenset(m.concept_id for m in linked.note.mentions if m.assertion == Assertion.NEGATED)
