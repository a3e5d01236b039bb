"""What one planned query finds, by the same search that a plan is carried out with."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from backend.interfaces import FindTexts, NoteContext, Planned
from backend.retrieval.strategies.source_plan_search import PlanSettings, SourcePlanStrategy
from backend.schemas.drafts.evidence import Plan, SubQuery
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Source

if TYPE_CHECKING:
    from backend.interfaces import Linker, Reranker
    from backend.retrieval.passages.source_search import SourceSearch
    from backend.retrieval.strategies.graph_lookup import GraphLookup


class QuerySearch(Protocol):
    """What finds the documents of one planned query."""

    def filled(self) -> frozenset[Source]:
        """The sources that hold something."""
        ...

    def documents(self, source: Source, query: str) -> Sequence[str]:
        """The texts that a query finds in a source, best first."""
        ...


class PlanSearch:
    """Dense top 20 reranked to 10, and the graph, as the system spo runs them (Omni-RAG section 5.1.2)."""

    def __init__(
        self,
        search: "SourceSearch",
        linker: "Linker",
        reranker: "Reranker | None" = None,
        graph: "GraphLookup | None" = None,
        settings: PlanSettings | None = None,
    ) -> None:
        self._search = search
        self._nothing = linker.link("")
        self._reranker = reranker
        self._graph = graph
        self._settings = settings or PlanSettings()

    def filled(self) -> frozenset[Source]:
        """The sources that hold something, the graph where its relations can be ordered."""
        return self._search.filled() | ({Source.GRAPH} if self._graph is not None else set())

    def documents(self, source: Source, query: str) -> Sequence[str]:
        """The texts that a plan of this query alone finds, best first."""
        planner = _OneQuery(SubQuery(source=source, text=query))
        strategy = SourcePlanStrategy(planner, self._search, self._reranker, self._graph, self._settings)
        found = strategy.retrieve(NoteContext(self._nothing, (), (), DraftRequest(question=query)))
        return [*(f"{p.title}. {p.text}" for p in found.passages), *(item.text for item in found.graph)]


class _OneQuery:
    name = "one-query"

    def __init__(self, query: SubQuery) -> None:
        self._query = query

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        return Planned(Plan(sub_queries=(self._query,)), self.name)
