"""The form in which a model states a patient record: each entry with a quote that must stand in the note letter by letter."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.record import MedicationCategory, MedicationStatus, PlanKind, ProcedureStatus

Quote = Annotated[str, Field(min_length=1, max_length=300)]
Words = Annotated[str, Field(max_length=200)]
_MOST = 80


class WordedStatus(StrEnum):
    """What the note says of a problem."""

    ACTIVE = "active"
    CHRONIC = "chronic"
    PAST = "past"
    DENIED = "denied"
    UNCERTAIN = "uncertain"
    FAMILY = "family"
    OTHER_PERSON = "other_person"


class WordedProblem(Frozen):
    """A diagnosis or symptom; quote is its name as written."""

    quote: Quote
    status: WordedStatus


class WordedMedication(Frozen):
    """A medicine; quote is its name as written, the other texts are as written or empty."""

    quote: Quote
    dosage: Words
    status: MedicationStatus
    category: MedicationCategory
    reason: Words


class WordedAllergy(Frozen):
    """Something the patient is said to react to; quote is its name as written."""

    quote: Quote
    reaction: Words


class WordedProcedure(Frozen):
    """A procedure; quote is its name as written."""

    quote: Quote
    status: ProcedureStatus


class WordedPlanStatement(Frozen):
    """What the note decides or asks; quote is the clause as written."""

    quote: Quote
    kind: PlanKind


class WordedRecord(Frozen):
    """The reply of the record prompt."""

    problems: Annotated[tuple[WordedProblem, ...], Field(max_length=_MOST)]
    medications: Annotated[tuple[WordedMedication, ...], Field(max_length=_MOST)]
    allergies: Annotated[tuple[WordedAllergy, ...], Field(max_length=_MOST)]
    procedures: Annotated[tuple[WordedProcedure, ...], Field(max_length=_MOST)]
    plan: Annotated[tuple[WordedPlanStatement, ...], Field(max_length=_MOST)]
