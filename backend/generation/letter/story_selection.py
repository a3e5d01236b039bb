"""Which clauses of a note a letter tells, by the statements that they hold and where they stand.

Takes the record, the note and its pieces; gives units, each a stretch of the note with its statements, its part of the letter and a
weight. A clause of the review of systems, of a relative, or of denials alone is no reason to come, and what other parts of the letter
tell (allergies, lists of medicines) is left to them. Weights are rows of assets/rules/letter/story_weights.tsv.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.openings import opening_of
from backend.generation.letter.plain_language.telegrams import says_kind
from backend.generation.letter.plain_language.verb_forms import is_narrated, verbs
from backend.generation.letter.plan_items.plan_slots import counts_days_as_sevenths
from backend.generation.letter.selection.decision_reasons import Says, reason_of
from backend.generation.letter.selection.home_facts import (
    is_breathed,
    is_of_exam,
    is_over,
    is_reported,
    is_worth_denying,
    matters_at_home,
    tells_course,
)
from backend.generation.letter.selection.told_elsewhere import heads_allergies, is_list_entry, is_values
from backend.generation.letter.selection.withheld import is_beside_the_letter, is_withheld
from backend.generation.letter.story_clauses import stretches
from backend.generation.letter.story_weights import denies_only, feature_of, state_of, weight_of
from backend.generation.letter.told_checks.untelling import is_beside_the_patient, tells_nothing
from backend.generation.letter.told_time.complaint_times import time_lead
from backend.nlp.document import sections
from backend.nlp.document.tokens import tokens
from backend.nlp.people.care_frames import is_child
from backend.nlp.people.injected_instructions import has_injected_instructions
from backend.nlp.procedures.plan_labels import LabelledLines, LineKind
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.note import Section
from backend.schemas.record import (
    MedicationStatement,
    MedicationStatus,
    ObservationStatement,
    PatientRecord,
    PlanKind,
    PlanStatement,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    Setting,
    SocialKind,
    SocialStatement,
    Statement,
)
from backend.schemas.vocabulary import SectionCategory

PASTED = "Pasted note"
_HEADING = 6
_FEWEST = 4
"""Words of a clause in which nothing was read."""
_WITHOUT = "without"
_FEW_DENIED = 2
"""Of what a clause denies: a longer list is the clinic's own."""
_LOGGED = re.compile(r"(?:@\s?)?(?:0\d|1[0-8]|2[1-3])[0-5]\d(?:\s?h(?:rs?)?)?[:,]?\s+\D|(?:[01]?\d|2[0-3]):[0-5]\d\b")
"""The time of the clock with which an entry of a log begins; "1950", "2012" are years."""


class Part(StrEnum):
    """The parts of a story, in order."""

    WHY = "why"
    FOUND = "found"
    DECIDED = "decided"


class Unit(NamedTuple):
    """A stretch of the note that may be told.

    section: of the note. before: the sentence before it. opening: it tells how the patient came. cut: it is what is left of a decision of which a part is read.
    reason_alone: it tells why something is decided. lasting: how long what it tells has lasted, where its words began with that.
    """

    start: int
    end: int
    text: str
    section: SectionCategory
    statements: tuple[Statement, ...]
    part: Part
    weight: float
    before: str
    opening: bool
    cut: bool = False
    reason_alone: bool = False
    lasting: str = ""

    @property
    def kind(self) -> PlanKind | None:
        """What kind of thing it decides; None for nothing."""
        plans = [one.kind for one in self.statements if isinstance(one, PlanStatement)]
        return next((kind for kind in plans if kind is not PlanKind.OTHER), plans[0] if plans else None)


def units(
    record: PatientRecord,
    note_text: str,
    pieces: Sequence[NotePiece],
    is_plan: Callable[[str, int, SectionCategory], bool] = lambda *_: False,
) -> list[Unit]:
    """Everything of a note that may be told, in the note's order.

    Args:
        record: of the note.
        note_text: its text.
        pieces: of the patient's notes; those of the pasted note index its text.
        is_plan: whether a stretch, with where it begins and its section, is read whole as a plan.
    """
    parts = sections(note_text)
    lines = LabelledLines(note_text, parts)
    found = tokens(note_text)
    placed = sorted(
        ((one.spans[0].start_char, one.spans[0].end_char, one) for one in record.statements if _counts(one)),
        key=lambda item: item[0],
    )
    starts = [start for start, _, _ in placed]
    held = [one for one in record.stated_problems if _counts(one) and state_of(one) != "denied"]
    later = sorted(
        ((span.start_char, one) for one in held for span in one.spans[1:] if not span.note_id), key=lambda item: item[0]
    )
    again = [start for start, _ in later]
    reason = record.encounter.spans[0] if record.encounter.reason and record.encounter.spans else None
    child, periods = is_child(record), counts_days_as_sevenths(note_text)
    made: list[Unit] = []
    before, last = "", SectionCategory.UNLABELED
    units_of_section: Counter[SectionCategory] = Counter()
    for piece in sorted((p for p in pieces if p.note_type == PASTED), key=lambda p: p.start_char):
        section = _section_at(parts, piece.start_char)
        before, last = (before if section is last else ""), section  # "he" of a new section is the patient again
        if has_injected_instructions(piece.text) or _in_speech(note_text, piece.start_char):
            continue
        for whole, start, end in stretches(note_text, found, piece.start_char, piece.end_char):
            line = lines.at(start)
            if line is not None and (line.kind is LineKind.AGREEMENT or line.body >= end):
                continue
            if line is not None and whole < line.body:
                whole = start = max(start, line.body)
            if bisect_left(starts, whole) < bisect_left(starts, start):
                start = whole  # "Code status: DNR": what the label says was read
            text = note_text[start:end]
            at_home = section is SectionCategory.INSTRUCTIONS
            if tells_nothing(text, Setting.UNKNOWN if at_home else record.encounter.setting):
                continue
            inside = tuple(one for _, _, one in placed[bisect_left(starts, start) : bisect_left(starts, end)])
            named = later[bisect_left(again, start) : bisect_left(again, end)]  # what an earlier section named first
            whole_line = _in_order((*inside, *(_as_at(one, place) for place, one in named)))
            inside = whole_line if section is SectionCategory.ASSESSMENT else inside
            meets = reason is not None and reason.start_char < end and start < reason.end_char
            repeats = bisect_left(again, start) < bisect_left(again, end)
            says = reason_of(text, section, whole_line, None if line is None else line.kind)
            inside = whole_line if says is not None and not inside else inside
            unit = _unit(
                start,
                end,
                text,
                section,
                inside,
                before,
                meets,
                units_of_section[section],
                repeats,
                is_plan(text, start, section),
                child,
                "" if reason is None else record.encounter.reason,
                says,
            )
            if unit is not None:
                made.append(_without_time(unit, periods=periods))
                units_of_section[section] += 1
            if unit is not None or not is_beside_the_letter(text):
                before = text  # what is left out is nothing that the next could lean on
    return made


def _without_time(unit: Unit, *, periods: bool) -> Unit:
    """A complaint that begins with its time ("3/7 hx of sore ear") without it, which is told behind what lasts."""
    of_complaint = unit.section in _COMPLAINTS and unit.part is Part.WHY
    lead = time_lead(unit.text, periods=periods, opens=unit.opening) if of_complaint else None
    if lead is None:
        return unit
    return unit._replace(start=unit.start + lead.length, text=unit.text[lead.length :], lasting=lead.told)


def _as_at(one: ProblemStatement, place: int) -> ProblemStatement:
    """A problem with the span that begins at a place as its first."""
    spans = sorted(one.spans, key=lambda span: span.start_char != place)
    return one.model_copy(update={"spans": tuple(spans)})


def _in_order(inside: Iterable[Statement]) -> tuple[Statement, ...]:
    return tuple(sorted(inside, key=lambda one: one.spans[0].start_char))


def _in_speech(note: str, place: int) -> bool:
    """Whether a place stands inside quotation marks that were opened before it in its paragraph."""
    begin = note.rfind("\n\n", 0, place) + 1
    before = note[begin:place]
    return before.count('"') % 2 == 1 or before.count("“") > before.count("”")


def _unit(
    start: int,
    end: int,
    text: str,
    section: SectionCategory,
    inside: tuple[Statement, ...],
    before: str,
    meets_reason: bool,
    place: int,
    repeats: bool,
    planned: bool,
    child: bool,
    reason: str,
    says: Says | None,
) -> Unit | None:
    words = re.findall(r"[^\W\d_]{2,}", text)
    if is_over(text, section):
        return None
    if planned:
        features = [*(feature_of(one) for one in inside), f"section:{section.value}", "plan:read"]
        return Unit(start, end, text, section, inside, Part.DECIDED, weight_of(features), before, False)
    if not inside and (text.count(":") > 1 or "___" in text or (place == 0 and section is SectionCategory.UNLABELED)):
        return None  # the head of a form
    if not inside and opening_of(text).strip(" .") == text.strip(" ."):
        return None  # "A 60-year-old woman." tells its reader nothing
    if (len(words) < 2 and (not inside or section in _OF_THE_BODY)) or (
        text.isupper() and len(words) <= _HEADING and section in _UNSURE
    ):
        return None
    if (
        section in _LEFT_TO_OTHERS
        or text.endswith(":")
        or text.count("(") != text.count(")")
        or _LOGGED.match(text)
        or heads_allergies(text, start, inside)
        or sum(text.count(mark) for mark in '"“”') % 2  # what somebody says, cut
        or (
            is_withheld(text[len(opening_of(text)) :]) and not (denies_only(inside) and is_worth_denying(text, ""))
        )  # "a very pleasant 68-year-old man" is not told, what follows is
        or is_list_entry(text, start, [one for one in inside if not is_breathed(one)], section)
    ):
        return None
    decides = (
        any(isinstance(one, ProcedureStatement) and one.status is ProcedureStatus.PLANNED for one in inside)
        or any(isinstance(one, PlanStatement) and one.kind not in _NARRATED for one in inside)
        or any(isinstance(one, MedicationStatement) and one.status in _DECIDED for one in inside)
    )
    at_home = not decides and matters_at_home(text, inside, section, child=child, reason=reason)
    left_out = section in _WEAK or is_beside_the_patient(inside, section)
    if (left_out and not decides and not at_home) or is_values(inside, words):
        return None
    if not inside and not repeats and len(words) < _FEWEST:
        return None  # "You returned."
    if not decides and is_beside_the_letter(text[len(opening_of(text)) :]):
        return None
    if (
        not decides
        and not at_home
        and section in _OF_THE_BODY
        and ((not repeats and not any(map(_is_ill, inside))) or is_of_exam(text))
    ):
        return None  # what is as it should be, or is measured by the examiner's own scales
    features = [*(_feature_at(one, text, start) for one in inside), f"section:{section.value}"]
    if at_home:
        features.append("home")
    if is_reported(text, inside, section):
        features.append("reviewed")
    if not inside and section is SectionCategory.HISTORY_OF_PRESENT_ILLNESS and tells_course(text):
        features.append("course")
    if denies_only(inside) and len(inside) <= _FEW_DENIED and is_worth_denying(text, reason):
        features.append("denied:told")
    if repeats and section in _OF_THE_BODY:
        features.append("seen")
    opening = section is SectionCategory.HISTORY_OF_PRESENT_ILLNESS and place == 0
    if not repeats and not at_home and all(one in _BARE for one in features[: len(inside)]):
        features.append("bare")
    if meets_reason:
        features.append("reason")
    if opening:
        features.append("opening")
    elif section is SectionCategory.HISTORY_OF_PRESENT_ILLNESS and place == 1:
        features.append("second")
    part = _part(section, inside, decides)
    if part is Part.DECIDED and section in _TOLD_OF and is_narrated(text):
        part = Part.WHY
    if at_home and section not in _OF_THE_BODY:
        part = Part.WHY
    first = re.match(r"[^\W\d_]+", text)
    orders = first is not None and first[0].lower() in verbs() and not says_kind(text)
    if section is SectionCategory.ASSESSMENT and orders:
        part = Part.DECIDED
    if part is Part.DECIDED and says is not None:
        if says is Says.TALK:
            return None
        part = Part.FOUND
    opens = opening or meets_reason
    return Unit(
        start, end, text, section, inside, part, weight_of(features), before, opens, reason_alone=says is not None
    )


def _feature_at(one: Statement, text: str, start: int) -> str:
    """The feature of a statement; a problem that sets a limit ("walks no more than a block without breathlessness") is had."""
    feature = feature_of(one)
    before = re.findall(r"[a-z']+", text[: max(0, one.spans[0].start_char - start)].lower())
    limits = (
        feature == "problem:denied"
        and _WITHOUT in before
        and not lists()["negations"].isdisjoint(before[: before.index(_WITHOUT)])
    )
    return "problem:present" if limits else feature


def _is_ill(one: Statement) -> bool:
    """Whether a statement tells what somebody has, or what was done."""
    return not isinstance(one, ObservationStatement) and not (
        isinstance(one, ProblemStatement) and state_of(one) == "denied"
    )


def _counts(one: Statement) -> bool:
    if isinstance(one, ProblemStatement) and one.is_value_alone:
        return False
    return bool(one.spans) and one.id not in ("person", "encounter") and not one.spans[0].note_id


def _part(section: SectionCategory, inside: Sequence[Statement], decides: bool) -> Part:
    kinds = {one.kind for one in inside if isinstance(one, PlanStatement)}
    if any(isinstance(one, SocialStatement) and one.kind in WISHES for one in inside):
        return Part.DECIDED
    if section in _PLANS:
        return Part.DECIDED
    if section is SectionCategory.ASSESSMENT:
        decided = any(isinstance(one, MedicationStatement) for one in inside) or kinds or decides
        named = isinstance(inside[0] if inside else None, ProblemStatement) and not kinds - _NARRATED - {
            PlanKind.TREATMENT
        }
        return Part.DECIDED if decided and not named else Part.FOUND
    if kinds & _ANYWHERE:
        return Part.DECIDED
    if section in _FINDINGS:
        planned = any(isinstance(one, ProcedureStatement) and one.status is ProcedureStatus.PLANNED for one in inside)
        return Part.DECIDED if planned else Part.FOUND
    if section in _UNSURE and decides:
        return Part.DECIDED
    return Part.WHY


def _section_at(parts: Sequence[Section], place: int) -> SectionCategory:
    return next((one.category for one in reversed(parts) if one.start_char <= place), SectionCategory.UNLABELED)


_OF_THE_BODY = frozenset((SectionCategory.PHYSICAL_EXAM, SectionCategory.VITAL_SIGNS))
_LEFT_TO_OTHERS = frozenset((SectionCategory.ALLERGIES, SectionCategory.IMMUNIZATIONS))
_WEAK = frozenset(map(SectionCategory, ("social_history", "review_of_systems", "family_history", "vital_signs")))
_PLANS = frozenset((SectionCategory.PLAN, SectionCategory.INSTRUCTIONS))
_FINDINGS = frozenset(
    (
        SectionCategory.RESULTS,
        SectionCategory.IMAGING,
        SectionCategory.PROCEDURES,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.PHYSICAL_EXAM,
        SectionCategory.VITAL_SIGNS,
        SectionCategory.ASSESSMENT,
    )
)
_UNSURE = frozenset((SectionCategory.UNLABELED, SectionCategory.OTHER, SectionCategory.FAMILY_HISTORY))
_BARE = frozenset(("problem:denied", "problem:relative", "problem:hypothetical", "observation", "none"))
"""Features of statements that alone tell no event: what somebody has not, a relative's, a number."""
_NARRATED = frozenset((PlanKind.OTHER, PlanKind.CARER, PlanKind.DISPOSITION))
_ANYWHERE = frozenset((PlanKind.PENDING_RESULT, PlanKind.RETURN_PRECAUTION, PlanKind.FOLLOW_UP))
_COMPLAINTS = frozenset(
    (SectionCategory.CHIEF_COMPLAINT, SectionCategory.HISTORY_OF_PRESENT_ILLNESS, SectionCategory.UNLABELED)
)
_TOLD_OF = frozenset(
    (
        SectionCategory.CHIEF_COMPLAINT,
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.SOCIAL_HISTORY,
    )
)
"""Sections that tell what happened."""
WISHES = frozenset((SocialKind.GOALS_OF_CARE, SocialKind.RESUSCITATION))
_DECIDED = frozenset((MedicationStatus.STOPPED, MedicationStatus.ON_HOLD, MedicationStatus.INTENDED))
