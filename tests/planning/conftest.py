"""A linked note, its conditions, and what a planner is asked."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.interfaces import LanguageModel, NoteContext
from backend.nlp.extraction.linker import DictionaryLinker
from backend.planning.source_plan import PlannerParts, SourceChoice, make_planner
from backend.prompts.template import Fence
from backend.schemas.drafts.evidence import Plan, SubQuery
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, Source
from backend.stores.graph.graph import Graph

NOTE = "Chief Complaint: leg swelling and dyspnea\n\nHPI: A 60-year-old woman. She denies fever.\n"
FENCE = "0123456789abcdef"


class Planned(NamedTuple):
    plan: Plan
    reason: str
    fallbacks: tuple[str, ...]
    searched: list[list[str]]

    def asked(self, source: Source) -> list[str]:
        return [query.text for query in self.plan.sub_queries if query.source == source and not query.skipped]

    def skipped(self, source: Source) -> str:
        return next((q.skipped for q in self.plan.sub_queries if q.source == source), "")


PlanBy = Callable[..., Planned]


@pytest.fixture
def plan_by(tiny_graph: Graph, tiny_linker: DictionaryLinker) -> PlanBy:
    """Plan by name, for a note or a question; a search finds one document a query."""

    def run(
        name: str,
        model: LanguageModel | None = None,
        *,
        text: str = NOTE,
        filled: Sequence[Source] = tuple(Source),
        choice: SourceChoice | None = None,
        trained: bool = False,
        found: Callable[[SubQuery], str] | None = None,
        **fields: Any,
    ) -> Planned:
        request = DraftRequest(text=text, **({"document": Document.DISCHARGE_INSTRUCTIONS} | fields))
        linked = tiny_linker.link(request.text or request.question)
        conditions = GraphConditionRanker(tiny_graph, {}).rank(linked, request)
        parts = PlannerParts(
            name, frozenset(filled), model, choice or SourceChoice(), name if trained else "", lambda: Fence(FENCE)
        )
        searched: list[list[str]] = []

        def find_texts(sub_queries: Sequence[SubQuery]) -> Sequence[Sequence[str]]:
            searched.append([query.text for query in sub_queries])
            return [[found(query) if found else f"document about {query.text}"] for query in sub_queries]

        planned = make_planner(parts).plan(NoteContext(linked, conditions, (), request), find_texts)
        return Planned(*planned, searched)

    return run
