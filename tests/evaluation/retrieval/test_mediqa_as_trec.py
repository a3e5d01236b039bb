"""MEDIQA's answers as a corpus: an answer a document, or the answers of one title as the sections of one page."""

import json
from pathlib import Path

from tests.evaluation.retrieval.mediqa_as_trec import convert

XML = """<Set><Question QID="1"><QuestionText>what helps  gout?</QuestionText><AnswerList>
<Answer ReferenceScore="4"><AnswerText>Gout (Treatment): Rest the joint.</AnswerText></Answer>
<Answer ReferenceScore="2"><AnswerText>Gout (Causes): Beer.</AnswerText></Answer>
<Answer ReferenceScore="1"><AnswerText>Flu (Treatment): Sleep.</AnswerText></Answer>
</AnswerList></Question></Set>"""


def made(folder: Path, pages: bool) -> tuple[list[dict[str, object]], list[str]]:
    file = folder / "set.xml"
    file.write_text(XML)
    convert(file, folder / "out", pages)
    assert (folder / "out" / "queries.tsv").read_text() == "q1\twhat helps gout?\n"
    corpus = [json.loads(line) for line in (folder / "out" / "corpus.jsonl").read_text().splitlines()]
    return corpus, (folder / "out" / "qrels.txt").read_text().splitlines()


def test_each_answer_is_a_document_with_its_grade(tmp_path: Path) -> None:
    corpus, qrels = made(tmp_path, pages=False)
    assert corpus[0] == {"id": "mediqa/0", "title": "Gout", "section": "Treatment", "text": "Rest the joint."}
    assert qrels == ["q1 0 mediqa/0 3", "q1 0 mediqa/1 1", "q1 0 mediqa/2 0"]


def test_answers_of_one_title_are_sections_of_one_page_and_judged_by_their_spans(tmp_path: Path) -> None:
    corpus, qrels = made(tmp_path, pages=True)
    sections = [{"section": "Treatment", "text": "Rest the joint."}, {"section": "Causes", "text": "Beer."}]
    assert corpus[0] == {"id": "page/0", "title": "Gout", "sections": sections}
    # 15 characters, a blank line, 5 characters
    assert qrels == ["q1 0 page/0#0-15 3", "q1 0 page/0#17-22 1", "q1 0 page/1#0-6 0"]
