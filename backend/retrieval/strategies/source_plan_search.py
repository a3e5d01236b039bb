"""SPO and its baselines: a plan for five sources, run as published: dense top 20 reranked to 10, and the graph.

The planner decides everything but the searching. Without a cross-encoder the reranker is the ranks of BM25 among the
found and of the search itself, summed: the search knows each passage's cosine, so nothing is encoded again. Passages
come in turn: each query's first, then each one's second; so do graph items. A source the plan leaves empty is not
searched.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from backend.interfaces import NoteContext, Reranker, SourcePlanner
from backend.prompts.evidence_prompts import graph_query
from backend.registry import strategy
from backend.retrieval.passages.fusion import interleaved, rank_fused
from backend.retrieval.passages.passage_rows import numbered, passage_key
from backend.retrieval.passages.source_search import SearchMode, SourceSearch
from backend.retrieval.strategies.graph_lookup import EMBEDDED, GraphLookup, LookedUp, numbered_items
from backend.retrieval.strategies.strategy import Progress, RetrievedEvidence, counted, retrieved, silent
from backend.retrieval.strategies.strategy_parts import StrategyParts
from backend.schemas.drafts.evidence import GraphItem, Passage, Plan, SubQuery
from backend.schemas.vocabulary import Source
from backend.stores.passages.bm25 import Bm25Index
from backend.systems import SOURCE_PLAN

WITHHELD = "Planned, and left out afterwards: a source ablation."
SCORED = {SearchMode.LEXICAL: "bm25", SearchMode.DENSE: "cosine", SearchMode.HYBRID: "fused"}
NO_GRAPH = LookedUp((), "No graph is loaded.")


@dataclass(frozen=True)
class PlanSettings:
    """How a plan is carried out.

    Attributes:
        found: passages a query brings by the search.
        kept: what the reranker leaves of them.
        most: passages of a draft; None keeps all, as published: up to 120 of 12 queries.
        mode: how a text source is searched.
        withheld: a source whose documents are left out after the planning, which knows nothing of it (Omni-RAG Table 6).
    """

    found: int = 20
    kept: int = 10
    most: int | None = None
    mode: SearchMode = SearchMode.DENSE
    withheld: Source | None = None


class SourcePlanStrategy:
    """A plan for five sources, carried out.

    Args:
        planner: what plans.
        search: the text sources.
        reranker: orders what a query found; None for rank fusion.
        graph: the graph as a source; None where none is searched, which the planner must know.
        settings: how the plan is carried out.
    """

    def __init__(
        self,
        planner: SourcePlanner,
        search: SourceSearch,
        reranker: Reranker | None,
        graph: GraphLookup | None,
        settings: PlanSettings = PlanSettings(),
    ) -> None:
        self._planner = planner
        self._search = search
        self._reranker = reranker
        self._graph = graph
        self._settings = settings

    def retrieve(self, context: NoteContext, progress: Progress = silent) -> RetrievedEvidence:
        """What the planner's queries find."""
        run = _Run(self._search, self._reranker, self._graph, self._settings, progress)
        progress(0, 1, "plan")
        planned = self._planner.plan(context, run.find_texts)
        plan = Plan(sub_queries=tuple(map(self._without_withheld, planned.plan.sub_queries)))
        run.find(plan.sub_queries)
        passages = numbered(run.passages(plan.sub_queries))[: self._settings.most]
        items = numbered_items(run.items(plan.sub_queries))
        queries = tuple(
            query.model_copy(update={"skipped": run.missing(query)}) if not query.skipped else query
            for query in plan.sub_queries
        )
        embedded = (
            EMBEDDED if self._settings.mode == SearchMode.DENSE else f"rank fusion of BM25 and {self._settings.mode}"
        )
        ranked = f"reranked by {self._reranker.name if self._reranker else embedded}"
        if self._graph is not None and items:
            ranked += f"; relations by {self._graph.ranked_by}"
        found = f"{counted(len(passages), 'passage')}, {counted(len(items), 'graph item')}"
        searched = any(not query.skipped for query in queries)
        return retrieved(
            Plan(sub_queries=queries),
            passages,
            reasons=(
                "left out: this system plans by source",
                planned.reason,
                f"{found}, {ranked}" if searched else "no source was searched: see the plan",
            ),
            graph=items,
            fallbacks=planned.fallbacks,
        )

    def _without_withheld(self, query: SubQuery) -> SubQuery:
        """The query, or what says that it is not carried out."""
        if query.skipped or query.source != self._settings.withheld:
            return query
        return query.model_copy(update={"skipped": WITHHELD})


@strategy(SOURCE_PLAN, label="A plan for five sources")
def source_plan_strategy(parts: StrategyParts) -> SourcePlanStrategy:
    """The planner of the system's name, its plan carried out as Omni-RAG does."""
    chosen, reranker = parts.settings, parts.reranker()
    settings = PlanSettings(
        chosen.spo_found, chosen.spo_kept, withheld=Source(chosen.spo_withheld) if chosen.spo_withheld else None
    )
    return SourcePlanStrategy(
        parts.planner(parts.system.name), parts.search, reranker, parts.graph_lookup(reranker), settings
    )


class _Run:
    """One request's searches; each sub-query is run once, for a planner or for the plan that is carried out."""

    def __init__(
        self,
        search: SourceSearch,
        reranker: Reranker | None,
        graph: GraphLookup | None,
        settings: PlanSettings,
        progress: Progress,
    ) -> None:
        self._search = search
        self._reranker = reranker
        self._graph = graph
        self._settings = settings
        self._progress = progress
        self._passages: dict[tuple[Source, str], list[Passage]] = {}
        self._items: dict[tuple[Source, str], LookedUp] = {}

    def find_texts(self, sub_queries: Sequence[SubQuery]) -> Sequence[Sequence[str]]:
        """For each sub-query the texts found, best first; none for one that is not asked."""
        self.find(sub_queries)
        return [
            [*(f"{p.title}. {p.text}" for p in self.passages((one,))), *(item.text for item in self.items((one,)))]
            for one in sub_queries
        ]

    def find(self, sub_queries: Sequence[SubQuery]) -> None:
        fresh = [q for q in sub_queries if not q.skipped and (q.source, q.text) not in self._passages | self._items]
        by_source: dict[Source, list[str]] = {}
        for query in fresh:
            by_source.setdefault(query.source, []).append(query.text)
        for done, (source, texts) in enumerate(by_source.items()):
            self._progress(done, len(by_source), f"searching {source.value}")
            if source == Source.GRAPH:
                for text in texts:
                    self._items[(source, text)] = self._graph.look_up(*graph_query(text)) if self._graph else NO_GRAPH
            else:
                found = self._search.search(source, texts, self._settings.mode, self._settings.found)
                for text, passages in zip(texts, found, strict=True):
                    self._passages[(source, text)] = self._reranked(text, passages)

    def passages(self, sub_queries: Sequence[SubQuery]) -> list[Passage]:
        """In turn over the queries, each passage once, at its first find."""
        lists = [self._passages.get((query.source, query.text), []) for query in sub_queries if not query.skipped]
        by_key = {passage_key(p): p for found in reversed(lists) for p in reversed(found)}
        return [by_key[key] for key in interleaved([[passage_key(p) for p in found] for found in lists])]

    def items(self, sub_queries: Sequence[SubQuery]) -> list[GraphItem]:
        asked = [(q.source, q.text) for q in sub_queries if not q.skipped]
        lists = [self._items[key].items for key in asked if key in self._items]
        by_text = {(i.concept_id, i.text): i for found in reversed(lists) for i in found}
        return [by_text[key] for key in interleaved([[(i.concept_id, i.text) for i in found] for found in lists])]

    def missing(self, query: SubQuery) -> str:
        """Why a graph query found nothing; empty for all others."""
        found = self._items.get((query.source, query.text))
        return found.missing if found else ""

    def _reranked(self, query: str, passages: Sequence[Passage]) -> list[Passage]:
        """The kept best by the reranker, with its score beside the search's: comparable within one query only."""
        if not passages:
            return []
        texts = [f"{p.title}. {p.text}" for p in passages]
        if self._reranker is not None:
            scores = self._reranker.scores(query, texts)
        else:
            own = np.array([p.scores[SCORED[self._settings.mode]] for p in passages], dtype=np.float32)
            scores = rank_fused(Bm25Index(texts).scores(query), own)
        order = np.lexsort((np.arange(len(passages)), -scores))[: self._settings.kept]
        return [
            passages[i].model_copy(update={"scores": passages[i].scores | {"rerank": round(float(scores[i]), 4)}})
            for i in order.tolist()
        ]
