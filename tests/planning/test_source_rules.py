"""The plan by rules: at most three queries a source, none where a document needs nothing from a source."""

import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.interfaces import NoteContext
from backend.nlp.extraction.linker import DictionaryLinker
from backend.planning.source_plan import MOST_QUERIES, PlannerParts, SourceChoice
from backend.planning.source_rules import REASON, plan_by_rules, rule_queries
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import ConditionStatus, Document, Source
from backend.stores.graph.graph import Graph
from tests.planning.conftest import NOTE


@pytest.fixture
def context(tiny_graph: Graph, tiny_linker: DictionaryLinker) -> NoteContext:
    request = DraftRequest(text=NOTE, document=Document.DISCHARGE_INSTRUCTIONS)
    linked = tiny_linker.link(NOTE)
    return NoteContext(linked, GraphConditionRanker(tiny_graph, {}).rank(linked, request), (), request)


@pytest.mark.parametrize("document", list(Document))
def test_only_what_the_document_needs_is_asked_three_times_at_most(context: NoteContext, document: Document) -> None:
    request = context.request.model_copy(update={"document": document, "question": "What helps?"})
    found = rule_queries(context._replace(request=request))
    unused = {Document.DISCHARGE_INSTRUCTIONS: {Source.RESEARCH}, Document.PROGRESS_NOTE: {Source.WIKI}}.get(
        document, set()
    )
    assert set(found) == set(Source) - unused
    assert all(text.strip() for texts in found.values() for text in texts)


def test_each_source_is_asked_in_its_own_words(context: NoteContext) -> None:
    found = rule_queries(context)
    assert found[Source.BOOK][0] == "heart failure: warning signs"
    assert found[Source.GUIDELINE][0] == "warning signs of heart failure, recommendations"
    assert found[Source.WIKI][0] == "heart failure"
    assert Source.RESEARCH not in found  # instructions for a patient rest on settled knowledge


def test_a_condition_that_was_ruled_out_is_not_asked_about(context: NoteContext) -> None:
    out = [c.model_copy(update={"status": ConditionStatus.RULED_OUT}) for c in context.conditions]
    asked = " ".join(rule_queries(context._replace(conditions=tuple(out)))[Source.BOOK])
    assert "heart failure" not in asked and "leg swelling" in asked


def test_a_stand_in_says_whose_place_it_takes_and_plans_within_the_sources(context: NoteContext) -> None:
    parts = PlannerParts("spo", frozenset({Source.BOOK}), None, SourceChoice())
    planned = plan_by_rules(parts, context, "no model", ["earlier"])
    assert planned.fallbacks == ("earlier", "plan: no model, so spo runs as rules")
    asked = [query for query in planned.plan.sub_queries if not query.skipped]
    assert {query.source for query in asked} == {Source.BOOK}
    assert 0 < len(asked) <= MOST_QUERIES
    assert REASON in planned.reason
