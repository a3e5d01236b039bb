"""Who the patient is: age, sex, pregnancy with weeks, weight, and who tells the history.

Takes a parsed note and the attributes of spans; gives one Person. It reads what is written and infers no more than the sex from
pronouns and organs, by weight, with less certainty.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.attributes.family import person_words
from backend.nlp.attributes.other_subjects import SEX, told_sex
from backend.nlp.attributes.seam import AttributesOf
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.measured.observations import measured
from backend.nlp.people.ages import number_before, stated_ages
from backend.schemas.drafts.note import Mention
from backend.schemas.record import Experiencer, Person

PREGNANCY, INFORMANT = "people/pregnancy", "people/informant"
_INFORMANT_REACH, _SUBJECT = 7, 4
_GRAVIDA = re.compile(r"\bg(?:ravida)?\s?\d{1,2}[\s,]*p(?:ara)?\s?\d{1,4}(?:-\d)*[^.;\n]{0,40}?", re.IGNORECASE)
_WEEKS = re.compile(
    r"(\d{1,2})(?:\s?(?:\+|w|-|\s)\s?([0-6])(?:/7|d)?(?![\d/]))?\s*(?:weeks?|wks?|w\b|(?<=d)|/40)", re.IGNORECASE
)
_LEAST_WEEKS, _MOST_WEEKS = 3, 43
_KILOGRAMS = re.compile(
    r"(?<![\d./])(?P<kg>\d{1,3}(?:\.\d+)?)[\s-]?(?:kgs?|kilos?|kilograms?)\b(?!\s?/)", re.IGNORECASE
)
_ADULT, _LEAST_KG = 18, 25
_APART = frozenset(",;(")
_KG = {"kg": 1.0, "g": 0.001, "lb": 0.45359237, "oz": 0.0283495}


def person_statement(note: ParsedNote, mentions: Sequence[Mention], attributes_of: AttributesOf) -> Person:
    """The person of a note; fields that the note does not state are None.

    spans begin with the words of the age, or of the sex where there is no age.
    """
    spans: list[tuple[int, int]] = []
    rules: list[str] = []
    certainty = 1.0
    age = next(iter(note.once(stated_ages)), None)
    sex = ""
    if age is not None:
        first_end = age.end_char
        if age.sex:
            sex = age.sex
            noun = next(
                (t for t in note.triggers_within(SEX, age.next_token, age.next_token + 9) if t.row.event == sex), None
            )
            if noun is not None:
                first_end = max(first_end, note.tokens.ends[noun.last - 1])
                rules.append(noun.row.rule_id)
        spans.append((age.start_char, first_end))
        rules.insert(0, age.rule_id)
        certainty = age.certainty
    if not sex:
        sex, trigger, share = told_sex(note)
        if trigger:
            spans.append(note.trigger_span(trigger))
            rules.append(trigger.row.rule_id)
            certainty = min(certainty, share)
    pregnant, weeks, because = (None, None, []) if sex == "male" else _pregnancy(note, attributes_of)
    for span, rule in because:
        spans.append(span)
        rules.append(rule)
    sex = sex or ("" if pregnant is None else "female")
    weight = _weight(note, spans[0][0] if spans else None, child=age is not None and age.years < _ADULT)
    if weight:
        spans.append(weight.place)
        rules.append(weight.rule_id)
    informant = _informant(note)
    if informant:
        spans.append(informant[1])
        rules.append(informant[2])
    return Person(
        id="person",
        age_years=None if age is None else round(age.years, 3),
        sex="female" if sex == "female" else "male" if sex == "male" else None,
        pregnant=pregnant,
        gestation_weeks=weeks,
        weight_kg=weight.kg if weight else None,
        informant=informant[0] if informant else "",
        spans=note.record_spans(*spans),
        rule_ids=tuple(dict.fromkeys(rules)),
        certainty=certainty,
    )


class _Weight(NamedTuple):
    """What the patient weighs, with the half-open code points that say so."""

    kg: float
    place: tuple[int, int]
    rule_id: str


def _weight(note: ParsedNote, told: int | None, *, child: bool) -> _Weight | None:
    """The weight that is named so, or the kilograms beside who the patient is: "a 70 kg man", "47F, 52 kg, with cellulitis".

    told: where age or sex stand. child: whether the patient is one by the age.
    """
    named = next(iter(measured(note, "weight")), None)
    per = _KG.get(named.unit) if named else None
    if named and per and named.value is not None:
        return _Weight(round(named.value * per, 2), (named.start_char, named.end_char), named.rule_id)
    own = next((one for one in note.sentences if told is not None and _spans(note, one.first, one.last, told)), None)
    if own is None:
        return None
    start, end = note.tokens.starts[own.first], note.tokens.ends[own.last - 1]
    for found in _KILOGRAMS.finditer(note.text, start, end):
        behind = note.token_range(found.end(), len(note.text))[0]
        if not child and float(found["kg"]) < _LEAST_KG:
            continue  # "gained weight, 5 kg"
        noun = any(t.first == behind for t in note.triggers_within(SEX, behind, behind + 2))
        noun |= behind < own.last and note.tokens.starts[behind] == told
        alone = not note.text[start : found.start()].strip() or note.text[: found.start()].rstrip()[-1:] in _APART
        if noun or (alone and (behind >= own.last or not note.words[behind][:1].isalnum())):
            return _Weight(float(found["kg"]), found.span(), "people/weight")
    return None


def _spans(note: ParsedNote, first: int, last: int, place: int) -> bool:
    return note.tokens.starts[first] <= place < note.tokens.ends[last - 1]


def _pregnancy(
    note: ParsedNote, attributes_of: AttributesOf
) -> tuple[bool | None, float | None, list[tuple[tuple[int, int], str]]]:
    """Whether she is pregnant, the weeks, and the words with their rules. A statement outweighs a denial, a birth just past both."""
    found = [t for t in note.triggers[PREGNANCY] if t.row.event != "then"]
    stated: list[tuple[tuple[int, int], str]] = []
    denied: list[tuple[tuple[int, int], str]] = []
    weeks: float | None = None
    spans = [note.trigger_span(t) for t in found]
    persons = person_words().others
    for t, span, attributes in zip(found, spans, attributes_of(spans) if spans else (), strict=True):
        if (
            attributes.experiencer is not Experiencer.PATIENT
            or attributes.hypothetical
            or attributes.historical
            or attributes.uncertain
        ):
            continue
        if not persons.isdisjoint(note.words[max(0, t.first - _SUBJECT) : t.first]):
            continue  # "her sister is pregnant"
        if t.row.event == "denied" or attributes.negated:
            denied.append((span, t.row.rule_id))
            continue
        if t.row.event == "over":
            return False, None, [(span, t.row.rule_id)]
        stated.append((span, t.row.rule_id))
        if weeks is None:
            start = note.tokens.starts[max(0, t.first - 7)]
            near = _WEEKS.search(note.text, max(start, span[0] - 20), span[1] + 15)
            weeks = _weeks(near) if near else None
            if (
                weeks is None
                and t.row.event == "weeks"
                and not note.words[t.first].startswith("month")
                and (read := number_before(note, t.first))
            ):
                weeks = read[0] if _LEAST_WEEKS <= read[0] <= _MOST_WEEKS else None
    for match in _GRAVIDA.finditer(note.text):
        near = _WEEKS.search(note.text, match.end(), match.end() + 45)
        if near and not any(mark in note.text[match.end() : near.start()] for mark in ".;\n"):
            weeks = _weeks(near) if weeks is None else weeks
            stated.append(((match.start(), near.end()), "people/pregnancy.gravida"))
            break
    if stated:
        return True, weeks, stated[:1]
    return (False, None, denied[:1]) if denied else (None, None, [])


def _weeks(match: re.Match[str]) -> float | None:
    weeks = int(match[1]) + (int(match[2]) / 7 if match[2] else 0)
    return round(weeks, 2) if _LEAST_WEEKS <= weeks <= _MOST_WEEKS else None


def _informant(note: ParsedNote) -> tuple[str, tuple[int, int], str] | None:
    """Who tells the history, in the note's word; None where it is the patient or is not said."""
    informants = person_words().informants
    for t in note.triggers[INFORMANT]:
        here = t.row.event == "here"
        first, last = (t.first, t.last) if here else (t.last, min(len(note.words), t.last + _INFORMANT_REACH))
        if t.row.event == "per":
            last = min(last, t.last + 3)
        for i in range(first, last):
            if note.words[i] in (".", ";", "\n"):
                break
            if note.words[i] in informants:
                start, _ = note.trigger_span(t)
                return note.words[i], (start, max(note.tokens.ends[i], note.tokens.ends[t.last - 1])), t.row.rule_id
    return None
