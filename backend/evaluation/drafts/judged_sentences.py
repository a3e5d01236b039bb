"""Judged sentences: whether each belongs to the patient of its note, as a reader judged it. One JSON object a line.

A row names its note, or holds it as text. A sentence of the handbook names chapter and part; a sentence about the patient quotes the
words of the note that it cites.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backend.errors import InputError


class JudgedSentence(BaseModel):
    """One row of a labelled file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    set: str = Field(default="", description="The folder of its note, by name")
    note: str = Field(default="", description="The note's name; empty where text holds the note")
    text: str = Field(default="", description="The note itself")
    sentence: str
    chapter: str = Field(
        default="", description="The concept that its handbook chapter is about; empty for other sentences"
    )
    part: str = ""
    cites: str = Field(default="", description="Words of the note that a sentence about the patient cites")
    label: Literal["fits", "not"]
    kind: str = Field(default="", description="What does not fit, in a word")
    reason: str = ""
    planted: bool = Field(default=False, description="Written for measuring, not taken from a draft")


class JudgedNote(NamedTuple):
    """A note with the judged sentences of one file, by the file's name without its ending."""

    file: str
    name: str
    text: str
    rows: tuple[JudgedSentence, ...]


def read_judged(folder: Path, notes: tuple[Path, ...]) -> tuple[list[JudgedNote], dict[str, int]]:
    """The notes of all files of a folder with their rows, in order, and how many rows were left out by reason.

    Args:
        folder: of JSONL files.
        notes: folders of NAME.txt; a row's set is the name of one of them.

    Raises:
        InputError: the folder holds no rows, or one cannot be read.
    """
    by_name = {place.name: place for place in notes}
    texts: dict[tuple[str, str], str] = {}
    grouped: dict[tuple[str, tuple[str, str]], list[JudgedSentence]] = {}
    left_out: dict[str, int] = {}
    rows = [(file.stem, row) for file in sorted(folder.glob("*.jsonl")) for row in _rows(file)]
    if not rows:
        raise InputError(f"{folder.name} holds no judged sentences. Give a folder of JSONL files.")
    for stem, row in rows:
        key = (row.set, row.note or row.text)
        if key not in texts:
            file = by_name[row.set] / f"{row.note}.txt" if row.set in by_name and row.note else None
            if not row.text and (file is None or not file.is_file()):
                reason = f"no notes of the set {row.set} were given"
                left_out[reason] = left_out.get(reason, 0) + 1
                continue
            texts[key] = row.text or (file.read_text(encoding="utf-8") if file else "")
        grouped.setdefault((stem, key), []).append(row)
    judged = [
        JudgedNote(stem, own[0].note or own[0].id, texts[key], tuple(own)) for (stem, key), own in grouped.items()
    ]
    return judged, left_out


def _rows(file: Path) -> Iterator[JudgedSentence]:
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            try:
                yield JudgedSentence.model_validate(json.loads(line))
            except (ValueError, ValidationError) as error:
                raise InputError(
                    f"{file.name}, line {number} is no judged sentence ({type(error).__name__})."
                ) from None
