"""Notes that somebody wrote: JSON with a note or a patient a line, PDF, Word, and plain text with one note or several."""

import json
from pathlib import PurePath
from typing import Any

from pydantic import ValidationError

from backend.errors import InputError
from backend.ingest.documents.text_files import FileText, file_text, is_pdf, is_word, pdf_text, word_text
from backend.registry import note_importer
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_files import NotesFile, PatientFile
from backend.schemas.patients.taken import Taken
from backend.schemas.patients.written_notes import written_notes

Row = dict[str, Any]
NOT_A_NOTE = "Each line is a JSON object with note_type, date and text."


@note_importer("notes", label="JSON lines", endings=("jsonl", "ndjson", "json"), order=4)
class JsonNotes:
    """Notes as JSON: a note a line, a list of them, or what `knowledge add noteevents` writes."""

    def recognises(self, data: bytes) -> bool:
        """Whether it begins as JSON does."""
        return looks_like_json(data)

    def read(self, data: bytes, name: str) -> NotesFile:
        """The notes by patient.

        Raises:
            InputError: that names the line that is no note.
        """
        held: dict[str, list[PatientNote]] = {}
        for number, row in json_rows(utf8(data, name), name):
            try:
                patient = str(row.get("subject_id", ""))
                given = (
                    [note for visit in row["visits"] for note in visit["patient_notes"]] if "visits" in row else [row]
                )
                for one in given:
                    fields = {key: one[key] for key in ("note_type", "date", "text") if one.get(key) is not None}
                    held.setdefault(patient, []).append(PatientNote.model_validate(fields))
            except (KeyError, TypeError, AttributeError, ValidationError):
                raise InputError(f"{name!r}, line {number}: not a note. {NOT_A_NOTE}") from None
        records = tuple(PatientFile(patient=patient, notes=tuple(notes)) for patient, notes in held.items())
        return NotesFile(kind="notes", patients=records)


@note_importer("pdf", label="PDF", endings=("pdf",), order=5)
class PdfNotes:
    """A PDF with text: one note, or several parted by a line of three dashes. Scanned pages hold no text."""

    def recognises(self, data: bytes) -> bool:
        """Whether it begins as a PDF does."""
        return is_pdf(data)

    def read(self, data: bytes, name: str) -> NotesFile:
        """The notes of one patient. Raises InputError for a damaged file, or one of scans alone."""
        return _notes_file(pdf_text(data, name), name)


@note_importer("docx", label="Word", endings=("docx",), order=6)
class WordNotes:
    """A Word document: one note, or several parted by a line of three dashes."""

    def recognises(self, data: bytes) -> bool:
        """Whether it is an archive with a Word document."""
        return is_word(data)

    def read(self, data: bytes, name: str) -> NotesFile:
        """The notes of one patient. Raises InputError for a damaged file."""
        return _notes_file(word_text(data, name), name)


@note_importer("text", label="Plain text", endings=("txt", "md"), takes_any=True)
class PlainNotes:
    """Plain text in UTF-8: one note, or several parted by a line of three dashes."""

    def recognises(self, data: bytes) -> bool:
        """Always: whatever is no other form is read as text, or refused as none."""
        return True

    def read(self, data: bytes, name: str) -> NotesFile:
        """The notes of one patient; a note that names no type has the file's name for it, without the ending."""
        return _notes_file(file_text(data, name), name)


def _notes_file(held: FileText, name: str) -> NotesFile:
    """The notes of a text; one that names no type has the file's name for it, without the ending."""
    spoken = " ".join(PurePath(name).stem.replace("_", " ").replace("-", " ").split())
    words = " ".join(word for word in spoken.split() if word.isalpha())[:60]
    notes = tuple(
        note.model_copy(update={"note_type": words}) if note.note_type == "General" and words else note
        for note in written_notes(held.text)
    )
    return NotesFile(kind=held.kind, patients=(PatientFile(patient="", notes=notes),), taken=Taken(items=held.items))


def utf8(data: bytes, name: str) -> str:
    """The file as text.

    Raises:
        InputError: with the byte where it is not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name!r} is not UTF-8 text (byte {error.start}). Save it as plain text in UTF-8.") from None


def looks_like_json(data: bytes) -> bool:
    """Whether the first character that is no white space opens an object or a list."""
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")


def json_rows(text: str, name: str) -> list[tuple[int, Row]]:
    """The objects of a JSON text with their numbers: one, a list of them, or one a line.

    Raises:
        InputError: with the line.
    """
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
        raise InputError(f"{name!r}, line {number}: not a note (it is not JSON). {NOT_A_NOTE}") from None
