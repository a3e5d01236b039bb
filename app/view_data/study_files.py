"""The contents of a coordinator's files: JSONL of cases, drafts or a judge's scores, and a folder of texts.

Errors name the file or line, never what is in it.
"""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TypeVar

from pydantic import ValidationError

from backend.schemas.base import Frozen
from backend.schemas.studies.study_design import StudyCase

LARGEST_LINE = 2_000_000  # characters
REFERENCE = ".reference.txt"
Value = TypeVar("Value", bound=Frozen)


def read_lines(text: str, kind: type[Value], what: str) -> tuple[Value, ...]:
    """Every line of a JSONL file as a value.

    Args:
        text: the file.
        kind: the type of a line.
        what: the type in words, for messages.

    Returns:
        One value a line; empty lines are skipped.

    Raises:
        ValueError: a line does not fit or is too long, or there is none; the message has its number, not its text.
    """
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
    """Cases from a folder of texts: NAME.txt is the note of case NAME, NAME.reference.txt its reference.

    Args:
        files: name and text of each file.

    Returns:
        The cases, by name.

    Raises:
        ValueError: a file does not fit, two have one name, a reference has no note, or there is no note.
    """
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
    """A file's text, without a byte order mark; raises ValueError where it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{name} is not UTF-8 text.") from None


def first_of(error: ValidationError) -> str:
    """Where the first thing does not fit, and how."""
    first = error.errors(include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}" if where else str(first["msg"])
