"""MEDIQA 2019's graded answers as a corpus, queries and judgements: `python -m tests.evaluation.retrieval.mediqa_as_trec FILE.xml FOLDER`.

Writes `corpus.jsonl` for `knowledge add jsonl`, `queries.tsv` and `qrels.txt` for `evaluate retrieval queries`. The answers of all
questions are one pool; an answer's grade is its reference score less 1. What an answer says before its colon, "Topic (Heading):",
becomes title and section. The data stay where they are told to: none of them is part of the project.
"""

import json
import re
import sys
from pathlib import Path

from backend.ingest.documents.safe_xml import parsed

HEAD = re.compile(r"^(?P<title>.{2,140}?)(?: \((?P<section>[^()]{3,60})\))?: (?P<text>.*)$", re.DOTALL)


def convert(file: Path, folder: Path) -> None:
    """Write the three files.

    Raises:
        SystemExit: the file is no XML.
    """
    root = parsed(file.read_bytes())
    if root is None:
        raise SystemExit(f"{file.name} is no XML.")
    numbers: dict[str, str] = {}
    queries, qrels = [], []
    for question in root.iter("Question"):
        key = f"q{question.get('QID')}"
        queries.append(f"{key}\t{' '.join((question.findtext('QuestionText') or '').split())}\n")
        grades: dict[str, int] = {}
        for answer in question.iter("Answer"):
            text = (answer.findtext("AnswerText") or "").strip()
            document = numbers.setdefault(text, f"mediqa/{len(numbers)}")
            grades[document] = max(grades.get(document, 0), int(answer.get("ReferenceScore", "1")) - 1)
        qrels += [f"{key} 0 {document} {grade}\n" for document, grade in grades.items()]
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"id": number, **_parts(text)} for text, number in numbers.items()]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "queries.tsv").write_text("".join(queries), encoding="utf-8")
    (folder / "qrels.txt").write_text("".join(qrels), encoding="utf-8")


def _parts(text: str) -> dict[str, str]:
    found = HEAD.match(text)
    return {k: v or "" for k, v in found.groupdict().items()} if found else {"title": "", "section": "", "text": text}


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
