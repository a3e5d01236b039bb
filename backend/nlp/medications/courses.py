"""That a medicine is for a short time, where the note tells it without a date: "a quick burst of prednisone", "dose pack", "40 mg daily x 5".

The words are rows of assets/rules/medications/course_triggers.tsv; they stand right before a medicine, in its name, or behind it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.measures.units import NUMBER_WORDS
from backend.nlp.medications.medicine_names import NamedMedicine

FAMILY = "medications/course"
_BEFORE, _TIMES = "before", f"{FAMILY}/times"
_FAR = 14
"""Tokens between a medicine and the words; its dose stands between."""
_BETWEEN = frozenset({"oral", "po", "iv", "the", "a", "his", "her"})
_BORDERS = frozenset({"and", "but", ";", "\n", "with"})
_WEEK = 7


class Course(NamedTuple):
    """A short course: its words in the note, and how many days or daily doses it has, where they are told."""

    text: str
    days: float | None = None


def courses(note: ParsedNote, named: Sequence[NamedMedicine]) -> Mapping[int, Course]:
    """The short courses of a note, by where the name of their medicine begins.

    Args:
        note: the parsed note.
        named: its medicines in order of place.
    """
    found: dict[int, Course] = {}
    for at, one in enumerate(named):
        number = note.sentence_at(one.start_char)
        if number is None:
            continue
        sentence = note.sentences[number]
        limit = min([sentence.last, *(after.first for after in named[at + 1 : at + 2])])
        around = note.triggers_within(FAMILY, max(sentence.first, one.first - _FAR), limit)
        told = next((trigger for trigger in around if _is_of(note, trigger, one)), None)
        if told is not None:
            found[one.start_char] = Course(" ".join(note.written(told.first, told.last).split()), _days(note, told))
    return found


def _is_of(note: ParsedNote, told: FoundTrigger, one: NamedMedicine) -> bool:
    if told.row.event == _BEFORE:
        return told.last < one.last and set(note.words[told.last : one.first]) <= _BETWEEN
    following = note.words[told.last] if told.last < len(note.words) else ""
    counts = told.row.rule_id == _TIMES and following[:1].isalnum() and following not in _BORDERS | {"then"}
    if told.last <= one.first or counts:
        return False
    between = note.words[one.last : told.first]
    return len(between) <= _FAR and _BORDERS.isdisjoint(between)


def _days(note: ParsedNote, told: FoundTrigger) -> float | None:
    words = note.words[told.first : told.last]
    number = next((n for word in words if (n := float(word) if word.isdigit() else NUMBER_WORDS.get(word))), None)
    if number is None:
        return None
    if any(word.startswith("w") and word[1:2] in ("e", "k") for word in words):
        return number * _WEEK
    daily = told.row.rule_id == _TIMES or any(word in ("day", "days", "d") for word in words)
    return number if daily else None
