"""Dates as a note writes them, and the one that stands beside a span. Shapes only: words of time are triggers."""

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}\.?"
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d\d)\b|\d{{4}}-\d\d-\d\d\b|(?:{_MONTH}\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?:of\s+)?|{_MONTH},?\s+(?:of\s+)?)(?:19|20)\d\d\b"
    rf"|(?:(?<=\bin )|(?<=\bon )|(?<=\bof )|(?<=\()|(?<=\bsince )|(?<=\bfrom ))(?:(?:0?[1-9]|1[0-2])[/-](?:(?:19|20)?\d\d)\b(?![/\d])|{_MONTH}(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?\b)"
    r"|(?<![\d.,/])(?:19[3-9]|20[0-4])\d\b(?!\s*(?:mg|ml|cc|m\b|kcal|cal|units|[.,/]\d|-)))",
    re.IGNORECASE,
)
_DAY = re.compile(
    rf"(?<![\d/.-])(?:(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])(?![\d/])|(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?!\w)|{_MONTH}\s+(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?![\d/]))",
    re.IGNORECASE,
)
_DAY_BEHIND = re.compile(
    rf"(?: (?:with|and|of|to) \w+)?,?(?: (?:on|performed|done))*(?: the)?\s*\(?({_DAY.pattern})", re.IGNORECASE
)
"""A day behind what was done, where no more than one thing that went with it stands between."""
_IN_ORDER = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = frozenset(_IN_ORDER)
_PARTS = re.compile(r"\d+|[a-z]+", re.IGNORECASE)
_CENTURY, _TURN = 100, 50
_BEGINS = WordTest(lambda word: word[:1].isdigit() or word[:3] in _MONTHS)
_REACH = 60


class FoundDate(NamedTuple):
    """A date of a text, as written."""

    start_char: int
    end_char: int
    text: str


def dates_of(note: ParsedNote) -> list[FoundDate]:
    """Every date of a note, in order."""
    return _dates(note, note.where(_BEGINS), len(note.text))


def day_of(found: FoundDate) -> date | None:
    """The day that a date names, as notes of the US write it; the first of a month without a day, None without month and year."""
    parts = [part.lower() for part in _PARTS.findall(found.text)]
    numbers = [int(part) for part in parts if part.isdigit()]
    named = next((_IN_ORDER.index(part[:3]) + 1 for part in parts if part[:3] in _MONTHS), None)
    if named is not None:
        months, days = [named], numbers[:-1]
    elif len(numbers) > 1 and numbers[0] > _CENTURY:
        numbers, months, days = [*numbers[1:], numbers[0]], numbers[1:2], numbers[2:]
    else:
        months, days = numbers[:1], numbers[1:-1]
    if not numbers or not months or (named is None and len(numbers) < len(months) + 1):
        return None
    year = numbers[-1]
    if named is not None and year < _CENTURY:
        return None  # "December 19" is no year
    if year < _CENTURY:
        year += 2000 if year < _TURN else 1900
    try:
        return date(year, months[0], days[0] if days else 1)
    except ValueError:
        return None


def _dates(note: ParsedNote, begins: Sequence[int], end_char: int) -> list[FoundDate]:
    """The dates that begin at some tokens and end before a place."""
    starts, found, free = note.tokens.starts, list[FoundDate](), 0
    for i in begins:
        if starts[i] >= free:
            match = _DATE.match(note.text, starts[i], end_char)
            if match:
                found.append(FoundDate(match.start(), match.end(), match[0].rstrip(". ,")))
                free = match.end()
    return found


def date_beside(note: ParsedNote, start_char: int, end_char: int) -> FoundDate | None:
    """The date nearest to a span within its sentence, behind it before in front of it; None where none is near."""
    at = note.sentence_at(start_char) if note.where(_BEGINS) else None
    if at is None:
        return None
    sentence = note.sentences[at]
    left, right = max(sentence.start_char, start_char - _REACH), min(sentence.end_char, end_char + _REACH)
    near = _dates(note, note.where_within(_BEGINS, *note.token_range(left, right)), right)
    behind = [d for d in near if d.start_char >= end_char and not _apart(note.text[end_char : d.start_char])]
    before = (d for d in reversed(near) if d.end_char <= start_char and not _apart(note.text[d.end_char : start_char]))
    return behind[0] if behind else next(before, None)


def day_beside(note: ParsedNote, start_char: int, end_char: int) -> FoundDate | None:
    """A day without its year that stands right behind a span, or on its line before it: "appendectomy, 6/21", "to the OR 3/13 for an amputation"."""
    behind = _DAY_BEHIND.match(note.text, end_char)
    if behind is not None:
        return FoundDate(behind.start(1), behind.end(1), behind[1])
    at = note.sentence_at(start_char)
    begin = max(note.sentences[at].start_char, start_char - _REACH) if at is not None else start_char
    before = list(_DAY.finditer(note.text, begin, start_char))
    return FoundDate(before[-1].start(), before[-1].end(), before[-1][0]) if before else None


def _apart(between: str) -> bool:
    """Whether brackets that end between two places set them apart: "hemoglobin 8 (12 in May), INR 3"."""
    return between.count(")") > between.count("(")
