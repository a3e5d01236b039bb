"""When a patient's note was written, and which stay it belongs to: from the request's `date` or a clear header, never guessed.

A date counts only where its day, month and year can be read in one way: ISO, a month by name, MIMIC's de-identified
[**2101-10-20**], or numbers of which one can be no month. "03/04/2024" can be read in two ways and is no date here.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import NamedTuple

from backend.schemas.patients.patient_notes import DateSource, NoteType

HEAD_CHARS = 800  # where the header of a note that carries its date may stand


class NoteTime(NamedTuple):
    """time: ISO date, or date and time to the minute where they are known; None without one, and reason says why."""

    time: str | None
    source: DateSource
    reason: str = ""

    @property
    def day(self) -> str | None:
        """The date alone, YYYY-MM-DD; None where there is none."""
        return None if self.time is None else self.time[:10]


class Stay(NamedTuple):
    """The days of admission and discharge that a note's headers give, both ISO."""

    admitted: str
    discharged: str


class ToldDay(NamedTuple):
    """A day (YYYY-MM-DD) and the characters that tell it."""

    day: str
    start: int
    end: int


def note_time(given: str | None, text: str, note_type: NoteType) -> NoteTime:
    """The time of a note: the request's date first, then its headers (a discharge summary's day of discharge too)."""
    if given is not None and given.strip():
        time = iso_time(given)
        if time is not None:
            return NoteTime(time, DateSource.REQUEST)
        return NoteTime(None, DateSource.NONE, "the date given is no ISO date (YYYY-MM-DD)")
    head = text[:HEAD_CHARS]
    found = _headed(_NOTE_DATE, head)
    if not found and note_type is NoteType.DISCHARGE_SUMMARY:
        found = _headed(_DISCHARGED, head)
    if len(found) == 1:
        return NoteTime(found.pop(), DateSource.HEADER)
    return NoteTime(None, DateSource.NONE, "its headers give several dates" if found else "no date is given")


def stay(text: str) -> Stay | None:
    """The stay whose two dates the note's headers give; None where one is missing, unclear, or they are in no order."""
    head = text[:HEAD_CHARS]
    admitted, discharged = _headed(_ADMITTED, head), _headed(_DISCHARGED, head)
    if len(admitted) != 1 or len(discharged) != 1:
        return None
    found = Stay(admitted.pop(), discharged.pop())
    return found if found.admitted <= found.discharged else None


def iso_time(text: str) -> str | None:
    """An ISO date or date and time as YYYY-MM-DD or YYYY-MM-DDTHH:MM; None for anything else.

    A zone is not kept: the clock of the place of care is what notes are ordered by.
    """
    bare = text.strip()
    if not _ISO.fullmatch(bare):
        return None
    try:
        moment = datetime.fromisoformat(bare)
    except ValueError:
        return None
    return moment.date().isoformat() if len(bare) == 10 else moment.strftime("%Y-%m-%dT%H:%M")


def clear_day(text: str) -> str | None:
    """The day that the text begins with, as YYYY-MM-DD; None where it is no date or could be read in two ways."""
    found = _DAY.match(text)
    if found is None:
        return None
    if found["year"]:
        return _day(found["year"], found["month"], found["day"])
    if found["name"] or found["name2"]:
        month = _MONTHS[(found["name"] or found["name2"])[:3].lower()]
        return _day(found["year2"] or found["year3"], str(month), found["day2"] or found["day3"])
    first, second = int(found["first"]), int(found["second"])
    if first > 12 or first == second:
        return _day(found["year4"], str(second), str(first))
    return _day(found["year4"], str(first), str(second)) if second > 12 else None


def told_days(text: str) -> Iterator[ToldDay]:
    """The days that a text tells; a date that could be read in two ways is none.

    Yields:
        Each with its place, in the text's order.
    """
    for found in _DAY.finditer(text):
        apart = found.group()[:1].isspace() or not text[: found.start()][-1:].isalnum()
        if apart and (day := clear_day(found.group())):
            yield ToldDay(day, found.start(), found.end())


def _headed(header: re.Pattern[str], text: str) -> set[str]:
    """The distinct clear days after a header; an unclear one makes the whole answer unclear, so it counts as none."""
    days = [clear_day(text[found.end() : found.end() + 60]) for found in header.finditer(text)]
    return {day for day in days if day is not None} if None not in days else set()


def _day(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def _header(words: Iterable[str]) -> re.Pattern[str]:
    """The words at the start of a line, or after a tab or two blanks, with their colon.

    What stands before them is looked at from their first letter, so that a run of blanks is not read from each of its places.
    """
    return re.compile(rf"{_BEFORE_HEADER}(?:{'|'.join(words)})[^\S\n]*:[^\S\n]*(?=\S)", re.IGNORECASE)


_BEFORE_HEADER = r"(?:^|(?<=[\n\t])|(?<=[^\S\n]{2})|(?<=^[^\S\n])|(?<=\n[^\S\n]))"


_NOTE_DATE = _header(
    ("date", "date of (?:service|note|visit|exam(?:ination)?|study)", "(?:note|visit|service|exam|study) date")
)
_ADMITTED = _header(("admission date", "date of admission", "admitted(?: on)?"))
_DISCHARGED = _header(("discharge date", "date of discharge", "discharged(?: on)?"))
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")
_MONTHS = {
    name: number
    for number, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], start=1
    )
}
_NAME = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = re.compile(
    rf"""\s*(?:\[\*\*)?(?:
    (?P<year>\d{{4}})[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}})
    |(?P<name>{_NAME})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year2>\d{{4}})
    |(?P<day3>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<name2>{_NAME}),?\s+(?P<year3>\d{{4}})
    |(?P<first>\d{{1,2}})[-/.](?P<second>\d{{1,2}})[-/.](?P<year4>\d{{4}})
    )(?!\d)""",
    re.IGNORECASE | re.VERBOSE,
)
