"""Which of the 15 note types a note is, from what it is called."""

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.patients.patient_notes import NoteType


class TypeFound(NamedTuple):
    """known is False for a name that is in no list: the note is then searched as General, and shown as it was called."""

    type: NoteType
    shown: str
    known: bool


class NoteTypes:
    """Reads names of note types. Raises KnowledgeError for a rule whose type is none of the 15, or that stands twice."""

    def __init__(self, path: Path) -> None:
        self._types = {type_key(kind.value): kind for kind in NoteType}
        for written, kind in rule_rows(path, 2):
            try:
                found = NoteType(kind)
            except ValueError as error:
                raise KnowledgeError(
                    f"{path.name}: '{written}' is of type '{kind}'; use one of {', '.join(NoteType)}."
                ) from error
            if self._types.setdefault(type_key(written), found) is not found:
                raise KnowledgeError(f"{path.name}: '{written}' already stands for {self._types[type_key(written)]}.")

    def find(self, written: str) -> TypeFound:
        """The type that a name stands for, and how it was found."""
        kind = self._types.get(type_key(written))
        if kind is not None:
            return TypeFound(kind, kind.value, True)
        return TypeFound(NoteType.GENERAL, " ".join(written.split()) or NoteType.GENERAL.value, False)


def type_key(written: str) -> str:
    """Lower case words, without a last "note" or "report"."""
    words = _WORD.findall(written.lower())
    while len(words) > 1 and words[-1] in _TAIL:
        words.pop()
    return " ".join(words)


@lru_cache(maxsize=1)
def note_types() -> NoteTypes:
    """The shipped rules, read once."""
    return NoteTypes(RULES / "note_types.tsv")


_WORD = re.compile(r"[a-z0-9]+")
_TAIL = frozenset(("note", "notes", "report", "reports"))
