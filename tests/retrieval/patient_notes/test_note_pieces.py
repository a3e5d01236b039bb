"""The patient's own notes: every sentence of the pasted one, and what earlier ones share with it."""

from collections.abc import Callable

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.vocabulary import Document

TEXT = "Chief Complaint: dyspnea\n\nHPI: She has leg swelling. She denies fever.\n"
Pieces = Callable[[DraftRequest], tuple[NotePiece, ...]]


@pytest.fixture
def pieces(tiny_linker: DictionaryLinker) -> Pieces:
    retriever = NotePieces(tiny_linker, {"T:pneumonia": "pneumonia"})
    return lambda request: retriever.pieces(tiny_linker.link(request.text), request)


def test_every_sentence_of_the_pasted_note_is_a_piece_with_exact_offsets(pieces: Pieces) -> None:
    found = pieces(DraftRequest(text=TEXT))
    assert [piece.text for piece in found] == ["dyspnea", "She has leg swelling.", "She denies fever."]
    assert [piece.id for piece in found] == ["N1", "N2", "N3"]
    assert all(TEXT[piece.start_char : piece.end_char] == piece.text for piece in found)


def test_what_the_ward_adds_is_kept_apart(pieces: Pieces) -> None:
    request = DraftRequest(
        text=TEXT,
        hospital_course="She had a scan. It was clear.",
        discharge_medicines=("Lasix 40 mg daily", "  "),
        confirmed_conditions=("T:pneumonia", "T:unknown"),
    )
    added = [(piece.note_type, piece.text) for piece in pieces(request)[3:]]
    assert added == [
        ("Hospital course", "She had a scan."),
        ("Hospital course", "It was clear."),
        ("Discharge medicines", "Lasix 40 mg daily"),
        ("Confirmed by clinician", "Confirmed: pneumonia"),
    ]


def test_earlier_notes_give_the_sentences_that_share_a_concept_newest_first(pieces: Pieces) -> None:
    request = DraftRequest(
        text=TEXT,
        patient_notes=(
            PatientNote(note_type="Clinic", date="2024-01-05", text="Leg swelling is new. He likes gardening."),
            PatientNote(note_type="Discharge", date="2025-03-01", text="Leg swelling has gone. Takes warfarin."),
        ),
    )
    earlier = [(piece.note_type, piece.date, piece.text) for piece in pieces(request)[3:]]
    assert earlier == [
        ("Discharge", "2025-03-01", "Leg swelling has gone."),
        ("Clinic", "2024-01-05", "Leg swelling is new."),
    ]


def test_what_the_note_only_denies_calls_up_no_earlier_sentence(pieces: Pieces) -> None:
    request = DraftRequest(text=TEXT, patient_notes=(PatientNote(text="Fever to 39 C."),))
    assert len(pieces(request)) == 3


def test_a_progress_note_without_a_pasted_note_rests_on_every_sentence_of_the_notes(pieces: Pieces) -> None:
    notes = (
        PatientNote(note_type="Nursing", date="2031-01-02T10:00", text="He likes gardening. No fever."),
        PatientNote(note_type="Physician", date="2031-01-01", text="Plan: rest."),
    )
    question = "Write the progress note of this visit."
    found = pieces(DraftRequest(question=question, document=Document.PROGRESS_NOTE, patient_notes=notes))
    # forward in time, whatever a sentence is about; a piece bears its day
    assert [(one.date, one.text) for one in found] == [
        ("2031-01-01", "rest."),
        ("2031-01-02", "He likes gardening."),
        ("2031-01-02", "No fever."),
    ]
    asked = pieces(DraftRequest(question="Has he a fever?", document=Document.CLINICAL_ANSWER, patient_notes=notes))
    assert "He likes gardening." not in [one.text for one in asked]  # a question brings what shares its concepts
