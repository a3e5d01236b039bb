"""Readers of the long-form sets: LiveQA (TREC 2017, medical), MedicationQA and ExpertQA-Biomed. Gold is a reference answer."""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backend.errors import InputError
from backend.evaluation.answers.question_sets import (
    AnswerKind,
    Question,
    each,
    filled,
    json_rows,
    one_space,
    table_rows,
)
from backend.ingest.documents.safe_xml import Element, inner_text, parsed

BIOMED = ("healthcare / medicine", "biology")


def liveqa(path: Path, seed: int) -> list[Question]:
    """XML: each question's subject and message, with its first reference answer."""
    page = parsed(_bytes(path))
    if page is None:
        raise InputError(f"{path.name} is no well-formed XML. Give LiveQA's file as it is.")
    rows = [
        one
        for one in page.iter()
        if one.tag.upper().replace("_", "-") in ("NLM-QUESTION", "QUESTION-PAIR", "NLM-QUESTION-PAIR")
    ]

    def make(number: int, one: Any) -> Question | None:
        parts = [_under(one, "SUBJECT"), _under(one, "MESSAGE")]
        text, answer = "\n".join(part for part in parts if part), _under(one, "ANSWER")
        if not answer:
            return None
        key = one.get("qid") or one.get("questionid") or one.get("id") or str(number)
        return Question(str(key), filled(text), answer, AnswerKind.LONG)

    return each(path, enumerate(rows, start=1), make)


def medicationqa(path: Path, seed: int) -> list[Question]:
    """The published workbook (.xlsx), or its sheet as CSV or JSONL: Question, Answer. Rows without an answer are left out."""

    def make(number: int, row: Any) -> Question | None:
        held = {str(key).strip().lower(): value for key, value in row.items() if key}
        if not str(held.get("answer") or "").strip():
            return None
        return Question(str(number), filled(held["question"]), filled(held["answer"]), AnswerKind.LONG)

    rows = _sheet(path) if path.suffix.lower() == ".xlsx" else table_rows(path)
    return each(path, rows, make)


def expertqa(path: Path, seed: int) -> list[Question]:
    """ExpertQA as JSONL: questions of biology and medicine, with the first answer that an expert revised.

    A line has question, metadata.field and answers by model with revised_answer_string.
    """

    def make(number: int, row: Any) -> Question | None:
        if str(row.get("metadata", {}).get("field", "")).strip().lower() not in BIOMED:
            return None
        revised_answers = [
            answer.get("revised_answer_string") or answer.get("answer_string") for answer in row["answers"].values()
        ]
        answer = next((one for one in revised_answers if one and str(one).strip()), "")
        return Question(str(row.get("id", number)), filled(row["question"]), filled(answer), AnswerKind.LONG)

    return each(path, json_rows(path), make)


def _under(one: Element, tag: str) -> str:
    """The text of the first element of that name below, in any case."""
    found = next((inner for inner in one.iter() if inner.tag.upper() == tag), None)
    return "" if found is None else one_space(inner_text(found))


def _sheet(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The first sheet's rows by the names in its first row: cells are shared strings, inline strings or numbers."""
    try:
        with zipfile.ZipFile(path) as book:
            names = set(book.namelist())
            shared = parsed(book.read("xl/sharedStrings.xml")) if "xl/sharedStrings.xml" in names else None
            sheet = parsed(book.read("xl/worksheets/sheet1.xml"))
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{path.name} is no workbook ({type(error).__name__}). Give the .xlsx as it is, or CSV."
        ) from None
    if sheet is None:
        raise InputError(f"{path.name} holds no readable sheet. Save it as CSV.")
    strings = [] if shared is None else [_texts(one) for one in shared if _plain(one.tag) == "si"]
    head: dict[str, str] = {}
    for number, row in enumerate((one for one in sheet.iter() if _plain(one.tag) == "row"), start=0):
        cells = {re.sub(r"\d", "", cell.get("r", "")): _value(cell, strings) for cell in row}
        if not head:
            head = cells
        else:
            yield number, {name: cells.get(column, "") for column, name in head.items()}


def _value(cell: Element, strings: list[str]) -> str:
    if cell.get("t") == "inlineStr":
        return _texts(cell)
    cell_text = next((inner.text or "" for inner in cell.iter() if _plain(inner.tag) == "v"), "")
    return strings[int(cell_text)] if cell.get("t") == "s" and cell_text else cell_text


def _texts(one: Element) -> str:
    return "".join(inner.text or "" for inner in one.iter() if _plain(inner.tag) == "t")


def _plain(tag: str) -> str:
    return tag.rsplit("}", 1)[-1]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path.name} cannot be read ({type(error).__name__}).") from None
