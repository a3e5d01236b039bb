"""The medication statements of a text, for the tests of medicines."""

from functools import partial

from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.medications.statements import medication_statements
from backend.schemas.record import MedicationStatement, Setting
from tests.nlp.fresh import linker


def statements(text: str, setting: Setting = Setting.UNKNOWN) -> tuple[MedicationStatement, ...]:
    """The medication statements of a note by the starter's vocabulary."""
    note = parse_note(text)
    return medication_statements(note, linker().link(text).note.mentions, partial(read_attributes, note), setting)
