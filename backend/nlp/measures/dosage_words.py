"""A dosage in words for a patient: "2 tablets of 5 mg", "under the skin", "twice a day, with meals, as needed".

The words of timings are rows (timing_words.tsv); codes with a number (Q6H, 5XD) are shapes. A dosage is told anew only where
everything it says is understood: one word or number over ("400 mg/m2", "5 mg, 6 tablets left"), and it is given as the note has it.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.tokens import Tokens, tokens
from backend.nlp.measures.routes import found_routes, route_in_words
from backend.nlp.measures.timing import DAY, JOIN, LATIN, UP_TO, WITH, Timing, timings_in
from backend.nlp.measures.units import NUMBER_WORDS, PORTIONS, unit_of
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import Dosage

NO_UNIT = "(unit not stated)"
_EVERY = re.compile(r"Q(?P<n>\d+)(?:-(?P<m>\d+))?(?P<unit>[HDWM])")
_TIMES = re.compile(r"(?P<n>\d+)(?:-(?P<m>\d+))?X(?P<unit>[DW])")
_SPANS = {"H": "hour", "D": "day", "W": "week", "M": "month"}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_COMBINED = re.compile(r"\d[\d.,]*(?:\s?/\s?\d[\d.]*)+")
_PARTS = re.compile(r"(?P<first>\d[\d.]*)[-\u2013]\d[\d.]*")
_GLUED = re.compile(r"\d[\d.,]*(?P<unit>[a-z%\u00b5\u03bc]*)")
_JOINED_UNIT = re.compile(r"(?<=\d)(?=[a-z])", re.IGNORECASE)
_VOLUME, _THEN, _WEEK = "mL", "then", 7.0
_SPOKEN = {"once": 1.0, "one": 1.0, "twice": 2.0, "half": 0.5}
_LINKS = frozenset((",", "|", "-", "\u2013", "(", ")", ".", "/", ":", ";", "for", "to", "or", "a", "an"))
_SELDOM = frozenset(("QW", "QM", "QY"))
"""Codes before which a bare number is as likely how many weeks or months apart ("12 weekly")."""


class DosageWords(NamedTuple):
    """How much and when, in words; empty where nothing is stated. as_written: they are the note's own."""

    dose: str = ""
    timing: str = ""
    as_written: bool = False


def dosage_in_words(one: Dosage) -> DosageWords:
    """The dose with its route, unless by mouth, and the timing; the note's own words where not all of them are understood."""
    joins = joining_words(one)
    text = " ".join(one.text.split())
    text = text[len(joins) :].lstrip() if joins and text.lower().startswith(joins) else text
    if not _understood(one):
        return DosageWords(text.replace("|", ",").replace(" ,", ","), as_written=True)
    worded = DosageWords(_dose(one), _when(one))
    words = f"{worded.dose} {worded.timing}"
    said = _numbers(words) | {value for word, value in _SPOKEN.items() if word in words.split()}
    return worded if _numbers(one.text) <= said else DosageWords(text, as_written=True)


def joining_words(one: Dosage) -> str:
    """By which words a dosage goes on the one before it ("except", "alternating with", "then"); empty where it does not."""
    if one.step > 1:
        return _THEN
    joins = any(found.code == JOIN for found in timings_in(one.with_text))
    return " ".join(one.with_text.lower().split()) if joins else ""


def timing_in_words(code: str, text: str = "") -> str:
    """A timing code in words ("Q6-8H" is every 6 to 8 hours), with the days of the week that its text names.

    Args:
        code: as a dosage has it.
        text: the note's words, given back where the code is none, or several ("Q8H+HS").
    """
    words = _of_code(code, text.lower()) if code else ""
    if not words:
        return " ".join(text.split())
    found = [one.code for one in timings_in(text)]
    if len(found) > 1 and set(found) == {DAY}:
        return " ".join(text.split())
    days = _weekdays(text)
    return f"{words} ({days})" if days else words


def _understood(one: Dosage) -> bool:
    """Whether every word of a dosage is a number, a unit, a form, its one route, a timing or its reason, and every unit its own."""
    if "+" in one.timing or (
        one.timing in _SELDOM and ((one.dose and not one.unit) or (one.quantity and not one.form))
    ):
        return False
    if one.quantity is not None and not one.form and (one.dose is None or one.quantity > 2) and not _counted(one):
        return False
    found = tokens(one.text)
    if one.timing and _is_one_day(one.timing_text):
        return False
    timings = timings_in(one.text)
    if sum(timing.code in (WITH, JOIN) for timing in timings) > bool(one.with_text):
        return False  # only one of them is told
    covered = {i for timing in timings for i in range(timing.first, timing.last)}
    routes = [route for route in found_routes(found.words) if route.first not in covered]  # "p.r." of "p.r.n."
    covered |= {i for route in routes for i in range(route.first, route.last)}
    covered |= {i for i, word in enumerate(found.words) if word == "and" and {i - 1, i + 1} <= covered}
    covered |= {i for i, at in enumerate(found.starts) if LATIN.get(one.text[at : found.ends[i]]) == one.timing}
    if len({route.row.event for route in routes}) > 1:
        return False
    allowed = (
        _LINKS
        | word_lists("measures/words_dosage")["verbs"]
        | set(tokens(f"{one.as_needed_for} {one.with_text}").words)
    )
    rest = [i for i, word in enumerate(found.words) if i not in covered and word not in allowed]
    units = {one.unit, one.form, *([_VOLUME] if one.volume is not None else [])}
    return all(_is_amount(found, i, units) for i in rest)


def _is_one_day(text: str) -> bool:
    """Whether a timing is a day that may be a date ("until Friday"), and not each week's ("Fridays", "every Friday")."""
    found = timings_in(text)
    words = tokens(text).words
    return (
        bool(found)
        and all(one.code == DAY for one in found)
        and not (words[-1].endswith("s") or words[0] in word_lists("measures/words_dosage")["every"])
    )


def _counted(one: Dosage) -> bool:
    """Whether how many stands in figures, or right before how it is taken: "2 QDS", "one daily" and not "three nights"."""
    if f"{one.quantity:g}" in _NUMBER.findall(one.text):
        return True
    begins = {timing.first for timing in timings_in(one.text) if timing.alone}
    begins |= {route.first for route in found_routes(tokens(one.text).words)}
    return tokens(one.text).words[0] in NUMBER_WORDS and 1 in begins


def _is_amount(found: Tokens, i: int, units: set[str]) -> bool:
    word = found.words[i]
    if word in NUMBER_WORDS or word in PORTIONS:
        return True
    glued = _GLUED.fullmatch(word)
    name = glued["unit"] if glued else word
    if not name:
        return True
    unit = unit_of(name)
    return unit is not None and (
        unit.name in units or f"{unit.name}/{found.words[min(i + 2, len(found.words) - 1)]}" in units
    )


def _dose(one: Dosage) -> str:
    return " ".join(part for part in (_amount(one), route_in_words(one.route)) if part)


def _amount(one: Dosage) -> str:
    strength = _with_liquid(one, _strength(one))
    if one.quantity is None:
        return strength
    if not one.form:
        count = f"{_span(one.quantity, one.quantity_high)}{'' if strength or one.quantity == 1 else ' at a time'}"
    elif one.quantity == _SPOKEN["half"] and one.quantity_high is None:
        count = f"half a {one.form}"
    else:
        many = (one.quantity_high or one.quantity) > 1
        count = f"{_span(one.quantity, one.quantity_high)} {_plural(one.form) if many else one.form}"
    return f"{count} of {strength}" if strength else count


def _strength(one: Dosage) -> str:
    if one.dose is None:
        return ""
    combined = _COMBINED.search(one.text) or _parts(one)
    if combined:
        amount = combined[0].replace(" ", "")
    else:
        amount = _span(one.dose, one.dose_high) if one.unit else f"{one.dose:g}"
    unit = one.unit if one.unit in ("", "%") else f" {one.unit}"
    unstated = "" if one.unit or combined else f" {NO_UNIT}"
    return f"{amount}{unit}{unstated}{' for each kg of body weight' if one.per_kg else ''}"


def _with_liquid(one: Dosage, dose: str) -> str:
    """A dose of a liquid with how many millilitres hold it, and how strong they are: "210 mg (4.2 mL of 250 mg/5 mL)"."""
    strong = f" of {_JOINED_UNIT.sub(' ', one.strength)}" if one.strength else ""
    if one.volume is not None:
        return f"{dose} ({one.volume:,.10g} {_VOLUME}{strong})"
    return f"{dose}{strong}" if one.unit == _VOLUME else dose


def _parts(one: Dosage) -> re.Match[str] | None:
    """The strengths of a product's parts that a dash joins, "5-325"; a range of doses is none."""
    found = _PARTS.search(one.text) if one.dose_high is None else None
    return found if found and float(found["first"].rstrip(".")) == one.dose else None


def _span(low: float, high: float | None) -> str:
    return f"{low:,.10g}" if high is None else f"{low:,.10g} to {high:,.10g}"


def _plural(form: str) -> str:
    if form.endswith("y") and form[-2:-1] not in "aeiou":
        return f"{form[:-1]}ies"
    return f"{form}es" if form.endswith(("ch", "x")) else f"{form}s"


def _when(one: Dosage) -> str:
    written = "" if joining_words(one) else " ".join(one.with_text.lower().split())
    needed = "as needed" if one.as_needed else ""
    timing = timing_in_words(one.timing, one.timing_text)
    if written in word_lists("measures/words_dosage")["sometimes"]:
        timing, written = " ".join(part for part in (written, timing) if part), ""
    if timing and (written == UP_TO or written in word_lists("measures/words_dosage")["most"]):
        timing, written = f"{UP_TO} {timing}", ""
    parts = (timing, _table()["with"].get(written, written), needed, _step_length(one))
    return ", ".join(part for part in parts if part)


def _step_length(one: Dosage) -> str:
    """How long a step of a course lasts: "for 3 days", "for 2 weeks", "through 03/21"."""
    if not one.step or one.days is None:
        return one.until if one.step else ""
    weeks = one.days / _WEEK
    many, unit = (weeks, "week") if weeks > 1 and weeks.is_integer() else (one.days, "day")
    return f"for {many:g} {unit}{'' if many == 1 else 's'}"


def _of_code(code: str, text: str) -> str:
    if any(word in text for word in _table()["as_written"]):
        written = " ".join(text.split())
        return f"at {written}" if written in _table()["as_written"] else written
    if code in _table()["night"] and ("night" in text or "noct" in text or text == "on"):
        return _table()["night"][code]
    if code in _table()["code"]:
        return _table()["code"][code]
    if every := _EVERY.fullmatch(code):
        span = f"{every['n']} to {every['m']}" if every["m"] else every["n"]
        unit = _SPANS[every["unit"]]
        return f"every {unit}" if span == "1" else f"every {span} {unit}s"
    if times := _TIMES.fullmatch(code):
        span = f"{times['n']} to {times['m']}" if times["m"] else times["n"]
        return f"{span} times a {_SPANS[times['unit']]}"
    return ""


def _weekdays(text: str) -> str:
    found = tokens(text)

    def written(one: Timing) -> str:
        return " ".join(text[found.starts[one.first] : found.ends[one.last - 1]].split())

    return ", ".join(written(one) for one in timings_in(text) if one.code == DAY)


def _numbers(text: str) -> set[float]:
    return {float(number) for number in _NUMBER.findall(text.replace(",", ""))}


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, str]]:
    kinds: dict[str, dict[str, str]] = {"code": {}, "night": {}, "as_written": {}, "with": {}}
    for kind, written, words in rule_rows(RULES / "measures" / "timing_words.tsv", 3):
        kinds[kind][written] = words
    return kinds
