"""What was typed, as a request."""

from app.view_data.entry import Entry, as_text, entry_of, request_of
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.written_notes import written_notes
from tests.app.fake_api import CASE


def test_an_entry_without_note_and_question_is_no_request() -> None:
    assert request_of(Entry(note="  \n ")) is None


def test_a_question_counts_only_for_an_answer() -> None:
    assert request_of(Entry(question="What now?")) is None
    found = request_of(Entry(question=" What now? ", options="a\n\nb\n", document="clinical_answer"))
    assert found is not None
    assert (found.question, found.options) == ("What now?", ("a", "b"))


def test_a_note_is_sent_exactly_as_typed() -> None:
    found = request_of(Entry(note="  CC: cough \n"))
    assert found is not None
    assert found.text == "  CC: cough \n"


def test_earlier_notes_are_parted_by_dashes_and_named_by_their_first_line() -> None:
    text = "# Discharge summary, 2024-03-01\nEF 35 %.\n---\njust words\n -----\n# Radiology\nclear"
    assert written_notes(text) == (
        PatientNote(note_type="Discharge summary", date="2024-03-01", text="EF 35 %."),
        PatientNote(text="just words"),
        PatientNote(note_type="Radiology", text="clear"),
    )


def test_earlier_notes_shown_in_the_field_are_read_back_unchanged() -> None:
    assert written_notes(as_text(CASE.patient_notes)) == CASE.patient_notes


def test_a_case_fills_every_field_it_speaks_of() -> None:
    found = request_of(Entry(**entry_of(CASE)))
    assert found is not None
    assert (found.text, found.patient_notes) == (CASE.text, CASE.patient_notes)
    assert (found.discharge_medicines, found.hospital_course) == (CASE.discharge_medicines, CASE.hospital_course)
    assert found.confirmed_conditions == CASE.confirmed_conditions
