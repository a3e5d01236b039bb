"""Temporal alignment of a note with the notes it rests on.

CLI-RAG reports a figure of that name without defining it; this definition is ours, and its figures cannot be compared with
the paper's. A statement is aligned when it bears a date, that date is the date of a note that supports the statement, and
it stands in time order within its part. It compares words, so it finds a wrong date, not a wrong thought.
"""

import bisect
import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.document import sentences
from backend.retrieval.patient_notes.note_dates import told_days
from backend.schemas.patients.patient_notes import UNDATED, claimed_date
from backend.schemas.vocabulary import SoapPart

SUPPORTED_AT = 0.8  # share of a statement's words that one sentence of a note must have


class Statement(NamedTuple):
    """One sentence of a generated note, with the part it stands in."""

    part: SoapPart
    text: str


class SourceNote(NamedTuple):
    """One of the patient's notes. day is an ISO date, None without one."""

    day: str | None
    text: str


class TemporalScores(NamedTuple):
    """Each a share, 0 to 1, higher is better; None where there is nothing to divide by.

    dated: of all statements, those that bear a date or say that they have none. supported: of all statements, those that
    some note supports. right: of the dated and supported ones, those that bear the date of a note that supports them; the
    others tell a fact of another date or visit. ordered: of the dated ones, the most that stand in one order of time,
    forwards or backwards, within their parts. alignment: of all statements, those that are dated, right and in order. pairs:
    statements that tell a date themselves, each a pair of event and date. pairs_right: of them, those whose event some note
    has with that date, as its own or in the sentence; it asks the same of a clinician's note, which dates little, and of a
    generated one.
    """

    statements: int
    dated: float | None
    supported: float | None
    right: float | None
    ordered: float | None
    alignment: float | None
    pairs: int = 0
    pairs_right: float | None = None


def temporal_scores(
    statements: Sequence[Statement], notes: Sequence[SourceNote], own_day: str | None = None
) -> TemporalScores:
    """Scores of one note; gaps for the team are no statements.

    Args:
        statements: of the note.
        notes: those that it rests on.
        own_day: the note's own date, which stands for statements that bear none, so that a clinician's note can be scored
            alike unless a sentence tells one clear day itself; None for a generated note.
    """
    statements_scored = [one for one in statements if not one.text.strip().startswith("[") and _words(one.text)]
    if not statements_scored:
        return TemporalScores(0, None, None, None, None, None)
    pool = [(note.day or UNDATED, _words(note.text[a:b])) for note in notes for a, b in sentences(note.text)]
    told_in = [
        {note.day or UNDATED, *(one.day for one in told_days(note.text[a:b]))}
        for note in notes
        for a, b in sentences(note.text)
    ]
    days: list[str | None] = []
    supporting: list[set[str]] = []
    paired: list[bool] = []
    for one in statements_scored:
        day, bare = claimed_date(one.text)
        if day is None:
            day, bare = _told(one.text)
        days.append(day or own_day)
        holding = [i for i, (_, words) in enumerate(pool) if _supports(words, _words(bare))]
        supporting.append({pool[i][0] for i in holding})
        if day not in (None, UNDATED):
            paired.append(any(day in told_in[i] for i in holding))
    in_order = _in_order([one.part for one in statements_scored], days)
    right = [day is not None and day in held for day, held in zip(days, supporting, strict=True)]
    dated = [day is not None for day in days]
    judged = [ok for ok, day, held in zip(right, dated, supporting, strict=True) if day and held]
    return TemporalScores(
        len(statements_scored),
        _share(dated),
        _share([bool(held) for held in supporting]),
        _share(judged),
        _share([ok for ok, day in zip(in_order, dated, strict=True) if day]),
        _share([a and b for a, b in zip(right, in_order, strict=True)]),
        len(paired),
        _share(paired),
    )


def _told(text: str) -> tuple[str | None, str]:
    """The day that a sentence tells in its own words, where it is one, and the sentence without it: a clinician's form."""
    told = list(told_days(text))
    if len({one.day for one in told}) != 1:
        return None, text
    for one in reversed(told):
        text = f"{text[: one.start]} {text[one.end :]}"
    return told[0].day, text


def holds(sentence: str, statement: str) -> bool:
    """Whether a sentence has most of a statement's words, and every number of it."""
    return _supports(_words(sentence), _words(statement))


def _supports(sentence: frozenset[str], statement: frozenset[str]) -> bool:
    """Whether a sentence of a note has most of a statement's words and every number of it."""
    if not statement:
        return False
    numbers = {word for word in statement if word[0].isdigit()}
    return numbers <= sentence and len(statement & sentence) >= SUPPORTED_AT * len(statement)


def _in_order(parts: Sequence[SoapPart], days: Sequence[str | None]) -> list[bool]:
    """Which dated statements belong to the longest run of their part in one order of time; "Undated" comes after any date.

    Latest first is an order as well as latest last: of the two that which more statements of the part keep.
    """
    kept = [False] * len(days)
    for part in SoapPart:
        places = [i for i, own in enumerate(parts) if own is part and days[i] is not None]
        rank = {day: i for i, day in enumerate(sorted({days[i] or "" for i in places} - {UNDATED}))}
        ranks = [rank.get(days[i] or "") for i in places]
        forwards = _longest([len(rank) if one is None else one for one in ranks])
        backwards = _longest([1 if one is None else -one for one in ranks])
        for i in max(forwards, backwards, key=len):
            kept[places[i]] = True
    return kept


def _longest(values: Sequence[int]) -> list[int]:
    """The places of a longest non-decreasing subsequence (patience sorting, with links back)."""
    ends: list[int] = []
    at: list[int] = []
    back: list[int] = []
    for i, value in enumerate(values):
        pile = bisect.bisect_right(ends, value)
        back.append(at[pile - 1] if pile else -1)
        if pile == len(ends):
            ends.append(value)
            at.append(i)
        else:
            ends[pile], at[pile] = value, i
    found = []
    i = at[-1] if at else -1
    while i >= 0:
        found.append(i)
        i = back[i]
    return found[::-1]


def _share(held: Sequence[bool]) -> float | None:
    return sum(held) / len(held) if held else None


def _words(text: str) -> frozenset[str]:
    return frozenset(word if word[0].isdigit() else word.rstrip("s") for word in _WORD.findall(text.lower()))


_WORD = re.compile(r"\d+(?:[.,/:]\d+)*|[a-z]{3,}")
