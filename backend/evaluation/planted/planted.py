"""Plants one wrong statement in a true sentence: another medicine, dose, side, finding, organism, result, time or diagnosis, or a turned-round one.

Each kind takes a sentence with its mentions and gives it with one thing changed, or None where it holds nothing to change. What is
put in is named nowhere in the cited text. Names the vocabulary does not know are put in as well as names that it knows.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion, Category


class Kind(StrEnum):
    """What of a sentence is changed."""

    MEDICINE = "medicine"
    DOSE = "dose"
    SIDE = "side"
    NEGATION = "negation"
    FINDING = "finding"
    ORGANISM = "organism"
    RESULT = "result"
    TIME = "time"
    DIAGNOSIS = "diagnosis"
    COURSE = "course"


class Planted(NamedTuple):
    """A sentence with one wrong statement.

    Attributes:
        text: with the change.
        start: where the changed words begin in the true sentence.
        end: where they end.
        outside: whether the vocabulary does not know the name that was put in.
    """

    text: str
    start: int
    end: int
    outside: bool = False


class Pool(NamedTuple):
    """Names to put in, by category: those that the vocabulary knows, and those that it does not."""

    known: Mapping[Category, Sequence[str]]
    outside: Mapping[Category, Sequence[str]]


Change = Callable[[str, Sequence[Mention], Pool, str, random.Random], Planted | None]
_SWAPPED: dict[Kind, frozenset[Category]] = {
    Kind.MEDICINE: frozenset({Category.DRUG}),
    Kind.FINDING: frozenset({Category.SYMPTOM, Category.FINDING}),
    Kind.ORGANISM: frozenset({Category.ORGANISM}),
    Kind.DIAGNOSIS: frozenset({Category.DISEASE}),
}
_DOSE = re.compile(r"\b(\d+(?:\.\d+)?)(?=\s?(?:mg|mcg|g|units?|ml|milligrams?|tablets?|puffs?)\b)", re.IGNORECASE)
_SPAN = re.compile(
    r"\b(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)(?=[\s-]+(?:days?|weeks?|months?|years?|hours?|minutes?)\b)",
    re.IGNORECASE,
)
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_NAMED_TIME = re.compile(
    rf"\b({'|'.join((*_DAYS, *_MONTHS))}|19\d\d|20\d\d|yesterday|today|morning|evening)\b", re.IGNORECASE
)
_VALUE = re.compile(r"(?<![\d/.-])\b(\d{1,3}(?:\.\d+)?)(?=\s?%|\s?/\s?\d|\s*(?:[.,;]|$|\s(?:and|with|on|in)\b))")
_TURNED: dict[Kind, tuple[tuple[str, str], ...]] = {
    Kind.SIDE: (("left", "right"), ("upper", "lower"), ("proximal", "distal"), ("medial", "lateral"), ("anterior", "posterior"), ("bilateral", "left")),
    Kind.RESULT: (("positive", "negative"), ("normal", "abnormal"), ("elevated", "decreased"), ("high", "low"), ("unremarkable", "abnormal"), ("stable", "unstable")),
    Kind.COURSE: (
        ("increased", "decreased"), ("increase", "decrease"), ("improved", "worsened"), ("improving", "worsening"), ("better", "worse"), ("started", "stopped"),
        ("start", "stop"), ("continue", "discontinue"), ("continued", "discontinued"), ("before", "after"), ("mild", "severe"), ("acute", "chronic"),
    ),
}  # fmt: skip
_DENIALS = (
    (re.compile(r"\b(?:denies|denied)(?: any)?\b", re.IGNORECASE), "reports"),
    (re.compile(r"\bno (?:history|evidence|signs?) of\b", re.IGNORECASE), "known"),
    (re.compile(r"\b(?:has|have|had) (?:no|not had any)\b", re.IGNORECASE), "has"),
    (re.compile(r"\b(?:is|was|are|were) not\b", re.IGNORECASE), "is"),
    (re.compile(r"\bwithout\b", re.IGNORECASE), "with"),
    (re.compile(r"\bno\b(?=\s[a-z])", re.IGNORECASE), "there is"),
)
_STATES = (
    (re.compile(r"\b(?:reports|reported|endorses|complains of|complaining of)\b", re.IGNORECASE), "denies"),
    (re.compile(r"\b(?:has|have|had)\b(?! (?:been|not|no)\b)", re.IGNORECASE), "does not have"),
    (re.compile(r"\b(?:is|was|are|were)\b(?! not\b)", re.IGNORECASE), "is not"),
    (re.compile(r"\bwith\b", re.IGNORECASE), "without"),
)


def plant(
    kind: Kind, text: str, mentions: Sequence[Mention], pool: Pool, cited: str, rng: random.Random
) -> Planted | None:
    """One change of a kind. mentions: of the sentence, with offsets in it. cited: everything that the sentence cites."""
    match kind:
        case Kind.DOSE:
            return _number(_DOSE, text, cited, rng)
        case Kind.TIME:
            return _time(text, cited, rng)
        case Kind.NEGATION:
            return _negation(text, mentions, rng)
        case Kind.RESULT:
            return _turned(kind, text, rng) or (
                _number(_VALUE, text, cited, rng) if any(m.category == Category.TEST for m in mentions) else None
            )
        case Kind.SIDE | Kind.COURSE:
            return _turned(kind, text, rng)
        case _:
            return _swapped(kind, text, mentions, pool, cited, rng)


def _swapped(
    kind: Kind, text: str, mentions: Sequence[Mention], pool: Pool, cited: str, rng: random.Random
) -> Planted | None:
    there = [
        m
        for m in mentions
        if m.category in _SWAPPED[kind] and m.assertion != Assertion.FAMILY and any(c.isalpha() for c in m.text)
    ]
    if not there:
        return None
    m = rng.choice(there)
    outside = bool(pool.outside.get(m.category)) and rng.random() < 0.5
    names = (pool.outside if outside else pool.known).get(m.category, ())
    said = cited.lower()
    free = [name for name in names if name.lower() not in said and not _shares(name, said)]
    if not free:
        return None
    return _put(text, m.start_char, m.end_char, rng.choice(free), outside)


def _shares(name: str, said: str) -> bool:
    return any(word[:6] in said for word in re.findall(r"[a-z]{5,}", name.lower()))


def _number(pattern: re.Pattern[str], text: str, cited: str, rng: random.Random) -> Planted | None:
    places = list(pattern.finditer(text))
    if not places:
        return None
    m = rng.choice(places)
    value = float(m[1])
    others = re.findall(r"\d+(?:\.\d+)?", cited)
    # half the time a number that stands elsewhere in what is cited
    near = [n for n in others if n != m[1] and 0.2 * value <= float(n) <= 5 * value]
    made = [f"{value * factor:g}" for factor in (0.5, 2, 10, 1.5)] + [f"{value + 1:g}"]
    free = near if near and rng.random() < 0.5 else [n for n in made if n not in others]
    return _put(text, m.start(1), m.end(1), rng.choice(free)) if free else None


def _time(text: str, cited: str, rng: random.Random) -> Planted | None:
    spans, names = list(_SPAN.finditer(text)), list(_NAMED_TIME.finditer(text))
    if spans and (not names or rng.random() < 0.6):
        m = rng.choice(spans)
        free = [
            n
            for n in ("2", "3", "4", "5", "6", "8", "10", "two", "three", "five", "seven")
            if not re.search(rf"\b{n}\b", cited.lower())
        ]
        return (
            _put(text, m.start(1), m.end(1), rng.choice([n for n in free if n.isdigit() == m[1].isdigit()] or free))
            if free
            else None
        )
    if not names:
        return None
    m = rng.choice(names)
    word = m[1].lower()
    if word.isdigit():
        return _put(text, m.start(), m.end(), str(int(word) - rng.choice((1, 2, 5))))
    rows = (_DAYS, _MONTHS, ["yesterday", "today"], ["morning", "evening"])
    row = next(row for row in rows if word in row)
    new = rng.choice(
        [other for other in row if other != word and other not in cited.lower()]
        or [other for other in row if other != word]
    )
    return _put(text, m.start(), m.end(), new.capitalize() if m[0][0].isupper() else new)


def _negation(text: str, mentions: Sequence[Mention], rng: random.Random) -> Planted | None:
    """Turns a denial into a statement, or the other way round, where a finding or disease stands behind it."""
    after = [m.start_char for m in mentions if m.category in (Category.SYMPTOM, Category.FINDING, Category.DISEASE)]
    for rows in (_DENIALS, _STATES):
        for pattern, new in rows:
            found = [m for m in pattern.finditer(text) if any(0 < start - m.end() < 30 for start in after)]
            if found:
                m = rng.choice(found)
                return _put(text, m.start(), m.end(), new.capitalize() if m[0][0].isupper() else new)
    return None


def _turned(kind: Kind, text: str, rng: random.Random) -> Planted | None:
    found = []
    for one, other in _TURNED[kind]:
        for word, new in ((one, other), (other, one)):
            # "the note from before your stay" frames a statement and is none
            found += [(m, new) for m in re.finditer(rf"\b{word}\b(?! your stay)", text, re.IGNORECASE)]
    if not found:
        return None
    m, new = rng.choice(found)
    return _put(text, m.start(), m.end(), new.capitalize() if m[0][0].isupper() else new)


def _put(text: str, start: int, end: int, new: str, outside: bool = False) -> Planted:
    return Planted(text[:start] + new + text[end:], start, end, outside)
