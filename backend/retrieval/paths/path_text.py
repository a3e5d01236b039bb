"""Verbalises a reasoning path as one plain sentence: "A is a sign of B, which can be treated by C"; a leap is said to be one."""

from collections.abc import Sequence
from typing import NamedTuple

from backend.retrieval.paths.graph_facts import capital, clause, predicate
from backend.schemas.drafts.evidence import Step
from backend.schemas.vocabulary import GROUP_NAMES
from backend.stores.graph.graph import GROUPS, Edge, Graph

NO_LINK = "no direct link in the graph"


class VerbalisedPath(NamedTuple):
    """steps of the path; text of all of it; supported: the sentence of the edges before the first leap, or empty."""

    steps: tuple[Step, ...]
    text: str
    supported: str


def verbalised_path(
    graph: Graph, concepts: Sequence[int], edges: Sequence[Edge | None], leap_label: str, leap_words: str
) -> VerbalisedPath:
    """concepts: the path; edges: what joins each to the one before it, None for a leap; one shorter than concepts.

    leap_label: what a leap is called among relations; leap_words: what the sentence says of it.
    """
    steps = [_step(graph, concepts[0], "", "", False)]
    text = supported = ""
    leapt = False
    for before, concept, edge in zip(concepts, concepts[1:], edges, strict=False):
        if edge is None:
            steps.append(_step(graph, concept, leap_label, "", True))
            start = f"{text}; from there" if text else f"from {graph.concepts[before].name}"
            group = GROUP_NAMES[GROUPS[int(graph.groups[concept])]].lower()
            text = f"{start} the search leaps to {graph.concepts[concept].name} ({group}; {leap_words})"
            leapt = True
        else:
            steps.append(_step(graph, concept, edge.relation, edge.qualifier, False))
            text = f"{text}, which {predicate(graph, edge)}" if text else clause(graph, edge)
            supported = supported if leapt else text
    return VerbalisedPath(tuple(steps), sentence(text), sentence(supported))


def chain(graph: Graph, edges: Sequence[Edge]) -> str:
    """Edges that follow one another as one sentence; each starts where the one before it ended."""
    first, *others = edges
    return sentence(", which ".join([clause(graph, first), *(predicate(graph, edge) for edge in others)]))


def sentence(text: str) -> str:
    """With a capital and a full stop; empty for nothing."""
    return f"{capital(text)}." if text else ""


def _step(graph: Graph, concept: int, relation: str, qualifier: str, leap: bool) -> Step:
    row = graph.concepts[concept]
    return Step(
        relation=relation,
        concept_id=row.concept_id,
        name=row.name,
        group=GROUPS[int(graph.groups[concept])],
        leap=leap,
        qualifier=qualifier,
    )
