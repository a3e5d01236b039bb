"""What a caller asks for."""

from typing import Any, Self

from pydantic import Field, model_validator

from backend.errors import InputError, TooLongError
from backend.schemas.base import Frozen
from backend.schemas.corrections import Correction
from backend.schemas.vocabulary import LETTERS, Document, Length, Locale, Source

MOST_CONTROL_SHARE = 0.01


class PatientNote(Frozen):
    """One of the patient's earlier notes."""

    note_type: str = "General"
    date: str | None = Field(default=None, description="ISO date, or None when the note carries none")
    text: str


class LinkRequest(Frozen):
    """A text to read, with corrections of what is read."""

    text: str
    corrections: tuple[Correction, ...] = Field(default=(), max_length=500)


class DraftRequest(Frozen):
    """A request for evidence or a draft: a note, or a question. All else is optional.

    A question without a note, and without a document named, asks for an answer.
    """

    text: str = ""
    question: str = ""
    options: tuple[str, ...] = Field(default=(), max_length=len(LETTERS))
    document: Document = Document.DISCHARGE_INSTRUCTIONS
    style: str = Field(default="sections", pattern="^(sections|paragraph)$")
    length: Length = Length.SHORT
    locale: Locale | None = Field(
        default=None,
        description="Emergency numbers, units, names of drugs and spelling; none given: as LEAPNOTE_LOCALE has it",
    )
    system: str = "leapnote"
    generator: str | None = None
    sources: tuple[Source, ...] = Field(default=(), description="The only sources to search; none given: all")
    seed: int = 0
    patient_notes: tuple[PatientNote, ...] = Field(default=(), max_length=200)
    confirmed_conditions: tuple[str, ...] = Field(default=(), description="Concept ids a clinician confirmed")
    leading_condition: str = Field(default="", description="The confirmed one that the document is about first")
    ruled_out_conditions: tuple[str, ...] = Field(default=(), description="Concept ids a clinician ruled out")
    corrections: tuple[Correction, ...] = Field(
        default=(),
        max_length=500,
        description="What a clinician corrects of the reading of `text`; they beat what is read",
    )
    hospital_course: str = ""
    discharge_medicines: tuple[str, ...] = ()

    @property
    def going_home(self) -> bool:
        """Whether the team has written of the patient's way home: a course of the stay, or a list of medicines."""
        return bool(self.hospital_course.strip()) or any(map(str.strip, self.discharge_medicines))

    @model_validator(mode="before")
    @classmethod
    def _answered(cls, given: Any) -> Any:
        if not isinstance(given, dict) or "document" in given or "question" not in given:
            return given
        note = given.get("text") or ""
        asked = isinstance(note, str) and not note.strip()
        return {**given, "document": Document.CLINICAL_ANSWER} if asked else given

    @model_validator(mode="after")
    def _one_text(self) -> Self:
        if not self.text.strip() and not self.question.strip():
            raise ValueError("Give 'text' (a note) or 'question'; both are empty.")
        return self


def checked_text(text: str, limit: int, what: str = "note") -> str:
    """The text itself, if it can be taken; no message repeats it.

    Args:
        text: as it was given.
        limit: the most code points.
        what: the field's name, as a person knows it.

    Raises:
        InputError: the text is empty or binary.
        TooLongError: it is beyond the limit, which the message names.
    """
    if not text.strip():
        way = (
            "Paste the allergies, chief complaint and history of present illness." if what == "note" else "Fill it in."
        )
        raise InputError(f"The {what} is empty. {way}")
    if len(text) > limit:
        raise TooLongError(
            f"The {what} has {len(text):,} characters; at most {limit:,} are taken. Shorten it or split it."
        )
    if "\x00" in text:
        raise InputError(
            f"The {what} holds null bytes, so it is not plain text. Save it as plain text (UTF-8) and try again."
        )
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise InputError(
            f"The {what} holds broken characters (lone surrogates). Save it as plain text (UTF-8) and try again."
        )
    odd = sum(1 for c in text if (c < " " and c not in "\t\n\r\f\v") or c == "\ufffd")
    if odd > max(3, MOST_CONTROL_SHARE * len(text)):
        raise InputError(f"The {what} looks like a binary file ({odd} control characters). Paste plain text.")
    return text
