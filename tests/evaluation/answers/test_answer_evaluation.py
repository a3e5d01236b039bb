"""Answers matched, counted and compared, with values derived by hand; runs that go on; cells built from a container."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.errors import EngineError, InputError
from backend.evaluation.answers.answer_evaluation import Answered, AnswersSettings, run_answers
from backend.evaluation.answers.answer_match import chance_accuracies, chosen, is_right, long_scores
from backend.evaluation.answers.answers_figures import AnswersFound
from backend.evaluation.answers.question_sets import AnswerKind, Question, choice

YES_NO = Question("1", "Does it?", "yes", AnswerKind.CHOICE, ("yes", "no"))
WHICH = Question("2", "Which?", "A tumour", AnswerKind.CHOICE, ("A tumour", "An infection"))
LABEL = Question("3", "What is it?", "heart failure", AnswerKind.LABEL, labels=("gout", "heart failure", "failure"))
LONG = Question("4", "Tell.", "rest the joint", AnswerKind.LONG)


class Words:
    """An encoder that gives each text one of two directions."""

    name, dimension = "words", 2

    def encode(self, texts: Any) -> np.ndarray:
        return np.array([[1.0, 0.0] if "rest" in text else [0.0, 1.0] for text in texts], dtype=np.float32)

    def encode_queries(self, texts: Any) -> np.ndarray:
        return self.encode(texts)


class ScriptedCell:
    """Answers as it is told; raises where it is told an error."""

    def __init__(self, name: str, given: Callable[[Question, int], Answered]) -> None:
        self.name = name
        self.asked: list[tuple[str, int]] = []
        self._given = given

    def answer(self, question: Question, seed: int) -> Answered:
        self.asked.append((question.question_id, seed))
        return self._given(question, seed)


def run(folder: Path, sets: dict[str, list[Question]], *cells: ScriptedCell, **settings: Any) -> AnswersFound:
    return run_answers(sets, cells, Words(), AnswersSettings(resamples=50, **settings), folder / "rows", "key")


def value(found: AnswersFound, system: str, measure: str) -> float | None:
    (figure,) = [one for one in found.figures if (one.system, one.measure) == (system, measure)]
    return figure.value


@pytest.mark.parametrize(
    ("question", "answer", "text", "place"),
    [
        (YES_NO, "Yes.", "", 0),
        (YES_NO, "B", "", 1),
        (YES_NO, "(b)", "", 1),
        (YES_NO, "", "yes, surely", None),
        (WHICH, "A tumour", "", 0),
        (WHICH, "B. An infection", "", 1),
        (WHICH, "A. An infection", "", None),
        (WHICH, "A stroke", "", None),
        (LABEL, "", "Most likely Heart Failure, less so gout.", 1),
        (LABEL, "", "Kidney failure", 2),
        (LABEL, "", "No idea", None),
        (LABEL, "gout", "heart failure", 0),
    ],
)
def test_an_answer_counts_as_the_option_or_label_it_names(
    question: Question, answer: str, text: str, place: int | None
) -> None:
    assert chosen(question, answer, text) == place


def test_uncertainty_stands_beside_accuracy_where_answers_were_scored(tmp_path: Path) -> None:
    # two questions scored 0.2 and 0.6, a mean of 0.4; the third was not scored and is left out
    doubts = {"1": 0.2, "2": 0.6, "3": None}
    sure = ScriptedCell("sure", lambda question, _: Answered(question.gold, "", 0, doubts[question.question_id]))
    found = run(tmp_path / "scored", {"set": [YES_NO, WHICH, LABEL]}, sure)
    (figure,) = [one for one in found.figures if one.measure == "uncertainty"]
    assert (figure.value, figure.n) == (pytest.approx(0.4), 2)
    assert "LUQ" in found.measures["uncertainty"]
    plain = run(
        tmp_path / "plain", {"set": [YES_NO]}, ScriptedCell("plain", lambda question, _: Answered(question.gold, "", 0))
    )
    assert "uncertainty" not in plain.measures


def test_a_long_answer_is_compared_with_its_reference() -> None:
    # 2 of 3 words in order on both sides: precision 2/2, recall 2/3, F = 0.8
    near = long_scores("rest joint", "rest the joint", Words())
    assert (near.rouge_l, near.cosine) == pytest.approx((0.8, 1.0))
    assert long_scores("", "rest", Words()) == (0.0, None)


def test_accuracy_counts_what_is_not_answered_as_wrong_and_tells_how_many(tmp_path: Path) -> None:
    sets = {"one": [YES_NO, WHICH], "two": [LABEL]}
    right = ScriptedCell("right", lambda q, seed: Answered(q.gold, q.gold, 3))
    silent = ScriptedCell("silent", lambda q, seed: Answered("yes" if q is YES_NO else "", "", 0))
    found = run(tmp_path, sets, silent, right, baseline="silent")
    assert value(found, "right", "accuracy one") == 1.0
    assert value(found, "silent", "accuracy one") == 0.5
    assert value(found, "silent", "accuracy two") == 0.0
    # every set weighs the same: (0.5 + 0) / 2, not 1 of 3
    assert value(found, "silent", "accuracy average of the sets") == pytest.approx(0.25)
    assert value(found, "silent", "no_answer") == pytest.approx(2 / 3)
    assert value(found, "right", "passages") == 3.0
    (gap,) = [one for one in found.differences if one.measure == "accuracy one"]
    assert (gap.system, gap.baseline, gap.value) == ("right", "silent", 0.5)
    assert {chart.name for chart in found.charts} == {"accuracy", "difference"}


def test_repeats_give_mean_and_standard_deviation(tmp_path: Path) -> None:
    # right with the seeds 0 and 1, wrong with 2: accuracies 1, 1, 0; mean 2/3, sd sqrt(1/3)
    cell = ScriptedCell("some", lambda q, seed: Answered("yes" if seed < 2 else "no", "", 0))
    found = run(tmp_path, {"one": [YES_NO]}, cell, repeats=3)
    assert value(found, "some", "accuracy one") == pytest.approx(2 / 3)
    assert value(found, "some", "sd one") == pytest.approx((1 / 3) ** 0.5)
    assert cell.asked == [("1", 0), ("1", 1), ("1", 2)]


def test_long_answers_have_no_accuracy(tmp_path: Path) -> None:
    found = run(tmp_path, {"long": [LONG]}, ScriptedCell("a", lambda q, seed: Answered("", "rest the joint", 1)))
    assert value(found, "a", "rouge_l long") == 1.0
    assert not any(one.measure.startswith("accuracy") for one in found.figures)


def test_a_question_that_fails_is_left_out_and_told(tmp_path: Path) -> None:
    def fails(question: Question, seed: int) -> Answered:
        if question is WHICH:
            raise EngineError("gone")
        return Answered("yes", "", 0)

    found = run(tmp_path, {"one": [YES_NO, WHICH]}, ScriptedCell("a", fails))
    assert value(found, "a", "accuracy one") == 1.0
    assert [one.reason for one in found.not_available] == [
        "1 of 2 answers were not given (1 EngineError); they are left out"
    ]


def test_what_was_varied_becomes_a_curve(tmp_path: Path) -> None:
    cells = [ScriptedCell(f"rar2@documents={k}", lambda q, seed: Answered("yes", "", 0)) for k in (2, 8)]
    found = run(tmp_path, {"one": [YES_NO]}, *cells)
    (curve,) = [chart for chart in found.charts if chart.name == "accuracy-by-documents"]
    assert curve.figure["data"][0]["x"] == [2, 8]


def test_a_killed_run_goes_on_and_keeps_no_text(tmp_path: Path) -> None:
    def killed(question: Question, seed: int) -> Answered:
        if question is WHICH:
            raise KeyboardInterrupt
        return Answered("yes", "a secret text", 1)

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, {"one": [YES_NO, WHICH]}, ScriptedCell("a", killed))
    again = ScriptedCell("a", lambda q, seed: Answered(q.gold, "a secret text", 1))
    assert value(run(tmp_path, {"one": [YES_NO, WHICH]}, again), "a", "accuracy one") == 1.0
    assert again.asked == [("2", 0)]
    assert "secret" not in (tmp_path / "rows").read_text()


def test_names_and_counts_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    cell = ScriptedCell("a", lambda q, seed: Answered("", "", 0))
    with pytest.raises(InputError, match="given once"):
        run(tmp_path, {"one": [YES_NO]}, cell, cell)
    with pytest.raises(InputError, match="no cell"):
        run(tmp_path, {"one": [YES_NO]}, cell, baseline="b")
    with pytest.raises(InputError, match="at least 1"):
        run(tmp_path, {"one": [YES_NO]}, cell, repeats=0)
    with pytest.raises(InputError, match="share an id"):
        run(tmp_path, {"one": [YES_NO, YES_NO]}, cell)


def test_a_defect_on_one_question_is_left_out_and_told_with_its_stage(tmp_path: Path) -> None:
    def fails(question: Question, seed: int) -> Answered:
        if question is WHICH:
            raise IndexError("a secret text")
        return Answered("yes", "", 0)

    found = run(tmp_path, {"one": [YES_NO, WHICH]}, ScriptedCell("a", fails))
    assert value(found, "a", "accuracy one") == 1.0
    assert [one.reason for one in found.not_available] == [
        "1 of 2 answers were not given (1 answer, IndexError); they are left out"
    ]
    assert "secret" not in (tmp_path / "rows").read_text()


def test_equal_options_are_taken_and_either_of_them_is_right() -> None:
    question = choice("1", "Which?", ["rest", "ice", "rest", "heat"], 2)
    assert question.gold == "rest"
    assert [is_right(question, place) for place in (0, 1, 2, None)] == [True, False, True, False]


def test_a_guess_and_the_commonest_answer_are_reckoned_from_the_set() -> None:
    four = [choice(str(i), "Which?", [f"{i}a", f"{i}b", f"{i}c", f"{i}d"], gold) for i, gold in enumerate((0, 0, 3))]
    # the options differ, so that the commonest place counts: two of three are the first
    assert chance_accuracies(four) == (0.25, pytest.approx(2 / 3))
    yes = [choice(str(i), "Is it?", ["yes", "no"], gold) for i, gold in enumerate((1, 1, 1, 0))]
    assert chance_accuracies(yes) == (0.5, 0.75)
