"""The measures that a text states: doses, durations, ages, dates, frequencies, routes and bare numbers, each with its unit in one form and the word it is said of.

"500 mg" and "0.5 g" are one measure, and so are "two weeks" and "14 days", "BID" and "twice a day"; pounds are never turned
into kilograms. It reads no fractions in words, and does not know which number is plausible.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from backend.nlp.measures.routes import routes_in
from backend.nlp.measures.timing import frequencies_in
from backend.nlp.measures.units import HOURS, MONTHS, NUMBER_WORDS, UK, UNITS, number_of

_WORD = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_UNIT = "|".join(re.escape(u) for u in sorted(UNITS, key=len, reverse=True))
_MEASURE = re.compile(
    rf"(?:(?<![\w.,/])|(?<=(?<!\w)[xX×]))(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?|\.\d+|\b(?:{_WORD})\b)(?:\s?/\s?(?P<second>\d+(?:\.\d+)?))?(?![\d])"
    rf"(?:\s?(?:-|–|to|or)\s?(?P<until>\d+(?:,\d{{3}})*(?:\.\d+)?|\b(?:{_WORD})\b)(?![\d/]))?"
    rf"(?:[\s-]?(?P<unit>{_UNIT})(?![a-z]))?(?P<rate>/(?:kg|day|d|h|hr|hour|min|dl|l|ml))?",
    re.IGNORECASE,
)
_AGE = re.compile(
    rf"\b(?P<years>\d{{1,3}}|{_WORD})(?:[\s-]*(?:years?|yrs?)[\s-]*old\b|[\s-]?(?:yo|y/o|y\.o\.)(?![a-z])|[\s-]?(?=[FM]\b))|\b(?:aged?|age of)\s+(?P<aged>\d{{1,3}})\b",
    re.IGNORECASE,
)
_MONTH_NAMES = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = "|".join(name if name == "may" else f"{name}|{name[:3]}\\.?" for name in _MONTH_NAMES)
_DATE = re.compile(
    rf"\b(?P<y>\d{{4}})-(?P<m>\d\d)-(?P<d>\d\d)\b|\b(?P<m2>\d{{1,2}})/(?P<d2>\d{{1,2}})/(?P<y2>\d{{4}}|\d\d)\b"
    rf"|\b(?:(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<lead>(?:in|since|until|last|this|by|from|early|late|mid)[\s-]+)?"
    rf"\b(?P<mn>{_MONTH})(?![a-z])(?:\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?(?:,?\s+(?P<y3>\d{{4}})\b)?",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.IGNORECASE)
_CLOCK = re.compile(r"\b(\d{1,2}):(\d\d)\s?([ap])?\.?m?\b|\b(\d{1,2})\s?([ap])\.?m\b\.?", re.IGNORECASE)
_CODE = re.compile(r"(?<![\w-])([A-Za-z]{1,5})-?(\d{1,3})(?![\w.])")
_BEFORE = re.compile(r"([A-Za-z][A-Za-z0-9'-]*)[\s:=~(]*$")
_OTHER_NAME = re.compile(r"\s*\([^()\d]*\)\s*$")  # "paracetamol (acetaminophen) 1 g"
_CUT = re.compile(r"[;.]\s|,\s|(?<![A-Za-z0-9])\d[\d.,/]*")
_PASSED = frozenset(
    [
        "of",
        "is",
        "was",
        "are",
        "were",
        "at",
        "to",
        "for",
        "level",
        "levels",
        "about",
        "approximately",
        "approx",
        "around",
        "roughly",
        "nearly",
        "now",
        "the",
        "a",
        "an",
        "than",
        "over",
        "under",
        "above",
        "below",
        "by",
        "in",
        "on",
        "up",
        "down",
        "from",
        "with",
        "dose",
        "dosed",
        "dosing",
        "increased",
        "decreased",
        "takes",
        "taking",
        "take",
        "after",
        "within",
        "every",
        "last",
        "past",
        "next",
        "over",
        "these",
        "those",
        "only",
        "just",
        "has",
        "had",
        "have",
        "been",
        "be",
        "and",
        "or",
        "out",
        "today",
        "currently",
        "score",
        "lists",
        "times",
        "about",
        "some",
        "most",
        "least",
        "all",
        "still",
        "value",
        "measured",
        "measuring",
        "reading",
    ]
)
_MOST_COUNTED = 52
"""The most that stands before "/52" or "/12" as a time: "6/52" is six weeks, "88/52" a blood pressure."""
_AFTER = re.compile(r"\s*(?:of\s+)?(?:oral\s+|iv\s+)?([A-Za-z][A-Za-z'-]{3,})", re.IGNORECASE)


class Measure(NamedTuple):
    """A measure that a text states.

    Attributes:
        value: the number in the unit's own measure, or a name ("twice a day", "2024-03-01").
        unit: empty for a bare number.
        said_of: the word it follows, or that follows it, in lower case; empty where there is none.
        shown: as it was written.
    """

    value: str
    unit: str
    said_of: str
    shown: str


class Measures(NamedTuple):
    """numbers: doses, durations, ages and bare numbers. dates, days, often, routes and codes: names in one form."""

    numbers: tuple[Measure, ...] = ()
    dates: frozenset[str] = frozenset()
    days: frozenset[str] = frozenset()
    often: frozenset[str] = frozenset()
    routes: frozenset[str] = frozenset()
    codes: frozenset[tuple[str, str]] = frozenset()


def measures_of(text: str) -> Measures:
    """Everything a text measures, in order of place; nothing is a value."""
    dates, left = _dates(text)
    days = frozenset(m[1].lower() for m in _WEEKDAY.finditer(left))
    clock: set[str] = set()
    for m in list(_CLOCK.finditer(left)):
        clock.add(":".join(part.lower() for part in m.groups() if part))
        left = _blanked(left, m)
    often, left = frequencies_in(left)
    routes = routes_in(left)
    codes = frozenset(
        (m[1].lower(), m[2]) for m in _CODE.finditer(left) if m[1] not in UNITS and m[1].lower() not in _PASSED
    )
    return Measures(tuple(_numbers(left)), frozenset(dates | clock), days, often, routes, codes)


def _numbers(text: str) -> Iterator[Measure]:
    anchor, line = "", 0
    ages = {m.start(): m for m in _AGE.finditer(text)}
    taken = [(m.start(), m.end()) for m in ages.values()]
    for m in ages.values():
        yield Measure(number_of(m["years"] or m["aged"]), "age", "", " ".join(m[0].split()))
    for m in _MEASURE.finditer(text):
        if any(a <= m.start() < b for a, b in taken):
            continue
        word, unit = m["number"].lower(), (m["unit"] or "").lower()
        named = unit in UNITS
        if word in ("a", "an", "one") and not (named and UNITS[unit][0] in (HOURS, MONTHS, "tablets")):
            continue  # "a pill", "one of them"
        own = _anchor(text[max(line, m.start() - 60) : m.start()])
        if text[line : m.start()].count(".") and re.search(r"[.;]\s", text[line : m.start()]):
            anchor = ""  # a new sentence
        anchor = own or anchor
        line = m.end()
        after = _AFTER.match(text, m.end())
        said = own or (after[1].lower() if after and named else anchor)
        shown = " ".join(m[0].split())
        if m["second"]:
            counts = word.isdecimal() and int(word) <= _MOST_COUNTED and "/" in m[0] and " " not in m[0]
            if m["second"] in UK and not named and counts:
                counted, scale = UK[m["second"]]
                yield Measure(number_of(word, scale), counted, said, shown)
            yield Measure(f"{number_of(word)}/{number_of(m['second'])}", "", said, shown)
            continue
        counted, scale = UNITS.get(unit, ("", 1.0))
        rate = (m["rate"] or "").lower() if counted else ""
        for number in (m["number"], m["until"]):
            if number:
                yield Measure(number_of(number, scale), counted + rate, said, shown)


def _anchor(before: str) -> str:
    """The nearest word before a number that tells what is measured; empty across a clause, a number, or nothing."""
    before = _CUT.split(_OTHER_NAME.sub("", before))[-1]
    for _ in range(6):
        found = _BEFORE.search(before)
        if found is None:
            return ""
        word = found[1].lower()
        if word in UNITS and not found[1].isupper():
            return ""
        if word not in _PASSED and word not in NUMBER_WORDS:
            return word
        before = before[: found.start()]
    return ""


def _dates(text: str) -> tuple[set[str], str]:
    """Each date as year-month-day as far as it is told, and the text without them."""
    found: set[str] = set()
    left = text
    for m in list(_DATE.finditer(text)):
        year, name = m["y"] or m["y2"] or m["y3"] or "", (m["mn"] or "").lower()[:3]
        if name and not (m["d3"] or m["d4"] or m["y3"] or (m["lead"] and m["mn"][0].isupper())):
            continue  # "may", "march"
        month = next((i for i, full in enumerate(_MONTH_NAMES, 1) if name and full.startswith(name)), 0)
        month = month or int(m["m"] or m["m2"])
        day = int(m["d"] or m["d2"] or m["d3"] or m["d4"] or 0)
        if len(year) == 2:
            year = f"20{year}"
        found.add("-".join((year or "?", f"{month:02d}", f"{day:02d}" if day else "?")))
        left = _blanked(left, m)
    return found, left


def _blanked(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]
