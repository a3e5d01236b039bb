"""Notes as JSON lines and as plain text."""

import json

import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.written_note_files import JsonNotes, PlainNotes, json_rows, looks_like_json, utf8

NOTE = {"note_type": "Nursing", "date": "2030-01-02", "text": "Cough."}


def as_bytes(*rows: object) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def test_notes_are_gathered_by_patient_from_lines_lists_and_visits() -> None:
    visit = {"subject_id": "b", "visits": [{"patient_notes": [NOTE, NOTE]}]}
    lines = JsonNotes().read(as_bytes(NOTE | {"subject_id": "a"}, visit, NOTE | {"subject_id": "a"}), "x.jsonl")
    assert [(one.patient, len(one.notes)) for one in lines.patients] == [("a", 2), ("b", 2)]
    (listed,) = JsonNotes().read(json.dumps([NOTE, NOTE]).encode(), "x.json").patients
    assert (listed.patient, len(listed.notes), listed.notes[0].note_type) == ("", 2, "Nursing")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (as_bytes(NOTE, {"note_type": "Nursing"}), "'x', line 2: not a note"),
        (as_bytes(NOTE, {"visits": 7}), "line 2: not a note"),
        (as_bytes(NOTE, 7), "line 2: not a note, but JSON of another kind"),
        (as_bytes(NOTE) + b"\n{", "line 2: not a note .it is not JSON"),
        (b"\xff", "not UTF-8 text .byte 0"),
    ],
)
def test_what_is_no_note_is_refused_with_its_line_and_without_its_text(data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        JsonNotes().read(data, "x")
    assert "Cough" not in str(caught.value)


def test_plain_text_is_one_note_or_several_named_after_the_file() -> None:
    (held,) = PlainNotes().read(b"Cough.\n---\nFever.", "nursing_note-2.txt").patients
    assert [(note.note_type, note.text) for note in held.notes] == [
        ("nursing note", "Cough."),
        ("nursing note", "Fever."),
    ]
    (single,) = PlainNotes().read("\ufeffCough.".encode(), "17.txt").patients
    assert [(note.note_type, note.text) for note in single.notes] == [("General", "Cough.")]


def test_json_is_told_by_its_first_character() -> None:
    assert [looks_like_json(data) for data in (b" {", b"\xef\xbb\xbf[", b"Cough {", b"")] == [True, True, False, False]
    assert utf8("\ufeffé".encode(), "x") == "é"
    assert json_rows('{"a": 1}\n\n{"b": 2}', "x") == [(1, {"a": 1}), (3, {"b": 2})]
