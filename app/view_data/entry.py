"""What a clinician entered, and how it becomes a request. Pure functions."""

from collections.abc import Mapping
from typing import NamedTuple

from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.patients.written_notes import written_notes
from backend.schemas.vocabulary import Document


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
