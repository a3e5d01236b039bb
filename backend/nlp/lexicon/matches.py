"""What a stretch of a text may name, and which of overlapping stretches stands.

Takes and gives values; it knows no names: names finds them.
"""

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple


class Candidate(NamedTuple):
    """A concept a phrase may name. score is 0 to 1 as in Mention; why says in words how it was found."""

    concept_id: str
    name: str
    group: str
    category: str
    score: float
    why: str


class Match(NamedTuple):
    """A stretch of a text and the concepts it may name, best first. words counts what was matched, fillers left out."""

    start_char: int
    end_char: int
    words: int
    candidates: tuple[Candidate, ...]


_START = attrgetter("start_char")
_ORDER, _MEDICINES = "precaution", frozenset(("drug", "drug_class"))


def without_overlap(matches: Iterable[Match]) -> list[Match]:
    """Of matches that overlap, the one with more words, then the better score, then the longer, then the earlier."""
    kept: list[Match] = []
    meeting: list[Match] = []
    end = 0
    for match in sorted(matches, key=_START):
        if match.start_char >= end:
            kept += _best(meeting)
            meeting = []
        meeting.append(match)
        end = max(end, match.end_char)
    return [*kept, *_best(meeting)]


def without_orders(matches: list[Match]) -> list[Match]:
    """The matches without names of precautions that hold the name of a medicine: "avoid ibuprofen" tells what is done with ibuprofen."""
    orders = [match for match in matches if match.candidates[0].category == _ORDER]
    if not orders:
        return matches
    named = [(m.start_char, m.end_char) for m in matches if m.candidates[0].category in _MEDICINES]
    hold = {
        (one.start_char, one.end_char)
        for one in orders
        if any(one.start_char <= start and end <= one.end_char for start, end in named)
    }
    return [m for m in matches if m.candidates[0].category != _ORDER or (m.start_char, m.end_char) not in hold]


def _best(meeting: list[Match]) -> list[Match]:
    """The same of matches in order of place, each of which meets the next."""
    if len(meeting) < 2:
        return meeting
    first = meeting[0].start_char
    taken = bytearray(max(m.end_char for m in meeting) - first)
    kept = []
    for match in sorted(meeting, key=lambda m: (-m.words, -m.candidates[0].score, m.start_char - m.end_char)):
        start, end = match.start_char - first, match.end_char - first
        if taken.find(1, start, end) < 0:
            taken[start:end] = b"\1" * (end - start)
            kept.append(match)
    return sorted(kept)
