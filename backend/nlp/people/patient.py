"""The patient as the page's pinned line has them, from the person of the record."""

import re
from functools import partial

from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.people.person import person_statement
from backend.schemas.drafts.note import Patient
from backend.schemas.record import Person

_LABELS = frozenset(("sex", "gender"))
_AFTER_LABEL = re.compile(r"\s*(?:[:=/]|(?:male|female|[MF])\b)", re.IGNORECASE)


def patient_of(person: Person) -> Patient:
    """Age in whole years (0 below one year), sex and pregnancy; start_char and end_char bound the words of the age, or of the sex."""
    stated = bool(person.spans) and (person.age_years is not None or person.sex is not None)
    return Patient(
        age=None if person.age_years is None else int(person.age_years),
        sex=person.sex,
        pregnant=person.pregnant,
        start_char=person.spans[0].start_char if stated else None,
        end_char=person.spans[0].end_char if stated else None,
    )


def find_patient(note: ParsedNote) -> Patient:
    """The patient of a parsed note."""
    return patient_of(note.once(person_of))


def person_of(note: ParsedNote) -> Person:
    """The person of a parsed note, whose statement needs no mentions."""
    return person_statement(note, (), partial(read_attributes, note))


def is_label(text: str, start: int, end: int) -> bool:
    """Whether a span is the label of a form: "Sex: male" tells no sexual activity."""
    return text[start:end].lower() in _LABELS and _AFTER_LABEL.match(text, end) is not None
