"""The encounter a note is of: the setting, the date, and today's reason in the note's words.

The setting is decided by weighted rows (assets/rules/people/setting_triggers.tsv): the words of headers and of running text that are
written in one setting rather than another. Where they are too few, it is unknown.
"""

import re
from collections.abc import Iterator, Sequence

from backend.nlp.attributes.earlier_stays import earlier_stays
from backend.nlp.attributes.seam import AttributesOf
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.people.ages import stated_ages
from backend.nlp.people.first_lines import first_lines
from backend.nlp.people.leaving import leaving
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.note import Mention
from backend.schemas.record import Encounter, Setting
from backend.schemas.vocabulary import SectionCategory, SemanticGroup

SETTING, TITLE, REASON = "people/setting", "people/title", "people/reason"
_OF_A_HEADING = 0.5
"""What a heading within the note weighs of the same words in its first lines."""
_NOT_TODAY = frozenset((
    SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY, SectionCategory.FAMILY_HISTORY,
    SectionCategory.SOCIAL_HISTORY, SectionCategory.PLAN, SectionCategory.INSTRUCTIONS, SectionCategory.MEDICATIONS,
    SectionCategory.ALLERGIES,
))  # fmt: skip
"""Sections whose words for a clinic are of another visit, past or to come."""
_ENDS = frozenset((SectionCategory.ASSESSMENT, SectionCategory.PLAN, SectionCategory.INSTRUCTIONS))
_OF_AN_END = 0.5
"""What words of the story weigh where a note decides."""
_LEAST = 0.5
"""The weight below which a setting is unknown."""
_OF_A_CLINIC = 1.0
"""The weight of words of a clinic from which a consultation without a word of the ward is one."""
_OF_A_WARD = 2.0
"""The weight of words of a ward from which coming to the emergency department is only how the patient came."""
_A_VISIT = frozenset((SectionCategory.HISTORY_OF_PRESENT_ILLNESS, SectionCategory.PHYSICAL_EXAM))
_PRIOR = 0.3
"""How sure a clinic is where a history and an examination stand without a word of a hospital."""
_LONGEST_REASON = 300
_WARD = "ward"
_OF_THE_HOSPITAL = frozenset((Setting.ADMISSION, Setting.HOSPITAL_CONSULT))
_HEADER = re.compile(r"\s*(?:\d{1,2}[.)]\s*)?")
_DATE = re.compile(
    r"[\s:=]*((?:\d{1,2}[/-]\d{1,2}[/-]\d{2,4})|(?:\d{4}-\d\d-\d\d)|(?:[A-Z][a-z]{2,8}\.? \d{1,2},? \d{4}))"
)


def encounter_statement(note: ParsedNote, mentions: Sequence[Mention], attributes_of: AttributesOf) -> Encounter:
    """The encounter of a note. spans begin with the words of the reason."""
    setting, deciding, certainty = _setting(note)
    spans: list[tuple[int, int]] = []
    rules: list[str] = []
    reason = _reason(note, mentions, setting)
    if reason:
        spans.append((reason[0], reason[1]))
        rules += [reason[2]] if reason[2] else []
    for t in deciding:
        spans.append(note.trigger_span(t))
        rules.append(t.row.rule_id)
    leaves = leaving(note)
    if leaves:
        spans.append(note.trigger_span(leaves))
        rules.append(leaves.row.rule_id)
    date = _date(note)
    if date:
        spans.append(date[1])
        rules.append(date[2])
    return Encounter(
        id="encounter",
        setting=setting,
        date=date[0] if date else "",
        goes_home=leaves is not None,
        reason=note.text[reason[0] : reason[1]] if reason else "",
        spans=note.record_spans(*spans),
        rule_ids=tuple(dict.fromkeys(rules)),
        certainty=certainty,
    )


def _setting(note: ParsedNote) -> tuple[Setting, list[FoundTrigger], float]:
    """The setting with the most weight, the words that tell it, and its share of all weight as certainty."""
    by_rule: dict[str, tuple[float, FoundTrigger]] = {}
    for weight, t in (*_titles(note), *_said_today(note)):
        by_rule[t.row.rule_id] = max(by_rule.get(t.row.rule_id, (0.0, t)), (weight, t), key=lambda one: one[0])
    weights: dict[str, float] = {}
    for weight, t in by_rule.values():
        weights[t.row.event] = weights.get(t.row.event, 0.0) + weight
    ward = weights.pop(_WARD, 0.0)
    for hospital in _OF_THE_HOSPITAL:
        if weights.get(hospital):
            weights[hospital] += ward
    if ward and not weights.get(Setting.HOSPITAL_CONSULT) and not weights.get(Setting.ADMISSION):
        weights[Setting.ADMISSION] = ward
    # A consultation is of a ward or of a clinic; without a word of the ward, what tells a clinic decides.
    if weights.get(Setting.HOSPITAL_CONSULT) and not ward and weights.get(Setting.CLINIC, 0) >= _OF_A_CLINIC:
        weights[Setting.CLINIC] += 1
        del weights[Setting.HOSPITAL_CONSULT]
    # Who is admitted or seen on a ward most often came through the emergency department, unless the note is titled so.
    titled = any(t.row.family == TITLE and t.row.event == Setting.EMERGENCY for _, t in by_rule.values())
    if not titled and max(weights.get(Setting.ADMISSION, 0), weights.get(Setting.HOSPITAL_CONSULT, 0)) >= _OF_A_WARD:
        weights.pop(Setting.EMERGENCY, None)
    best = max(weights, key=lambda name: (weights[name], name), default="")
    if not best or weights[best] < _LEAST:
        whole = {section.category for section in note.sections} >= _A_VISIT
        return (Setting.CLINIC, [], _PRIOR) if whole else (Setting.UNKNOWN, [], 0.0)
    counted = (best, _WARD) if best in _OF_THE_HOSPITAL else (best,)
    deciding = [t for _, t in by_rule.values() if t.row.event in counted]
    return Setting(best), deciding, round(weights[best] / sum(weights.values()), 2)


def _titles(note: ParsedNote) -> Iterator[tuple[float, FoundTrigger]]:
    """What the first lines and the headings of a note call it, with its weight there."""
    lines = list(first_lines(note.text))
    for t in note.triggers[TITLE]:
        start = note.tokens.starts[t.first]
        weight = float(t.row.cells["weight"])
        if any(first <= start < last for first, last in lines):
            yield weight, t
        elif (section := note.section_at(start)) is not None and start < section.body_char:
            yield weight * _OF_A_HEADING, t


def _said_today(note: ParsedNote) -> Iterator[tuple[float, FoundTrigger]]:
    """What running text says of the setting, with its weight; the words of an earlier stay say nothing of it."""
    earlier = note.once(earlier_stays)
    for t in note.triggers[SETTING]:
        if note.sentence_at(note.tokens.starts[t.first]) in earlier:
            continue
        weight, where = float(t.row.cells["weight"]), t.row.cells["where"]
        section = note.section_at(note.tokens.starts[t.first])
        category = section.category if section else SectionCategory.UNLABELED
        ends = category in _ENDS
        if (where == "today" and category in _NOT_TODAY) or ends == {"told": True, "decided": False}.get(where):
            continue
        yield weight * (_OF_AN_END if where == "story" and ends else 1), t


def _reason(note: ParsedNote, mentions: Sequence[Mention], setting: Setting) -> tuple[int, int, str] | None:
    """The chief complaint, or else the clause behind "presents with", with the row that states it.

    What a note of a clinic tells of an admission is of another time: "it was stopped because she was admitted with a rash".
    """
    complaints = [one for one in note.sections if one.category is SectionCategory.CHIEF_COMPLAINT]
    # "Follow-up of the above condition" gives way to what another section states
    for section in sorted(complaints, key=lambda one: " above " in note.text[one.body_char : one.end_char].lower()):
        inside = [s for s in note.sentences if section.body_char <= s.start_char < section.end_char]
        if inside:
            start = _HEADER.match(note.text, inside[0].start_char)
            begin = start.end() if start else inside[0].start_char
            begin, rule = _behind_person(note, mentions, begin, inside[0].end_char) or (begin, "")
            end = inside[0].end_char
            for sentence in inside[1:]:
                if sentence.end_char - begin > _LONGEST_REASON:
                    break
                end = sentence.end_char
            if begin < end:
                return begin, min(end, begin + 2 * _LONGEST_REASON), rule
    for t in note.triggers[REASON]:
        if t.row.event != "with" or note.words[max(0, t.first - 1)] == "also":
            continue  # "she also complains of" tells what else there is
        stays = word_lists("attributes/words_earlier")["stay"]
        if setting is Setting.CLINIC and not stays.isdisjoint(note.words[t.first : t.first + 1]):
            continue
        at = note.clause_at(note.tokens.starts[t.first])
        if at is None or _is_within_course(note, note.tokens.starts[t.first]):
            continue
        clause = note.clauses[at]
        if t.last < clause.last:
            return note.tokens.starts[t.last], clause.end_char, t.row.rule_id
    return None


def _is_within_course(note: ParsedNote, place: int) -> bool:
    """Whether words stand behind the first sentence of a hospital course: what is felt on day two brought nobody in."""
    section = note.section_at(place)
    if section is None or section.category is not SectionCategory.HOSPITAL_COURSE:
        return False
    return any(section.body_char <= one.start_char and one.end_char <= place for one in note.sentences)


def _behind_person(note: ParsedNote, mentions: Sequence[Mention], begin: int, end: int) -> tuple[int, str] | None:
    """Where the reason begins in a complaint that first says what else the patient has, with the row that states it.

    "A 50-year-old diabetic man presenting with 2 days of cough": behind "presenting with".
    """
    ages = [age.start_char for age in note.once(stated_ages) if begin <= age.start_char < end]
    person = min(ages, default=end)
    for t in note.triggers[REASON]:
        start = note.tokens.starts[t.last] if t.last < len(note.words) else end
        if t.row.event == "with" and person < note.tokens.starts[t.first] and start < end:
            described = any(begin <= m.start_char < start and m.group is SemanticGroup.DISO for m in mentions)
            return (start, t.row.rule_id) if described else None
    return None


def _date(note: ParsedNote) -> tuple[str, tuple[int, int], str] | None:
    """The stated date of the encounter, as written."""
    for t in note.triggers[REASON]:
        if t.row.event == "date":
            start, end = note.trigger_span(t)
            match = _DATE.match(note.text, end)
            if match:
                return match[1], (start, match.end()), t.row.rule_id
    return None
