"""Answer pairs, and the questions and rendered samples that all training data rests on."""

import json
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.generation.model.option_choice import letter_of
from backend.schemas.chat import Message
from backend.training.questions import Question, read_questions, selected
from backend.training.rendered import Pair, SampleKind, mixed, write_samples
from backend.training.thoughts.answer_pairs import LabelledAnswer, answer_pair

QUESTION = Question(id="q1", question="What treats it?", options=("colchicine", "insulin"), answer="colchicine")


FIRST, SECOND = ((Message("user", text),) for text in ("first", "second"))


def answer(text: str, place: int, right: bool) -> LabelledAnswer:
    return LabelledAnswer(text, place, "A" if right else "B", right)


def test_both_answers_of_a_pair_come_from_the_same_documents() -> None:
    answers = [answer("a", 0, True), answer("b", 1, False), answer("c", 1, True)]
    pair = answer_pair(QUESTION, answers, [FIRST, SECOND], 0)
    assert pair is not None and (pair.chosen, pair.rejected) == ("c", "b")
    assert pair.prompt == SECOND
    assert answer_pair(QUESTION, answers[:2], [FIRST, SECOND], 0) is None


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ('{"reasoning": "so", "letter": "B"}', "B"),
        ('I think {"reasoning": "so", "letter": "B", "citations": ["P1"]}', "B"),
        ('{"reasoning": "so", "letter": "C"}', ""),  # there are two options
        ("B", ""),
        ("", ""),
    ],
)
def test_an_answer_out_of_form_names_no_letter(reply: str, letter: str) -> None:
    assert letter_of(reply, ("x", "y")) == letter


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_questions_are_read_in_our_layout_and_in_that_of_medqa(tmp_path: Path) -> None:
    ours = {"id": "a", "question": "Q?", "options": ["x", "y"], "answer": "y", "category": "drugs"}
    by_letter = {"question": "Q?", "options": ["x", "y"], "answer": "A"}
    medqa = {"question": "Q?", "options": {"A": "x", "B": "y"}, "answer": "y", "answer_idx": "B", "meta_info": "step1"}
    open_ = {"question": "Q?", "answer": "Because."}
    read = read_questions(lines(tmp_path / "q.jsonl", ours, by_letter, medqa, open_))
    assert [(q.id, q.answer, q.letter, q.category) for q in read] == [
        ("a", "y", "B", "drugs"),
        ("2", "x", "A", ""),
        ("3", "y", "B", "step1"),
        ("4", "Because.", "", ""),
    ]


def test_equal_options_stand_once_and_the_answer_is_the_one_its_letter_named(tmp_path: Path) -> None:
    listed = {"question": "Q?", "options": ["x", "y", "y", "z"], "answer": "D"}
    right = {"question": "Q?", "options": {"A": "x", "B": "y", "C": "y"}, "answer_idx": "C"}
    read = read_questions(lines(tmp_path / "q.jsonl", listed, right))
    assert [(q.options, q.answer, q.letter) for q in read] == [(("x", "y", "z"), "z", "C"), (("x", "y"), "y", "B")]


@pytest.mark.parametrize(
    "row",
    [
        {"question": "Q?"},
        {"question": "", "answer": "x"},
        {"question": "Secret?", "options": ["x", "y"], "answer": "z"},
        {"question": "Secret?", "options": list("abcdefghijk"), "answer": "a"},
        ["no", "object"],
    ],
)
def test_a_bad_question_is_named_by_its_line_and_not_repeated(tmp_path: Path, row: object) -> None:
    good = {"question": "Q?", "answer": "x"}
    with pytest.raises(InputError, match=r"q\.jsonl, line 2") as refused:
        read_questions(lines(tmp_path / "q.jsonl", good, row))
    assert "Secret" not in str(refused.value)


def test_two_questions_of_one_id_are_refused(tmp_path: Path) -> None:
    row = {"id": "a", "question": "Q?", "answer": "x"}
    with pytest.raises(InputError, match="twice"):
        read_questions(lines(tmp_path / "q.jsonl", row, row))


def many() -> list[Question]:
    return [Question(id=str(i), question="Q?", answer="x", category="abc"[i % 3]) for i in range(30)]


def test_a_category_can_be_left_out_and_a_share_taken() -> None:
    without = selected(many(), ["b"])
    assert len(without) == 20 and {q.category for q in without} == {"a", "c"}
    half, tenth = (selected(many(), fraction=share, seed=4) for share in (0.5, 0.1))
    assert (len(half), len(tenth)) == (15, 3) and {q.id for q in tenth} <= {q.id for q in half}
    for wrong in ({"without": ["z"]}, {"fraction": 0.0}, {"fraction": 0.001}, {"without": ["a", "b", "c"]}):
        with pytest.raises(InputError):
            selected(many(), **wrong)  # type: ignore[arg-type]


def test_samples_of_all_kinds_are_mixed_and_a_kind_can_be_limited(tmp_path: Path) -> None:
    prompt = (Message("user", "Q?"),)
    kinds = [SampleKind.THOUGHT] * 40 + [SampleKind.ANSWER] * 40
    rows = [Pair(str(i), kind, prompt, "good", "bad").as_json() for i, kind in enumerate(kinds)]
    both = mixed(rows, {}, 0)
    assert sorted(r["question_id"] for r in both) == sorted(r["question_id"] for r in rows)
    # in order, the first half would hold 40 thoughts; by chance about 20
    assert 10 <= sum(r["kind"] == "thought" for r in both[:40]) <= 30
    assert [r["kind"] for r in mixed(rows, {"thought": 3}, 0)].count("thought") == 3
    assert write_samples(tmp_path / "p.jsonl", both) == 80
    first = json.loads((tmp_path / "p.jsonl").read_text().splitlines()[0])
    assert first["chosen"] == [{"role": "assistant", "content": "good"}]
    with pytest.raises(InputError, match="plan"):
        mixed(rows, {"plan": 3}, 0)
