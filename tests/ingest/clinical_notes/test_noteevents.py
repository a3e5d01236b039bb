"""MIMIC-III NOTEEVENTS: dated notes by patient and visit; the rows are made up here."""

import gzip
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.noteevents import NoteType, read_noteevents, read_patients, write_patients
from backend.ingest.documents.source_documents import Reading

HEADER = '"ROW_ID","SUBJECT_ID","HADM_ID","CHARTDATE","CHARTTIME","STORETIME","CATEGORY","DESCRIPTION","CGID","ISERROR","TEXT"'
ROWS = [
    '1,10,200,2101-05-02,2101-05-02 14:30:00,,"Nursing/other",Report,,,"Second ""day"",\nstable."',
    '2,10,200,2101-05-01,,,"Discharge summary",Report,,,First.',
    '3,2,300,2100-01-01,2100-01-01 08:00:00,,"Physician ",Note,,1,Wrong.',
    '4,2,300.0,2100-01-01,2100-01-01 08:00:00,,"Physician ",Note,,,Right.',
    '5,2,300,2100-01-01,2100-01-01 08:00:00,,"Physician ",Note,,0,Right.',
    "6,2,,2099-01-01,,,ECG,Report,,,Outside.",
    "7,2,300,2100-01-01,,,Horoscope,Report,,,No.",
    "8,2,300,2100-01-01,,,ECG,Report,,,",
    "9,2,300,,,,ECG,Report,,,Undated.",
    "10,2,300",
    "11,10,150,2100-12-31,,,Radiology,Report,,,Earlier visit.",
]


def written(folder: Path) -> Path:
    path = folder / "NOTEEVENTS.csv.gz"
    with gzip.open(path, "wt") as file:
        file.write("\n".join([HEADER, *ROWS]) + "\n")
    return path


def test_rows_are_read_and_errors_are_left_out(tmp_path: Path) -> None:
    reading = Reading()
    events = list(read_noteevents(written(tmp_path), reading))
    assert [(e.subject, e.admission, e.note_type, e.date) for e in events[:2]] == [
        ("10", "200", NoteType.NURSING_OTHER, "2101-05-02T14:30"),
        ("10", "200", NoteType.DISCHARGE_SUMMARY, "2101-05-01"),
    ]
    assert events[0].text == 'Second "day",\nstable.'
    assert (reading.report.read, reading.report.kept) == (11, 6)
    assert reading.report.skipped == {
        "marked as an error (ISERROR)": 1,
        "a category that is none of the 15": 1,
        "no patient or no text": 1,
        "no chart date": 1,
        "wrong number of cells": 1,
    }


def test_patients_come_out_by_number_with_visits_and_notes_in_order_of_time(tmp_path: Path) -> None:
    reading = Reading()
    assert write_patients(written(tmp_path), tmp_path / "out" / "p.jsonl", reading) == 2
    (second, visits_of_2), (tenth, visits_of_10) = read_patients(tmp_path / "out" / "p.jsonl")
    assert (second, tenth) == ("2", "10")
    assert [(v.admission, [n.text for n in v.notes]) for v in visits_of_2] == [("", ["Outside."]), ("300", ["Right."])]
    assert [(v.admission, [n.date for n in v.notes]) for v in visits_of_10] == [
        ("150", ["2100-12-31"]),
        ("200", ["2101-05-01", "2101-05-02T14:30"]),
    ]
    assert visits_of_10[1].notes[0].note_type == "Discharge summary"
    assert reading.report.skipped["the same note of the same time before"] == 1
    assert reading.report.read == reading.report.kept + reading.report.skipped_count
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["p.jsonl"]


def test_another_file_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="has no column SUBJECT_ID"):
        write_patients(tmp_path / "x.csv", tmp_path / "out" / "p.jsonl", Reading())
    assert list((tmp_path / "out").iterdir()) == []


def test_there_are_fifteen_types_of_notes() -> None:
    assert len(NoteType) == 15
