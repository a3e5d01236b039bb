"""Procedures and devices of a note: what was, is or will be done, when, and on which side.

Takes a parsed note, its mentions, the attributes of spans and the setting of the encounter. The status is decided in this order:
not done (a refusal or a denial), planned, words of this encounter, words or dates of the past, then the section, and for what is
only stated as done the setting: on a ward or in an emergency department it is of this encounter, in a clinic it was before it.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from backend.nlp.attributes.seam import AttributesOf, SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.measures.dates import FoundDate, date_beside, dates_of, day_beside, day_of
from backend.nlp.procedures.procedure_names import Name, names_of, side_of
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.note import Mention
from backend.schemas.record import DeviceStatement, Experiencer, ProcedureStatement, ProcedureStatus, Setting
from backend.schemas.vocabulary import SectionCategory

BEFORE, AFTER, TIME, MEASURES = "procedures/before", "procedures/after", "procedures/time", "procedures/measure"
_NEAR_AFTER, _NEAR_BEFORE = 9, 40
_LINE = 200
"""Characters before a name in which the label of its line is looked for."""
_LABELS, _LABEL = "procedures/words_labels", 3
"""The words of labels, and how many of them before a day say what day it is."""
_FRONTED = 8
"""Tokens that may open a sentence before its clause ("During the hospitalization, she underwent ...")."""


_TITLE, _OPENING = 20, 60
"""Tokens within which a note says which day after an operation it is, and within which it then names the operation."""
_RESULTS = frozenset(("negative", "neg", "ruled", "excluded", "unremarkable"))
"""Words of a denial that is of what a test shows, and not of the test."""


class Read(NamedTuple):
    """A name with what was decided of it."""

    name: Name
    status: ProcedureStatus
    date: FoundDate | None
    because: tuple[FoundTrigger, ...]
    certainty: float


def procedure_statements(
    note: ParsedNote,
    mentions: Sequence[Mention],
    attributes_of: AttributesOf,
    setting: Setting = Setting.UNKNOWN,
) -> tuple[tuple[ProcedureStatement, ...], tuple[DeviceStatement, ...]]:
    """The procedures and tests of a note, and its devices.

    A device's status is done_now where the patient has it, past where it was removed, planned where it is to come. A name that no
    lexicon knows has no concept_id.
    """
    procedures: list[ProcedureStatement] = []
    devices: list[DeviceStatement] = []
    seen: set[tuple[str, ...]] = set()
    for read in read_procedures(note, mentions, attributes_of, setting):
        told = read.date.text if read.date else ""
        key = (read.name.concept_id or read.name.name.lower(), read.status, told)
        if key in seen or (not told and key[:2] in seen):
            continue
        seen |= {key, key[:2]}
        spans = [(read.name.start_char, read.name.end_char), *(note.trigger_span(t) for t in read.because)]
        if read.date:
            spans.append((read.date.start_char, read.date.end_char))
        common = {
            "concept_id": read.name.concept_id,
            "name": read.name.name,
            "status": read.status,
            "date": told,
            "body_side": side_of(note, read.name),
            "spans": note.record_spans(*spans),
            "rule_ids": tuple(dict.fromkeys((read.name.rule_id, *(t.row.rule_id for t in read.because)))),
            "certainty": read.certainty,
        }
        if read.name.kind == "device" and _is_placing(read):
            then = told or any(t.row.event == "past" for t in read.because)
            done = {"status": ProcedureStatus.PAST if read.status is ProcedureStatus.DONE_NOW and then else read.status}
            named = {"name": f"{read.name.name} placement", "concept_id": None}
            number = f"procedure-{len(procedures) + 1}"
            procedures.append(ProcedureStatement.model_validate({"id": number, **common, **named, **done}))
        if read.name.kind == "device":
            devices.append(DeviceStatement.model_validate({"id": f"device-{len(devices) + 1}", **common}))
        else:
            procedures.append(ProcedureStatement.model_validate({"id": f"procedure-{len(procedures) + 1}", **common}))
    return tuple(procedures), tuple(devices)


def _is_placing(read: Read) -> bool:
    """Whether a device is told as a procedure too: with a date, as placed, or as to come; its removal is none of them."""
    events = {t.row.event for t in read.because}
    return "removed" not in events and (
        read.date is not None or "done" in events or read.status is ProcedureStatus.PLANNED
    )


def read_procedures(
    note: ParsedNote, mentions: Sequence[Mention], attributes_of: AttributesOf, setting: Setting
) -> list[Read]:
    """Every named procedure, test or device that is the patient's, with its status."""
    measured = {i for t in note.triggers[MEASURES] for i in range(t.first, t.last)}
    names = [one for one in names_of(note, mentions) if _may_be(note, one)]
    found = []
    anchors = _anchors(note)
    span_attributes = attributes_of([(one.start_char, one.end_char) for one in names]) if names else ()
    for one, attributes in zip(names, span_attributes, strict=True):
        if attributes.experiencer is not Experiencer.PATIENT:
            continue
        read = _read(note, one, attributes, setting, anchors)
        if read is None or (one.first in measured and read.status is not ProcedureStatus.PLANNED):
            continue
        found.append(read)
    return found


def _may_be(note: ParsedNote, one: Name) -> bool:
    section = note.section_at(one.start_char)
    category = section.category if section else SectionCategory.UNLABELED
    if category is SectionCategory.PHYSICAL_EXAM:
        return one.kind != "procedure"
    return category not in _WITHOUT


def _read(
    note: ParsedNote, one: Name, attributes: SpanAttributes, setting: Setting, anchors: Sequence[tuple[int, str]]
) -> Read | None:
    before, after, around, over = _triggers(note, one)
    if over:
        return None
    section = note.section_at(one.start_char)
    category = section.category if section else SectionCategory.UNLABELED
    if _is_labelled(note, one):
        category = SectionCategory.PROCEDURES
    if category in _PLANNED_ONLY and not any(t.row.event == "planned" for t in (*before, *after)):
        return None
    events = {t.row.event: t for t in (*around, *after, *before)}
    day = date_beside(note, one.start_char, one.end_char) or _fronted_day(note, one)
    before_stay = day is not None and not _is_of_stay(note, day)
    status: ProcedureStatus
    because: list[FoundTrigger] = []
    certainty = 0.9
    side = [t for t in (*before, *after) if t.row.event in ("planned", "not_done")]
    if side:
        nearest = min(side, key=lambda t: min(abs(one.first - t.last), abs(t.first - one.last)))
        status = ProcedureStatus(nearest.row.event)
        because = [nearest]
    elif attributes.negated and not (one.kind == "test" and _denies_result(attributes.cue, after)):
        status = ProcedureStatus.NOT_DONE
    elif attributes.hypothetical or category in _PLANS:
        status, certainty = ProcedureStatus.PLANNED, 0.6
    elif "removed" in events:
        status, because = ProcedureStatus.PAST, [events["removed"]]
    elif one.listed or category is SectionCategory.PAST_SURGICAL_HISTORY:
        status = ProcedureStatus.DONE_NOW if one.kind == "device" and "present" in events else ProcedureStatus.PAST
    elif one.kind == "device":
        status = ProcedureStatus.DONE_NOW
        because = [t for t in after if t.row.event in ("present", "done")][:1]
        because += [events["past"]] if because and "past" in events else []
    elif post := _day_after(note, one, category, around):
        status, because, certainty = ProcedureStatus.DONE_NOW, [post], 0.7
    elif before_stay or "past" in events:
        status = ProcedureStatus.PAST
        because = [events["past"]] if "past" in events else []
    elif "now" in events:
        status, because = ProcedureStatus.DONE_NOW, [events["now"]]
    elif attributes.historical or category in _HISTORIES:
        status = ProcedureStatus.PAST
    else:
        time = "now" if category in _OF_NOW else _anchor(note, anchors, one)
        if setting not in _HOSPITAL and category in _STORY:
            time = "past"
        now = time == "now" or (time in ("", "coming") and setting in _SEEN_HERE)
        status, certainty = (ProcedureStatus.DONE_NOW if now else ProcedureStatus.PAST), 0.7 if time else 0.6
        because = [events[event] for event in ("done", "shown") if event in events][:1]
    if day is None and status is ProcedureStatus.DONE_NOW and one.kind == "procedure":
        day = day_beside(note, one.start_char, one.end_char)
    return Read(one, status, day, tuple(because), certainty)


def _fronted_day(note: ParsedNote, one: Name) -> FoundDate | None:
    """The day with which a sentence opens that has no other: "On 03/02/2011, she had a hysterectomy with removal of both ovaries"."""
    at = note.sentence_at(one.start_char)
    if at is None:
        return None
    sentence = note.sentences[at]
    days = [d for d in dates_of(note) if sentence.start_char <= d.start_char < sentence.end_char]
    opens = len(days) == 1 and note.token_range(days[0].start_char, days[0].end_char)[0] - sentence.first <= 1
    return days[0] if opens else None


def _is_labelled(note: ParsedNote, one: Name) -> bool:
    """Whether a name stands in a line that is headed as what was done, within a section of another kind: "Procedure: Left hemiarthroplasty 3 February"."""
    start = max(0, one.start_char - _LINE)
    begin = note.text.rfind("\n", start, one.start_char)
    if begin < 0 and start:
        return False
    label, colon, _ = note.text[begin + 1 : one.start_char].partition(":")
    words = label.lower().split()
    own = word_lists(_LABELS)
    return bool(colon and words) and own["operation"] >= {words[-1]} and own["operation"] | own["beside"] >= {*words}


def _is_of_stay(note: ParsedNote, found: FoundDate) -> bool:
    """Whether a day is of the stay that a note tells of, by the days of admission and discharge at its head."""
    first, last = note.once(_stay)
    day = day_of(found)
    return first is not None and last is not None and day is not None and first <= day <= last


def _stay(note: ParsedNote) -> tuple[date | None, date | None]:
    """The days of admission and of discharge; None for none."""
    own = word_lists(_LABELS)
    ends: dict[str, date] = {}
    for found in dates_of(note):
        line = note.text[note.text.rfind("\n", 0, found.start_char) + 1 : found.start_char].lower()
        words = re.findall(r"[a-z]+", line)[-_LABEL:]
        day = day_of(found)
        for end in ("admitted", "discharged"):
            if day is not None and ":" in line and not own[end].isdisjoint(words):
                ends.setdefault(end, day)
    return ends.get("admitted"), ends.get("discharged")


def _day_after(
    note: ParsedNote, one: Name, category: SectionCategory, around: Sequence[FoundTrigger]
) -> FoundTrigger | None:
    """The words that say which day after an operation it is, where a note begins with them and then names the operation."""
    # what stands under the title of a report is the opening of its story
    if one.kind != "procedure" or category not in (*_STORY, SectionCategory.OTHER) or one.first > _OPENING:
        return None
    if any(t.row.event == "past" for t in around):
        return None
    return next((t for t in note.triggers[TIME] if t.row.cells["where"] == "stay" and t.first < _TITLE), None)


def _denies_result(cue: str, after: Sequence[FoundTrigger]) -> bool:
    """Whether what is denied is the result of a test: "negative by CT", "a CT was obtained and ruled out a bleed"."""
    return any(t.row.event == "shown" for t in after) or not _RESULTS.isdisjoint(cue.lower().split())


def _anchors(note: ParsedNote) -> list[tuple[int, str]]:
    """The words and dates that set the time of what a note tells from there on: their token, and "now", "past" or "coming".

    "coming" is how the patient came, which an admission tells before what went before it.
    """
    worded = [
        (t.first, "coming" if t.row.cells["where"] == "time" and t.row.event == "now" else t.row.event)
        for t in note.triggers[TIME]
        if t.row.cells["where"] != "over"
    ]
    dated = [(note.token_range(one.start_char, one.end_char)[0], "past") for one in dates_of(note)]
    return sorted(worded + dated)


def _anchor(note: ParsedNote, anchors: Sequence[tuple[int, str]], one: Name) -> str:
    """The time that was set last before a name, in its section; empty where none was."""
    at = bisect_left(anchors, (one.first, ""))
    section = note.section_at(one.start_char)
    if at == 0 or section is None:
        return ""
    first, time = anchors[at - 1]
    return time if note.tokens.starts[first] >= section.body_char else ""


def _triggers(note: ParsedNote, one: Name) -> tuple[list[FoundTrigger], list[FoundTrigger], list[FoundTrigger], bool]:
    """The words before the name that reach it, those behind it, those of its clause, and whether one takes the name away."""
    at = note.sentence_at(one.start_char)
    if at is None:
        return [], [], [], False
    sentence = note.sentences[at]
    number = note.clause_at(one.start_char)
    begin, end = (note.clauses[number].first, note.clauses[number].last) if number is not None else sentence[2:4]
    around: list[FoundTrigger] = []
    for t in note.triggers_within(TIME, sentence.first, sentence.last):
        if t.row.cells["where"] == "over":
            if t.first < one.last and one.first < t.last:
                return [], [], [], True
        elif t.row.cells["where"] == "around" and (
            begin <= t.first < end or (t.first < begin and begin - sentence.first <= _FRONTED)
        ):
            around.append(t)
    before = [t for t in note.triggers_within(BEFORE, begin, one.first) if one.first - t.last <= _NEAR_BEFORE]
    after = [t for t in note.triggers_within(AFTER, one.last, end) if t.first - one.last <= _NEAR_AFTER]
    before, after = before[-1:], after[:1]
    return before, after, around, False


_WITHOUT = frozenset(
    (
        SectionCategory.ALLERGIES,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.IMMUNIZATIONS,
    )
)
_PLANNED_ONLY = frozenset(
    (SectionCategory.REVIEW_OF_SYSTEMS, SectionCategory.MEDICATIONS, SectionCategory.SOCIAL_HISTORY)
)
_PLANS = frozenset((SectionCategory.PLAN, SectionCategory.INSTRUCTIONS))
_HISTORIES = frozenset((SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY))
_OF_NOW = frozenset(
    (
        SectionCategory.RESULTS,
        SectionCategory.IMAGING,
        SectionCategory.PROCEDURES,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.PHYSICAL_EXAM,
        SectionCategory.VITAL_SIGNS,
    )
)
_HOSPITAL = frozenset((Setting.EMERGENCY, Setting.ADMISSION, Setting.HOSPITAL_CONSULT))
_SEEN_HERE = frozenset((Setting.EMERGENCY, Setting.HOSPITAL_CONSULT))
_STORY = frozenset(
    (SectionCategory.HISTORY_OF_PRESENT_ILLNESS, SectionCategory.UNLABELED, SectionCategory.CHIEF_COMPLAINT)
)
