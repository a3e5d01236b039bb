"""What a caller asks for."""

from typing import Self

from pydantic import Field, model_validator

from backend.schemas.base import Frozen
from backend.schemas.vocabulary import Document

MAX_NOTE_CHARS = 50_000


class PatientNote(Frozen):
    """One of the patient's earlier notes."""

    note_type: str = "General"
    date: str | None = Field(default=None, description="ISO date, or None when the note carries none")
    text: str


class LinkRequest(Frozen):
    text: str


class DraftRequest(Frozen):
    """A request for evidence or a draft: a note, or a question. All else is optional."""

    text: str = ""
    question: str = ""
    options: tuple[str, ...] = Field(default=(), max_length=10)
    document: Document = Document.DISCHARGE_INSTRUCTIONS
    style: str = Field(default="sections", pattern="^(sections|paragraph)$")
    system: str = "leapnote"
    generator: str | None = None
    seed: int = 0
    patient_notes: tuple[PatientNote, ...] = Field(default=(), max_length=200)
    confirmed_conditions: tuple[str, ...] = Field(default=(), description="Concept ids a clinician confirmed")
    ruled_out_conditions: tuple[str, ...] = Field(default=(), description="Concept ids a clinician ruled out")
    hospital_course: str = ""
    discharge_medicines: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _one_text(self) -> Self:
        if not self.text.strip() and not self.question.strip():
            raise ValueError("Give 'text' (a note) or 'question'; both are empty.")
        return self
