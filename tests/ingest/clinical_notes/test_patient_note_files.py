"""A file of a patient's notes, told by its content. Every note here is made up."""

import gzip
import json

import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.patient_note_files import notes_of, read_patient_file
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.written_notes import latest

LINES = (
    '{"note_type": "Nursing", "date": "2031-02-02", "text": "Weight 81 kg.", "author": "left out"}',
    '{"text": "Cough."}',
)
EVENTS = (
    "ROW_ID,SUBJECT_ID,HADM_ID,CHARTDATE,CHARTTIME,CATEGORY,ISERROR,TEXT\n"
    '1,7,70,2101-10-21,,Nursing,,"Walked, twice"\n'
    "2,7,70,2101-10-20,2101-10-20 14:30:00,Physician ,,Dyspnea\n"
    "3,7,70,2101-10-20,,Physician ,1,wrong patient\n"
    "4,8,,2101-01-01,,ECG,,Sinus rhythm\n"
)


def test_notes_a_line_are_read_and_other_fields_left() -> None:
    found = read_patient_file("\n\n".join(LINES).encode(), "notes.jsonl")
    assert found.kind == "notes"
    assert notes_of(found, "", "notes.jsonl") == (
        PatientNote(note_type="Nursing", date="2031-02-02", text="Weight 81 kg."),
        PatientNote(text="Cough."),
    )


def test_what_the_noteevents_command_wrote_is_read_by_patient() -> None:
    rows = [
        {"subject_id": name, "visits": [{"admission": "1", "patient_notes": [json.loads(LINES[0])]}]}
        for name in ("7", "8")
    ]
    found = read_patient_file("\n".join(map(json.dumps, rows)).encode(), "patients.jsonl")
    assert [record.patient for record in found.patients] == ["7", "8"]
    with pytest.raises(InputError, match=r"2 patients\. Say whose are meant: 7, 8"):
        notes_of(found, "", "patients.jsonl")
    with pytest.raises(InputError, match="no patient '9'"):
        notes_of(found, "9", "patients.jsonl")


def test_noteevents_are_read_in_order_of_time_and_error_rows_are_counted() -> None:
    found = read_patient_file(EVENTS.encode(), "NOTEEVENTS.csv")
    assert found.kind == "noteevents"
    assert found.skipped == {"marked as an error (ISERROR)": 1}
    assert notes_of(found, "7", "NOTEEVENTS.csv") == (
        PatientNote(note_type="Physician", date="2101-10-20T14:30", text="Dyspnea"),
        PatientNote(note_type="Nursing", date="2101-10-21", text="Walked, twice"),
    )


def test_plain_text_is_one_note_or_several_and_takes_its_type_from_the_file_s_name() -> None:
    several = b"# Consult, 2031-02-01\nSwelling is less.\n---\nNo fever."
    found = notes_of(read_patient_file(several, "discharge_summary 2031.txt"), "", "")
    assert [(note.note_type, note.date) for note in found] == [("Consult", "2031-02-01"), ("discharge summary", None)]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"text": "ok"}\n\n{"words": 3}', "line 3: not a note"),
        (b'{"text": "ok"}\n{"text": ', "line 2: not a note"),
        (b"[1, 2]", "line 1: not a note"),
        (b"<html>", "no C-CDA"),
        (b"\xff\xfe\x00a", "not UTF-8"),
        (gzip.compress(b"x", mtime=0), "Unpack it first"),
        (b"  \n ", "holds no note"),
        (b"SUBJECT_ID,HADM_ID,CHARTDATE,CHARTTIME,CATEGORY,ISERROR,TEXT\n", "holds no note"),
        (b'{"resourceType": "Bundle", "entry": []}', "holds no note"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line_or_reason(data: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_patient_file(data, "given")


def test_of_too_many_notes_the_latest_stay_and_every_one_that_speaks_of_allergies() -> None:
    notes = [PatientNote(date=f"20{year:02}-01-01", text="seen") for year in range(10, 40)]
    notes[0] = notes[0].model_copy(update={"text": "Allergies: penicillin"})
    notes.append(PatientNote(text="no date"))
    kept, left = latest(notes, most=4)
    # by hand: 31 notes; the allergy of 2010 and the undated one first, then 2039 and 2038; in the order given
    assert [note.date for note in kept] == ["2010-01-01", "2038-01-01", "2039-01-01", None]
    assert left == 27
    assert latest(notes[:3], most=4) == (tuple(notes[:3]), 0)
