"""Laboratory results as rows (CSV) to a note a day: each result with what the same test gave before.

Columns, by any of their names: patient (subject_id), charttime (time, date), label (test, itemname), value (valuenum), valueuom (unit), flag. MIMIC's
labevents has ids in place of names: join it with d_labitems by itemid first. A day's note speaks of earlier days alone, so that it
tells nothing that was not known when it was written.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from backend.errors import InputError
from backend.ingest.clinical_notes.written_note_files import utf8
from backend.registry import note_importer
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_files import NotesFile, PatientFile

NOTE_TYPE, HEADER = "Laboratory", "Results"
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "patient": ("subject_id", "patient_id", "patient"),
    "time": ("charttime", "time", "date", "specimen_time"),
    "test": ("label", "test", "test_name", "itemname"),
    "value": ("value", "result", "valuenum"),
    "unit": ("valueuom", "unit", "units"),
    "flag": ("flag", "abnormal"),
}
NEEDED = ("patient", "time", "test", "value")
MOST_BEFORE = 3
"""Earlier values that a result is shown with."""
FLAGS = {"h": "high", "l": "low", "hh": "very high", "ll": "very low"}


class Result(NamedTuple):
    """One result. time: ISO, with the minute where it is known. value and unit as they were written; flag in words, empty without one."""

    patient: str
    time: str
    test: str
    value: str
    unit: str
    flag: str

    @property
    def day(self) -> str:
        """The day of it."""
        return self.time[:10]

    @property
    def words(self) -> str:
        """The value with its unit and flag."""
        measured = f"{self.value} {self.unit}".rstrip()
        return f"{measured} ({self.flag})" if self.flag else measured


@note_importer("laboratory", label="Laboratory results", endings=("csv",), order=3)
class LaboratoryFile:
    """Laboratory results, a row each: a note a patient and day."""

    def recognises(self, data: bytes) -> bool:
        """Whether its first line names patient, time, test and value."""
        header = data.partition(b"\n")[0].decode("utf-8-sig", errors="replace")
        return not _lacking([cell.strip(' "\r').lower() for cell in header.split(",")])

    def read(self, data: bytes, name: str) -> NotesFile:
        """The notes by patient, in order of time. Raises InputError where the CSV is damaged."""
        skipped: dict[str, int] = {}
        held: dict[str, list[Result]] = {}
        for found in _results(utf8(data, name), name):
            if isinstance(found, str):
                skipped[found] = skipped.get(found, 0) + 1
            elif found in held.setdefault(found.patient, []):
                skipped["the same result as a row before"] = skipped.get("the same result as a row before", 0) + 1
            else:
                held[found.patient].append(found)
        records = tuple(PatientFile(patient=patient, notes=series_notes(rows)) for patient, rows in held.items())
        return NotesFile(kind="laboratory", patients=records, skipped=skipped)


def series_notes(results: Sequence[Result]) -> tuple[PatientNote, ...]:
    """One patient's results as a note a day, oldest first.

    A line a test: the day's values in order of time, then the last values of at most three days before, the nearest first.
    """
    ordered = sorted(results, key=lambda one: one.time)
    notes = []
    for day in dict.fromkeys(one.day for one in ordered):
        today = [one for one in ordered if one.day == day]
        lines = []
        for test in dict.fromkeys(one.test for one in today):
            before = {one.day: one for one in ordered if one.test == test and one.day < day}
            told = [f"{one.words} on {one.day}" for one in list(before.values())[: -MOST_BEFORE - 1 : -1]]
            now = ", then ".join(one.words for one in today if one.test == test)
            lines.append(f"{test} {now}; before {', '.join(told)}." if told else f"{test} {now}.")
        notes.append(PatientNote(note_type=NOTE_TYPE, date=day, text="\n".join([f"{HEADER}:", *lines])))
    return tuple(notes)


def _results(text: str, name: str) -> Iterator[Result | str]:
    """Each row as a result, or why it is none.

    Yields:
        a result, or a reason.

    Raises:
        InputError: a column is missing, or the CSV is damaged.
    """
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")), strict=True)
    try:
        header = [cell.strip().lower() for cell in next(rows, [])]
        if lacking := _lacking(header):
            raise InputError(f"{name!r} has no column {COLUMNS[lacking[0]][0]}. Give laboratory results, a row each.")
        places = {
            column: next((header.index(one) for one in names if one in header), None)
            for column, names in COLUMNS.items()
        }
        for row in rows:
            if len(row) != len(header):
                if any(row):
                    yield "rows with another number of cells"
                continue
            cell = {column: "" if place is None else " ".join(row[place].split()) for column, place in places.items()}
            when = _iso(cell["time"])
            if not cell["patient"] or not cell["test"]:
                yield "rows without a patient or a test"
            elif not cell["value"] or set(cell["value"]) <= {"_"}:
                yield "rows without a value"
            elif not when:
                yield "rows without a clear date"
            else:
                flag = FLAGS.get(cell["flag"].lower(), cell["flag"].lower())
                yield Result(cell["patient"], when, cell["test"], cell["value"], cell["unit"], flag)
    except csv.Error as error:
        raise InputError(f"{name!r} cannot be read as CSV at line {rows.line_num} ({error}). It is damaged.") from None


def _lacking(header: Sequence[str]) -> list[str]:
    return [column for column in NEEDED if not any(one in header for one in COLUMNS[column])]


def _iso(text: str) -> str:
    """An ISO date, with the time to the minute where it is there; empty for anything else, as "03/04/2031"."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return ""
    return moment.date().isoformat() if len(text) == len("2031-02-01") else moment.strftime("%Y-%m-%dT%H:%M")
