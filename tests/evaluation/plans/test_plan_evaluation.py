"""Figures of plans by hand; a judge, or none; the judge's prompt driven by a scripted model."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from backend.errors import EngineError, InputError
from backend.evaluation.answers.question_sets import AnswerKind, Question
from backend.evaluation.plans.plan_evaluation import Judge, Planned, plan_numbers, run_plans
from backend.evaluation.plans.plans_run import ModelJudge
from backend.evaluation.reports.cell_figures import CellFigures, CellSettings
from backend.schemas.drafts.evidence import Plan, SubQuery
from backend.schemas.vocabulary import Source
from models.llm.engine_scripted import Scripted

QUESTIONS = [Question(str(i), "Why?", "x", AnswerKind.LONG) for i in range(2)]
PLAN = Plan(
    sub_queries=(
        SubQuery(source=Source.BOOK, text="gout diet"),
        SubQuery(source=Source.BOOK, text="gout"),
        SubQuery(source=Source.GRAPH, text="uric acid in gout"),
        SubQuery(source=Source.WIKI, text="", skipped="nothing there"),
    )
)


def encode(texts: Sequence[str]) -> np.ndarray:
    """Texts of one word lie at a right angle to the others."""
    return np.array([[1.0, 0.0] if " " in text else [0.0, 1.0] for text in texts], dtype=np.float32)


FOUND = {Source.BOOK: ["one", "two", "three"], Source.GRAPH: ["four"], Source.WIKI: []}


class Fixed:
    def __init__(
        self,
        name: str,
        plan: Plan,
        fails: bool = False,
        error: Exception | None = None,
        use: dict[str, object] | None = None,
    ) -> None:
        self.name, self._plan, self._fails, self._use = name, plan, fails, use
        self._error = error or EngineError("gone")

    def plan(self, question: Question, seed: int) -> Planned:
        if self._fails and question is QUESTIONS[1]:
            raise self._error
        return Planned(self._plan, FOUND, self._use)


def run(folder: Path, judge: Judge | None, *makers: Fixed, baseline: str = "") -> CellFigures:
    settings = CellSettings(baseline, 50)
    return run_plans(QUESTIONS, makers, encode, judge, settings, folder / "rows", "key")[0]


def test_a_plans_numbers_leave_skipped_queries_out() -> None:
    row = plan_numbers(PLAN, encode)
    assert (row["queries"], row["queries book"], row["queries wiki"]) == (3.0, 2.0, 0.0)
    # book: 2 and 1 words; graph: 4; the mean of the sources' means is (1.5 + 4) / 2
    assert (row["words book"], row["words graph"], row["words wiki"], row["words"]) == (1.5, 4.0, None, 2.75)
    assert row["diversity book"] == pytest.approx(1.0)
    assert row["diversity graph"] is None


def test_cells_are_compared_and_failures_told(tmp_path: Path) -> None:
    found = run(tmp_path, None, Fixed("a", PLAN), Fixed("b", Plan(), fails=True), baseline="b")
    by = {(one.system, one.measure): one for one in found.figures}
    assert (by["a", "queries"].value, by["b", "queries"].value) == (3.0, 0.0)
    assert (by["b", "queries"].n, by["a", "found"].value) == (1, 4.0)
    (gap,) = [one for one in found.differences if one.measure == "queries"]
    assert (gap.system, gap.value, gap.n) == ("a", 3.0, 1)
    assert ("b", "1 of 2 failed (1 EngineError); they are left out") in {
        (n.name, n.reason) for n in found.not_available
    }


def test_without_a_judge_support_is_not_scored(tmp_path: Path) -> None:
    found = run(tmp_path, None, Fixed("a", PLAN))
    assert not any(one.measure in ("judged", "supported") for one in found.figures)
    assert [one.name for one in found.not_available] == ["judged, supported"]


class Verdicts:
    """A judge by rule: 5 for the first question, 3 for the second; the graph supports the first answer, nothing the second."""

    def score(self, question: Question, made: Planned) -> int:
        return 5 if question is QUESTIONS[0] else 3

    def supports(self, question: Question, documents: Sequence[str]) -> bool:
        return question is QUESTIONS[0] and list(documents) == ["four"]


def test_a_judge_scores_what_was_found_and_asks_of_the_known_answer(tmp_path: Path) -> None:
    found = run(tmp_path, Verdicts(), Fixed("a", PLAN))
    by = {one.measure: one.value for one in found.figures}
    assert (by["judged"], by["supported"]) == (4.0, 0.5)
    assert (by["supported book"], by["supported graph"], by["supported wiki"]) == (0.0, 0.5, 0.0)
    assert found.not_available == ()


def test_the_judge_sees_documents_under_their_source_and_a_refusal_is_no_score() -> None:
    model = Scripted('{"score": 4, "advice": "more"}')
    assert ModelJudge(model, 0, (Source.BOOK, Source.GRAPH)).score(QUESTIONS[0], Planned(PLAN, FOUND)) == 4
    asked = "\n".join(message.content for message in model.calls[0])
    assert "book\n(1) one" in asked and "graph\n(1) four" in asked
    assert "- book:" in asked and "- wiki:" not in asked  # only the sources that hold something
    assert ModelJudge(Scripted("nonsense", "nonsense"), 0, ()).score(QUESTIONS[0], Planned(PLAN, FOUND)) is None


def test_support_is_asked_against_the_known_answer_over_the_better_half() -> None:
    model = Scripted('{"reason": "", "supports": true}')
    assert ModelJudge(model, 0, ()).supports(QUESTIONS[0], FOUND[Source.BOOK]) is True
    asked = "\n".join(message.content for message in model.calls[0])
    assert "(2) two" in asked and "three" not in asked


def test_costs_and_fallbacks_of_plans_are_told_and_equal_plans_are_not_compared(tmp_path: Path) -> None:
    same = {"text": "1", "fallbacks": ["plan: rules"], "model_calls": 2, "tokens_read": 5, "retrieval_s": 0.5}
    found = run(
        tmp_path, None, Fixed("a", PLAN, use=same), Fixed("b", PLAN, use=same | {"model_calls": 3}), baseline="b"
    )
    by = {(one.system, one.measure): one.value for one in found.figures}
    assert (by["a", "model_calls"], by["b", "model_calls"], by["a", "tokens_read"]) == (2.0, 3.0, 5.0)
    gaps = {one.measure: (one.value, one.reason) for one in found.differences}
    assert gaps["model_calls"][0] == -1.0  # what it costs is compared, what it gives is the same
    assert gaps["queries"] == (None, "the same texts: nothing to compare")
    assert any("a, b wrote the same" in caption for caption in found.captions)
    assert any(caption.startswith("a: plan: rules (in 2 of 2") for caption in found.captions)


def test_cells_must_have_names_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="given once"):
        run(tmp_path, None, Fixed("a", PLAN), Fixed("a", PLAN))
    with pytest.raises(InputError, match="no cell"):
        run(tmp_path, None, Fixed("a", PLAN), baseline="c")


def test_a_defect_on_one_question_is_left_out_and_told_with_its_stage(tmp_path: Path) -> None:
    class Broken(Verdicts):
        def score(self, question: Question, made: Planned) -> int:
            raise KeyError(question.text)

    found = run(tmp_path / "a", None, Fixed("a", PLAN, fails=True, error=IndexError("a place")))
    (queries,) = [one for one in found.figures if one.measure == "queries"]
    assert (queries.value, queries.n) == (3.0, 1)
    assert "1 of 2 failed (1 plan, IndexError); they are left out" in {n.reason for n in found.not_available}
    judged = run(tmp_path / "b", Broken(), Fixed("a", PLAN))
    assert "2 of 2 failed (2 score, KeyError); they are left out" in {n.reason for n in judged.not_available}
