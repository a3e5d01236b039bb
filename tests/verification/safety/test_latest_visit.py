"""The patient's own notes without a note of today: the newest visit's medicines are held against its patient."""

from backend.container.container import Container
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.vocabulary import Document, Severity
from backend.verification.safety.latest_visit import latest_as_note

EARLIER = PatientNote(
    note_type="Physician", date="2024-01-10", text="HPI: She is well.\n\nMedications: ibuprofen daily.\n"
)
NEWEST = PatientNote(
    note_type="Physician",
    date="2024-05-02",
    text="HPI: A 29-year-old woman, 20 weeks pregnant, has a swollen leg.\n\nMedications: warfarin 5 mg daily.\n",
)


def of(*notes: PatientNote, text: str = "") -> DraftRequest:
    return DraftRequest(text=text, question="The note", document=Document.PROGRESS_NOTE, patient_notes=notes)


def test_the_newest_day_stands_in_for_the_note() -> None:
    undated = PatientNote(note_type="Nursing", text="No date.")
    assert latest_as_note(of(NEWEST, EARLIER, undated)).text == NEWEST.text
    assert latest_as_note(of(undated, undated.model_copy(update={"text": "The last."}))).text == "The last."
    for request in (of(NEWEST, text="HPI: cough."), of()):
        assert latest_as_note(request) is request


def test_a_visit_s_medicine_is_flagged_for_its_patient(container: Container) -> None:
    flags = container.pipeline("leapnote").run(of(EARLIER, NEWEST)).flags
    severe = [flag.message for flag in flags if flag.severity is Severity.SEVERE]
    assert any(message.startswith("warfarin") and "pregnan" in message for message in severe)
