"""How the annotations' words map to the record's (FHIR's): this table is the evaluator's own."""

import re
from collections.abc import Callable

from backend.evaluation.reading.gold_notes import GoldMedicine
from backend.schemas.record import (
    ClinicalStatus,
    Dosage,
    Experiencer,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    Setting,
    VerificationStatus,
)
from backend.schemas.vocabulary import SectionCategory

SETTINGS = {
    "emergency": Setting.EMERGENCY,
    "admission": Setting.ADMISSION,
    "hospital consult": Setting.HOSPITAL_CONSULT,
    "clinic": Setting.CLINIC,
    "pre-operative": Setting.PRE_OPERATIVE,
    "other": Setting.UNKNOWN,
}
_UNSURE = (VerificationStatus.PROVISIONAL, VerificationStatus.DIFFERENTIAL, VerificationStatus.UNCONFIRMED)
_PROCEDURES = {
    ProcedureStatus.DONE_NOW: "done now",
    ProcedureStatus.PAST: "past",
    ProcedureStatus.PLANNED: "planned",
    ProcedureStatus.NOT_DONE: "not done",
}
_DECIDED = (SectionCategory.PLAN, SectionCategory.ASSESSMENT, SectionCategory.INSTRUCTIONS)
_AS_NEEDED = ("as needed", "prn", "when required")
"""Frequencies that are none: the record, and the annotation beside them, have as needed for itself."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FRACTIONS = {"half": 0.5, "one-half": 0.5, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0}


def problem_status(statement: ProblemStatement) -> frozenset[str]:
    """The annotators' statuses that a problem's statement agrees with: chronic and active are one."""
    if statement.verification_status is VerificationStatus.REFUTED:
        return frozenset({"denied"})  # also of the family: "no family history of cancer"
    if statement.experiencer is Experiencer.RELATIVE:
        return frozenset({"family"})
    if statement.experiencer is Experiencer.OTHER:
        return frozenset({"other person"})
    if statement.hypothetical:
        return frozenset({"planned"})
    if statement.clinical_status is not ClinicalStatus.ACTIVE:
        return frozenset({"past"})
    if statement.verification_status in _UNSURE:
        return frozenset({"uncertain"})
    return frozenset({"active", "chronic"})


def medication_status(statement: MedicationStatement) -> frozenset[str]:
    """The annotators' statuses that a medicine's statement agrees with."""
    if statement.experiencer is not Experiencer.PATIENT:
        return frozenset({"other person"})
    inpatient = statement.category is MedicationCategory.INPATIENT
    match statement.status:
        case MedicationStatus.STOPPED:
            return frozenset({"stopped"})
        case MedicationStatus.ON_HOLD:
            return frozenset({"held"})
        case MedicationStatus.NOT_TAKEN:
            return frozenset({"refused"})
        case MedicationStatus.INTENDED:
            return frozenset({"planned", "started here"})
        case MedicationStatus.COMPLETED:
            return frozenset({"given here"}) if inpatient else frozenset({"past"})
        case MedicationStatus.ACTIVE:
            begun = statement.change == "started"
            if inpatient:
                return frozenset({"given here", "started here"}) if begun else frozenset({"given here"})
            if begun:
                return frozenset({"started here"})
            # Annotators enter a dose that the note's own decision changes as a medicine started here, beside the old one.
            changed = statement.change in ("increased", "decreased", "changed") and statement.section in _DECIDED
            return frozenset({"home", "started here"}) if changed else frozenset({"home"})


def procedure_status(statement: ProcedureStatement) -> str:
    """The annotators' status of a procedure."""
    return _PROCEDURES[statement.status]


def dose_agrees(gold: str | None, dosage: Dosage) -> bool:
    """Whether a stated dose is the annotated one: the same numbers, mg and mcg not taken for one another.

    Where the annotator gave none, none may be stated.
    """
    stated = [n for n in (dosage.dose, dosage.dose_high, dosage.quantity, dosage.quantity_high) if n is not None]
    if gold is None:
        return not stated
    wanted = [float(n) for n in _NUMBER.findall(gold.replace(",", ""))]
    wanted += [_FRACTIONS[w] for w in re.findall(r"[a-z-]+", gold.lower()) if w in _FRACTIONS and not wanted]
    text = [float(n) for n in _NUMBER.findall(dosage.text.replace(",", ""))]
    if not wanted:
        return bool(stated) or gold.lower() in dosage.text.lower()
    units = {"mcg", "mg", "g", "ml", "units"}
    unit = re.search(r"\b(mcg|mg|g|ml|units?)\b", gold.lower())
    same_unit = (
        unit is None or dosage.unit.lower() not in units or dosage.unit.lower().rstrip("s") == unit[1].rstrip("s")
    )
    return same_unit and wanted[0] in (*stated, *text)


def timing_agrees(gold: GoldMedicine, dosage: Dosage, code_of: Callable[[str], str]) -> bool:
    """Whether a stated timing is the annotated one, by the code that both have; none where none or "as needed" is annotated.

    Args:
        gold: the annotated medicine.
        dosage: the stated dosage.
        code_of: the code of a frequency in words; empty for none.
    """
    if gold.frequency is None or gold.frequency.strip().lower() in _AS_NEEDED:
        return not dosage.timing
    wanted = code_of(gold.frequency)
    if not wanted:
        return bool(dosage.timing_text) and dosage.timing_text.lower() in gold.frequency.lower()
    return _same_code(wanted, dosage.timing)


_ONE_DAILY = frozenset({"QD", "QAM", "QPM", "HS"})


def _same_code(wanted: str, stated: str) -> bool:
    pairs = ({"BID", "Q12H"}, {"TID", "Q8H"}, {"QID", "Q6H"}, {"QD", "Q24H"})
    return (
        wanted == stated
        or any({wanted, stated} <= pair for pair in pairs)
        or ("QD" in (wanted, stated) and {wanted, stated} <= _ONE_DAILY)
    )
