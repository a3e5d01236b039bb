"""What every strategy is built from, and the strategy of a system that retrieves no text."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from backend.interfaces import (
    Encoder,
    LanguageModel,
    Linker,
    NoteContext,
    NotePlanner,
    Reranker,
    SourcePlanner,
)
from backend.prompts.template import NewFence, fresh_fence
from backend.registry import STRATEGIES, strategy
from backend.retrieval.passages.source_search import SourceSearch
from backend.retrieval.strategies.graph_lookup import GraphLookup
from backend.retrieval.strategies.strategy import Progress, RetrievedEvidence, Strategy, retrieved, silent
from backend.schemas.drafts.evidence import Plan
from backend.schemas.vocabulary import Source
from backend.settings import Settings
from backend.stores.graph.graph import Graph
from backend.systems import NO_TEXT, System

if TYPE_CHECKING:
    from backend.retrieval.entities.entity_search import EntitySearch


class StrategyParts(NamedTuple):
    """What every strategy is built from; a registered strategy is called with it alone. What is heavy comes when called.

    Attributes:
        system: the row of the system that is built; one implementation may serve several.
        settings: the program's settings.
        sources: those that the request allows, filled or not.
        search: the text sources.
        graph: the knowledge graph.
        graph_name: names it as a reference.
        linker: reads a text; it remembers what it has read.
        encoder: texts to vectors.
        note_planner: leapnote's own plan, by rule.
        planner: the source planner of a registered name, over these sources.
        planner_model: who thinks and plans; None without a model.
        extractor_model: who names entities; None without a model.
        reranker: the cross-encoder that is set; None for rank fusion.
        graph_lookup: the graph as a source, its relations ordered by a reranker or by rank fusion; None where a graph from
            outside has no vectors yet.
        entities: the entity index over graph, book and wiki.
        new_fence: gives the fence of a request's prompts.
    """

    system: System
    settings: Settings
    sources: tuple[Source, ...]
    search: SourceSearch
    graph: Graph
    graph_name: str
    linker: Linker
    encoder: Encoder
    note_planner: NotePlanner
    planner: Callable[[str], SourcePlanner]
    planner_model: LanguageModel | None
    extractor_model: LanguageModel | None
    reranker: Callable[[], Reranker | None]
    graph_lookup: Callable[[Reranker | None], GraphLookup | None]
    entities: "Callable[[], EntitySearch]"
    new_fence: NewFence = fresh_fence


StrategyFactory = Callable[[StrategyParts], Strategy]
"""What `@strategy` registers: a class or function that builds a strategy from its parts."""


def make_strategy(parts: StrategyParts) -> Strategy:
    """The strategy of a system; one that is not registered is a NotFoundError that lists those there are."""
    build: StrategyFactory = STRATEGIES.get(parts.system.strategy).value
    return build(parts)


class NoTextStrategy:
    """Retrieves nothing: the system has no use for texts.

    Args:
        system: its name, for the reasons.
    """

    def __init__(self, system: str) -> None:
        self._reason = f"left out by the system {system}"

    def retrieve(self, context: NoteContext, progress: Progress = silent) -> RetrievedEvidence:
        """No evidence, and that the system leaves it out."""
        progress(0, 1, "no source is searched")
        return retrieved(Plan(), (), reasons=(self._reason,) * 3)


@strategy(NO_TEXT, label="No text")
def no_text(parts: StrategyParts) -> NoTextStrategy:
    """The note alone, or with reasoning paths and patient notes."""
    return NoTextStrategy(parts.system.name)
