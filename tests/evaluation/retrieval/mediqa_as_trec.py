"""MEDIQA 2019's graded answers as a corpus, queries and judgements: `python -m tests.evaluation.retrieval.mediqa_as_trec FILE.xml FOLDER`.

Writes `corpus.jsonl` for `knowledge add jsonl`, `queries.tsv` and `qrels.txt` for `evaluate retrieval queries`. The answers of all
questions are one pool; an answer's grade is its reference score less 1. What an answer says before its colon, "Topic (Heading):",
becomes title and section. With `--pages` the answers of one title are the sections of one page, as handbooks have them, and the
judgements name their spans. The data stay where they are told to: none of them is part of the project.
"""

import json
import re
import sys
from pathlib import Path

from backend.ingest.documents.safe_xml import parsed
from backend.ingest.documents.source_documents import clean

HEAD = re.compile(r"^(?P<title>.{2,140}?)(?: \((?P<section>[^()]{3,60})\))?: (?P<text>.*)$", re.DOTALL)


def convert(file: Path, folder: Path, pages: bool = False) -> None:
    """Write the three files.

    Raises:
        SystemExit: the file is no XML.
    """
    root = parsed(file.read_bytes())
    if root is None:
        raise SystemExit(f"{file.name} is no XML.")
    numbers: dict[str, str] = {}
    queries: list[str] = []
    graded: list[tuple[str, dict[str, int]]] = []
    for question in root.iter("Question"):
        key = f"q{question.get('QID')}"
        queries.append(f"{key}\t{' '.join((question.findtext('QuestionText') or '').split())}\n")
        grades: dict[str, int] = {}
        for answer in question.iter("Answer"):
            text = clean(answer.findtext("AnswerText") or "")
            document = numbers.setdefault(text, f"mediqa/{len(numbers)}")
            grades[document] = max(grades.get(document, 0), int(answer.get("ReferenceScore", "1")) - 1)
        graded.append((key, grades))
    rows = [{"id": number, **_parts(text)} for text, number in numbers.items()]
    names = {row["id"]: row["id"] for row in rows}
    laid = _as_pages(rows, names) if pages else rows
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in laid), encoding="utf-8")
    (folder / "queries.tsv").write_text("".join(queries), encoding="utf-8")
    qrels = [f"{key} 0 {names[one]} {grade}\n" for key, grades in graded for one, grade in grades.items()]
    (folder / "qrels.txt").write_text("".join(qrels), encoding="utf-8")


def _parts(text: str) -> dict[str, str]:
    found = HEAD.match(text)
    return {k: v or "" for k, v in found.groupdict().items()} if found else {"title": "", "section": "", "text": text}


def _as_pages(rows: list[dict[str, str]], names: dict[str, str]) -> list[dict[str, object]]:
    """One page a title, an answer without one by itself; names then holds each answer's span instead of its id."""
    pages: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        pages.setdefault(row["title"].lower() or row["id"], []).append(row)
    made: list[dict[str, object]] = []
    for held in pages.values():
        page, start = f"page/{len(made)}", 0
        for row in held:
            end = start + len(row["text"])
            names[row["id"]] = f"{page}#{start}-{end}"
            start = end + 2  # sections are joined by a blank line
        sections = [{"section": row["section"], "text": row["text"]} for row in held]
        made.append({"id": page, "title": held[0]["title"], "sections": sections})
    return made


if __name__ == "__main__":
    named = [word for word in sys.argv[1:] if word != "--pages"]
    convert(Path(named[0]), Path(named[1]), pages="--pages" in sys.argv)
