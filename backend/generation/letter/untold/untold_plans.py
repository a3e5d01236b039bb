"""Decisions of a note in its own telegrams ("no gent", "gas 1/24"), which nobody at home can read: the team is asked to put them in words.

A telegram is told where all its words are plain; else the letter asks for it, with the note's words.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from backend.generation.letter.story_likeness import ToldUnit
from backend.generation.letter.story_selection import Part, Unit

TELEGRAMS = frozenset(("quote", "noted", "other", "treatment", "medicine", "test", "assessment"))
"""Frames that only say what kind of decision stands in them."""
MOST_WORDS = 90
_FEWEST = 3
_BRACKETS = str.maketrans("[]\u201c\u201d", "()''")


class UntoldPlan(NamedTuple):
    """The note's words of a decision, and where they stand."""

    text: str
    start: int
    end: int


def is_to_put(one: ToldUnit, is_plain: Callable[[ToldUnit], bool]) -> bool:
    """Whether somebody has to put a decision in words.

    Args:
        one: as it would be told.
        is_plain: whether a patient can read all its words.
    """
    frame, unit = one.worded.frame, one.worded.unit
    if unit.part is not Part.DECIDED or frame not in TELEGRAMS:
        return False
    return len(one.worded.text.split()) < _FEWEST or not is_plain(one)


def untold_plans(units: Sequence[Unit]) -> tuple[UntoldPlan, ...]:
    """The words of units in the note's order, as far as a gap has room for them."""
    found: list[UntoldPlan] = []
    room = MOST_WORDS
    for unit in sorted(units, key=lambda one: one.start):
        text = " ".join(unit.text.split()).translate(_BRACKETS).rstrip(" .;,")
        room -= len(text.split())
        if room < 0:
            break
        found.append(UntoldPlan(text, unit.start, unit.end))
    return tuple(found)


def asked_for(plans: Sequence[UntoldPlan]) -> str:
    """What the team is asked to put in words, with the note's own; empty for nothing."""
    said = "; ".join(f"\u201c{one.text}\u201d" for one in plans)
    return f"in plain words, what the note decides: {said}" if said else ""
