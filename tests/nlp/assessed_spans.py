"""The assertion of spans of a text, for readers that have no parsed note: a thin dress of the engine."""

from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.document.tokens import Tokens
from backend.schemas.drafts.note import Section
from backend.schemas.vocabulary import Assertion


class Assessment(NamedTuple):
    """What is said of a span. cue: the words that decided it, empty for the default; also: what applies besides."""

    assertion: Assertion
    cue: str
    also: tuple[Assertion, ...]


def assert_spans(
    text: str, spans: Sequence[tuple[int, int]], sections: Sequence[Section] | None = None
) -> list[tuple[Assertion, str]]:
    """The assertion of each span and the words that decided it, in the order of the spans."""
    return [(found.assertion, found.cue) for found in assess_spans(text, spans, sections)]


def assess_spans(
    text: str,
    spans: Sequence[tuple[int, int]],
    sections: Sequence[Section] | None = None,
    found: Tokens | None = None,
    cut: Sequence[Sequence[tuple[int, int]]] | None = None,
) -> list[Assessment]:
    """As assert_spans, with everything that applies to each span and not only what comes first.

    Args:
        text: of the note.
        spans: half-open code points of it.
        sections: as backend.nlp.document gives them; found here where None.
        found: the text's tokens, where they are known already.
        cut: the sentences of each section's body, where they are known already.
    """
    if not spans:
        return []
    note = parse_note(text, sections, found, cut)
    return [Assessment(one.assertion, one.cue, one.also) for one in read_attributes(note, spans)]
