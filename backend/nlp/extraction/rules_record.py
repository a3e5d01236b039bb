"""Assembles the patient record of a note from the statements of each kind."""

from collections.abc import Sequence
from functools import partial

from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.observations import observation_statements
from backend.nlp.findings.problems import problem_statements
from backend.nlp.medications.statements import medication_statements
from backend.nlp.people.encounter import encounter_statement
from backend.nlp.people.person import person_statement
from backend.nlp.people.social import social_statements
from backend.nlp.plan.plan_statements import plan_statements
from backend.nlp.procedures.procedures import procedure_statements
from backend.schemas.drafts.note import Allergies, Mention
from backend.schemas.record import AllergyRecord, AllergyStatement, PatientRecord, RecordSpan


def patient_record(note: ParsedNote, mentions: Sequence[Mention], allergies: Allergies) -> PatientRecord:
    """The record of one note; its statements are in order of place, by kind.

    Args:
        note: the parsed note.
        mentions: what the lexicon found, with assertions.
        allergies: as read.
    """
    attributes_of = partial(read_attributes, note)
    person = person_statement(note, mentions, attributes_of)
    encounter = encounter_statement(note, mentions, attributes_of)
    procedures, devices = procedure_statements(note, mentions, attributes_of, encounter.setting)
    return PatientRecord(
        person=person,
        encounter=encounter,
        social=social_statements(note, mentions, attributes_of),
        problems=problem_statements(note, mentions, attributes_of),
        medications=medication_statements(note, mentions, attributes_of),
        allergies=_allergies(note.text, allergies),
        procedures=procedures,
        devices=devices,
        observations=observation_statements(note, mentions, attributes_of, person),
        plan=plan_statements(note, mentions, attributes_of),
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
