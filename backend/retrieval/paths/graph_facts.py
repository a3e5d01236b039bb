"""Definitions and one-hop facts of the graph as sentences: evidence G1, G2 and on.

They concern the leading conditions and the note's medicines, and hold what a discharge document speaks of.
"""

from collections.abc import Sequence
from functools import lru_cache

from backend.retrieval.paths.verb_agreement import MANY_IN, is_plural, of_many
from backend.schemas.drafts.evidence import Condition, GraphItem
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import Assertion, Category
from backend.stores.graph.graph import Edge, Graph

ADVICE: dict[str, int] = {
    "has_warning_sign": 6,
    "has_precaution": 5,
    "has_diet_advice": 4,
    "has_activity_advice": 4,
    "has_follow_up": 4,
    "treated_by": 24,
    "managed_by": 4,
    "diagnosed_by": 8,
    "monitored_by": 3,
    "worsened_by": 4,
}
DEFINED = frozenset({Category.DRUG, Category.DRUG_CLASS, Category.DISEASE})
MOST = 240
REMEMBERED = 1024  # conditions
MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})
KINDS = ("has_class", "has_ingredient", "subclass_of", "isa")
JOINS = (
    "contraindicated_with",
    "interacts_with",
    "has_adverse_effect",
    "worsened_by",
    "treats",
    "relieves",
    "prevents",
    "dose_adjusted_in",
    "has_risk_factor",
    "due_to",
    "has_complication",
    "managed_by",
)
"""Relations that answer how two things of a question go together."""
EFFECTS = ("has_adverse_effect",)
MOST_EFFECTS = 10
SHOWS = ("has_warning_sign", "may_have_finding", "has_finding")
MOST_REASONS = 4
MOST_OFFERED = 80


class GraphFactRetriever:
    """Facts about the conditions a document is about, and about the medicines the note names."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._advice = lru_cache(maxsize=REMEMBERED)(self._read_advice)

    def facts(
        self, linked: LinkedNote, conditions: Sequence[Condition], asked: bool = False, offered: Sequence[str] = ()
    ) -> tuple[GraphItem, ...]:
        """Definitions and facts of the conditions in focus and of the medicines taken, each once.

        Args:
            linked: the note, or the question.
            conditions: the ranked conditions.
            asked: whether it is a question: then first what joins the things that it names, and the effects of its medicines.
            offered: the concepts of its options; what joins them to its things and its conditions comes before all.
        """
        conditions = [c for c in conditions if c.concept_id in self._graph.index]
        found = self._offered(linked, conditions, offered)
        found += self._asked(linked) if asked else []
        for condition in (c for c in conditions if c.focus):
            found.extend(self._definition(condition.concept_id))
            found.extend(self._advice(condition.concept_id))
        for mention in linked.note.mentions:
            if mention.category in DEFINED and mention.assertion in (Assertion.PRESENT, Assertion.HISTORICAL):
                found.extend(self._definition(mention.concept_id))
        for condition in conditions:
            found.extend(self._definition(condition.concept_id))
            found.extend(self._reasons(condition))
        distinct = {(concept, relation, tail): text for concept, relation, text, tail in found}
        return tuple(
            GraphItem(
                id=f"G{number}",
                concept_id=concept,
                text=text,
                relation=relation,
                tail_id=tail,
                tail_name=self._graph.row(tail).name if tail else "",
            )
            for number, ((concept, relation, tail), text) in enumerate(list(distinct.items())[:MOST], start=1)
        )

    def _offered(
        self, linked: LinkedNote, conditions: Sequence[Condition], offered: Sequence[str]
    ) -> list[tuple[str, str, str, str | None]]:
        """The facts between what each option is, or is a kind of, and what the question names or may mean, told from the latter."""
        things = (*(m.concept_id for m in linked.note.mentions), *(c.concept_id for c in conditions))
        options = frozenset(
            kind for concept in offered if concept in self._graph.index for kind in self._kinds(concept)
        )
        edges = [edge for thing in dict.fromkeys(things) if thing not in options for edge in self._graph.edges(thing)]
        return [self._verbalised(edge) for edge in edges if self._graph.ids[edge.tail] in options][:MOST_OFFERED]

    def _asked(self, linked: LinkedNote) -> list[tuple[str, str, str, str | None]]:
        """What joins two things of a question, or what they are kinds of, and the effects of its medicines."""
        named = list(dict.fromkeys(m.concept_id for m in linked.note.mentions))
        medicines = [m.concept_id for m in linked.note.mentions if m.category in MEDICINES]
        kinds = {concept: self._kinds(concept) for concept in named}
        found: list[tuple[str, str, str, str | None]] = []
        for place, one in enumerate(named):
            for other in named[place + 1 :]:
                found += self._joins(kinds[one], kinds[other]) or self._joins(kinds[other], kinds[one])
        for medicine in dict.fromkeys(medicines):
            effects = [e for kind in kinds[medicine] for e in self._graph.edges(kind, EFFECTS)]
            found.extend(self._verbalised(edge) for edge in effects[:MOST_EFFECTS])
        return found

    def _joins(self, one: Sequence[str], other: Sequence[str]) -> list[tuple[str, str, str, str | None]]:
        """The facts from any of some concepts to any of others."""
        edges = [edge for kind in one for edge in self._graph.edges(kind, JOINS)]
        return [self._verbalised(edge) for edge in edges if self._graph.ids[edge.tail] in other]

    def _kinds(self, concept: str) -> tuple[str, ...]:
        """A concept, its classes and their classes, the nearest first."""
        found = [concept]
        for one in found:
            found.extend(kind for kind in self._graph.related(one, *KINDS) if kind not in found)
        return tuple(found)

    def _read_advice(self, concept: str) -> tuple[tuple[str, str, str, str | None], ...]:
        """A condition's facts of each kind: tests that always hold before others and the rarer first, treatments the commoner first."""
        found: list[tuple[str, str, str, str | None]] = []
        for relation, most in ADVICE.items():
            edges = self._graph.edges(concept, (relation,))
            shared = {e.tail: len(self._graph.edges(e.tail, (self._graph.inverse[relation],))) for e in edges}
            if relation == "diagnosed_by":
                edges.sort(key=lambda e: (bool(e.qualifier), shared[e.tail]))
            elif relation == "treated_by":
                edges.sort(key=lambda e: -shared[e.tail])
            found.extend(self._verbalised(edge) for edge in edges[:most])
        return tuple(found)

    def _reasons(self, condition: Condition) -> list[tuple[str, str, str, str | None]]:
        """The facts that join a condition to the mentions that speak for it, heaviest first."""
        spoken = [r.concept_id for r in condition.because if r.weight > 0]
        edges = {self._graph.concepts[e.tail].concept_id: e for e in self._graph.edges(condition.concept_id, SHOWS)}
        return [self._verbalised(edges[concept]) for concept in spoken if concept in edges][:MOST_REASONS]

    def _definition(self, concept: str) -> list[tuple[str, str, str, str | None]]:
        row = self._graph.row(concept)
        return [(concept, "", f"{capital(row.name)}: {row.definition}.", None)] if row.definition else []

    def _verbalised(self, edge: Edge) -> tuple[str, str, str, str | None]:
        return (
            self._graph.concepts[edge.head].concept_id,
            edge.relation,
            fact_sentence(self._graph, edge),
            self._graph.concepts[edge.tail].concept_id,
        )


def fact_sentence(graph: Graph, edge: Edge) -> str:
    """A fact as one plain sentence, in the direction of the edge."""
    return f"{capital(clause(graph, edge))}."


def clause(graph: Graph, edge: Edge) -> str:
    """A fact as a clause, from its head: "gout is treated by colchicine"."""
    return f"{graph.concepts[edge.head].name} {predicate(graph, edge)}"


def predicate(graph: Graph, edge: Edge) -> str:
    """What an edge says of its head, as `can be treated by furosemide (acute)`; the verb agrees with it: chills are a sign."""
    qualifier = f" ({edge.qualifier})" if edge.qualifier else ""
    head, words = graph.concepts[edge.head], graph.relation_words(edge.relation)
    agreeing = of_many(words) if head.category in MANY_IN and is_plural(head.name) else words
    return f"{agreeing} {graph.concepts[edge.tail].name}{qualifier}"


def capital(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
