"""Every reader of long-form sets on a miniature file in the layout its set is published in."""

import zipfile
from pathlib import Path

from tests.evaluation.answers.set_files import read, write


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
