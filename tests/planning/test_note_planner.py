"""The rule planner: what is asked of each source, and which source holds nothing."""

from collections.abc import Callable

import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.interfaces import NoteContext
from backend.nlp.extraction.linker import DictionaryLinker
from backend.planning.note_planner import PARTS, RuleNotePlanner
from backend.schemas.drafts.evidence import Plan
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, Source
from backend.stores.graph.graph import Graph

Planned = Callable[..., Plan]
NOTE = "Chief Complaint: leg swelling\n\nHPI: She denies fever. Her mother had a rash.\n"


@pytest.fixture
def planned(tiny_graph: Graph, tiny_linker: DictionaryLinker) -> Planned:
    def make(note: str, document: Document = Document.DISCHARGE_INSTRUCTIONS, question: str = "") -> Plan:
        request = DraftRequest(text=note, document=document, question=question)
        found = tiny_linker.link(note)
        conditions = GraphConditionRanker(tiny_graph, {}).rank(found, request)
        return RuleNotePlanner([Source.BOOK]).plan(NoteContext(found, conditions, (), request))

    return make


def asked(plan: Plan, source: Source = Source.BOOK) -> list[str]:
    return [query.text for query in plan.sub_queries if query.source == source and not query.skipped]


def test_all_five_sources_are_named_and_empty_ones_skipped_with_the_reason(planned: Planned) -> None:
    plan = planned(NOTE)
    assert {query.source for query in plan.sub_queries} == set(Source)
    skipped = {query.source: query.skipped for query in plan.sub_queries if query.skipped}
    assert set(skipped) == {Source.GUIDELINE, Source.RESEARCH, Source.WIKI}
    assert "'guideline'" in skipped[Source.GUIDELINE]


@pytest.mark.parametrize("document", list(Document))
def test_every_part_of_the_document_is_asked_for_the_leading_condition(planned: Planned, document: Document) -> None:
    found = asked(planned(NOTE, document))
    assert {f"heart failure: {part}" for part in PARTS[document]} <= set(found)
    assert asked(planned(NOTE), Source.GRAPH) == ["heart failure"]


def test_only_present_findings_are_asked_for(planned: Planned) -> None:
    together = asked(planned(NOTE))[-1]
    assert together == "leg swelling"


def test_a_question_is_asked_as_it_is_and_for_the_part_it_names_alone(planned: Planned) -> None:
    found = asked(planned(NOTE, Document.CLINICAL_ANSWER, "Which diet helps?"))
    assert "Which diet helps?" in found
    assert len(set(found)) == len(found)
    assert [text for text in found if text.startswith("heart failure: ")] == ["heart failure: Diet"]


def test_listed_allergies_ask_how_to_tell_of_them(planned: Planned) -> None:
    assert any("allergy" in text for text in asked(planned(f"Allergies: lisinopril\n\n{NOTE}")))
    assert not any("allergy" in text for text in asked(planned(NOTE)))
