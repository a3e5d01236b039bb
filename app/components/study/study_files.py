"""What a coordinator's files hold: JSONL of cases, drafts or a judge's scores, and a folder of texts. Pure; it asks nobody.

Raises ValueError that names the file or line, never what is in it.
"""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TypeVar

from pydantic import ValidationError

from backend.schemas.base import Frozen
from backend.schemas.studies.study import StudyCase

LARGEST_LINE = 2_000_000  # characters
REFERENCE = ".reference.txt"
Value = TypeVar("Value", bound=Frozen)


def read_lines(text: str, kind: type[Value], what: str) -> tuple[Value, ...]:
    """Every line of a JSONL file as a value. Says which line does not fit, never what is in it."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if len(line) > LARGEST_LINE:
            raise ValueError(f"Line {number} is longer than {LARGEST_LINE:,} characters.")
        try:
            found.append(kind.model_validate_json(line))
        except ValidationError as error:
            raise ValueError(f"Line {number} is not {what}: {first_of(error)}.") from None
    if not found:
        raise ValueError(f"The file holds no line. Each line is {what}.")
    return tuple(found)


def folder_cases(files: Sequence[tuple[str, str]]) -> tuple[StudyCase, ...]:
    """Cases from (name, text) of .txt files: NAME.txt is the note of case NAME, NAME.reference.txt its reference."""
    texts = {PurePosixPath(name).name: text for name, text in files}
    if len(texts) < len(files):
        raise ValueError("Two files have the same name. A case takes its name from its file.")
    found = []
    for name in sorted(texts):
        if not name.endswith(".txt") or name.endswith(REFERENCE):
            continue
        stem = name.removesuffix(".txt")
        try:
            found.append(StudyCase(id=stem, label=stem, text=texts[name], reference=texts.get(stem + REFERENCE, "")))
        except ValidationError as error:
            raise ValueError(f"{name} is no case: {first_of(error)}.") from None
    alone = [n for n in texts if n.endswith(REFERENCE) and n.removesuffix(REFERENCE) + ".txt" not in texts]
    if alone:
        raise ValueError(f"{alone[0]} is a reference without a note. Add {alone[0].removesuffix(REFERENCE)}.txt.")
    if not found:
        raise ValueError("The folder holds no .txt file.")
    return tuple(found)


def decoded(content: bytes, name: str) -> str:
    """A file's text, without a byte order mark."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{name} is not UTF-8 text.") from None


def first_of(error: ValidationError) -> str:
    """Where the first thing does not fit, and how."""
    first = error.errors(include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])
