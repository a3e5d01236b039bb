"""Timing codes of a dosage (QD, Q6H, HS) to and from FHIR's Timing and C-CDA's periods and events.

Codes with a number are shapes: Q6H, Q4-6H, Q2W, 5XW, 2-3XD. A code that FHIR has no rhythm for (CONT, Q8H+HS) is kept as a code.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from backend.ingest.clinical_notes.fhir_entries import codings, listed
from backend.ingest.patient_records.code_tables import FOLDER, OWN, SYSTEMS, Code, concept, own_code
from backend.nlp.rules import rule_rows

ONCE = "ONCE"
_EVERY = re.compile(r"Q(?P<n>\d+(?:\.\d+)?)(?:-(?P<m>\d+(?:\.\d+)?))?(?P<unit>[HDWM])")
_TIMES = re.compile(r"(?P<n>\d+)(?:-(?P<m>\d+))?X(?P<unit>[DW])")
_UNITS = {"H": "h", "D": "d", "W": "wk", "M": "mo"}
_LETTERS = {unit: letter for letter, unit in _UNITS.items()}
_DAILY = {1: "QD", 2: "BID", 3: "TID", 4: "QID"}
_WEEKLY = {1: "QW", 2: "BIW", 3: "TIW"}
_HOURS = 24


class ImportedTiming(NamedTuple):
    """A timing code, the words it was stated in, and what a dose goes with ("with meals"); empty where not stated."""

    code: str = ""
    text: str = ""
    with_text: str = ""


class Rhythm(NamedTuple):
    """How often: frequency times in a period of a unit; a maximum is None where it is no range. when: events of a day."""

    frequency: float = 1
    period: float | None = None
    unit: str = ""
    frequency_max: float | None = None
    period_max: float | None = None
    when: tuple[str, ...] = ()


def fhir_timing(code: str, text: str) -> dict[str, Any]:
    """FHIR's Timing of a timing code and its words; empty where there is neither."""
    if not code and not text:
        return {}
    repeat, abbreviation = _repeat(code), _table().abbreviations.get(code)
    codes = (
        own_code("timing", code) if code else None,
        Code(SYSTEMS["gts"], abbreviation, "") if abbreviation else None,
    )
    return ({"repeat": repeat} if repeat else {}) | {"code": concept(text, *codes)}


def timing_of_fhir(timing: Any) -> ImportedTiming:
    """The timing of FHIR's Timing, whatever its shape."""
    if not isinstance(timing, dict):
        return ImportedTiming()
    code = timing.get("code")
    code = code if isinstance(code, dict) else {}
    text = code.get("text")
    text = " ".join(text.split()) if isinstance(text, str) else ""
    coded = [c for c in listed(code.get("coding")) if c.get("system") == f"{OWN}timing"]
    if coded and isinstance(coded[0].get("code"), str):
        return ImportedTiming(coded[0]["code"], text)
    repeat = timing.get("repeat")
    repeated = _of_repeat(repeat) if isinstance(repeat, dict) else ImportedTiming()
    named = next((c for one in codings(code) if (c := _of_abbreviation(one))), "")
    return ImportedTiming(named or repeated.code, text, repeated.with_text)


def timing_of_rhythm(rhythm: Rhythm) -> ImportedTiming:
    """The timing code of a rhythm; none where it has no code."""
    if rhythm.when:
        return timing_of_events(rhythm.when)
    period, unit, often = rhythm.period, rhythm.unit, rhythm.frequency
    if period is None or period <= 0 or often <= 0 or unit not in ("h", "d", "wk", "mo", "a"):
        return ImportedTiming()
    if period < 1 and (often / period).is_integer() and rhythm.period_max is None:
        often, period = often / period, 1
    if rhythm.frequency_max is None and rhythm.period_max is None:
        known = _table().codes.get((often, period, unit))
        if known:
            return ImportedTiming(known)
    if often == 1 and unit in _LETTERS and rhythm.frequency_max is None:
        high = f"-{rhythm.period_max:g}" if rhythm.period_max and rhythm.period_max > period else ""
        return ImportedTiming(f"Q{period:g}{high}{_LETTERS[unit]}")
    if period == 1 and unit in ("d", "wk") and float(often).is_integer():
        high = f"-{rhythm.frequency_max:g}" if rhythm.frequency_max and rhythm.frequency_max > often else ""
        return ImportedTiming(f"{often:g}{high}X{_LETTERS[unit]}")
    return ImportedTiming()


def timing_of_events(events: Sequence[str]) -> ImportedTiming:
    """The timing of events of the day (HS, MORN, ACM); several are so many times a day."""
    known = [found for event in events if (found := _table().events.get(event))]
    if not known:
        return ImportedTiming()
    words = " and ".join(dict.fromkeys(found.with_text for found in known if found.with_text))
    return ImportedTiming(known[0].code if len(known) == 1 else _DAILY.get(len(known), f"{len(known)}XD"), "", words)


def timing_of_period(low: float, high: float | None, unit: str, by_institution: bool) -> ImportedTiming:
    """The timing of C-CDA's period. by_institution: the hospital chooses the hours, so that 6 h are four times a day."""
    if by_institution and unit == "h" and high is None and low > 0 and (_HOURS / low).is_integer():
        return timing_of_rhythm(Rhythm(frequency=_HOURS / low, period=1, unit="d"))
    return timing_of_rhythm(Rhythm(period=low, unit=unit, period_max=high))


def _repeat(code: str) -> dict[str, Any]:
    if code == ONCE:
        return {"count": 1}
    if code in _table().rhythms:
        rhythm = _table().rhythms[code]
        repeat = {"frequency": rhythm.frequency, "period": rhythm.period, "periodUnit": rhythm.unit}
        return repeat | ({"when": list(rhythm.when)} if rhythm.when else {})
    every, times = _EVERY.fullmatch(code), _TIMES.fullmatch(code)
    if every and float(every["n"]):
        high = {"periodMax": float(every["m"])} if every["m"] else {}
        return {"frequency": 1, "period": float(every["n"]), "periodUnit": _UNITS[every["unit"]]} | high
    if times and int(times["n"]):
        most = {"frequencyMax": int(times["m"])} if times["m"] and int(times["m"]) else {}
        return {"frequency": int(times["n"]), "period": 1, "periodUnit": _UNITS[times["unit"]]} | most
    return {}


def _of_repeat(repeat: dict[str, Any]) -> ImportedTiming:
    when, days = _texts(repeat.get("when")), _texts(repeat.get("dayOfWeek"))
    if when:
        return timing_of_events(when)
    if days:
        return ImportedTiming(_WEEKLY.get(len(days), f"{len(days)}XW"))
    period = _number(repeat.get("period"))
    if period is None and repeat.get("count") == 1:
        return ImportedTiming(ONCE)
    rhythm = Rhythm(
        frequency=_number(repeat.get("frequency")) or 1,
        period=period,
        unit=str(repeat.get("periodUnit", "")),
        frequency_max=_number(repeat.get("frequencyMax")),
        period_max=_number(repeat.get("periodMax")),
    )
    return timing_of_rhythm(rhythm)


def _of_abbreviation(code: str) -> str:
    """The timing code of an abbreviation as FHIR or a hospital writes it."""
    known = next((ours for ours, theirs in _table().abbreviations.items() if theirs == code), "")
    return known or (code if code in _table().rhythms or _EVERY.fullmatch(code) else "")


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


class _Table(NamedTuple):
    rhythms: dict[str, Rhythm]
    abbreviations: dict[str, str]
    codes: dict[tuple[float, float, str], str]
    events: dict[str, ImportedTiming]


@lru_cache(maxsize=1)
def _table() -> _Table:
    rhythms: dict[str, Rhythm] = {}
    abbreviations: dict[str, str] = {}
    codes: dict[tuple[float, float, str], str] = {}
    for code, short, frequency, period, unit, when in rule_rows(FOLDER / "timings.tsv", 6):
        rhythm = Rhythm(int(frequency), int(period), unit, when=() if when == "-" else (when,))
        rhythms[code] = rhythm
        if short != "-":
            abbreviations[code] = short
        if not rhythm.when:
            codes[float(frequency), float(period), unit] = code
    events = {
        event: ImportedTiming(code, "", "" if words == "-" else words)
        for event, code, words in rule_rows(FOLDER / "timing_events.tsv", 3)
    }
    return _Table(rhythms, abbreviations, codes, events)
