"""The planners that do not plan: the question itself, or a passage that would answer it."""

from backend.schemas.vocabulary import Document, Source
from tests.planning.conftest import PlanBy

QUESTION = "Which diet helps in heart failure?"
TEXTS = (Source.BOOK, Source.GUIDELINE, Source.RESEARCH, Source.WIKI)


def test_every_text_source_is_asked_the_question_and_the_graph_its_terms(plan_by: PlanBy) -> None:
    planned = plan_by("original-question", text="", question=QUESTION, document=Document.CLINICAL_ANSWER)
    assert {tuple(planned.asked(source)) for source in TEXTS} == {(QUESTION,)}
    assert planned.asked(Source.GRAPH) == ["heart failure"]
    assert "so the dictionary linker named them" in " ".join(planned.fallbacks)


def test_without_a_question_the_note_is_the_query(plan_by: PlanBy) -> None:
    (asked,) = plan_by("original-question").asked(Source.BOOK)
    assert "leg swelling and dyspnea" in asked


def test_what_is_denied_is_no_term(plan_by: PlanBy) -> None:
    assert plan_by("original-question").asked(Source.GRAPH) == ["leg swelling", "dyspnea"]


def test_a_passage_needs_a_model_and_without_one_the_rules_plan(plan_by: PlanBy) -> None:
    planned = plan_by("query2doc")
    assert any("so query2doc runs as rules" in text for text in planned.fallbacks)
    assert planned.asked(Source.BOOK)


def test_an_empty_source_is_skipped_with_the_reason(plan_by: PlanBy) -> None:
    planned = plan_by("original-question", filled=(Source.BOOK,))
    assert planned.asked(Source.WIKI) == [] and planned.skipped(Source.WIKI)
