"""Every reader of sets with options on a miniature file in the layout its set is published in."""

from pathlib import Path

import pytest

from backend.errors import InputError
from backend.evaluation.answers.question_sets import AnswerKind
from tests.evaluation.answers.set_files import read, write

ASKED = "Which medicine is taken once a week?"
LETTERED = {"A": "Alendronate", "B": "Aspirin", "C": "Insulin", "D": "Heparin"}


def test_medqa(tmp_path: Path) -> None:
    row = {"question": ASKED, "options": LETTERED, "answer": "Aspirin", "answer_idx": "B", "meta_info": "step1"}
    (found,) = read("medqa", write(tmp_path, "q.jsonl", row))
    assert (found.text, found.gold, found.options) == (ASKED, "Aspirin", tuple(LETTERED.values()))
    older = {"question": ASKED, "options": [{"key": k, "value": v} for k, v in LETTERED.items()], "answer_idx": "D"}
    assert read("medqa", write(tmp_path, "o.jsonl", older))[0].gold == "Heparin"


@pytest.mark.parametrize(("cops", "golds"), [((1, 4), ("a", "d")), ((0, 3), ("a", "d"))])
def test_medmcqa_counts_from_where_the_file_counts(
    tmp_path: Path, cops: tuple[int, int], golds: tuple[str, str]
) -> None:
    rows = [
        {"id": i, "question": ASKED, "opa": "a", "opb": "b", "opc": "c", "opd": "d", "cop": cop}
        for i, cop in enumerate(cops)
    ]
    assert tuple(question.gold for question in read("medmcqa", write(tmp_path, "q.json", *rows))) == golds


def test_medmcqa_refuses_what_it_cannot_tell_and_what_has_no_answers(tmp_path: Path) -> None:
    row = {"question": ASKED, "opa": "a", "opb": "b", "opc": "c", "opd": "d"}
    with pytest.raises(InputError, match="counts from 0 or 1"):
        read("medmcqa", write(tmp_path, "q.json", row | {"cop": 2}))
    with pytest.raises(InputError, match="without answers"):
        read("medmcqa", write(tmp_path, "t.json", row | {"cop": -1}))


def test_mmlu_as_csv_as_json_and_as_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "test"
    folder.mkdir()
    (folder / "anatomy_test.csv").write_text('"Which, of these?",one,two,three,four,C\n')
    (folder / "astronomy_test.csv").write_text("Which star?,one,two,three,four,A\n")
    (found,) = read("mmlu-med", folder)
    assert (found.question_id, found.text, found.gold) == ("anatomy/1", "Which, of these?", "three")
    row = {"question": ASKED, "subject": "anatomy", "choices": ["one", "two", "three", "four"], "answer": 1}
    assert read("mmlu-med", write(tmp_path, "m.jsonl", row))[0].gold == "two"


def test_pubmedqa_and_bioasq(tmp_path: Path) -> None:
    row = {"QUESTION": "Does it help?", "CONTEXTS": ["x"], "final_decision": "maybe"}
    (found,) = read("pubmedqa", write(tmp_path, "p.json", {"123": row}))
    assert (found.question_id, found.gold, found.options) == ("123", "maybe", ("yes", "no", "maybe"))
    questions = [
        {"id": "a", "type": "yesno", "body": "Does it?", "exact_answer": "Yes."},
        {"id": "b", "type": "list", "body": "Which?", "exact_answer": [["x"]]},
    ]
    (only,) = read("bioasq", write(tmp_path, "b.json", {"questions": questions}))
    assert (only.question_id, only.gold) == ("a", "yes")


def test_medbullets_as_csv_with_four_or_five_options(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text(
        "link,question,opa,opb,opc,opd,ope,answer_idx,answer\nx,Which?,a,b,c,d,e,E,e\nx,And?,a,b,c,d,,A,a\n"
    )
    assert [(one.gold, len(one.options)) for one in read("medbullets", path)] == [("e", 5), ("a", 4)]


def test_medxpertqa_takes_the_written_choices_off_and_leaves_images_out(tmp_path: Path) -> None:
    options = {letter: f"option {letter}" for letter in "ABCDEFGHIJ"}
    text = {
        "id": "Text-0",
        "question": f"{ASKED}\nAnswer Choices: (A) option A (B) option B",
        "options": options,
        "label": "J",
    }
    image = {"id": "MM-0", "question": ASKED, "options": options, "label": "A", "images": ["x.jpeg"]}
    (found,) = read("medxpertqa", write(tmp_path, "x.jsonl", text, image))
    assert (found.text, found.gold, len(found.options)) == (ASKED, "option J", 10)


def test_gpqa_takes_biology_and_draws_the_order_by_the_seed(tmp_path: Path) -> None:
    head = (
        "Question,Correct Answer,Incorrect Answer 1,Incorrect Answer 2,Incorrect Answer 3,High-level domain,Record ID\n"
    )
    rows = "".join(f"Q{i},right,w1,w2,w3,Biology,r{i}\n" for i in range(8))
    (tmp_path / "g.csv").write_text(head + rows + "Q9,right,w1,w2,w3,Physics,r9\n")
    found = read("gpqa", tmp_path / "g.csv")
    assert len(found) == 8
    assert {one.gold for one in found} == {"right"}
    assert len({one.options.index("right") for one in found}) > 1
    assert found == read("gpqa", tmp_path / "g.csv")


def test_mirage_and_ones_own(tmp_path: Path) -> None:
    row = {"question": ASKED, "options": LETTERED, "answer": "C"}
    (found,) = read("mirage", write(tmp_path, "benchmark.json", {"medqa": {"0001": row}}))
    assert (found.question_id, found.gold) == ("medqa/0001", "Insulin")
    own = read(
        "jsonl",
        write(
            tmp_path,
            "own.jsonl",
            {"id": 1, "question": ASKED, "options": ["x", "y"], "answer": "y"},
            {"id": 2, "question": ASKED, "options": ["x", "y"], "answer": "A"},
            {"id": 3, "question": ASKED, "labels": ["gout", "asthma"], "answer": "gout"},
            {"id": 4, "question": ASKED, "answer": "Once a week."},
        ),
    )
    assert [(one.gold, one.kind) for one in own] == [
        ("y", AnswerKind.CHOICE),
        ("x", AnswerKind.CHOICE),
        ("gout", AnswerKind.LABEL),
        ("Once a week.", AnswerKind.LONG),
    ]
