"""What becomes of the words of a note in its own telegrams ("no gent", "gas 1/24"): told, shown beside the letter, or left to other lines.

A telegram is told where it is read whole and its words are plain. What the note decides or thinks and nobody at home could read is
shown beside the letter in the note's words; the table of medicines tells what is of medicines alone.
"""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.story_selection import Part, Unit
from backend.generation.letter.story_wording import LINE, PLANNED, UNTURNED, WordedUnit
from backend.generation.letter.told_checks.sentence_flaws import flaw_of
from backend.generation.letter.untold.for_home import ForHome, is_message
from backend.generation.letter.untold.whole_telegrams import Reading, has_marks
from backend.schemas.record import (
    MedicationStatement,
    ObservationStatement,
    PlanKind,
    ProblemStatement,
    ProcedureStatement,
)
from backend.schemas.vocabulary import Category, SectionCategory

_IN_PLAIN_WORDS = frozenset(
    ("to_do", "to_do_then", "follow_up", "activity", "diet", "return_precaution", "carer", "disposition")
)
"""Frames of what is no record's name, but is said in words that anybody reads."""
_NAMED = frozenset(("other", "treatment", "medicine", "assessment"))
"""Frames that anybody understands who knows what they are about."""
_READ_WHOLE = frozenset(("test", "results", "course", "felt", "came_with"))
_COMPLAINTS = frozenset(("felt", "came_with"))
"""Frames of what somebody came with, which is told in the words that name it and say more of it."""
_BY_NAME = frozenset(("pending_result",))
"""Frames of tests, which a patient needs to know by their names, plain or not."""
_NEVER = frozenset((UNTURNED, "noted"))
"""Frames that do not say what their words are about."""
_OF_THE_TEAM = frozenset((SectionCategory.ASSESSMENT, SectionCategory.HOSPITAL_COURSE))
_LONGEST = 20
"""Words of a complaint that is told though a part of it was not read."""
_CHARTED = re.compile(r"[+\u2105*?<>=@#&/]|\.\s|\s-\s|[a-z]- ")


class Fate(StrEnum):
    """What becomes of a unit."""

    TOLD = "told"
    ASKED = "asked"
    PASSED = "passed"  # nobody at home could read it or needs it, and nothing lesser takes its place
    LEFT = "left"


class UntoldPlan(NamedTuple):
    """The note's words of a decision, and where they stand."""

    text: str
    start: int
    end: int


def fate_of(
    one: WordedUnit, reading: Callable[[Unit], Reading], unread: Callable[[WordedUnit], int], home: ForHome
) -> Fate:
    """What becomes of a unit.

    Args:
        one: as it would be told.
        reading: how far a telegram is read.
        unread: how many of its words a patient could not read.
        home: tells what is of the time after leaving.
    """
    unit = one.unit
    decides = unit.part is Part.DECIDED
    asked = Fate.PASSED if decides or unit.section in _OF_THE_TEAM else Fate.LEFT
    asked = Fate.ASKED if home.decides(unit) else asked
    if one.frame == PLANNED:
        return Fate.TOLD
    if unit.cut and one.frame not in ("", LINE):
        return asked
    if decides and is_message(unit.text):
        return Fate.PASSED
    if not one.frame:
        by_name = unit.kind is PlanKind.PENDING_RESULT
        return asked if decides and unread(one) > 1 and not by_name else Fate.TOLD
    if _is_mixed(one):
        return asked
    if one.frame in _IN_PLAIN_WORDS | _BY_NAME:
        plain = one.frame in _BY_NAME or unread(one) <= 1
        return Fate.TOLD if plain and not has_marks(one.text) else asked
    if one.frame not in _READ_WHOLE | _NAMED | _NEVER:
        return Fate.TOLD
    complaint = one.frame in _COMPLAINTS and unit.part is Part.WHY and _is_plain_complaint(one)
    read = reading(unit._replace(text=unit.text.replace("/", " ")) if complaint else unit)
    says = one.frame in _NAMED or complaint or not lists()["showing"].isdisjoint(unit.text.lower().split())
    understood = read is Reading.WHOLE or (read is Reading.NAMED and says)
    return Fate.TOLD if understood and one.frame not in _NEVER and not unread(one) else asked


def _is_plain_complaint(one: WordedUnit) -> bool:
    """Whether a telegram of a complaint opens as a name does, and has no mark of charts and no word that denies or doubts: how far that reaches it does not say."""
    own, words = lists(), re.findall(r"[a-z']+", one.text.lower())
    first = next((held for held in one.unit.statements if isinstance(held, ProblemStatement)), None)
    felt = first is not None and first.category is Category.SYMPTOM
    if not (felt or one.unit.lasting or one.unit.opening) or not 0 < len(words) <= _LONGEST:
        return False
    done = words[0].endswith("ing") and not (first and first.name.lower().endswith(words[0]))  # "seeing lights"
    if done or words[0] in own["prepositions"] or not own["qualities"].isdisjoint(words):
        return False
    return _CHARTED.search(one.text) is None and (own["negations"] | own["doubts"]).isdisjoint(words)


def as_line(unit: Unit, line: str) -> WordedUnit:
    """A decision as a line: a whole sentence by itself, of which only names are hard, any other in the frame of lines.

    Args:
        unit: of the note.
        line: its words to the patient.
    """
    if line.startswith(("You ", "Your ", "The plan is ")) and flaw_of(f"{line}.") is None:
        return WordedUnit(unit, f"{line}.", PLANNED)
    return WordedUnit(unit, line.removeprefix("The plan is "), LINE)


def _is_mixed(one: WordedUnit) -> bool:
    """Whether a telegram's frame says of all its words what is so of one: values beside what is awaited, a treatment that names none."""
    held = one.unit.statements
    values = any(isinstance(each, ObservationStatement) for each in held)
    tests = values or any(isinstance(each, ProcedureStatement) for each in held)
    medicines = any(isinstance(each, MedicationStatement) for each in held)
    return (one.frame in _BY_NAME and values) or (one.frame == "treatment" and tests and not medicines)


def is_to_be_asked(unit: Unit, home: ForHome) -> bool:
    """Whether a unit for which there are no words is a decision that the team has to put."""
    return unit.part is Part.DECIDED and home.decides(unit)


def untold_plans(asked: Sequence[Unit]) -> tuple[UntoldPlan, ...]:
    """The words of what the note decides and the letter does not tell, in the note's order."""
    ordered = sorted(asked, key=lambda one: one.start)
    return tuple(UntoldPlan(" ".join(one.text.split()).rstrip(" .;,"), one.start, one.end) for one in ordered)
