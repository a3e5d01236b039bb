"""Assembles the patient record of a note from the statements of each kind."""

from collections.abc import Sequence

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.problems import problem_statements
from backend.schemas.drafts.note import Allergies, Mention, Patient
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    PatientRecord,
    Person,
    ProcedureStatement,
    ProcedureStatus,
    RecordSpan,
)
from backend.schemas.vocabulary import Assertion, Category

_MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})


def patient_record(
    note: ParsedNote, mentions: Sequence[Mention], allergies: Allergies, patient: Patient
) -> PatientRecord:
    """The record of one note; its statements are in order of place, by kind.

    Args:
        note: the parsed note.
        mentions: what the lexicon found, with assertions.
        allergies: as read.
        patient: as read.
    """
    return PatientRecord(
        person=Person(
            id="person",
            age_years=patient.age,
            sex="female" if patient.sex == "female" else "male" if patient.sex == "male" else None,
            pregnant=patient.pregnant,
        ),
        problems=problem_statements(note, mentions),
        medications=_medications(mentions),
        allergies=_allergies(note.text, allergies),
        procedures=_procedures(mentions),
    )


def _span(text: str, start: int, end: int) -> RecordSpan:
    return RecordSpan(start_char=start, end_char=end, text=text[start:end])


def _allergies(text: str, allergies: Allergies) -> AllergyRecord:
    items = [
        AllergyStatement(
            id=f"allergy-{number}",
            spans=(_span(text, item.start_char, item.end_char),),
            agent=item.name or item.text,
            concept_id=item.concept_id,
            kind=item.kind,
            reaction=item.reaction,
        )
        for number, item in enumerate(allergies.items, start=1)
    ]
    items += [
        AllergyStatement(
            id=f"allergy-{number}",
            spans=(_span(text, item.start_char, item.end_char),),
            agent=item.name or item.text,
            concept_id=item.concept_id,
            possible=True,
        )
        for number, item in enumerate(allergies.possible, start=len(items) + 1)
    ]
    return AllergyRecord(status=allergies.status, text=allergies.text, items=tuple(items))


def _medications(mentions: Sequence[Mention]) -> tuple[MedicationStatement, ...]:
    statuses = {
        Assertion.NEGATED: MedicationStatus.NOT_TAKEN,
        Assertion.HISTORICAL: MedicationStatus.COMPLETED,
        Assertion.HYPOTHETICAL: MedicationStatus.INTENDED,
    }
    return tuple(
        MedicationStatement(
            id=f"medication-{number}",
            spans=(RecordSpan(start_char=m.start_char, end_char=m.end_char, text=m.text),),
            concept_id=m.concept_id,
            name=m.name,
            status=statuses.get(m.assertion, MedicationStatus.ACTIVE),
            category=MedicationCategory.COMMUNITY,
            section=m.section,
        )
        for number, m in enumerate((m for m in mentions if m.category in _MEDICINES and not m.allergen), start=1)
    )


def _procedures(mentions: Sequence[Mention]) -> tuple[ProcedureStatement, ...]:
    statuses = {Assertion.HISTORICAL: ProcedureStatus.PAST, Assertion.HYPOTHETICAL: ProcedureStatus.PLANNED}
    return tuple(
        ProcedureStatement(
            id=f"procedure-{number}",
            spans=(RecordSpan(start_char=m.start_char, end_char=m.end_char, text=m.text),),
            concept_id=m.concept_id,
            name=m.name,
            status=ProcedureStatus.NOT_DONE
            if m.assertion is Assertion.NEGATED
            else statuses.get(m.assertion, ProcedureStatus.DONE_NOW),
        )
        for number, m in enumerate((m for m in mentions if m.category is Category.PROCEDURE), start=1)
    )
