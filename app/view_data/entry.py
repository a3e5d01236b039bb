"""What a clinician entered, and how it becomes a request. Pure functions."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.patients.written_notes import written_notes
from backend.schemas.vocabulary import Document

BESIDE_NOTE = {
    "earlier": "earlier notes",
    "course": "hospital course",
    "medicines": "discharge medicines",
    "confirmed": "confirmed conditions",
    "ruled_out": "conditions ruled out",
}
"""The fields about the patient of one note, which are emptied with it, and what the page calls them."""
SHARED_WORDS = 0.75
"""Words that a note and its edited form share at least, as a share of the longer one."""
_AGE = re.compile(r"\b(\d{1,3})[ -]?(?:y\b|yo\b|y/o|[fm]\b|years?\b)", re.IGNORECASE)
_WORD = re.compile(r"\w+")


class Entry(NamedTuple):
    """The fields of the write screen, as typed."""

    note: str = ""
    label: str = ""
    document: str = Document.DISCHARGE_INSTRUCTIONS
    system: str = "leapnote"
    style: str = "sections"
    seed: int = 0
    question: str = ""
    options: str = ""
    earlier: str = ""
    course: str = ""
    medicines: str = ""
    confirmed: tuple[str, ...] = ()
    ruled_out: tuple[str, ...] = ()


def request_of(entry: Entry) -> DraftRequest | None:
    """The request of an entry; None when there is neither a note nor a question to send."""
    asks = entry.document == Document.CLINICAL_ANSWER
    question = entry.question.strip() if asks else ""
    if not entry.note.strip() and not question:
        return None
    return DraftRequest(
        text=entry.note,
        question=question,
        options=lines(entry.options)[:10] if asks else (),
        document=Document(entry.document),
        style=entry.style,
        system=entry.system,
        seed=entry.seed,
        patient_notes=written_notes(entry.earlier),
        confirmed_conditions=entry.confirmed,
        ruled_out_conditions=entry.ruled_out,
        hospital_course=entry.course,
        discharge_medicines=lines(entry.medicines),
    )


def changed_since(entry: Entry, request: DraftRequest) -> bool:
    """Whether note, earlier notes, hospital course or medicines are no longer those of the request."""
    now = (entry.note, entry.course, lines(entry.medicines), written_notes(entry.earlier))
    return now != (request.text, request.hospital_course, request.discharge_medicines, request.patient_notes)


def same_note(before: str, now: str) -> bool:
    """Whether a text is an edit of the one before it, and not the note of another patient.

    It is one where the first ages in both agree, and the text before stands in it whole or both share SHARED_WORDS of the
    longer one's words, each counted as often as it occurs. In doubt it is another note.
    """
    ages = [found[1] for found in (_AGE.search(before), _AGE.search(now)) if found]
    if len(set(ages)) > 1:
        return False
    old, new = _WORD.findall(before.lower()), _WORD.findall(now.lower())
    if not old or not new:
        return old == new
    if f" {' '.join(old)} " in f" {' '.join(new)} ":
        return True
    return (Counter(old) & Counter(new)).total() >= SHARED_WORDS * max(len(old), len(new))


def lines(text: str) -> tuple[str, ...]:
    """The lines of a field that hold something."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def as_text(notes: tuple[PatientNote, ...]) -> str:
    """Earlier notes as the field shows them; written_notes reads them back."""
    parts = [f"# {note.note_type}{f', {note.date}' if note.date else ''}\n{note.text.strip()}" for note in notes]
    return "\n---\n".join(parts)


def entry_of(case: DemonstrationCase) -> Mapping[str, str | tuple[str, ...]]:
    """The fields that a demonstration case fills."""
    return {
        "note": case.text,
        "label": case.label,
        "earlier": as_text(case.patient_notes),
        "course": case.hospital_course,
        "medicines": "\n".join(case.discharge_medicines),
        "confirmed": case.confirmed_conditions,
        "ruled_out": (),
    }
