"""One place that decides in which time a letter tells a sentence: its patient reads it days after the visit that the note is of.

Times told from the note's own day are told from the visit (adverbials), states of that moment in the past (tenses), and what was
planned for the stay as what the plan was (stay_plans). What cannot be told so is not told.
"""

import re
from collections.abc import Callable, Collection, Iterable

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.verb_forms import verbs
from backend.generation.letter.story_selection import Part, Unit
from backend.generation.letter.told_time.adverbials import from_visit
from backend.generation.letter.told_time.complaint_times import whole_complaint, with_time
from backend.generation.letter.told_time.stay_plans import AFTERWARDS, as_planned, is_of_stay
from backend.generation.letter.told_time.tenses import as_of_visit
from backend.schemas.record import PlanKind, ProblemStatement, Setting, SocialStatement
from backend.schemas.vocabulary import Category, SectionCategory

_BEFORE = re.compile(r"\bbefore (?:you|your child) (?:was|were) seen\b")
_GOING_ON = re.compile(r"\b(?:is|are) (?:now|currently|still) \w+ing\b", re.IGNORECASE)
_AHEAD = re.compile(
    r"\b(?:in|within|for the next|over the next) (?:about )?[\w-]+(?: (?:to|or) \w+)? (?:day|week|month)s?\b(?! (?:of|ago))",
    re.IGNORECASE,
)
"""A time to come: what a note tells of it in the present has still to be."""
_THEN = re.compile(r"\bthen (\w+)", re.IGNORECASE)
_LASTING = frozenset(
    (
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.ALLERGIES,
    )
)
"""Sections whose present is not of that moment."""


_THAT_DAY = re.compile(r"(?<!after )(?<!before )you were seen")


def told_from_visit(
    text: str, unit: Unit, setting: Setting, patient: Addressee, conditions: Collection[str], *, sentence: bool
) -> str | None:
    """A text of a letter in the time of its reader; None where that is not sure.

    Args:
        text: to the patient.
        unit: of the note.
        setting: of the encounter.
        patient: who is addressed.
        conditions: names of what lasts, by lasting_names.
        sentence: it is one, and no telegram that a frame makes a sentence of.
    """
    decided = unit.part is Part.DECIDED
    timed = from_visit(text, decided=decided, child=patient.child)
    if timed is None:
        return None
    if not sentence:
        complaint = unit.part is Part.WHY and unit.section not in _LASTING
        return with_time(whole_complaint(timed.text) if complaint else timed.text, unit.lasting)
    if unit.section is SectionCategory.HOSPITAL_COURSE and _BEFORE.search(timed.text) and not _BEFORE.search(text):
        return None  # "over the last 18 hours" of a course are those before its end
    if decided and timed.of_then and _GOING_ON.search(text):
        return None  # "is now running" tells a moment
    told: str | None = timed.text
    if decided and is_of_stay(unit, text, setting, of_then=timed.of_then or timed.moved):
        told = as_planned(timed.text)
    if told is None or (decided and _is_to_be_done(unit, told)) or _lies_ahead(text):
        return told
    habits = unit.section in _LASTING or any(isinstance(one, SocialStatement) for one in unit.statements)
    return as_of_visit(told, conditions, shifts=timed.moved and not decided, habits=habits)


def in_past(text: str, patient: Addressee) -> str | None:
    """A sentence that tells why somebody came, in the time of its reader."""
    timed = from_visit(text, decided=False, child=patient.child)
    return None if timed is None else as_of_visit(timed.text, (), shifts=timed.moved, habits=False)


def lasting_names(problems: Iterable[ProblemStatement], said: Callable[[str, int], str]) -> frozenset[str]:
    """The names of what lasts among what a note states, in lower case: diseases, and whatever the note calls chronic.

    Args:
        problems: of the record.
        said: words of the note, with where they begin, in plain words.
    """
    lasting = [one for one in problems if one.spans and (one.chronic or one.category is Category.DISEASE)]
    named = [name for one in lasting for name in (one.name, *(span.text for span in one.spans))]
    named += [said(span.text, span.start_char) for one in lasting for span in one.spans if not span.note_id]
    return frozenset(" ".join(name.lower().split()) for name in named if name.strip())


def _lies_ahead(text: str) -> bool:
    """Whether a text names a time to come, or what to do then: "needs a recheck in 1-2 weeks", "stays on 7 days then leave open"."""
    return _AHEAD.search(text) is not None or any(match[1].lower() in verbs() for match in _THEN.finditer(text))


def _is_to_be_done(unit: Unit, text: str) -> bool:
    """Whether a decision is for afterwards, or tells the patient what to do."""
    words = set(text.lower().split())
    if text.startswith(("The plan is for ", "Do not ")):
        return _THAT_DAY.search(text) is None
    return unit.kind in AFTERWARDS - {PlanKind.PENDING_RESULT} or not words.isdisjoint(
        ("should", "must", "need", "needs", "may", "if", "will", "can", "could")
    )
