"""A file of a patient's notes, whatever its form, to notes by patient: what a person uploads, or a command is given.

What it is is told by its content: NOTEEVENTS as CSV, a C-CDA document, FHIR R4 as JSON or a resource a line, notes as JSONL
(a note a line, or what `knowledge add noteevents` writes), or plain text with one note or several. It is read from memory
and never written anywhere. Reasons for what is left out are the program's own words.
"""

import io
import json
from collections import Counter
from pathlib import PurePath
from typing import Any

from pydantic import ValidationError

from backend.errors import InputError
from backend.ingest.clinical_notes.ccda import cda_note
from backend.ingest.clinical_notes.fhir_notes import fhir_notes, resources
from backend.ingest.clinical_notes.noteevents import COLUMNS, events_of
from backend.ingest.documents.source_documents import Reading
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_files import NotesFile, PatientRecord
from backend.schemas.patients.written_notes import written_notes

Row = dict[str, Any]


def read_patient_file(data: bytes, name: str) -> NotesFile:
    """The notes of a file, by patient. name: of the file, for errors.

    Raises InputError for what is no text, is none of these forms, or holds no note.
    """
    if data[:2] == b"\x1f\x8b":
        raise InputError(f"{name!r} is packed (gzip). Unpack it first.")
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
        held = cda_note(data, name)
        return NotesFile(kind="c-cda", patients=(PatientRecord(patient=held.patient, notes=(held.note,)),))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name!r} is not UTF-8 text (byte {error.start}). Save it as plain text in UTF-8.") from None
    if text.lstrip()[:1] in ("{", "["):
        found = _json(text, name)
    elif set(COLUMNS) <= {cell.strip(' "\r').upper() for cell in text.partition("\n")[0].split(",")}:
        found = _events(data, name)
    else:
        found = NotesFile(kind="text", patients=(PatientRecord(patient="", notes=_plain(text, name)),))
    if not any(record.notes for record in found.patients):
        told = "; ".join(f"{count} {reason}" for reason, count in found.skipped.items())
        raise InputError(f"{name!r} holds no note that can be read{f' ({told})' if told else ''}.")
    return found


def notes_of(found: NotesFile, patient: str, name: str) -> tuple[PatientNote, ...]:
    """One patient's notes of a file; patient may be empty where there is one only. Raises InputError that names the ids."""
    ids = [record.patient for record in found.patients]
    if not patient and len(ids) > 1:
        shown = ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")
        raise InputError(f"{name!r} holds notes of {len(ids)} patients. Say whose are meant: {shown}.")
    for record in found.patients:
        if not patient or record.patient == patient:
            return record.notes
    raise InputError(f"{name!r} holds no patient {patient!r}.")


def _plain(text: str, name: str) -> tuple[PatientNote, ...]:
    """One note or several; a note that names no type has the file's name for it, without the ending."""
    called = " ".join(PurePath(name).stem.replace("_", " ").replace("-", " ").split())
    words = " ".join(word for word in called.split() if word.isalpha())[:60]
    found = written_notes(text)
    return tuple(
        n if n.note_type != "General" or not words else n.model_copy(update={"note_type": words}) for n in found
    )


def _json(text: str, name: str) -> NotesFile:
    """FHIR or notes: one JSON value, or one a line."""
    rows = _values(text, name)
    skipped: Counter[str] = Counter()
    if rows and all("resourceType" in row for _, row in rows):
        found = fhir_notes((one for _, row in rows for one in resources(row)), skipped)
        records = tuple(PatientRecord(patient=patient, notes=tuple(notes)) for patient, notes in found.items())
        return NotesFile(kind="fhir", patients=records, skipped=dict(skipped))
    held: dict[str, list[PatientNote]] = {}
    for number, row in rows:
        try:
            patient = str(row.get("subject_id", ""))
            given = [note for visit in row["visits"] for note in visit["patient_notes"]] if "visits" in row else [row]
            for one in given:
                fields = {key: one[key] for key in ("note_type", "date", "text") if one.get(key) is not None}
                held.setdefault(patient, []).append(PatientNote.model_validate(fields))
        except (KeyError, TypeError, AttributeError, ValidationError):
            raise InputError(
                f"{name!r}, line {number}: not a note. Each line is a JSON object with note_type, date and text."
            ) from None
    records = tuple(PatientRecord(patient=patient, notes=tuple(notes)) for patient, notes in held.items())
    return NotesFile(kind="notes", patients=records)


def _values(text: str, name: str) -> list[tuple[int, Row]]:
    """The objects of a JSON text with their numbers: one, a list of them, or one a line. Raises InputError with the line."""
    try:
        whole = json.loads(text)
        rows = list(enumerate(whole if isinstance(whole, list) else [whole], start=1))
    except ValueError:
        lines = ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())
        rows = [(number, _value(line, name, number)) for number, line in lines]
    for number, row in rows:
        if not isinstance(row, dict):
            raise InputError(f"{name!r}, line {number}: not a note, but JSON of another kind.")
    return rows


def _value(line: str, name: str, number: int) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise InputError(
            f"{name!r}, line {number}: not a note (it is not JSON). Each line is a JSON object with note_type, date and text."
        ) from None


def _events(data: bytes, name: str) -> NotesFile:
    reading = Reading()
    held: dict[str, list[PatientNote]] = {}
    for event in events_of(io.BytesIO(data), name, reading):
        note = PatientNote(note_type=event.note_type.value, date=event.date, text=event.text)
        notes = held.setdefault(event.subject, [])
        if note not in notes:
            notes.append(note)
    records = tuple(
        PatientRecord(patient=patient, notes=tuple(sorted(notes, key=lambda note: note.date or "")))
        for patient, notes in held.items()
    )
    return NotesFile(kind="noteevents", patients=records, skipped=reading.report.skipped)
