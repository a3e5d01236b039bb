"""Question sets as they are published, read into questions with a known answer.

A reader takes a file (or folder) and gives questions. Gold is one of the options, one of the labels, or a reference text.
The sets themselves are not part of Leapnote; most have conditions of their own. Chinese data is not supported.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.schemas.vocabulary import LETTERS

YES_NO = ("yes", "no")
YES_NO_MAYBE = ("yes", "no", "maybe")
MOST_CHINESE = 0.1  # share of characters above which a set is refused


class AnswerKind(StrEnum):
    """How an answer is judged: one of a question's options, one of the set's labels, or against a reference text."""

    CHOICE = "choice"
    LABEL = "label"
    LONG = "long"


class Question(NamedTuple):
    """A question of a set.

    Attributes:
        question_id: unique within the set.
        text: what is asked.
        gold: one of the options or labels, or a text.
        kind: how an answer is judged.
        options: of a choice, two to ten.
        labels: all of the set's, for free-text diagnosis.
        note: the patient's note that it is asked beside; empty for none.
        harmful: the options that would harm the patient; empty where the set does not say.
    """

    question_id: str
    text: str
    gold: str
    kind: AnswerKind
    options: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    note: str = ""
    harmful: tuple[str, ...] = ()


Reader = Callable[[Path, int], list[Question]]


def choice(question_id: str, text: str, options: Sequence[str], gold: int) -> Question:
    """A question with options. Published sets hold some with equal ones; whichever of them is chosen counts as their text.

    Raises:
        ValueError: fewer than two, more than ten, or no gold among them.
    """
    given = tuple(one_space(str(option)) for option in options)
    if not 2 <= len(given) <= len(LETTERS) or not 0 <= gold < len(given):
        raise ValueError(f"{len(given)} options, gold {gold}")
    return Question(question_id, filled(text), given[gold], AnswerKind.CHOICE, given)


def letter(value: object, count: int) -> int:
    """The place of an option's letter. Raises ValueError."""
    found = LETTERS[:count].find(str(value).strip().upper())
    if found < 0 or not str(value).strip():
        raise ValueError(str(value)[:1])
    return found


def filled(text: object) -> str:
    """The text with its lines. Raises ValueError where there is none."""
    found = str(text or "").strip()
    if not found:
        raise ValueError("no text")
    return found


def one_space(text: str) -> str:
    """The text with single spaces between its words."""
    return " ".join(text.split())


def each(path: Path, rows: Iterator[tuple[int, Any]], make: Callable[[int, Any], Question | None]) -> list[Question]:
    """The questions of some rows; None leaves a row out. Raises InputError that names the row, or for none, or for Chinese."""
    found: list[Question] = []
    for number, row in rows:
        try:
            question = make(number, row)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise InputError(
                f"{path.name}, row {number}: not in the layout this set is published in ({type(error).__name__})."
            ) from None
        if question is not None:
            found.append(question)
    if not found:
        raise InputError(f"{path.name} holds no question of this set.")
    text = "".join(f"{question.note}{question.text}" for question in found)
    if len(_CHINESE.findall(text)) > MOST_CHINESE * len(text):
        raise InputError(
            f"{path.name} is in Chinese, which is not supported: linker, encoder and prompts read English."
        )
    ids = [question.question_id for question in found]
    if len(set(ids)) != len(ids):
        found = [question._replace(question_id=f"{i}:{question.question_id}") for i, question in enumerate(found, 1)]
    return found


def json_rows(path: Path) -> Iterator[tuple[int, Any]]:
    """The objects of a JSONL file, or of a JSON list or object (then with its key as `_key`)."""
    text = read_text(path)
    try:
        whole = json.loads(text)
    except ValueError:
        yield from _lines(path, text)
        return
    if isinstance(whole, dict) and whole and all(isinstance(row, dict) for row in whole.values()):
        yield from ((i, {"_key": key, **row}) for i, (key, row) in enumerate(whole.items(), start=1))
    else:
        yield from enumerate(whole if isinstance(whole, list) else [whole], start=1)


def table_rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The rows of a CSV file with a header, or of a JSON or JSONL file."""
    if path.suffix.lower() in (".json", ".jsonl"):
        yield from json_rows(path)
    else:
        yield from enumerate(csv.DictReader(StringIO(read_text(path), newline="")), start=1)


def plain_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file without a header."""
    yield from enumerate(csv.reader(StringIO(read_text(path), newline="")), start=1)


def read_text(path: Path) -> str:
    """Raises InputError for what is no UTF-8 file."""
    csv.field_size_limit(10_000_000)
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} cannot be read as UTF-8 text ({type(error).__name__}).") from None


def _lines(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError:
                raise InputError(
                    f"{path.name}, line {number}: no JSON. Give JSONL, or one JSON list or object."
                ) from None


_CHINESE = re.compile("[\u4e00-\u9fff]")
