"""For how long a medicine is given: the days of a course ("for 7 days", "5-day course"), and the time that one dose runs over ("over 30 minutes").

Takes the note's medicines in order of place and their statements; gives the statements with both in their dosages. It looks behind a
medicine's name, up to the next one of its sentence; the fluid that a dose is given in is none. A rate (10 mg/hour) stands in the unit.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.measures.units import NUMBER_WORDS
from backend.nlp.medications.medicine_names import NamedMedicine
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import MedicationStatement

_UNKNOWN = "-"
_IN = "in"


class Length(NamedTuple):
    """days: of a course; minutes: that one dose runs over; None for what is not told."""

    days: float | None = None
    minutes: float | None = None


class _Units(NamedTuple):
    days: Mapping[str, float]
    minutes: Mapping[str, float]
    course: re.Pattern[str]
    over: re.Pattern[str]


def with_times(
    note: ParsedNote, named: Sequence[NamedMedicine], statements: Sequence[MedicationStatement]
) -> list[MedicationStatement]:
    """The statements with the length of their courses and of their infusions, where the note tells them.

    Args:
        note: the parsed note.
        named: its medicines in order of place.
        statements: what is told of them.
    """
    told = {one.start_char: length for at, one in enumerate(named) if any(length := _length(note, named, at))}
    return [_with(one, told) for one in statements] if told else list(statements)


def _with(statement: MedicationStatement, told: Mapping[int, Length]) -> MedicationStatement:
    own = [told[span.start_char] for span in statement.spans if span.start_char in told]
    if not own:
        return statement
    days = next((one.days for one in own if one.days is not None), None)
    minutes = next((one.minutes for one in own if one.minutes is not None), None)
    dosage = statement.dosage.model_copy(update={"days": days, "over_minutes": minutes})
    return statement.model_copy(update={"dosage": dosage})


def _length(note: ParsedNote, named: Sequence[NamedMedicine], at: int) -> Length:
    one, units = named[at], _units()
    sentence = note.sentence_at(one.start_char)
    if sentence is None:
        return Length()
    end = note.sentences[sentence].end_char
    for behind_at in range(at + 1, len(named)):
        before, behind = named[behind_at - 1], named[behind_at]
        if behind.start_char >= end:
            break
        if _IN not in note.words[before.last : behind.first]:
            end = behind.start_char
            break
    course, over = units.course.search(note.text, one.end_char, end), units.over.search(note.text, one.end_char, end)
    return Length(_counted(course, units.days), _counted(over, units.minutes))


def _counted(found: re.Match[str] | None, scale: Mapping[str, float]) -> float | None:
    if found is None:
        return None
    word = found["number"].lower()
    number = float(word) if word[:1].isdigit() else NUMBER_WORDS.get(word)
    return None if number is None else number * scale[found["unit"].lower()]


@lru_cache(maxsize=1)
def _units() -> _Units:
    rows = list(rule_rows(RULES / "medications" / "length_units.tsv", 3))
    days = {word: float(count) for word, count, _ in rows if count != _UNKNOWN}
    minutes = {word: float(count) for word, _, count in rows if count != _UNKNOWN}
    number = rf"(?P<number>\d+(?:\.\d+)?|{'|'.join(map(re.escape, NUMBER_WORDS))})"
    lead = r"(?:(?:\bfor|\bx|\u00d7|,)\s?(?:a |the |another |up to |at least )?|(?=\d+/(?:7|52|12)\b)(?<![\d/.]))"
    course = rf"{lead}{number}[ -]?(?:more )?(?P<unit>{_choice(days)})(?![\w/])(?!\s(?:ago|earlier|before|prior|previously|later|after|old|post))"
    over = rf"\bover (?:the next |at least )?{number}[ -]?(?P<unit>{_choice(minutes)})(?![\w/])"
    return _Units(days, minutes, re.compile(course, re.IGNORECASE), re.compile(over, re.IGNORECASE))


def _choice(words: Mapping[str, float]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
