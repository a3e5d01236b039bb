"""Why they came: the sentence of the history that tells it, the stated reason in the frame of the setting, or what the reason names."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from backend.generation.letter import story_likeness as alike
from backend.generation.letter.plain_language.openings import is_visit, without_request
from backend.generation.letter.selection.withheld import is_withheld
from backend.generation.letter.story_selection import Unit
from backend.generation.letter.story_weights import state_of
from backend.generation.letter.story_wording import NAMED, WordedUnit, Wording
from backend.nlp.people.injected_instructions import has_injected_instructions
from backend.schemas.record import PatientRecord, ProblemStatement, Statement
from backend.schemas.vocabulary import Category, SectionCategory

_NAMES = NAMED | {"came_with", "felt"}
"""Frames of telegrams that name what somebody had."""
_FELT = frozenset(("came_with", "felt"))
COMES = re.compile(
    r"^(?:You|Your child) (?:came|presented|returned|(?:was|were) (?:brought|admitted|referred|seen|sent|transferred)) (?!back\b)",
)
_CAME_THEN = re.compile(r"^(?=(?:You|Your child) came\b)(?!.* (?:for|to) [^.]*\bfollow-up\b)")
_AGAIN = re.compile(r"^(?:You|Your child) returned\b|\bfollow-up\b")
_PAST = re.compile(r"\b(?:presented|came|had come)\b", re.IGNORECASE)
_WHOSE = re.compile(r"^(?:his|her|their)\s", re.IGNORECASE)
_FORM = re.compile(r"^(?:[A-Z]{2,}[A-Z/ -]*):\s+(?=\S)")
_ASKED_ABOUT = re.compile(
    r"(?:(?:I|we) (?:was|were|am|are|have been) (?:kindly )?(?:asked|requested|consulted|called)"
    r"|(?:[\w-]+ ){0,3}consult(?:ation)? (?:(?:was|is|has been) )?(?:requested|called|asked|sought|obtained))"
    r"(?: by (?:Dr\.? ?)?[\w'. -]{1,30}?)?"
    r"(?: to (?:see|evaluate|assess|consult on|follow|examine)"
    r"(?: (?:the |this |our )?(?:[\w-]+ )?(?:patient|gentleman|lady|woman|man|child|boy|girl|infant)(?=[ ,])| (?:him|her)(?=,? (?:for|in|regarding|with|because|about|concerning)\b))?)?"
    r"(?: in consultation)?,?(?: (?:for|in regards? to|in reference to|regarding|with regards? to|because of|about|due to|with|concerning))? (?=\S)",
    re.IGNORECASE,
)
_STORIES = frozenset((SectionCategory.HISTORY_OF_PRESENT_ILLNESS, SectionCategory.UNLABELED))
_MOST_FELT = 3
"""Complaints that a first sentence names."""
_EARLY = 3
"""Sentences of the history among which one may tell how the patient came."""


_LISTED = re.compile(r"\s*(?:\d{1,2}[.)]|[-•*])|\s*[a-z]")


class Reason(NamedTuple):
    """Why they came as a sentence, with the stretch of the note that it rests on and what was read in it.

    told: the note's words of it, where all of them are told.
    """

    text: str
    start: int
    end: int
    statements: tuple[Statement, ...]
    told: str = ""


def opening(
    record: PatientRecord,
    units: Sequence[Unit],
    wording: Wording,
    worded: Callable[[Unit], WordedUnit | None],
    is_corrected: Callable[[int, int], bool],
    is_plain: Callable[[str], bool],
) -> tuple[Reason | None, WordedUnit | None]:
    """How a story opens: with the reason as a sentence, or with a sentence of the history; one of them is None, or both.

    Args:
        record: of the note.
        units: of the note, in its order.
        wording: words the stated reason.
        worded: a unit in words.
        is_corrected: whether a clinician corrected what stands between two places.
        is_plain: whether a patient can read words.
    """
    reason, begin, named = _stated(record)
    history = [one for one in units if one.section is SectionCategory.HISTORY_OF_PRESENT_ILLNESS]
    wanted = [
        found for found in (alike.stems(reason), alike.stems(wording.reason(reason, begin, named=named))) if found
    ]
    for unit in (one for one in history if one.opening):
        told = _sentence(unit, worded)
        if told is not None:
            said = alike.stems(told.text)
            same = not wanted or any(len(one & said) * 2 >= len(one) for one in wanted)
            if same and alike.numbers(reason) <= alike.numbers(unit.text):
                early = None if reason or COMES.search(told.text) else _coming(history, worded)
                return None, early or told
    stated = _of_reason(reason, begin, named, record, units, wording, is_corrected) or _named(units, wording, worded)
    if stated is not None and history and history[0].lasting and alike.stems(history[0].text) <= alike.stems(reason):
        stated = stated._replace(text=f"{stated.text.rstrip('.')} for {history[0].lasting}.")
    return stated or (None if reason else _felt(units, wording, worded, is_plain, is_corrected)), None


def came_earlier(worded: WordedUnit, opens: str) -> WordedUnit:
    """A sentence that tells how they came, as of an earlier time where what they came for now is a follow-up.

    Args:
        worded: a sentence of the history, behind the opening.
        opens: the sentence that opens the story.
    """
    of_history = worded.unit.section in _STORIES and not worded.frame
    then = of_history and _CAME_THEN.match(worded.text) and _PAST.search(worded.unit.text)
    if not then or not _AGAIN.search(opens):
        return worded
    return worded._replace(text=f"Earlier, {worded.text[:1].lower()}{worded.text[1:]}")


def _stated(record: PatientRecord) -> tuple[str, int, bool]:
    """The stated reason without the words of who asks and of a form, where it begins, and whether it is a name; empty for none."""
    if not record.encounter.reason or not record.encounter.spans:
        return "", 0, False
    whole = _first_lines(record.encounter.reason)
    reason, named = _without_asking(whole)
    return reason, record.encounter.spans[0].start_char + len(whole) - len(reason), named


def _first_lines(reason: str) -> str:
    """The lines of a stated reason that belong together: to the first empty line, or of one that no list goes on."""
    whole = reason.split("\n\n", maxsplit=1)[0]
    lines = whole.split("\n")
    return whole if len(lines) == 1 or _LISTED.match(lines[1]) else lines[0]


def _without_asking(text: str) -> tuple[str, bool]:
    """A reason without the label of a form and without who asked, and whether what is left is a name: "I was asked to see her for gout" gives "gout"."""
    text = _FORM.sub("", text, count=1)
    asked = _ASKED_ABOUT.match(text)
    return (_WHOSE.sub("", text[asked.end() :]), True) if asked else (text, False)


def _sentence(unit: Unit, worded: Callable[[Unit], WordedUnit | None]) -> WordedUnit | None:
    told = worded(unit)
    return None if told is None or told.frame or alike.leans(told.text) else told


def _coming(history: Sequence[Unit], worded: Callable[[Unit], WordedUnit | None]) -> WordedUnit | None:
    """A sentence near the beginning that tells how the patient came, on which the next one does not lean."""
    for place, unit in enumerate(history[1:_EARLY], 1):
        told = _sentence(unit, worded)
        following = worded(history[place + 1]) if place + 1 < len(history) else None
        if told is not None and COMES.search(told.text) and not (following and alike.leans(following.text)):
            return told
    return None


def _of_reason(
    reason: str,
    start: int,
    named: bool,
    record: PatientRecord,
    units: Sequence[Unit],
    wording: Wording,
    is_corrected: Callable[[int, int], bool],
) -> Reason | None:
    """The stated reason as a sentence; None where it cannot be told, or names nothing and is no complaint."""
    end = start + len(reason)
    if not reason or is_withheld(reason) or has_injected_instructions(reason) or is_corrected(start, end):
        return None
    about = [one for one in units if one.start < end and start < one.end]
    held = [
        one
        for one in (*record.stated_problems, *record.procedures)
        if one.spans and not one.spans[0].note_id and start <= one.spans[0].start_char < end
    ]
    of_complaint = any(one.section is SectionCategory.CHIEF_COMPLAINT for one in about)
    if not (held or of_complaint or is_visit(without_request(reason))):
        return None
    text = wording.reason(reason, start, named=named)
    rests = {one.id: one for one in (*(each for unit in about for each in unit.statements), *held)}
    return Reason(text, start, end, tuple(rests.values()), reason) if text else None


def _named(units: Sequence[Unit], wording: Wording, worded: Callable[[Unit], WordedUnit | None]) -> Reason | None:
    """What the complaint names, where its own words cannot be told."""
    unit = next((one for one in units if one.section is SectionCategory.CHIEF_COMPLAINT and one.opening), None)
    told = worded(unit) if unit is not None else None
    if unit is None or told is None or told.frame not in _NAMES:
        return None
    return Reason(wording.in_frame("came", told.text), unit.start, unit.end, unit.statements)


def _felt(
    units: Sequence[Unit],
    wording: Wording,
    worded: Callable[[Unit], WordedUnit | None],
    is_plain: Callable[[str], bool],
    is_corrected: Callable[[int, int], bool],
) -> Reason | None:
    """What the patient felt by the first words of a story that states no reason: "Having breathlessness for 3 days"."""
    unit = next((one for one in units if one.section in _STORIES), None)
    if unit is None or unit is not units[0] or is_corrected(unit.start, unit.end):
        return None
    told = tuple(one for one in unit.statements if isinstance(one, ProblemStatement))
    had = [one for one in told if state_of(one) == "present"]
    if not had or any(one.category is not Category.SYMPTOM or one.chronic for one in had):
        return None
    whole = worded(unit)
    if whole is not None and whole.frame in _FELT and is_plain(whole.text):
        return Reason(
            wording.in_frame("came", whole.text.split(". ", 1)[0]), unit.start, unit.end, tuple(had), unit.text
        )
    names = wording.names(unit._replace(statements=tuple(had)), is_plain)[:_MOST_FELT]
    listed = " and ".join(", ".join(names).rsplit(", ", 1))
    return Reason(wording.in_frame("came", listed), unit.start, unit.end, tuple(had)) if names else None
