"""The questions of the two stages: task questions by document, and sub-queries by note type."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES
from backend.schemas.patients.patient_notes import NoteType
from backend.schemas.vocabulary import Document, SoapPart


class TaskQuestion(NamedTuple):
    """A question of the global stage, and the part of a SOAP note it serves."""

    part: SoapPart
    text: str


class NoteQueries(NamedTuple):
    """Every document has task questions, every note type has sub-queries."""

    task: Mapping[Document, tuple[TaskQuestion, ...]]
    local: Mapping[NoteType, tuple[str, ...]]


def read_queries(path: Path) -> NoteQueries:
    """Raises KnowledgeError for a word outside the closed lists, an empty question, or a document or type without any."""
    try:
        held = tomllib.loads(path.read_text(encoding="utf-8"))
        task: dict[Document, list[TaskQuestion]] = {document: [] for document in Document}
        for entry in held.get("task", []):
            question = TaskQuestion(SoapPart(entry["part"]), _text(entry["text"]))
            task[Document(entry["document"])].append(question)
        local: dict[NoteType, tuple[str, ...]] = dict.fromkeys(NoteType, ())
        for entry in held.get("local", []):
            kind = NoteType(entry["type"])
            local[kind] = (*local[kind], *(_text(query) for query in entry["queries"]))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise KnowledgeError(f"{path.name}: {type(error).__name__}: {error}. Mend the entry that it names.") from error
    empty = [name.value for name in Document if not task[name]] + [kind.value for kind in NoteType if not local[kind]]
    if empty:
        raise KnowledgeError(f"{path.name} has no questions for: {', '.join(empty)}. Add at least one each.")
    return NoteQueries({document: tuple(questions) for document, questions in task.items()}, local)


@lru_cache(maxsize=1)
def note_queries() -> NoteQueries:
    """The shipped questions, read once."""
    return read_queries(RULES / "note_queries.toml")


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{value!r} is no question")
    return value.strip()
