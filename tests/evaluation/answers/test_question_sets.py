"""Every reader on a miniature file in the layout its set is published in; what does not fit is refused by its row."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from backend.errors import InputError
from backend.evaluation.answers.answers_run import READERS, read_set
from backend.evaluation.answers.question_sets import AnswerKind, Question

ASKED = "Which medicine is taken once a week?"
LETTERED = {"A": "Alendronate", "B": "Aspirin", "C": "Insulin", "D": "Heparin"}


def write(folder: Path, name: str, *rows: Any) -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def read(kind: str, path: Path) -> list[Question]:
    return read_set(kind, path, 0)


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


def task(*instances: dict[str, str]) -> dict[str, Any]:
    return {"Contributors": "x", "Definition": ["Choose."], "Positive Examples": [], "Instances": list(instances)}


def test_seer_and_mimic_ed_as_meds_bench_has_them(tmp_path: Path) -> None:
    listed = "Age 60.\nA. Surgery\nB. Radiation"
    (found,) = read("seer", write(tmp_path, "s.json", task({"input": listed, "output": "B. Radiation"})))
    assert (found.options, found.gold) == (("Surgery", "Radiation"), "Radiation")
    assert found.text.startswith("Choose.")
    two = task(
        {"id": "a", "input": "Pulse 90.", "output": "negative"},
        {"id": "b", "input": "Pulse 150.", "output": "positive"},
    )
    assert [one.gold for one in read("mimic-iv-ed", write(tmp_path, "m.json", two))] == ["negative", "positive"]


def test_a_task_with_many_outputs_becomes_labels(tmp_path: Path) -> None:
    many = task(*({"id": str(i), "input": f"Case {i}", "output": f"Disease {i}"} for i in range(12)))
    found = read("ddxplus", write(tmp_path, "d.json", many))
    assert {one.kind for one in found} == {AnswerKind.LABEL}
    assert len(found[0].labels) == 12


def test_ddxplus_as_first_published_is_told_in_words(tmp_path: Path) -> None:
    evidences = {
        "E_1": {"question_en": "Do you cough?", "value_meaning": {}},
        "E_55": {"question_en": "Where does it hurt?", "value_meaning": {"V_89": {"en": "chest"}}},
    }
    write(tmp_path, "release_evidences.json", evidences)
    write(tmp_path, "release_conditions.json", {"Bronchitis": {}, "Pneumonia": {}})
    (tmp_path / "patients.csv").write_text(
        "AGE,DIFFERENTIAL_DIAGNOSIS,SEX,PATHOLOGY,EVIDENCES,INITIAL_EVIDENCE\n"
        "41,\"[['Bronchitis', 0.7]]\",F,Bronchitis,\"['E_1', 'E_55_@_V_89']\",E_1\n"
    )
    (found,) = read("ddxplus", tmp_path / "patients.csv")
    assert "41-year-old woman." in found.text
    assert "Where does it hurt? chest." in found.text
    assert (found.gold, found.labels) == ("Bronchitis", ("Bronchitis", "Pneumonia"))


def test_mimic_ed_as_the_benchmark_makes_it(tmp_path: Path) -> None:
    (tmp_path / "master.csv").write_text(
        "stay_id,age,gender,chiefcomplaint,triage_heartrate,outcome_hospitalization,outcome_critical,outcome_ed_revisit_3d\n"
        "7,80,F,Dyspnea,110,True,False,False\n"
    )
    found = read("mimic-iv-ed", tmp_path / "master.csv")
    assert [(one.question_id, one.gold) for one in found] == [
        ("7/hospitalization", "yes"),
        ("7/critical", "no"),
        ("7/ed_revisit_3d", "no"),
    ]
    assert "heart rate: 110" in found[0].text


def test_diagnosis_takes_one_label_a_line_and_refuses_several_and_chinese(tmp_path: Path) -> None:
    rows = [
        {"chief_complaint": "Painful toe", "diagnosis": "Gout"},
        {"chief_complaint": "Wheeze", "diagnosis": ["Asthma"]},
    ]
    found = read("diagnosis", write(tmp_path, "d.jsonl", *rows))
    assert [one.gold for one in found] == ["Gout", "Asthma"]
    assert found[0].labels == ("Asthma", "Gout")
    with pytest.raises(InputError, match="several diagnoses"):
        read("diagnosis", write(tmp_path, "m.jsonl", {"text": "x", "label": ["a", "b"]}))
    with pytest.raises(InputError, match="Chinese, which is not supported"):
        read("diagnosis", write(tmp_path, "c.jsonl", {"text": "患者胸痛三天伴有发热咳嗽气促" * 5, "label": "肺炎"}))


def test_liveqa_reads_both_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "test.xml").write_text(
        '<Set><NLM-QUESTION qid="TQ1"><Original-Question><SUBJECT>gout</SUBJECT><MESSAGE>What helps?</MESSAGE></Original-Question>'
        "<ReferenceAnswers><RefAnswer><ANSWER>Rest\n the joint.</ANSWER></RefAnswer></ReferenceAnswers></NLM-QUESTION>"
        '<NLM-QUESTION questionid="Q2"><SUBJECT/><MESSAGE>And this?</MESSAGE><SUB-QUESTIONS><SUB-QUESTION><ANSWERS>'
        "<ANSWER>So.</ANSWER></ANSWERS></SUB-QUESTION></SUB-QUESTIONS></NLM-QUESTION></Set>"
    )
    first, second = read("liveqa", tmp_path / "test.xml")
    assert (first.question_id, first.text, first.gold) == ("TQ1", "gout\nWhat helps?", "Rest the joint.")
    assert (second.question_id, second.text, second.gold) == ("Q2", "And this?", "So.")


def test_medicationqa_as_csv_and_as_the_workbook(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(
        "Question,Focus (Drug),Question Type,Answer\nHow much?,aspirin,Dose,A little.\nWhy?,x,y,\n"
    )
    assert [(one.text, one.gold) for one in read("medicationqa", tmp_path / "m.csv")] == [("How much?", "A little.")]
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    with zipfile.ZipFile(tmp_path / "m.xlsx", "w") as book:
        book.writestr(
            "xl/sharedStrings.xml",
            f"<sst {space}><si><t>Question</t></si><si><t>Answer</t></si><si><r><t>How </t></r><r><t>much?</t></r></si></sst>",
        )
        book.writestr(
            "xl/worksheets/sheet1.xml",
            f'<worksheet {space}><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>'
            '<row><c r="A2" t="s"><v>2</v></c><c r="C2" t="inlineStr"><is><t>A little.</t></is></c></row></sheetData></worksheet>',
        )
    assert [(one.text, one.gold) for one in read("medicationqa", tmp_path / "m.xlsx")] == [("How much?", "A little.")]


def test_expertqa_keeps_biology_and_medicine(tmp_path: Path) -> None:
    answers = {"gpt4": {"answer_string": "first", "revised_answer_string": "mended"}}
    rows = [
        {"question": "Cells?", "metadata": {"field": "Biology"}, "answers": answers},
        {"question": "Bones?", "metadata": {"field": "Healthcare / Medicine"}, "answers": answers},
        {"question": "Law?", "metadata": {"field": "Law"}, "answers": answers},
    ]
    assert [(one.text, one.gold) for one in read("expertqa-biomed", write(tmp_path, "e.jsonl", *rows))] == [
        ("Cells?", "mended"),
        ("Bones?", "mended"),
    ]


@pytest.mark.parametrize("kind", sorted(READERS))
def test_what_is_not_in_the_layout_is_refused_without_its_text(tmp_path: Path, kind: str) -> None:
    path = write(
        tmp_path, "wrong.json", {"question": "A secret note.", "options": {"A": "only one"}, "answer_idx": "Z"}
    )
    with pytest.raises(InputError) as raised:
        read(kind, path)
    assert "wrong.json" in str(raised.value) or "release_evidences" in str(raised.value)
    assert "secret" not in str(raised.value)


def test_unknown_sets_and_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Choose from: medqa"):
        read("nothing", tmp_path)
    with pytest.raises(InputError, match="There is no file"):
        read("medqa", tmp_path / "none.jsonl")
