"""Whether a note is plainly British, by its own words: the number for an ambulance is that of the patient's country or none.

The words are rows of assets/rules/locale/place_triggers.tsv. A request that names a locale, and any other note, leave the setting as it is.
"""

from enum import StrEnum
from functools import lru_cache

from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import trigger_rows

FAMILY = "locale/place"
LEAST = 3
"""Rows of words, each once, that make a note British: one word alone may be a loan."""


class Place(StrEnum):
    """What a note tells of its country."""

    UK = "uk"
    BRITISH_WORDS = "british_words"
    """Of the UK or of a country that writes as it does and has other numbers."""
    NOT_TOLD = "not_told"


@lru_cache(maxsize=64)
def place_of(note: str) -> Place:
    """The country by the words of a note.

    Args:
        note: its text.
    """
    found = {one.row.id: one.row.event for one in _automaton().find(plain_marks(tokens(note).words))[FAMILY]}
    events = list(found.values())
    if "US" in events or events.count("UK") + events.count("BRITISH") < LEAST:
        return Place.NOT_TOLD
    return Place.UK if "UK" in events and "OTHER" not in events else Place.BRITISH_WORDS


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))
