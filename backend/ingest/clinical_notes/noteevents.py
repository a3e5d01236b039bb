"""MIMIC-III NOTEEVENTS.csv(.gz) to patients' notes: a line a patient, each with visits and their dated notes.

The file is 4 GB and in no order of patients, so rows go to a SQLite file beside the output first and come out by patient. Rows
that MIMIC marks as errors are left out. A note's time is its chart time, else its chart date. Report units: rows.
"""

import csv
import hashlib
import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from backend.errors import InputError
from backend.ingest.clinical_notes.written_note_files import utf8
from backend.ingest.documents.file_opening import open_unpacked
from backend.ingest.documents.source_documents import Reading
from backend.registry import note_importer
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_files import NotesFile, PatientFile
from backend.schemas.patients.patient_notes import NoteType
from backend.stores.swapped_folder import private_folder

COLUMNS = ("SUBJECT_ID", "HADM_ID", "CHARTDATE", "CHARTTIME", "CATEGORY", "ISERROR", "TEXT")
_LONGEST = 16 * 2**20  # characters of one cell
_STEP = 2_000  # rows between two commits


class NoteEvent(NamedTuple):
    """One row. admission: HADM_ID, empty outside a stay. date: ISO, with the time to the minute where it is charted."""

    subject: str
    admission: str
    note_type: NoteType
    date: str
    text: str


class Visit(NamedTuple):
    """A stay's notes in order of time; admission is empty for notes outside any stay."""

    admission: str
    notes: tuple[PatientNote, ...]


@note_importer("noteevents", label="MIMIC NOTEEVENTS", endings=("csv",), order=3)
class NoteEventsFile:
    """A small NOTEEVENTS.csv, as an upload: all its notes in memory. A whole one takes `knowledge add noteevents`."""

    def recognises(self, data: bytes) -> bool:
        """Whether its first line names the columns."""
        header = data.partition(b"\n")[0].decode("utf-8-sig", errors="replace")
        return set(COLUMNS) <= {cell.strip(' "\r').upper() for cell in header.split(",")}

    def read(self, data: bytes, name: str) -> NotesFile:
        """The notes by patient, in order of time, the same note once. Raises InputError where the CSV is damaged."""
        utf8(data, name)
        reading = Reading()
        held: dict[str, list[PatientNote]] = {}
        for event in events_of(io.BytesIO(data), name, reading):
            note = PatientNote(note_type=event.note_type.value, date=event.date, text=event.text)
            notes = held.setdefault(event.subject, [])
            if note not in notes:
                notes.append(note)
        records = tuple(
            PatientFile(patient=patient, notes=tuple(sorted(notes, key=lambda note: note.date or "")))
            for patient, notes in held.items()
        )
        return NotesFile(kind="noteevents", patients=records, skipped=reading.report.skipped)


def read_noteevents(path: Path, reading: Reading) -> Iterator[NoteEvent]:
    """All usable rows, in file order.

    Raises InputError when the file is no NOTEEVENTS, or damaged.

    Yields:
        NoteEvent: one at a time.
    """
    with open_unpacked(path) as (file, raw):
        yield from events_of(file, path.name, reading, reading.follow(path, raw))


def events_of(
    file: IO[bytes], name: str, reading: Reading, look: Callable[[], None] = lambda: None
) -> Iterator[NoteEvent]:
    """The same of an open file.

    name: for errors. look is called at every row.

    Yields:
        NoteEvent: one at a time.

    Raises:
        InputError: a column is missing, or the CSV is damaged.
    """
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST))
    types = {kind.value.lower(): kind for kind in NoteType}
    rows = csv.reader(io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline=""), strict=True)
    try:
        header = [cell.strip().upper() for cell in next(rows, [])]
        if lacking := [column for column in COLUMNS if column not in header]:
            raise InputError(f"{name!r} has no column {', '.join(lacking)}. Give NOTEEVENTS.csv of MIMIC-III.")
        places = [header.index(column) for column in COLUMNS]
        for row in rows:
            reading.report.seen()
            look()
            if len(row) != len(header):
                reading.report.skip("wrong number of cells", rows.line_num)
                continue
            subject, admission, day, time, category, wrong, text = (row[place].strip() for place in places)
            kind = types.get(category.lower())
            if wrong not in ("", "0", "0.0"):
                reading.report.skip("marked as an error (ISERROR)", rows.line_num)
            elif not subject or not text:
                reading.report.skip("no patient or no text", rows.line_num)
            elif kind is None:
                reading.report.skip("a category that is none of the 15", rows.line_num)
            elif not day and not time:
                reading.report.skip("no chart date", rows.line_num)
            else:
                reading.report.keep()
                yield NoteEvent(subject, admission.removesuffix(".0"), kind, _when(day, time), text)
    except csv.Error as error:
        raise InputError(f"{name!r} cannot be read as CSV at line {rows.line_num} ({error}); it is damaged.") from None
    except (EOFError, OSError) as error:
        raise InputError(f"{name!r} cannot be unpacked ({type(error).__name__}); it is cut short.") from error


def write_patients(
    path: Path, out: Path, reading: Reading, progress: Callable[[int, int, str], None] | None = None
) -> int:
    """NOTEEVENTS to a JSONL file, patients by number; returns how many. The file takes its name when it is whole.

    A line: {"subject_id", "visits": [{"admission", "patient_notes": [{"note_type", "date", "text"}]}]}, visits and notes in
    order of time. The same text twice in a visit at the same time is written once.
    """
    work = out.with_name(f".{out.name}.rows")
    work.unlink(missing_ok=True)
    private_folder(out.parent)
    work.touch(mode=0o600)
    base = sqlite3.connect(work, isolation_level=None)
    try:
        base.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE notes (subject, admission, kind, date, text, digest,"
            " UNIQUE (subject, admission, date, kind, digest));"
        )
        base.execute("BEGIN")
        for number, event in enumerate(read_noteevents(path, reading), start=1):
            digest = hashlib.sha256(event.text.encode()).digest()[:16]
            new = base.execute("INSERT OR IGNORE INTO notes VALUES (?, ?, ?, ?, ?, ?)", (*event, digest)).rowcount
            if not new:
                reading.report.keep(-1)
                reading.report.skip("the same note of the same time before")
            if number % _STEP == 0 and progress:
                progress(reading.done, reading.total, reading.unit)
        base.execute("COMMIT")
        count = _write(base, out)
    finally:
        base.close()
        work.unlink(missing_ok=True)
    return count


def read_patients(path: Path) -> Iterator[tuple[str, tuple[Visit, ...]]]:
    """The patients of a file that `write_patients` wrote: subject and visits.

    Yields:
        a patient's id, and the visits.
    """
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield (
                row["subject_id"],
                tuple(
                    Visit(
                        visit["admission"], tuple(PatientNote.model_validate(note) for note in visit["patient_notes"])
                    )
                    for visit in row["visits"]
                ),
            )


def _write(base: sqlite3.Connection, out: Path) -> int:
    partial = out.with_name(f".{out.name}.partial")
    count = 0
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    with partial.open("w", encoding="utf-8") as lines:
        subjects = [row[0] for row in base.execute("SELECT DISTINCT subject FROM notes")]
        for subject in sorted(
            subjects, key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)
        ):
            visits: dict[str, list[dict[str, Any]]] = {}
            found = base.execute(
                "SELECT admission, kind, date, text FROM notes WHERE subject = ? ORDER BY date, kind, rowid", (subject,)
            )
            for admission, kind, date, text in found:
                visits.setdefault(admission, []).append({"note_type": kind, "date": date, "text": text})
            visit_rows = [{"admission": admission, "patient_notes": notes} for admission, notes in visits.items()]
            lines.write(json.dumps({"subject_id": subject, "visits": visit_rows}, ensure_ascii=False) + "\n")
            count += 1
    partial.replace(out)
    return count


def _when(day: str, time: str) -> str:
    """2101-10-20 14:30:00 becomes 2101-10-20T14:30; a date stays a date."""
    return time[:16].replace(" ", "T") if time else day[:10]
