"""The values of one measure that a sentence tells in a row: "6.0 on admission and is 4.4 today", "98 (was 121)", "2.1 -> 1.3".

Takes a parsed note, where the first number of a measure stands, and what follows it; gives each further number and when it was. The words
are rows of assets/rules/findings/series_triggers.tsv. A number without such words is none of the row.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.findings.measured.value_shapes import NUMBER, unit_behind

FAMILY = "findings/series"
_MARKS = frozenset(",;(-")
_ENDS = frozenset(",;).:-")
_LEAD_MARKS = frozenset(",:(")
_ASIDE, _LEAD, _MOST = 2, 2, 6
"""Words between two numbers that no row has; words between a time and the measure behind it; values of one row."""


class Order(StrEnum):
    """What a row of the rules says of the number that it stands at."""

    THEN = "then"
    FROM = "from"
    NOW = "now"
    FIRST = "first"
    EARLIER = "earlier"


LEADING = _OF_NEXT = (Order.THEN, Order.FROM)


class Place(NamedTuple):
    """A number and its unit in the note, in code points; when: what words say of its time, None for nothing; said: these words."""

    start_char: int
    end_char: int
    when: Order | None = None
    said: str = ""


def time_of(note: ParsedNote, first: int, start_char: int, end_char: int) -> Place:
    """When a measure was taken, by the words right behind its number, right before its name, or that open its list.

    Args:
        note: the parsed note.
        first: the first token of the name of the measure.
        start_char: where the number begins.
        end_char: where it and its unit end.
    """
    at = note.sentence_at(start_char)
    if at is None:
        return Place(start_char, end_char)
    sentence = note.sentences[at]
    after, _ = note.token_range(end_char, sentence.end_char)
    words = note.words
    opened = after + (words[after : after + 1] == ["("])
    for one in note.triggers_within(FAMILY, opened, min(sentence.last, opened + _MOST)):
        if one.first == opened and one.row.event not in _OF_NEXT:
            return _placed(note, start_char, end_char, one)
    for one in reversed(note.triggers_within(FAMILY, sentence.first, first)):
        between = words[one.last : first]
        if one.row.event not in _OF_NEXT and (
            ":" in between or (len(between) <= _LEAD and _LEAD_MARKS.issuperset(between))
        ):
            return _placed(note, start_char, end_char, one)
    section = note.sections[sentence.section]
    header = note.token_range(section.start_char, section.body_char)
    titled = [one for one in note.triggers_within(FAMILY, *header) if one.row.event not in _OF_NEXT]
    return _placed(note, start_char, end_char, titled[-1] if titled else None)


def latest(places: Sequence[Place]) -> int:
    """Which number of a row is the newest: one of now, else the last that is not told to be earlier."""
    now = [i for i, one in enumerate(places) if one.when is Order.NOW]
    later = [i for i, one in enumerate(places) if one.when not in (Order.FROM, Order.EARLIER, Order.FIRST)]
    held = now or later or [i for i, one in enumerate(places) if one.when is Order.FIRST] or range(len(places))
    return held[-1]


def further(note: ParsedNote, end_char: int, border: int) -> list[Place]:
    """The numbers that follow a first one and are told to be of the same measure, in order of place.

    Args:
        note: the parsed note.
        end_char: where the first number and its unit end.
        border: the token at which the next measure or the sentence ends the row.
    """
    found: list[Place] = []
    before, _ = note.token_range(end_char, len(note.text))
    while len(found) < _MOST:
        at = next(
            (i for i in range(before, border) if note.words[i][:1].isdigit() and not _in_time(note, i, before)), None
        )
        if at is None:
            return found
        match = NUMBER.match(note.text, note.tokens.starts[at])
        place = _next(note, before, at, match, border) if match is not None else None
        if place is None:
            return found
        found.append(place)
        before, _ = note.token_range(place.end_char, len(note.text))
    return found


def _in_time(note: ParsedNote, i: int, before: int) -> bool:
    """Whether a number belongs to words of time: "two days ago", "in 2021"."""
    return any(one.first <= i < one.last for one in note.triggers_within(FAMILY, before, i + _MOST))


def _next(note: ParsedNote, before: int, at: int, match: re.Match[str], border: int) -> Place | None:
    unit, end, is_dose = unit_behind(note.text, match.end())
    if is_dose or (note.text[match.end() : match.end() + 1] in ("%", "+") and not unit):
        return None
    gap = note.triggers_within(FAMILY, before, at)
    leads = [one for one in gap if one.last == at or (one.last == at - 1 and note.words[at - 1] in (":", "of", "at"))]
    after, _ = note.token_range(end, len(note.text))
    behind = next(
        (
            one
            for one in note.triggers_within(FAMILY, after, border)
            if one.first == after and one.row.event not in _OF_NEXT
        ),
        None,
    )
    told = {i for one in gap for i in range(one.first, one.last)}
    aside = [
        i
        for i in range(before, at)
        if i not in told and note.tokens.word[i] and note.words[i] not in ("and", "is", "it")
    ]
    if not (gap or behind) or len(aside) > (_ASIDE if leads else 0):
        return None
    following = note.words[after] if after < len(note.words) else "."
    ends = (
        behind is not None
        or following in _ENDS
        or following in ("\n", "and", "but", "with", "on", "→")
        or after >= border
    )
    if not ends and not any(one.first == after for one in note.triggers_within(FAMILY, after, border)):
        return None
    lead = leads[-1] if leads else None
    free = [
        one
        for one in gap
        if one.row.event not in _OF_NEXT
        and one.first > before
        and not _MARKS.isdisjoint(note.words[before : one.first])
    ]
    own = (
        behind or (lead if lead is not None and lead.row.event == Order.FROM else None) or (free[-1] if free else lead)
    )
    return _placed(note, match.start(), end, own)


def _placed(note: ParsedNote, start: int, end: int, one: FoundTrigger | None) -> Place:
    if one is None:
        return Place(start, end)
    return Place(start, end, Order(one.row.event), note.written(one.first, one.last))
