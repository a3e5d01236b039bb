"""Tells a reasoning path as one plain sentence, edge by edge; a leap is said to be one."""

from collections.abc import Sequence
from typing import NamedTuple

from backend.retrieval.graph_facts import capital, clause
from backend.schemas.evidence import Step
from backend.schemas.vocabulary import GROUP_NAMES
from backend.stores.graph import GROUPS, Edge, Graph


class Told(NamedTuple):
    """steps of the path; text of all of it; carried: the sentence of the edges before the first leap, or empty."""

    steps: tuple[Step, ...]
    text: str
    carried: str


def tell_path(
    graph: Graph, concepts: Sequence[int], edges: Sequence[Edge | None], leap_label: str, leap_words: str
) -> Told:
    """concepts: the path; edges: what joins each to the one before it, None for a leap; one shorter than concepts.

    leap_label: what a leap is called among relations; leap_words: what the sentence says of it.
    """
    steps = [_step(graph, concepts[0], "", "", False)]
    parts: list[str] = []
    carried: list[str] = []
    for before, concept, edge in zip(concepts, concepts[1:], edges, strict=False):
        if edge is None:
            steps.append(_step(graph, concept, leap_label, "", True))
            start = f"from {graph.concepts[before].name} " if not parts else ""
            group = GROUP_NAMES[GROUPS[int(graph.groups[concept])]].lower()
            parts.append(f"{start}a leap to {graph.concepts[concept].name} ({group}; {leap_words})")
        else:
            steps.append(_step(graph, concept, edge.relation, edge.qualifier, False))
            parts.append(clause(graph, edge))
            if len(carried) == len(parts) - 1:
                carried.append(parts[-1])
    return Told(tuple(steps), _sentence(parts), _sentence(carried))


def _sentence(parts: Sequence[str]) -> str:
    return f"{capital(', then '.join(parts))}." if parts else ""


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
