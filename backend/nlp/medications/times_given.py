"""For how long a medicine is given: the days of a course ("for 7 days", "5-day course"), and the time that one dose runs over ("over 30 minutes").

Doses of one mention that follow each other are steps of a course, each with its own length: "25 mg daily x 2 weeks, then 50 mg daily". Takes the note's medicines in order of place and their statements; gives the statements with both in their dosages. It looks behind a
medicine's name, up to the next one of its sentence; the fluid that a dose is given in is none. A rate (10 mg/hour) stands in the unit.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import tokens
from backend.nlp.measures.open_dosage import FoundDosage
from backend.nlp.measures.units import NUMBER_WORDS
from backend.nlp.medications.courses import Course, courses
from backend.nlp.medications.medicine_events import Governing
from backend.nlp.medications.medicine_names import MedicineWord, NamedMedicine, medicine_words
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import Dosage, MedicationStatement

_UNKNOWN = "-"
_DAILY = frozenset({"QD", "QAM", "QPM", "HS"})
_IN = "in"
_LEAST_STEPS = 2
_DAY_MONTH = re.compile(r"\d{1,2}/\d{1,2}")
_UNTIL = re.compile(
    r"[\s,(]*(?P<until>(?:until|till?|through|thru)\s+(?:\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?|\d{1,2}(?:st|nd|rd|th)?\s[A-Z][a-z]{2,8}|[A-Z][a-z]{2,8}\.?(?:\s\d{1,2}(?:st|nd|rd|th)?)?)(?:\s[AP]M\b)?)"
)
"""The day up to which a step goes."""
_NUMBERED = re.compile(
    r"[\s,(]*(?:on )?days? (?P<first>\d{1,2})\b(?:\s?(?:-|\u2013|to)\s?(?P<last>\d{1,2})\b)?", re.IGNORECASE
)
"""The days of a course that a step is of: "on day 1", "days 2-5"."""
_CLAUSE_END = re.compile(r"[,;\n]|\.(?=\s|$)|\bthen\b")


class Length(NamedTuple):
    """days: of a course; minutes: that one dose runs over; None for what is not told."""

    days: float | None = None
    minutes: float | None = None


class _Units(NamedTuple):
    days: Mapping[str, float]
    minutes: Mapping[str, float]
    course: re.Pattern[str]
    bare: re.Pattern[str]
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
    steps, short = _steps(note, statements), courses(note, named)
    if not told and not steps and not short:
        return list(statements)
    timed = [_with(one, told, steps.get(_dosed_at(one), {})) for one in statements]
    return [_of_course(one, short) for one in timed]


def without_dates(found: tuple[FoundDosage, ...], by: Governing | None) -> tuple[FoundDosage, ...]:
    """Dosages without the days on which a medicine is held or taken again: "restart 29/10", "restart Thursday", "once she eats".

    Args:
        found: the dosages of a medicine.
        by: what governs it.
    """
    if by is None or by.event not in ("RESUMED", "HELD"):
        return found
    return tuple(
        one
        for one in found
        if one.last <= by.trigger.first
        or not (_DAY_MONTH.fullmatch(one.dosage.text) or (one.dosage.dose is None and _is_day(one.dosage)))
    )


def _is_day(one: Dosage) -> bool:
    """Whether all that a dosage tells is a day or "once"."""
    single = one.timing == "ONCE" or (
        bool(one.timing_text) and one.timing_text.lower() in medicine_words()[MedicineWord.GOES_ON]
    )
    return single and one.quantity is None and not one.as_needed


def _with(
    statement: MedicationStatement, told: Mapping[int, Length], step: Mapping[str, object]
) -> MedicationStatement:
    own = [told[span.start_char] for span in statement.spans if span.start_char in told]
    if not own and not step:
        return statement
    days = next((one.days for one in own if one.days is not None), None)
    minutes = next((one.minutes for one in own if one.minutes is not None), None)
    dosage = statement.dosage.model_copy(update={"days": days, "over_minutes": minutes, **step})
    return statement.model_copy(update={"dosage": dosage})


def _of_course(statement: MedicationStatement, short: Mapping[int, Course]) -> MedicationStatement:
    """The statement with the words of its short course; the number of its doses is days where one is taken each day."""
    course = next((short[span.start_char] for span in statement.spans if span.start_char in short), None)
    if course is None:
        return statement
    dosage = statement.dosage
    if dosage.days is None and course.days and (dosage.timing in _DAILY or not dosage.text):
        dosage = dosage.model_copy(update={"days": course.days})
    return statement.model_copy(update={"course": course.text, "dosage": dosage})


def _dosed_at(statement: MedicationStatement) -> int:
    """Where the dosage of a statement begins; -1 for none."""
    return statement.spans[1].start_char if statement.dosage.text and len(statement.spans) > 1 else -1


def _steps(note: ParsedNote, statements: Sequence[MedicationStatement]) -> dict[int, Mapping[str, object]]:
    """By where a dosage begins: which step of a course it is, and how long the step lasts."""
    mentions: dict[int, list[MedicationStatement]] = {}
    for one in statements:
        if _dosed_at(one) > one.spans[0].start_char:
            mentions.setdefault(one.spans[0].start_char, []).append(one)
    found: dict[int, Mapping[str, object]] = {}
    for held in mentions.values():
        held.sort(key=_dosed_at)
        if len(held) < _LEAST_STEPS:
            continue
        ends = [*map(_dosed_at, held[1:]), _clause_end(note, held[-1].spans[1].end_char)]
        behind = [note.text[one.spans[1].end_char : end] for one, end in zip(held, ends, strict=True)]
        lengths = [_of_step(words) for words in behind]
        follows = [bool(length) or _is_step(words) for length, words in zip(lengths[:-1], behind[:-1], strict=True)]
        if all(follows):
            for number, (one, length) in enumerate(zip(held, lengths, strict=True), start=1):
                found[_dosed_at(one)] = {"step": number, "days": None, **length}
    return found


def _of_step(behind: str) -> dict[str, object]:
    """How long a step lasts, by the words behind its dose."""
    units = _units()
    days = _counted(units.course.search(behind) or units.bare.match(behind), units.days)
    until, numbered = _UNTIL.match(behind), _NUMBERED.match(behind)
    if days is None and numbered is not None:
        first = int(numbered["first"])
        days = float(int(numbered["last"] or first) - first + 1)
    told: dict[str, object] = {"days": days} if days is not None and days > 0 else {}
    if until is not None:
        told["until"] = " ".join(until["until"].split()).replace("thru", "through")
    return told


def _is_step(behind: str) -> bool:
    return not word_lists("measures/words_dosage")["step"].isdisjoint(tokens(behind).words)


def _clause_end(note: ParsedNote, start: int) -> int:
    found = _CLAUSE_END.search(note.text, start)
    return found.start() if found else len(note.text)


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
    number = rf"(?P<number>\d+(?:\.\d+)?|(?:{'|'.join(map(re.escape, NUMBER_WORDS))})\b)"
    lead = r"(?:(?:\bfor|\bx|\btimes(?! an?\b)|\u00d7|,)\s?(?:a |the |another |up to |at least )?|(?=\d+/(?:7|52|12)\b)(?<![\d/.]))"
    course = rf"{lead}{number}[ -]?(?:more )?(?P<unit>{_choice(days)})(?![\w/])(?!\s(?:ago|earlier|before|prior|previously|later|after|old|post))"
    over = rf"\bover (?:the next |at least )?{number}[ -]?(?P<unit>{_choice(minutes)})(?![\w/])"
    bare = rf"[\s,(]*{number}[ -]?(?P<unit>{_choice(days)})(?![\w/])"
    return _Units(
        days,
        minutes,
        re.compile(course, re.IGNORECASE),
        re.compile(bare, re.IGNORECASE),
        re.compile(over, re.IGNORECASE),
    )


def _choice(words: Mapping[str, float]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
