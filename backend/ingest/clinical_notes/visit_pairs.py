"""Pairs from notes of visits: what a note tells before its assessment, and what its assessment and plan decide.

Reads ACI-Bench's tables (a column `note`) and PriMock57's folder of notes. In place of a discharge document stands the plan of the same
visit, so figures on such pairs say nothing of discharge instructions; a notice on each pair says so.
"""

import csv
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from backend.errors import InputError
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.nlp.document import sections
from backend.schemas.vocabulary import SectionCategory

DECIDED = frozenset((SectionCategory.ASSESSMENT, SectionCategory.PLAN, SectionCategory.INSTRUCTIONS))
NOTICE = "plan_of_a_visit"
SHARES = (("train", 80), ("validation", 90), ("test", 100))


class VisitNote(NamedTuple):
    """A note by name."""

    name: str
    text: str


def read_visit_notes(path: Path) -> list[VisitNote]:
    """The notes of a table or a folder.

    Raises:
        InputError: it holds none.
    """
    if path.is_file() and path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row.get("note")]
        found = [VisitNote(f"{path.stem}-{row.get('encounter_id') or i}", row["note"]) for i, row in enumerate(rows, 1)]
    elif path.is_dir():
        files = sorted(path.glob("*.json"))
        found = [VisitNote(one.stem, json.loads(one.read_text(encoding="utf-8")).get("note", "")) for one in files]
    else:
        found = []
    found = [note for note in found if note.text.strip()]
    if not found:
        raise InputError(
            f"{path.name} holds no notes. Give ACI-Bench's train.csv or valid.csv, or PriMock57's folder of notes."
        )
    return found


def visit_pairs(notes: Sequence[VisitNote], split: str = "") -> Iterator[Pair]:
    """The pairs of those notes that tell something before their assessment and decide something in it.

    Args:
        notes: of visits, each of a patient of its own.
        split: of all pairs; empty divides them 80, 10 and 10 by a hash of the name.

    Yields:
        The pairs, in the notes' order.
    """
    for note in notes:
        before, decided = parted(note.text)
        if before and decided:
            yield Pair(note.name, note.name, split or _split(note.name), before, decided, (NOTICE,))


def parted(text: str) -> tuple[str, str]:
    """What a note tells before its first section of assessment or plan, and from there on; empty where it has no such section."""
    start = next((section.start_char for section in sections(text) if section.category in DECIDED), None)
    return ("", "") if start is None else (text[:start].strip(), text[start:].strip())


def _split(name: str) -> str:
    drawn = int(hashlib.sha256(name.encode()).hexdigest(), 16) % 100
    return next(split for split, most in SHARES if drawn < most)
