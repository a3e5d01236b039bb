"""What a stretch of a text may name, and which of overlapping stretches stands.

Takes and gives values; it knows no names: names finds them.
"""

from collections.abc import Iterable
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


def without_overlap(matches: Iterable[Match]) -> list[Match]:
    """Of matches that overlap, the one with more words, then the better score, then the longer, then the earlier."""
    ranked = sorted(matches, key=lambda m: (-m.words, -m.candidates[0].score, m.start_char - m.end_char, m.start_char))
    taken = bytearray(max((m.end_char for m in ranked), default=0))
    kept = []
    for match in ranked:
        if taken.find(1, match.start_char, match.end_char) < 0:
            taken[match.start_char : match.end_char] = b"\1" * (match.end_char - match.start_char)
            kept.append(match)
    return sorted(kept)
