"""What a note says that today is about: the problems of the record, weighed by where and how the note states them.

A problem is today's only as the patient's own, there now, not denied and not merely thought of, and stated outside the review of
systems, the examination, the histories and the lists. What is known for long gives way to a stated reason for coming that it
does not explain. What another section states first (the scan, the history) is the assessment's as well, where that names it as an
illness of now or names it first. What the patient was operated on for in this stay weighs more; what raises the risk of much else
(obesity, diabetes) leads before no illness of now; what the note tells as healed leads nothing. Nothing is added that the note does not state.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from backend.schemas.drafts.note import Note, Section
from backend.schemas.record import ClinicalStatus, Encounter, Experiencer, PatientRecord, ProblemStatement, Setting
from backend.schemas.record import VerificationStatus as Verification
from backend.schemas.vocabulary import Category, SectionCategory

_ASSESSED, _COMPLAINT, _NARRATED = 3.0, 3.0, 1.0
SECTIONS: dict[SectionCategory, float] = {
    SectionCategory.ASSESSMENT: _ASSESSED,
    SectionCategory.CHIEF_COMPLAINT: _COMPLAINT,
    SectionCategory.HOSPITAL_COURSE: _NARRATED,
    SectionCategory.PLAN: _NARRATED,
    SectionCategory.HISTORY_OF_PRESENT_ILLNESS: _NARRATED,
    SectionCategory.UNLABELED: _NARRATED,
    SectionCategory.OTHER: _NARRATED,
}
"""The sections that tell of today, with their weights; what stands elsewhere is no reason for coming."""
PLAINLY = frozenset({SectionCategory.CHIEF_COMPLAINT, SectionCategory.ASSESSMENT})
"""Where a note names what today is about; what is known for long is led with only there, or where nothing is named there."""
KINDS = {Category.DISEASE: 2.5, Category.SYMPTOM: 1.0}
REASON, ASSESSED_DISEASE, FIRST, FIRST_ASSESSED, REPEATED = 1.5, 2.0, 1.0, 2.0, 0.5
CHRONIC, UNSURE, MEASURED = 1.0, 1.0, 2.5
KNOWN = 1.0  # beside a new illness that it does not explain
RANKED, SUPPOSED = 3.0, 0.7  # per share of the best score; less where the ranking had to suppose the condition
REASON_MOST = 150
"""Characters of a stated reason that say why the patient came; what stands behind them tells the story."""
OPERATED = 3.0
"""What an operation of this stay says for the illness it treats."""
OPENED, OPENING = 1.5, 160
"""What a note without a header names within its first characters: a title, "76F with a broken hip"."""
TRAIT = 4.0
"""By how much what raises the risk of much else gives way to an illness of now."""
FITS = 0.9
"""The share of the best score from which what is known for long and told in the story alone leads though it is not told first."""
HEAD = 120
"""Characters behind what an assessment names first within which a diagnosis belongs to it."""
_HISTORIES = frozenset((SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY))
_HEADED = re.compile(r"^[ \t]*(?:#|\d{1,2}[.)]) ?([A-Za-z][^\n]*?)(?= [-–—] |:|\n|\Z)", re.MULTILINE)
"""A heading of a course by problem: behind its mark, up to a dash, a colon or the line's end."""
SETTLED = "findings/course/over.resolved"
"""The rule of words that say that a problem is over."""
LEAST = 4.0
"""The weight from which a problem is what today is about; measured by `evaluate drafts` (lead, abstains)."""


class TodaysProblem(NamedTuple):
    """A problem of the record with its weight, which compares within one note; order: its place among the note's, the assessment's first."""

    statement: ProblemStatement
    weight: float
    order: int = 0


def course_headings(note: Note) -> tuple[Section, ...]:
    """The first heading of a course told problem by problem, as an assessment: "# Acute on chronic heart failure - ..." is why the patient stayed."""
    courses = [one for one in note.sections if one.category is SectionCategory.HOSPITAL_COURSE]
    headed = ((one, _HEADED.search(note.text, one.start_char, one.end_char)) for one in courses)
    first = next(((one, match) for one, match in headed if match is not None), None)
    if first is None:
        return ()
    start, end = first[1].span(1)
    place = {"category": SectionCategory.ASSESSMENT, "start_char": start, "end_char": end}
    return (first[0].model_copy(update=place),)


def is_own(statement: ProblemStatement) -> bool:
    """Whether a problem is stated as the patient's, neither denied nor merely thought of nor tested for without a result."""
    return (
        statement.experiencer is Experiencer.PATIENT
        and statement.verification_status not in (Verification.REFUTED, Verification.UNCONFIRMED)
        and not statement.hypothetical
    )


def todays_problems(
    record: PatientRecord,
    ranked: Mapping[str, tuple[float, bool]],
    explained: Mapping[str, frozenset[str]] = MappingProxyType({}),
    sections: Sequence[Section] = (),
    sure: Collection[str] = (),
    operated: Collection[str] = (),
    traits: Collection[str] = (),
    follows: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> list[TodaysProblem]:
    """The problems that today is about, the weightiest first; none where the note states none plainly enough.

    A complaint gives way to the illness that the note names, that explains it and that the ranking is sure of.

    Args:
        record: of the note.
        ranked: by concept id, the share (0 to 1) of the best score that a ranking gives a condition, and whether the note
            names it.
        explained: by concept id of a condition, the concepts of what speaks for it: what is known for long is what today is about
            where it explains the stated reason, as sickle cell disease does a back pain.
        sections: of the note; none where they are not known.
        sure: ids of the conditions that the ranking is sure of.
        operated: ids of the conditions that an operation of this stay treats.
        traits: ids of what is a risk factor of much else.
        follows: by concept id of an illness, the ids of those that it is a sign or a complication of: it leads before none of them
            that the same section names first, as a psychosis before no bipolar disorder.
    """
    placed = _placed(record, sections)
    found = list[TodaysProblem]()
    begun = set[SectionCategory]()
    reasons = [one for one in placed if is_own(one) and is_reason(one, record.encounter)]
    stated = {one.concept_id for one in reasons}
    diagnosed = any(is_of_today(one) and _is_new_illness(one) and one.section in PLAINLY for one in placed)
    told_first = _told_first(placed)
    for order, statement in enumerate(placed):
        now = is_of_today(statement) or _is_operated(statement, operated)
        if not now and (diagnosed or not _brought(statement, record.encounter)):
            continue
        first = statement.section not in begun
        begun.add(statement.section)
        background = statement.chronic and not is_reason(statement, record.encounter)
        explains_none = stated.isdisjoint(explained.get(statement.concept_id or "", ()))
        fits = ranked.get(statement.concept_id or "", (0.0, False))[0] >= FITS
        leading = not reasons and (fits or statement.id in told_first or statement.concept_id in operated)
        if background and explains_none and not leading:
            continue
        weight = _weight(statement, record.encounter, ranked, first)
        weight += OPERATED * (statement.concept_id in operated) + OPENED * _opens(statement, sections)
        found.append(TodaysProblem(statement, weight, order))
    able = [
        one
        for one in found
        if one.weight >= LEAST and one.statement.verification_status is not Verification.DIFFERENTIAL
    ]
    new = {one.statement.concept_id or one.statement.name for one in able if _is_new_illness(one.statement)}

    opened = {one.statement.id for one in able if _is_new_illness(one.statement) and _opens(one.statement, sections)}
    assessed = [one for one in able if one.statement.section is SectionCategory.ASSESSMENT]
    first_named = {min(assessed, key=lambda one: one.order).statement.id} if assessed else set[str]()

    def is_trait(one: ProblemStatement) -> bool:
        return one.concept_id in traits and one.chronic and not one.stage

    def gives_way(one: ProblemStatement) -> bool:
        return _is_known(one) and not new <= explained.get(one.concept_id or "", frozenset())

    def behind(one: ProblemStatement) -> float:
        trait = is_trait(one) and not _overlaps(one, record.encounter)
        known = one.chronic and not one.stage and bool(opened - {one.id}) and not _overlaps(one, record.encounter)
        if known or (trait and new - {one.concept_id}):
            return TRAIT
        if one.chronic and not one.stage and one.section is SectionCategory.ASSESSMENT and one.id not in first_named:
            return KNOWN
        return KNOWN * gives_way(one)

    def causes(one: TodaysProblem) -> list[TodaysProblem]:
        if one.statement.category is not Category.DISEASE or one.statement.section not in PLAINLY:
            return []
        of = follows.get(one.statement.concept_id or "", ())
        same = (other for other in able if other.statement.section is one.statement.section and other.order < one.order)
        return [other for other in same if other.statement.concept_id in of and not is_trait(other.statement)]

    def place(one: TodaysProblem) -> tuple[float, int]:
        ahead = [one.weight - behind(one.statement), *(c.weight - behind(c.statement) for c in causes(one))]
        return -min(ahead), one.order

    ordered = sorted(able, key=place)
    complaint = ordered[0].statement if ordered and ordered[0].statement.category is Category.SYMPTOM else None
    if complaint is None:
        return ordered

    def explains(one: TodaysProblem) -> bool:
        concept = one.statement.concept_id or ""
        return concept in sure and complaint.concept_id in explained.get(concept, ())

    return sorted(ordered, key=lambda one: not explains(one))


def _placed(record: PatientRecord, sections: Sequence[Section]) -> list[ProblemStatement]:
    """The problems by where they count: those that the assessment names first and in its order, then the others as they stand.

    A diagnosis far behind what the assessment names first, where that is none that is known, counts nowhere: what today is about was
    not read. Nor does what has healed by another statement.
    """
    where = [(one.start_char, one.end_char) for one in sections if one.category is SectionCategory.ASSESSMENT]
    inside: dict[str, int] = {}
    for one in record.stated_problems:
        places = [span.start_char for span in one.spans if not span.note_id and _is_within(span.start_char, where)]
        if places and is_own(one):
            inside[one.id] = min(places)
    assessed = _assessed(record, inside)
    first = min(inside, key=inside.__getitem__, default="")
    late = _late(record, inside, where)
    placed = list[ProblemStatement]()
    for one in sorted(record.stated_problems, key=lambda one: inside.get(one.id, math.inf)):
        if one.id in late or _is_healed(one, record):
            continue
        update: dict[str, SectionCategory | ClinicalStatus] = {}
        if one.id in assessed:
            update["section"] = SectionCategory.ASSESSMENT
        if one.id == first and _is_settled(one) and one.id in assessed:
            update["clinical_status"] = ClinicalStatus.ACTIVE
        placed.append(one.model_copy(update=update) if update else one)
    return placed


def _late(record: PatientRecord, inside: Mapping[str, int], where: Sequence[tuple[int, int]]) -> Collection[str]:
    """The problems of an assessment that stand far behind what it names first, where that is no known illness or complaint."""
    late = set[str]()
    for stretch in where:
        named = [one for one in record.stated_problems if one.id in inside and _is_within(inside[one.id], [stretch])]
        first = min(named, key=lambda one: inside[one.id], default=None)
        if first is not None and first.category not in KINDS:
            behind = [one for one in named if inside[one.id] > inside[first.id] + HEAD]
            late |= {one.id for one in behind if one.section is SectionCategory.ASSESSMENT}
    return late - {one.id for one in record.stated_problems if _overlaps(one, record.encounter)}


def _assessed(record: PatientRecord, inside: Mapping[str, int]) -> frozenset[str]:
    """The problems that the assessment names although another section names them first; inside: their places in it, by id.

    What it names first counts though it has passed: "haemorrhage after tonsillectomy, settled".
    """
    named = [one for one in record.stated_problems if one.id in inside and one.category in KINDS]
    first = min(named, key=lambda one: inside[one.id], default=None)
    return frozenset(
        one.id
        for one in named
        if one.section is not SectionCategory.ASSESSMENT
        and (
            one is first or (not one.chronic and one.clinical_status is ClinicalStatus.ACTIVE) or one.section in PLAINLY
        )
        and (one.category is Category.DISEASE or (one is first and _is_settled(one)))
    )


def _is_settled(statement: ProblemStatement) -> bool:
    """Whether words beside a problem say that it is over, and not only that it is of the past."""
    return statement.clinical_status is ClinicalStatus.RESOLVED and SETTLED in statement.rule_ids


def _is_healed(statement: ProblemStatement, record: PatientRecord) -> bool:
    """Whether the note says later, outside the histories, that what its story told is over: "a boil on the thigh … boil flat, healed"."""
    if statement.section in PLAINLY or statement.clinical_status is not ClinicalStatus.ACTIVE:
        return False
    return not _overlaps(statement, record.encounter) and any(
        _is_settled(one)
        and is_own(one)
        and one.section not in _HISTORIES
        and one.name == statement.name
        and one.spans[0].start_char > statement.spans[0].start_char
        for one in record.stated_problems
    )


def _told_first(placed: Sequence[ProblemStatement]) -> frozenset[str]:
    """The problem that each section names first, of whatever kind."""
    first: dict[SectionCategory, ProblemStatement] = {}
    for one in filter(is_own, placed):
        if one.section not in first or one.spans[0].start_char < first[one.section].spans[0].start_char:
            first[one.section] = one
    return frozenset(one.id for one in first.values())


def _opens(statement: ProblemStatement, sections: Sequence[Section]) -> bool:
    """Whether a problem stands in the opening words of a note that begins without a header."""
    opening = sections[0] if sections else None
    return (
        opening is not None
        and opening.category is SectionCategory.UNLABELED
        and not statement.chronic
        and statement.spans[0].start_char < min(OPENING, opening.end_char)
    )


def _is_within(place: int, stretches: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in stretches)


def is_of_today(statement: ProblemStatement) -> bool:
    """Whether a problem is the patient's own, there now, and stated where a note tells of today.

    What a story only thinks of ("a pain possibly of a clot") is no more than that; what the assessment thinks of may lead.
    """
    thought_of = statement.verification_status is not Verification.CONFIRMED and statement.section not in PLAINLY
    return (
        is_own(statement)
        and statement.clinical_status is ClinicalStatus.ACTIVE
        and statement.section in SECTIONS
        and statement.category in KINDS
        and not thought_of
    )


def _is_operated(statement: ProblemStatement, operated: Collection[str]) -> bool:
    """Whether the report of an operation of this stay names the illness that the operation treats."""
    return (
        statement.concept_id in operated
        and statement.section is SectionCategory.PROCEDURES
        and is_own(statement)
        and statement.category is Category.DISEASE
    )


def _brought(statement: ProblemStatement, encounter: Encounter) -> bool:
    """Whether a complaint brought the patient in as an emergency: it is what today is about though it has passed, where nothing is diagnosed."""
    return (
        encounter.setting is Setting.EMERGENCY
        and is_own(statement)
        and statement.category is Category.SYMPTOM
        and statement.section in SECTIONS
        and _overlaps(statement, encounter)
    )


def _is_known(statement: ProblemStatement) -> bool:
    """Whether an illness is known for long and told only in the story: what is new beside it leads, a broken hip before weak lungs."""
    return statement.chronic and statement.section not in PLAINLY


def _is_new_illness(statement: ProblemStatement) -> bool:
    return (
        statement.category is Category.DISEASE
        and not statement.chronic
        and statement.verification_status is Verification.CONFIRMED
    )


def _weight(
    statement: ProblemStatement, encounter: Encounter, ranked: Mapping[str, tuple[float, bool]], first: bool
) -> float:
    weight = (
        SECTIONS.get(statement.section, _NARRATED)
        + KINDS[statement.category]
        + REPEATED * math.log(len(statement.spans))
    )
    if _overlaps(statement, encounter):
        weight += REASON
    if statement.section is SectionCategory.ASSESSMENT and statement.category is Category.DISEASE:
        weight += ASSESSED_DISEASE
    weight += (FIRST_ASSESSED if statement.section is SectionCategory.ASSESSMENT else FIRST) * first
    weight -= CHRONIC * statement.chronic
    weight -= UNSURE * (statement.verification_status is not Verification.CONFIRMED)
    weight -= MEASURED * _is_measured(statement)
    score, named = ranked.get(statement.concept_id or "", (0.0, True))
    return weight + RANKED * score * (1.0 if named else SUPPOSED)


def is_reason(statement: ProblemStatement, encounter: Encounter) -> bool:
    """Whether a problem is stated as why the patient came, or as what the team thinks of today.

    What a complaint says of the person before the reason is none: "a 50-year-old diabetic man presenting with 2 days of cough".
    """
    of_complaint = statement.section is SectionCategory.CHIEF_COMPLAINT
    if of_complaint and statement.chronic and encounter.reason and _stands_before(statement, encounter):
        return _overlaps(statement, encounter)
    return statement.section in PLAINLY or _overlaps(statement, encounter)


def _stands_before(statement: ProblemStatement, encounter: Encounter) -> bool:
    return statement.spans[0].start_char < encounter.spans[0].start_char


def _overlaps(statement: ProblemStatement, encounter: Encounter) -> bool:
    return any(
        a.start_char <= b.start_char < min(a.end_char, a.start_char + REASON_MOST)
        for a in encounter.spans
        for b in statement.spans
    )


def _is_measured(statement: ProblemStatement) -> bool:
    """Whether a value alone says it: "Na 124" names no diagnosis."""
    written = statement.spans[0].text
    return any(c.isdigit() for c in written) and not _letters(written) & _letters(statement.name)


def _letters(text: str) -> frozenset[str]:
    """The words of a text in lower case, those of three letters or more."""
    return frozenset(word for word in re.findall(r"[a-z]{3,}", text.lower()))
