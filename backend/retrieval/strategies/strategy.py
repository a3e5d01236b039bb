"""Gathering: thought, plan, passages and graph facts as one step, since some systems loop them.

Protocols of this package, for whoever wires a system: `Gatherer` here; `SourceSearch` and `Searchable` in
source_search.py; `SourcePlanner` below, which planning's planners fit. `Gathering` is what a pipeline turns into the
stages `thought`, `plan` and `passages`. A gatherer holds no state between requests.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from backend.schemas.drafts.evidence import Condition, GraphItem, Passage, Plan, ReasoningPath, Reference, SubQuery
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source

TEXT_SOURCES = tuple(source for source in Source if source != Source.GRAPH)
Progress = Callable[[int, int, str], None]


class Gathering(NamedTuple):
    """Everything retrieved for a request beside paths and patient notes.

    passages have ids P1…, graph items G1…. Each reason says what was found and how, or why nothing was. fallbacks: what
    ran otherwise than the system's name promises, and why; the page shows them.
    """

    thoughts: tuple[str, ...]
    plan: Plan
    passages: tuple[Passage, ...]
    graph: tuple[GraphItem, ...]
    references: tuple[Reference, ...]
    thought_reason: str
    plan_reason: str
    passages_reason: str
    fallbacks: tuple[str, ...] = ()


class Strategy(Protocol):
    def gather(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        progress: Progress = ...,
    ) -> Gathering:
        """progress(done, total, what) is called between rounds, and may raise to stop."""
        ...


class SourcePlanner(Protocol):
    """A planner of sources. look: runs sub-queries and gives the texts found, for planners that reflect."""

    name: str

    def plan(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        paths: Sequence[ReasoningPath],
        request: DraftRequest,
        look: Callable[[Sequence[SubQuery]], Sequence[str]],
    ) -> tuple[Plan, str, tuple[str, ...]]:
        """The plan, who made it and how, and what fell back and why."""
        ...


def silent(done: int, total: int, what: str) -> None:
    """Progress that nobody watches."""


def passage_key(passage: Passage) -> tuple[Source, str, int, int]:
    """What makes two finds one passage."""
    return (passage.source, passage.document_id, passage.start_char, passage.end_char)


def numbered(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The passages once each, in order, as P1, P2…; of one found twice, the first find's scores stay."""
    distinct: dict[tuple[Source, str, int, int], Passage] = {}
    for passage in passages:
        distinct.setdefault(passage_key(passage), passage)
    return tuple(p.model_copy(update={"id": f"P{i}"}) for i, p in enumerate(distinct.values(), start=1))


def references(passages: Sequence[Passage]) -> tuple[Reference, ...]:
    """One entry a source document, in the order of its best passage, with the passages taken from it."""
    documents: dict[tuple[Source, str], list[Passage]] = {}
    for passage in passages:
        documents.setdefault((passage.source, passage.document_id), []).append(passage)
    return tuple(
        Reference(
            number=number,
            title=found[0].title,
            source=source,
            url=found[0].url,
            licence=found[0].licence,
            evidence=tuple(passage.id for passage in found),
        )
        for number, ((source, _), found) in enumerate(documents.items(), start=1)
    )


def counted(number: int, noun: str) -> str:
    """`1 passage`, `3 passages`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
