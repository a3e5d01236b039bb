"""The assertion of spans of a text, for readers that have no parsed note: a thin dress of the engine."""

from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.vocabulary import Assertion


class Assessment(NamedTuple):
    """What is said of a span. cue: the words that decided it, empty for the default; also: what applies besides."""

    assertion: Assertion
    cue: str
    also: tuple[Assertion, ...]


def assert_spans(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[Assertion, str]]:
    """The assertion of each span and the words that decided it, in the order of the spans."""
    return [(found.assertion, found.cue) for found in assess_spans(text, spans)]


def assess_spans(text: str, spans: Sequence[tuple[int, int]]) -> list[Assessment]:
    """As assert_spans, with everything that applies to each span and not only what comes first."""
    return [Assessment(one.assertion, one.cue, one.also) for one in read_attributes(parse_note(text), spans)]
