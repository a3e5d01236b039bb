"""A synthetic demonstration case, as a file in assets/cases holds it."""

from pydantic import Field

from backend.schemas.base import Frozen
from backend.schemas.drafts.request import PatientNote


class Expected(Frozen):
    """What a clinician would expect of a draft for this case. Concepts are starter concept ids."""

    present: tuple[str, ...] = Field(default=(), description="Concepts the linker must find as present")
    negated: tuple[str, ...] = ()
    historical: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    allergies: tuple[str, ...] = Field(default=(), description="Allergy items as written in the note")
    allergy_status: str = "listed"
    conditions: tuple[str, ...] = Field(default=(), description="Conditions that must be among the candidates")
    flags: tuple[str, ...] = Field(default=(), description="Kinds of flags that must be raised")
    absent_flags: tuple[str, ...] = Field(default=(), description="Kinds of flags that must not be raised")
    words: tuple[str, ...] = Field(default=(), description="Words the discharge instructions must contain")
    forbidden: tuple[str, ...] = Field(default=(), description="Words they must not contain")


class DemonstrationCase(Frozen):
    """Synthetic: written for this project, about no real person."""

    name: str
    label: str
    about: str = ""
    text: str
    discharge_medicines: tuple[str, ...] = ()
    hospital_course: str = ""
    confirmed_conditions: tuple[str, ...] = ()
    patient_notes: tuple[PatientNote, ...] = ()
    expected: Expected = Expected()
