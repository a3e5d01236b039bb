"""What a field of the patient record is in FHIR R4 and C-CDA: codes both ways, from assets/rules/fhir/.

Codes are read whatever system they name, since those of one field do not clash; they are written with their system.
"""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import (
    ClinicalStatus,
    HabitStatus,
    MedicationCategory,
    MedicationStatus,
    PlanKind,
    ProcedureStatus,
    Setting,
    SocialKind,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyKind, AllergyStatus

FOLDER = RULES / "fhir"
OWN = "urn:leapnote:"
"""Before the name of every extension and code system of Leapnote's own."""
_TERMINOLOGY = "http://terminology.hl7.org/CodeSystem/"
SYSTEMS = {
    "snomed": "http://snomed.info/sct",
    "loinc": "http://loinc.org",
    "nci": "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl",
    "clinical": f"{_TERMINOLOGY}condition-clinical",
    "ver": f"{_TERMINOLOGY}condition-ver-status",
    "allergyver": f"{_TERMINOLOGY}allergyintolerance-verification",
    "empty": f"{_TERMINOLOGY}list-empty-reason",
    "medcat": f"{_TERMINOLOGY}medication-statement-category",
    "requestcat": f"{_TERMINOLOGY}medicationrequest-category",
    "act": f"{_TERMINOLOGY}v3-ActCode",
    "role": f"{_TERMINOLOGY}v3-RoleCode",
    "null": f"{_TERMINOLOGY}v3-NullFlavor",
    "gts": f"{_TERMINOLOGY}v3-GTSAbbreviation",
    "cda": "",
    "-": "",
}
_VALUES: dict[str, type[StrEnum]] = {
    "clinical_status": ClinicalStatus,
    "verification_status": VerificationStatus,
    "allergy_verification": VerificationStatus,
    "allergy_kind": AllergyKind,
    "allergies_none": AllergyStatus,
    "allergies_empty": AllergyStatus,
    "medication_status": MedicationStatus,
    "medication_category": MedicationCategory,
    "medication_section": MedicationCategory,
    "procedure_status": ProcedureStatus,
    "device_status": ProcedureStatus,
    "setting": Setting,
    "social_kind": SocialKind,
    "habit_status": HabitStatus,
    "plan_kind": PlanKind,
}


class Code(NamedTuple):
    """A code of a system; the system is a URI, empty for a code of FHIR's own."""

    system: str
    code: str
    display: str

    def coding(self) -> dict[str, str]:
        """It as FHIR's Coding."""
        fields = {"system": self.system, "code": self.code, "display": self.display}
        return {name: text for name, text in fields.items() if text}


def code_of(field: str, value: str) -> Code | None:
    """The code that a value of a field is written as, or None."""
    return _tables().written.get((field, value))


def value_of(field: str, codes: Iterable[str]) -> str:
    """The value of a field that the first known of some codes means; empty where none is known."""
    read = _tables().read
    return next((read[field, code] for code in codes if (field, code) in read), "")


def concept(text: str, *codes: Code | None) -> dict[str, Any]:
    """FHIR's CodeableConcept of a text and codes; empty parts are left out."""
    coding = [code.coding() for code in codes if code is not None]
    return ({"coding": coding} if coding else {}) | ({"text": text} if text else {})


def own_code(system: str, code: str, display: str = "") -> Code:
    """A code of a system of Leapnote's own."""
    return Code(f"{OWN}{system}", code, display)


class _Tables(NamedTuple):
    written: dict[tuple[str, str], Code]
    read: dict[tuple[str, str], str]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    written: dict[tuple[str, str], Code] = {}
    read: dict[tuple[str, str], str] = {}
    for field, value, system, code, display in rule_rows(FOLDER / "codes.tsv", 5):
        if system not in SYSTEMS or (field in _VALUES and value not in set(_VALUES[field])):
            raise KnowledgeError(f"codes.tsv: {field} has no value {value!r}, or there is no system {system!r}.")
        written.setdefault((field, value), Code(SYSTEMS[system], code, "" if display == "-" else display))
        read.setdefault((field, code), value)
    return _Tables(written, read)
