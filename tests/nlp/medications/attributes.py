"""The attributes of spans for the tests of medicines, from the assertions of the spans."""

from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.attributes.assertions import assess_spans
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.medications.statements import medication_statements
from backend.schemas.record import Experiencer, MedicationStatement
from backend.schemas.vocabulary import Assertion
from tests.nlp.fresh import linker


class SpanAttributes(NamedTuple):
    negated: bool
    historical: bool
    hypothetical: bool
    experiencer: Experiencer


def statements(text: str) -> tuple[MedicationStatement, ...]:
    """The medication statements of a note by the starter's vocabulary."""

    def attributes_of(spans: Sequence[tuple[int, int]]) -> list[SpanAttributes]:
        told = [{one.assertion, *one.also} for one in assess_spans(text, spans)]
        return [
            SpanAttributes(
                Assertion.NEGATED in one,
                Assertion.HISTORICAL in one,
                Assertion.HYPOTHETICAL in one,
                Experiencer.RELATIVE if Assertion.FAMILY in one else Experiencer.PATIENT,
            )
            for one in told
        ]

    return medication_statements(parse_note(text), linker().link(text).note.mentions, attributes_of)
