"""Assembles the patient record of a note from the statements of each kind."""

from collections.abc import Sequence
from functools import partial

from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.measured.observations import observation_statements
from backend.nlp.findings.past_reactions import with_past_reactions
from backend.nlp.findings.problems import ConceptOf, problem_statements
from backend.nlp.medications.statements import medication_statements
from backend.nlp.people.encounter import encounter_statement
from backend.nlp.people.patient import person_of
from backend.nlp.people.social import social_statements
from backend.nlp.procedures.plan_statements import plan_statements
from backend.nlp.procedures.procedures import procedure_statements
from backend.schemas.drafts.note import Mention
from backend.schemas.record import AllergyRecord, PatientRecord


def patient_record(
    note: ParsedNote,
    mentions: Sequence[Mention],
    allergies: AllergyRecord,
    concept_of: ConceptOf,
    values: Sequence[Mention] = (),
) -> PatientRecord:
    """The record of one note; its statements are in order of place, by kind.

    Args:
        note: the parsed note.
        mentions: what the lexicon found, with assertions.
        allergies: as read.
        concept_of: the concept id of a name, or None.
        values: what measured values tell that is no mention of the note.
    """
    attributes_of = partial(read_attributes, note)
    person = note.once(person_of)
    encounter = encounter_statement(note, mentions, attributes_of)
    medications = medication_statements(note, mentions, attributes_of, encounter.setting, goes_home=encounter.goes_home)
    problems = problem_statements(note, mentions, attributes_of, concept_of, values)
    procedures, devices = procedure_statements(note, mentions, attributes_of, encounter.setting)
    return PatientRecord(
        person=person,
        encounter=encounter,
        social=social_statements(note, mentions, attributes_of),
        problems=with_past_reactions(note, problems, medications, allergies.items),
        medications=medications,
        allergies=allergies,
        procedures=procedures,
        devices=devices,
        observations=observation_statements(note, mentions, attributes_of, person),
        plan=plan_statements(note, mentions, attributes_of),
    )
