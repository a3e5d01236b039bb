"""What a clinician says of a stretch of today's note against what was read of it."""

from enum import StrEnum

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.record import Dosage, MedicationCategory, MedicationStatus


class CorrectionKind(StrEnum):
    """What a clinician says of a stretch of the note; the first seven are of a problem or procedure, or of any mention."""

    PRESENT = "present"
    ABSENT = "absent"
    PAST = "past"
    FAMILY = "family"
    UNCERTAIN = "uncertain"
    OTHER_SENSE = "other_sense"
    NOT_THIS_PATIENT = "not_this_patient"
    MEDICATION = "medication"
    ALLERGY = "allergy"
    NO_ALLERGY = "no_allergy"


class Correction(Frozen):
    """A clinician's correction of what was read in a stretch of today's note. It beats what was read.

    text must be what the note holds there, so that a correction never lands on another note. concept_id goes with
    other_sense, dosage and status with medication, reaction with allergy.
    """

    start_char: int = Field(ge=0)
    end_char: int = Field(ge=1)
    text: str = Field(min_length=1, max_length=500)
    kind: CorrectionKind
    concept_id: str = ""
    dosage: Dosage | None = None
    status: MedicationStatus | None = None
    category: MedicationCategory | None = None
    reaction: str = Field(default="", max_length=500)
    author: str = Field(default="", max_length=200)
    at: str = Field(default="", max_length=40)
