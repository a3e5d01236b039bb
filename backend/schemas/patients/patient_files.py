"""What was read from a file of a patient's notes, and how notes fall into visits."""

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.patients.patient_notes import DateSource
from backend.schemas.patients.taken import Taken
from backend.schemas.record import MedicationCategory, MedicationStatus, PatientRecord
from backend.schemas.vocabulary import AllergyKind, AllergyStatus


class FileMedicine(Frozen):
    """A medicine as a file lists it: a line for the list of medicines, and whether it is taken."""

    text: str
    status: MedicationStatus
    category: MedicationCategory


class PatientFile(Frozen):
    """The notes of one patient in one file."""

    patient: str = Field(default="", description="The id that the file gives the patient; empty where it gives none")
    notes: tuple[PatientNote, ...]
    record: PatientRecord | None = Field(default=None, description="What a C-CDA or FHIR file states in codes")
    medicines: tuple[FileMedicine, ...] = ()
    details: LetterDetails = Field(default=LetterDetails(), description="What the file says for the head of a letter")


class NotesFile(Frozen):
    """A file of notes, as it was read."""

    kind: str = Field(description="What it was read as: notes, noteevents, laboratory, fhir, c-cda, pdf, docx or text")
    patients: tuple[PatientFile, ...]
    skipped: dict[str, int] = Field(default_factory=dict, description="What was left out: reason to count")
    taken: Taken = Field(default=Taken(), description="Every part of the file, taken or not, with the reason")


class VisitNote(Frozen):
    """One note of a visit, without its text."""

    note_type: str = Field(description="As it is shown")
    date: str | None = Field(description="ISO date, with the time where it is known; None without a clear one")
    date_source: DateSource
    reason: str = Field(default="", description="Why there is no date")
    characters: int


class VisitOverview(Frozen):
    """One visit as the notes show it. first and last are days (ISO), None for a patient without any date."""

    number: int
    first: str | None
    last: str | None
    notes: tuple[VisitNote, ...]


class StatedAllergy(Frozen):
    """An allergy that a note of the patient states, with the note's day and type."""

    text: str
    reaction: str = ""
    kind: AllergyKind
    checked: bool = Field(description="Whether the graph knows it, so that medicines are compared with it")
    date: str | None
    note_type: str


class PatientOverview(Frozen):
    """How a patient's notes fall into visits, and the allergies that they state."""

    visits: tuple[VisitOverview, ...]
    allergies: tuple[StatedAllergy, ...]
    allergy_status: AllergyStatus = Field(
        description="listed where any note lists one; unreadable, none_known where any says so; else not_stated"
    )
