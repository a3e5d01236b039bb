"""Patients with their visits, and of one visit the note that is held out and those that were known before it was written.

A note that is not known to be earlier than the held-out one tells what its writer could not know: a discharge summary above all.
Such notes, and those without a date, are left out and counted. Dates are those of the file, else of the notes' own headers. Outpatient
records have no stays: their visits are told apart by the days between notes.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from backend.errors import InputError
from backend.evaluation.reports.journal import file_sha256
from backend.ingest.clinical_notes.patient_note_files import read_patient_file
from backend.retrieval.patient_notes.note_dates import NoteTime, Stay, note_time, stay
from backend.retrieval.patient_notes.note_types import note_types
from backend.retrieval.patient_notes.notes_by_visit import VISIT_GAP_DAYS, DatedNote, Visit, numbered
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_notes import NoteType


class PatientVisits(NamedTuple):
    """One visit to write up, with the visits before.

    Attributes:
        patient_id: as the file has it.
        earlier: the visits before, in time order, whole.
        visit: its notes that are known to be earlier than the held-out one; all of them where none is held out.
        reference: the held-out note with its time, None where the visit has none.
        left_out: notes of the visit that are not known to be earlier.
    """

    patient_id: str
    earlier: tuple[Visit, ...]
    visit: Visit
    reference: DatedNote | None
    left_out: int = 0

    @property
    def notes(self) -> tuple[PatientNote, ...]:
        """The visit's notes."""
        return tuple(one.note for one in self.visit.notes)

    @property
    def every(self) -> tuple[PatientNote, ...]:
        """The notes of this and all visits before."""
        return tuple(one.note for visit in (*self.earlier, self.visit) for one in visit.notes)


def read_patients(path: Path, reference: NoteType, gap_days: int = VISIT_GAP_DAYS) -> Iterator[PatientVisits]:
    """Each patient's last visit that has a note besides the held-out one.

    Args:
        path: what `knowledge add noteevents` wrote, a patient a line; or a file or folder of patients' files in any form that is
            read of an upload (C-CDA, FHIR, laboratory results ...), a patient's files put together by the id that they give.
        reference: the type of the note that is held out.
        gap_days: days without a note that end a visit outside a stay.

    Yields:
        The patients, in the file's order.

    Raises:
        InputError: the file is none, or names no visit; the message names the line, or the file of a folder.
    """
    if path.is_dir() or path.suffix.lower() != ".jsonl":
        yield from _of_files(path, reference, gap_days)
        return
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name} cannot be read as UTF-8 text ({type(error).__name__}).") from None
    found = False
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            one = _last(str(row["subject_id"]), _visits(row["visits"], gap_days), reference)
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            raise InputError(
                f"{path.name}, line {number}: no patient ({type(error).__name__}). Make the file with: "
                "python -m backend knowledge add noteevents --from FILE --to FILE.jsonl"
            ) from None
        if one is not None:
            found = True
            yield one
    if not found:
        raise InputError(f"{path.name} holds no visit to write up.")


def data_digest(path: Path) -> str:
    """sha256 of the file, or of a folder's files with their names."""
    if not path.is_dir():
        return file_sha256(path)
    named = "".join(f"{one.relative_to(path).as_posix()}\0{file_sha256(one)}\n" for one in _files(path))
    return hashlib.sha256(named.encode()).hexdigest()


def _of_files(path: Path, reference: NoteType, gap_days: int) -> Iterator[PatientVisits]:
    """The patients of a file or a folder's files, in the order of the files' names; a file without an id is a patient of its own.

    Yields:
        The patients.

    Raises:
        InputError: nothing is there, a file cannot be read, or no patient has a visit.
    """
    if not path.exists():
        raise InputError(
            f"There is no file or folder {path.name!r}. Give patients' files, or what knowledge add noteevents wrote."
        )
    held: dict[str, list[PatientNote]] = {}
    for file in _files(path):
        for patient in read_patient_file(file.read_bytes(), file.name).patients:
            held.setdefault(patient.patient or file.stem, []).extend(patient.notes)
    found = [
        one
        for patient, notes in held.items()
        if (one := _last(patient, _visits([{"patient_notes": notes}], gap_days), reference))
    ]
    if not found:
        raise InputError(
            f"{path.name} holds no visit to write up: none of its {len(held)} patients has a note with a clear date."
        )
    yield from found


def _files(path: Path) -> list[Path]:
    """The file itself, or those of a folder and its folders; hidden ones are none of them."""
    every = sorted(path.rglob("*")) if path.is_dir() else [path]
    return [
        one for one in every if one.is_file() and not any(part.startswith(".") for part in one.relative_to(path).parts)
    ]


def known_before(note: NoteTime, held: NoteTime) -> bool:
    """Whether a note is known to be written no later than another: by the minute where both have it, else by an earlier day."""
    if not note.time or not held.time:
        return False
    by_minute = len(note.time) > len(note.day or "") and len(held.time) > len(held.day or "")
    return note.time <= held.time if by_minute else (note.day or "") < (held.day or "")


def _visits(rows: Sequence[Any], gap_days: int) -> list[Visit]:
    """The notes by stay, and outside stays by the days between them; undated ones are of no visit."""
    notes: list[DatedNote] = []
    for row in rows:
        for given in row["patient_notes"]:
            note = PatientNote.model_validate(given)
            kind = note_types().find(note.note_type)
            when = note_time(note.date, note.text, kind.type)
            notes.append(DatedNote(len(notes), note, kind.type, kind.shown, when, str(row.get("admission") or "")))
    stays: list[Stay] = [held for one in notes if (held := stay(one.note.text))]
    dated = [note for note in numbered(notes, stays, gap_days) if note.visit]
    found = []
    for number in sorted({note.visit for note in dated}):
        own = tuple(note for note in dated if note.visit == number)
        days = [note.when.day for note in own]
        found.append(Visit(number, own, days[0], days[-1]))
    return found


def _last(patient: str, visits: Sequence[Visit], reference: NoteType) -> PatientVisits | None:
    for place in range(len(visits) - 1, -1, -1):
        visit, earlier = visits[place], tuple(visits[:place])
        held = next((note for note in reversed(visit.notes) if note.type is reference), None)
        if held is None:
            return PatientVisits(patient, earlier, visit, None)
        rest = tuple(note for note in visit.notes if note is not held and known_before(note.when, held.when))
        if rest:
            left = len(visit.notes) - len(rest) - 1
            own = visit._replace(notes=rest, first=rest[0].when.day, last=rest[-1].when.day)
            return PatientVisits(patient, earlier, own, held, left)
    return None
