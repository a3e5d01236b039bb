"""Reads a text into the statements of person, encounter, social, procedures, devices, observations and plan, for tests."""

from collections.abc import Sequence
from functools import partial

from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.findings.measured.observations import observation_statements
from backend.nlp.people.encounter import encounter_statement
from backend.nlp.people.person import person_statement
from backend.nlp.people.social import social_statements
from backend.nlp.procedures.plan_statements import plan_statements
from backend.nlp.procedures.procedures import procedure_statements
from backend.schemas.drafts.note import Mention
from backend.schemas.record import PatientRecord


def read_record(text: str, mentions: Sequence[Mention] = ()) -> PatientRecord:
    """The part of a record that these readers give; medicines, problems and allergies stay empty."""
    note = parse_note(text)
    attributes_of = partial(read_attributes, note)
    person = person_statement(note, mentions, attributes_of)
    encounter = encounter_statement(note, mentions, attributes_of)
    procedures, devices = procedure_statements(note, mentions, attributes_of, encounter.setting)
    return PatientRecord(
        person=person,
        encounter=encounter,
        social=social_statements(note, mentions, attributes_of),
        procedures=procedures,
        devices=devices,
        observations=observation_statements(note, mentions, attributes_of, person),
        plan=plan_statements(note, mentions, attributes_of),
    )
