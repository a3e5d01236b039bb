"""The attributes of spans by the assertions of today, until one engine gives them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from backend.nlp.attributes.assertions import assess_spans
from backend.nlp.document.parsed_note import ParsedNote
from backend.schemas.record import Experiencer
from backend.schemas.vocabulary import Assertion


class SpanAttributes(Protocol):
    """What is asked of a span's attributes."""

    @property
    def negated(self) -> bool:
        """Whether it is denied."""

    @property
    def hypothetical(self) -> bool:
        """Whether it is only weighed or warned of."""

    @property
    def uncertain(self) -> bool:
        """Whether it is only suspected."""

    @property
    def historical(self) -> bool:
        """Whether it is of the past."""

    @property
    def experiencer(self) -> Experiencer:
        """Whose it is."""


class Assessed(NamedTuple):
    """The attributes of one span."""

    negated: bool
    hypothetical: bool
    uncertain: bool
    historical: bool
    experiencer: Experiencer


def attributes_of(note: ParsedNote, spans: Sequence[tuple[int, int]]) -> list[Assessed]:
    """The attributes of each span."""
    cut: list[list[tuple[int, int]]] = [[] for _ in note.sections]
    for one in note.sentences:
        cut[one.section].append((one.start_char, one.end_char))
    return [
        Assessed(
            Assertion.NEGATED in one.holds,
            Assertion.HYPOTHETICAL in one.holds,
            Assertion.UNCERTAIN in one.holds,
            Assertion.HISTORICAL in one.holds,
            Experiencer.RELATIVE if Assertion.FAMILY in one.holds else Experiencer.PATIENT,
        )
        for one in assess_spans(note.text, spans, note.sections, note.tokens, cut)
    ]
