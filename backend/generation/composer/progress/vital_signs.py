"""Vital signs in one order, from the record's observations, and how measured values went from note to note.

A value keeps the words that the note puts behind it ("91 % on room air"). Derived values (eGFR) are no measurement of the note.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from backend.schemas.record import ObservationStatement

SAID_AS: Mapping[str, str] = {
    "temperature": "temperature",
    "heart rate": "pulse",
    "blood pressure": "blood pressure",
    "systolic blood pressure": "systolic blood pressure",
    "respiratory rate": "respiratory rate",
    "oxygen saturation": "oxygen saturation",
    "weight": "weight",
    "pain score": "pain",
}
"""The measures that are vital signs, in the order in which they are told, and what they are called."""
_BEHIND = re.compile(
    r"[ \t]*(?P<words>(?:on|in|and|at|while|when|with)\b"
    r"(?:[ \t]+\d{1,2}(?:\.\d)?[ \t]*(?:L\b|lit(?:er|re)s?\b)(?:[ \t]*(?:/|per)[ \t]*min(?:ute)?\b)?)?"  # a flow of oxygen
    r"[^\d,;.:()\n]{0,40})(?!\d)"
)
_MOST_BEHIND = 5


class MeasuredValue(NamedTuple):
    """A value with the day it is of (empty: not stated) and the piece that states it."""

    value: str
    day: str
    citation: str


class VitalSign(NamedTuple):
    """A vital sign in words, and where its values stand in the note."""

    text: str
    places: tuple[int, ...]


def vital_signs(observations: Iterable[ObservationStatement], text: str) -> tuple[VitalSign, ...]:
    """The vital signs in their order, one for each measure; several values of one in the order of the note.

    Args:
        observations: of today.
        text: the note, which their spans index.
    """
    found: dict[str, dict[str, int]] = {}
    for one in observations:
        if one.measure in SAID_AS and one.spans and not one.formula:
            span = one.spans[0]
            dated = f" ({one.date})" if one.date else ""
            said = f"{value_in_words(one)}{_behind(text, span.end_char)}{dated}"
            known = found.setdefault(one.measure, {})
            if not any(other == said or other.startswith(f"{said} ") for other in known):
                for shorter in [other for other in known if said.startswith(f"{other} ")]:
                    del known[shorter]
                known[said] = span.start_char
    return tuple(
        VitalSign(f"{SAID_AS[measure]} {', then '.join(found[measure])}", tuple(found[measure].values()))
        for measure in SAID_AS
        if measure in found
    )


def value_in_words(one: ObservationStatement) -> str:
    """A value with its unit: "38.6 C", "108/min"; a degree only where the note says which."""
    inferred = one.measure == "temperature" and one.unit not in one.spans[0].text if one.spans else False
    if not one.unit or inferred or one.value_text.endswith("s"):
        return one.value_text
    return f"{one.value_text}{'' if one.unit.startswith('/') else ' '}{one.unit}"


def course_of(
    today: Sequence[tuple[ObservationStatement, str]], before: Iterable[tuple[ObservationStatement, str, str]]
) -> dict[str, tuple[MeasuredValue, ...]]:
    """The values of each measure of today and of earlier notes, in order of date, for those that both have.

    Args:
        today: observations with the piece that states each.
        before: observations with their note's day and the piece that states each.
    """
    earlier: dict[str, dict[tuple[str, str], MeasuredValue]] = {}
    for one, day, citation in before:
        if day and not one.formula and not one.date:
            value = value_in_words(one)
            earlier.setdefault(one.measure, {}).setdefault((day, value), MeasuredValue(value, day, citation))
    found: dict[str, tuple[MeasuredValue, ...]] = {}
    for one, citation in today:
        if one.measure not in earlier or one.formula or one.date:
            continue
        ordered = sorted(earlier[one.measure].values(), key=lambda value: value.day)
        own = found.get(one.measure, tuple(ordered[-MOST_EARLIER:]))
        value = value_in_words(one)
        if not any(held.day == "" and held.value == value for held in own):
            found[one.measure] = (*own, MeasuredValue(value, "", citation))
    return found


MOST_EARLIER = 4
"""Earlier values of a measure that are told: the latest."""


def _behind(text: str, end: int) -> str:
    """The words behind a value that say how it was measured: " on room air"."""
    match = _BEHIND.match(text, end)
    if match is None:
        return ""
    words = match["words"].split()
    return f" {' '.join(words)}" if len(words) <= _MOST_BEHIND else ""
