"""The patient as the page's pinned line has them, from the person of the record."""

import re
from collections.abc import Callable, Collection, Sequence

from backend.nlp.attributes.assertions import assess_spans
from backend.nlp.attributes.seam import ReadAttributes
from backend.nlp.document.parsed_note import ParsedNote, parse_note
from backend.nlp.people.person import person_statement
from backend.schemas.drafts.note import Patient, Section
from backend.schemas.record import Experiencer, Person
from backend.schemas.vocabulary import Assertion

_LABELS = frozenset(("sex", "gender"))
_AFTER_LABEL = re.compile(r"\s*(?:[:=/]|(?:male|female|[MF])\b)", re.IGNORECASE)


def patient_of(person: Person) -> Patient:
    """Age in whole years (0 below one year), sex and pregnancy; start_char and end_char bound the words of the age, or of the sex."""
    told = bool(person.spans) and (person.age_years is not None or person.sex is not None)
    return Patient(
        age=None if person.age_years is None else int(person.age_years),
        sex=person.sex,
        pregnant=person.pregnant,
        start_char=person.spans[0].start_char if told else None,
        end_char=person.spans[0].end_char if told else None,
    )


def find_patient(text: str, sections: Sequence[Section], words: Collection[str] | None = None) -> Patient:
    """The patient of a text that is not parsed yet. words: not used."""
    note = parse_note(text)
    return patient_of(person_statement(note, (), asserted_attributes(note, sections)))


def asserted_attributes(
    note: ParsedNote, sections: Sequence[Section]
) -> Callable[[Sequence[tuple[int, int]]], list[ReadAttributes]]:
    """The attributes of spans, in any order, from the assertions of a note."""

    def read(spans: Sequence[tuple[int, int]]) -> list[ReadAttributes]:
        order = sorted(range(len(spans)), key=lambda i: spans[i])
        told: dict[int, ReadAttributes] = {}
        for i, one in zip(
            order, assess_spans(note.text, [spans[i] for i in order], sections, note.tokens), strict=True
        ):
            holds = {one.assertion, *one.holds}
            told[i] = ReadAttributes(
                Assertion.NEGATED in holds,
                Assertion.HYPOTHETICAL in holds,
                Assertion.HISTORICAL in holds,
                Assertion.UNCERTAIN in holds,
                Experiencer.RELATIVE if Assertion.FAMILY in holds else Experiencer.PATIENT,
            )
        return [told[i] for i in range(len(spans))]

    return read


def is_label(text: str, start: int, end: int) -> bool:
    """Whether a span is the label of a form: "Sex: male" tells no sexual activity."""
    return text[start:end].lower() in _LABELS and _AFTER_LABEL.match(text, end) is not None
