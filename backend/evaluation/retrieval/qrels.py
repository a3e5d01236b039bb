"""Relevance judgements, runs and queries in the formats of TREC, in and out.

A judgement file has `query 0 document grade` a line, a run `query Q0 document rank score name`; ir_measures reads both. Queries
are tab-separated (`id<TAB>text`) or JSONL (`id` or `_id` or `query_id`, `text` or `query` or `question`). Spaces in ids are written as %20.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backend.errors import InputError

Qrels = Mapping[str, Mapping[str, int]]
Runs = Mapping[str, Sequence[str]]
ID_KEYS, TEXT_KEYS = ("id", "_id", "query_id", "qid"), ("text", "query", "question")


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Grades by query and document; 0 and below: not relevant. Raises InputError."""
    import ir_measures

    found: dict[str, dict[str, int]] = {}
    for row in _rows(path, ir_measures.read_trec_qrels, "query 0 document grade"):
        found.setdefault(_plain(row.query_id), {})[_plain(row.doc_id)] = int(row.relevance)
    return found


def read_run(path: Path) -> dict[str, list[str]]:
    """The documents of each query, the highest score first; equal scores in the order of the file. Raises InputError."""
    import ir_measures

    scored: dict[str, list[tuple[str, float]]] = {}
    for row in _rows(path, ir_measures.read_trec_run, "query Q0 document rank score name"):
        scored.setdefault(_plain(row.query_id), []).append((_plain(row.doc_id), float(row.score)))
    return {
        query: list(dict.fromkeys(document for document, _ in sorted(rows, key=lambda item: -item[1])))
        for query, rows in scored.items()
    }


def write_qrels(path: Path, qrels: Qrels) -> None:
    """Write judgements in TREC's form: query, 0, document, grade."""
    lines = [
        f"{_written(query)} 0 {_written(document)} {grade}\n"
        for query, grades in qrels.items()
        for document, grade in grades.items()
    ]
    _replace(path, "".join(lines))


def write_run(path: Path, name: str, run: Runs) -> None:
    """The score is 1 / rank: what reads a run orders by scores, and the order is what was measured."""
    lines = [
        f"{_written(query)} Q0 {_written(document)} {rank} {1 / rank:.6f} {_written(name)}\n"
        for query, documents in run.items()
        for rank, document in enumerate(documents, start=1)
    ]
    _replace(path, "".join(lines))


def read_queries(path: Path) -> dict[str, str]:
    """Text by id, in file order. Raises InputError that names the line."""
    found: dict[str, str] = {}
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        key, text = _json_query(line) if line.lstrip().startswith("{") else _tab_query(line)
        if not key or not text:
            raise InputError(
                f"{path.name}, line {number}: no query. Each line is an id, a tab and a text, or JSON with `id` and `text`."
            )
        if key in found:
            raise InputError(f"{path.name}, line {number}: the query id {key!r} came before. Ids must be unique.")
        found[key] = text
    if not found:
        raise InputError(f"{path.name} holds no query. Give lines of an id, a tab and a text, or JSONL.")
    return found


def _json_query(line: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
    except ValueError:
        return "", ""
    if not isinstance(row, dict):
        return "", ""
    return _first(row, ID_KEYS), " ".join(_first(row, TEXT_KEYS).split())


def _first(row: Mapping[str, Any], keys: Sequence[str]) -> str:
    return next((str(row[key]).strip() for key in keys if row.get(key) not in (None, "")), "")


def _tab_query(line: str) -> tuple[str, str]:
    key, _, text = line.partition("\t")
    return key.strip(), " ".join(text.split())


def _rows(path: Path, read: Any, layout: str) -> list[Any]:
    _text(path)
    try:
        rows = list(read(str(path)))
    except (ValueError, TypeError, IndexError) as error:
        raise InputError(f"{path.name} cannot be read ({type(error).__name__}). Each line is: {layout}") from error
    if not rows:
        raise InputError(f"{path.name} holds no line. Each line is: {layout}")
    return rows


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} cannot be read as UTF-8 text ({type(error).__name__}).") from None


def _written(name: str) -> str:
    return re.sub(r"[\s%]", lambda found: f"%{ord(found[0]):02X}", name)


def _plain(name: str) -> str:
    return re.sub(r"%([0-9A-F]{2})", lambda found: chr(int(found[1], 16)), name)


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
