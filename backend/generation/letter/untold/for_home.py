"""Whether words of a note that nobody at home could read decide something for the time after leaving.

Only such words are asked of the team. What happened, what was found or thought of, what one clinician asks of another and what
becomes of a medicine are no decision of that kind: the note tells the first to the team itself, and the table of medicines has the last.
"""

import re
from itertools import pairwise

from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.verb_forms import is_narrated
from backend.generation.letter.plan_items.plan_reader import is_letterhead
from backend.generation.letter.plan_items.plan_slots import names_only_tests, names_plan
from backend.generation.letter.plan_items.return_reader import names_help
from backend.generation.letter.selection.told_elsewhere import BY_ITS_WORDS
from backend.generation.letter.selection.withheld import is_withheld
from backend.generation.letter.story_selection import WISHES, Part, Unit
from backend.generation.letter.told_checks.others_told import is_history_of_kin
from backend.generation.letter.told_time.stay_plans import AFTERWARDS
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import (
    MedicationStatement,
    ObservationStatement,
    PatientRecord,
    PlanKind,
    PlanStatement,
    ProcedureStatement,
    ProcedureStatus,
    SocialStatement,
)
from backend.schemas.vocabulary import SectionCategory

_PLANS = frozenset((SectionCategory.PLAN, SectionCategory.INSTRUCTIONS))
_A_LIST = 3
"""Medicines of a line from which it only lists them."""
_OVER = frozenset((ProcedureStatus.DONE_NOW, ProcedureStatus.PAST))
_ASKED_OF = re.compile(r"(?<![\w/])r/o(?![\w/])", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


class ForHome:
    """Tells of the units of one note whether they are for the time after leaving.

    Args:
        record: of the note.
    """

    def __init__(self, record: PatientRecord) -> None:
        names = {word for one in record.medications for word in (one.name, *(span.text for span in one.spans))}
        longest = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        self._medicine = re.compile(rf"\b(?:{longest})\b", re.IGNORECASE) if names else None

    def decides(self, unit: Unit) -> bool:
        """Whether a unit decides something that the patient, or who cares for them, has to know or to do after leaving."""
        if is_history_of_kin(unit.text):
            return False
        return not unit.reason_alone and _decides(
            unit, named=self._medicine is not None and self._medicine.search(unit.text) is not None
        )


def is_help(unit: Unit) -> bool:
    """Whether a unit tells when to get help, and decides nothing else.

    Args:
        unit: of the note.
    """
    kinds = {one.kind for one in unit.statements if isinstance(one, PlanStatement) and one.certainty >= BY_ITS_WORDS}
    sure = kinds <= {PlanKind.RETURN_PRECAUTION, PlanKind.OTHER}
    return unit.part is Part.DECIDED and sure and (bool(kinds - {PlanKind.OTHER}) or names_help(unit.text))


def names_wishes(unit: Unit) -> bool:
    """Whether a unit tells of the goals of care.

    Args:
        unit: of the note.
    """
    return any(isinstance(one, SocialStatement) and one.kind in WISHES for one in unit.statements)


def is_title(unit: Unit) -> bool:
    """Whether a unit heads the note: "Hospice unit - discharge home" says what the note is and decides nothing.

    Args:
        unit: of the note.
    """
    return unit.section is SectionCategory.UNLABELED and not unit.before


def _decides(unit: Unit, *, named: bool) -> bool:
    """named: a medicine."""
    if names_wishes(unit):
        return not is_title(unit)
    words = [match[0].lower() for match in _WORD.finditer(unit.text)]
    own = word_lists("letter/words_decisions")
    if not words or is_letterhead(unit.text, unit.section) or is_withheld(unit.text) or is_message(unit.text):
        return False
    if unit.section is SectionCategory.CHIEF_COMPLAINT or (named and unit.section is SectionCategory.MEDICATIONS):
        return False  # why they came; the table of medicines tells an entry with its remarks
    tested = any(isinstance(one, ProcedureStatement) for one in unit.statements)
    if _ASKED_OF.search(unit.text) and not tested:
        return False  # "cannabis use, r/o use disorder" is what the team thinks of
    done = unit.section not in _PLANS and _is_over(unit) and names_only_tests(unit.text)
    to_come = names_help(unit.text) or (names_plan(unit.text) and not done)
    conditional = not own["conditions"].isdisjoint(words)
    sure = {
        one.kind
        for one in unit.statements
        if isinstance(one, PlanStatement) and one.certainty >= BY_ITS_WORDS and one.kind in AFTERWARDS
    }
    if _is_measured(unit) and not (to_come or conditional or sure):
        return False
    if named and _is_of_medicines(unit) and not (to_come or sure):
        turned = not own["turns"].isdisjoint(words) or not own["conditions"].isdisjoint(words[:1])
        return unit.section in _PLANS and turned
    if conditional and not own["conditions"].isdisjoint(words[:1]) and not own["to_do"].isdisjoint(words):
        return True
    if is_narrated(unit.text) and unit.section in _PLANS and not (to_come or conditional or sure):
        return False
    if unit.section in _PLANS:
        return bool(sure) or to_come or not _is_over(unit)
    if to_come or (sure and not is_narrated(unit.text)):
        return True
    return unit.section is SectionCategory.ASSESSMENT and unit.part is Part.DECIDED and _is_ordered(unit)


def is_message(text: str) -> bool:
    """Whether one clinician asks another: "kindly check U+E", and no "please call us"."""
    words, own = [match[0].lower() for match in _WORD.finditer(text)], word_lists("letter/words_decisions")
    theirs = own["to_do"] | lists()["patient_verbs"]
    return "your" not in words and any(a in own["asks"] and b not in theirs for a, b in pairwise((*words, "")))


def _is_measured(unit: Unit) -> bool:
    """Whether a unit tells values that were measured."""
    return any(isinstance(one, ObservationStatement) for one in unit.statements)


def _is_of_medicines(unit: Unit) -> bool:
    """Whether all that a unit decides is of medicines."""
    kinds = {one.kind for one in unit.statements if isinstance(one, PlanStatement)}
    held = [one for one in unit.statements if isinstance(one, MedicationStatement)]
    planned = any(
        isinstance(one, ProcedureStatement) and one.status is ProcedureStatus.PLANNED for one in unit.statements
    )
    return (
        len(held) > _A_LIST
        or unit.section is SectionCategory.MEDICATIONS
        or (not planned and kinds <= {PlanKind.TREATMENT, PlanKind.OTHER})
    )


def _is_over(unit: Unit) -> bool:
    """Whether a unit tells what happened."""
    done = [one for one in unit.statements if isinstance(one, ProcedureStatement)]
    return bool(done) and all(one.status in _OVER for one in done)


def _is_ordered(unit: Unit) -> bool:
    """Whether a unit of an assessment orders a test."""
    return any(
        isinstance(one, PlanStatement) and one.kind is PlanKind.TEST and one.certainty >= BY_ITS_WORDS
        for one in unit.statements
    )
