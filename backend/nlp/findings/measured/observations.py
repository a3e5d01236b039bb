"""Measured values as observations: vital signs and laboratory values with value, unit and date, and the eGFR derived from them.

Takes a parsed note. Names are rows of assets/rules/procedures/measure_triggers.tsv; the number stands right behind the name. A dose,
a goal, a range or an earlier value is none. What a value means is told elsewhere (findings/measured/values.py).
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from backend.nlp.attributes.seam import AttributesOf
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.findings.measured.value_rows import (
    FAMILY,
    Kind,
    WordKind,
    beside,
    is_doubtful,
    kind_of,
    measures_in_rows,
)
from backend.nlp.findings.measured.value_series import FAMILY as SERIES
from backend.nlp.findings.measured.value_series import LEADING, Order, Place, further, latest, time_of
from backend.nlp.findings.measured.value_shapes import NUMBER, RANGE, unit_behind
from backend.nlp.measures.dates import date_beside
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.note import Mention
from backend.schemas.record import ObservationStatement, Person
from backend.schemas.vocabulary import SectionCategory

CKD_EPI = "CKD-EPI 2021"
DERIVED = "findings/egfr.ckd-epi-2021"
_ADULT = 18
_MICROMOLES = 88.4
"""Micromoles a litre of creatinine in a milligram a decilitre."""
_LEAST_MICROMOLES = 20
"""A creatinine without a unit from here on is in micromoles a litre: no patient has 20 mg/dL and none 15 micromoles."""
_FILLERS, _BEFORE = 5, 3
_BEHIND_CHARS = 40
_FAHRENHEIT = 85.0
_SINGLE = 1
_SPANNED = frozenset({"ejection fraction"})
"""Measures that notes write as a span."""
_LONGEST_NAME = 6
_SECONDS, _TIME = "s", "time"
_SPOILT_WITHIN = 8
_STOPS = frozenset({".", ";", "\n"})
_LEADS = 4
EARLIER = "earlier"
"""The date of a value of which the note says only that another is newer."""


class Measured(NamedTuple):
    """A value of a measure, as the note has it. value is None for a value that is no number (120/80, "50s").

    date: when it was, as the note says it; empty for a value of now, or of which nothing is said. first: it is of the beginning of the stay.
    """

    measure: str
    value: float | None
    value_text: str
    unit: str
    start_char: int
    end_char: int
    name_end: int
    rule_id: str
    date: str = ""
    first: bool = False


def measured(note: ParsedNote, measure: str = "") -> Iterator[Measured]:
    """The measured values of a note in order, or those of one measure."""
    for t in note.triggers[FAMILY]:
        if not measure or t.row.event == measure:
            yield from _row(note, t)


def all_measured(note: ParsedNote) -> tuple[Measured, ...]:
    """The measured values of a note, for `ParsedNote.once`."""
    return tuple(measured(note))


def observation_statements(
    note: ParsedNote, mentions: Sequence[Mention], attributes_of: AttributesOf, person: Person | None = None
) -> tuple[ObservationStatement, ...]:
    """The measured values of a note, and the eGFR where it follows from creatinine, age and sex and is not stated.

    Args:
        note: the parsed note.
        mentions: not used; the seam of all readers has them.
        attributes_of: not used.
        person: the patient; without age and sex nothing is derived.
    """
    found: list[ObservationStatement] = []
    told: set[str] = set()
    for one in note.once(all_measured):
        # The value on arrival is earlier only where one of now is told.
        date = one.date if one.measure in told or not one.first else ""
        told |= set() if date or one.first else {one.measure}
        found.append(
            ObservationStatement(
                id=f"observation-{len(found) + 1}",
                measure=one.measure,
                value=one.value,
                value_text=one.value_text,
                unit=one.unit,
                date=date,
                spans=note.record_spans((one.start_char, one.end_char)),
                rule_ids=(one.rule_id,),
            )
        )
    stated = [one for one in found if one.measure == "creatinine" and one.value]
    creatinine = next((one for one in reversed(stated) if not one.date), stated[-1] if stated else None)
    if creatinine and person and not any(one.measure == "eGFR" for one in found):
        derived = _derived(creatinine, person, len(found) + 1)
        found += [derived] if derived else []
    return tuple(found)


def ckd_epi(creatinine: float, age_years: float, female: bool) -> float:
    """The estimated glomerular filtration rate, mL/min/1.73 m2 (CKD-EPI 2021, Inker et al., NEJM 2021;385:1737).

    Args:
        creatinine: mg/dL.
        age_years: 18 or over.
        female: the patient's sex.
    """
    kappa, alpha = (0.7, -0.241) if female else (0.9, -0.302)
    ratio = creatinine / kappa
    rate = 142 * min(ratio, 1) ** alpha * max(ratio, 1) ** -1.2 * 0.9938**age_years
    return float(rate * (1.012 if female else 1))


def _derived(creatinine: ObservationStatement, person: Person, number: int) -> ObservationStatement | None:
    if person.age_years is None or person.age_years < _ADULT or person.sex is None or not creatinine.value:
        return None
    micromoles = creatinine.unit == "µmol/L" or (not creatinine.unit and creatinine.value >= _LEAST_MICROMOLES)
    milligrams = creatinine.value / _MICROMOLES if micromoles else creatinine.value
    rate = ckd_epi(milligrams, person.age_years, person.sex == "female")
    return ObservationStatement(
        id=f"observation-{number}",
        measure="eGFR",
        value=round(rate),
        value_text=str(round(rate)),
        unit="mL/min/1.73 m2",
        date=creatinine.date,
        formula=CKD_EPI,
        spans=creatinine.spans,
        rule_ids=(DERIVED,),
        certainty=0.9 if creatinine.unit else 0.8,
    )


def _row(note: ParsedNote, t: FoundTrigger) -> Iterator[Measured]:
    """The values behind a name with their dates: most often one, else a row of which one is the latest."""
    head = _value(note, t)
    if head is None:
        return
    at = note.sentence_at(head.start_char)
    last = note.sentences[at].last if at is not None else len(note.words)
    after, _ = note.token_range(head.end_char, len(note.text))
    border = min((one.first for one in note.triggers_within(FAMILY, after, last)), default=last)
    places, values = [time_of(note, t.first, head.start_char, head.end_char)], [head]
    for place in further(note, head.end_char, border):
        value = _again(note, t, head, place)
        if value is None:
            break
        places.append(place)
        values.append(value)
    begins = next((i for i in range(t.last, after) if note.words[i][:1].isdigit()), after)
    led = [one.last for one in note.triggers_within(SERIES, t.last, begins) if one.row.event == Order.FROM]
    spoilt = not beside()[WordKind.SPOILT].isdisjoint(note.words[t.last : after])  # "K haemolysed 5.7, repeat 3.2"
    earlier = _over(note, head.end_char) or spoilt or is_spoilt(note, head.end_char)
    if earlier and len(values) == 1:
        return  # an earlier value alone
    if earlier or (begins in led and len(values) > 1 and places[0].when is None):
        places[0] = places[0]._replace(when=Order.EARLIER)
    begin = note.sentences[at].first if at is not None else 0
    of_others = [one for one in note.triggers_within(FAMILY, begin, t.first) if one.row.event == t.row.event]
    ahead = note.trigger_span(of_others[-1])[1] if of_others else 0
    behind = note.tokens.starts[border] if border < min(last, len(note.words)) else len(note.text)
    yield from (one._replace(**_told(note, places, i, (ahead, behind))) for i, one in enumerate(values))


def _told(note: ParsedNote, places: Sequence[Place], i: int, borders: tuple[int, int]) -> dict[str, Any]:
    """The date of a value of a row, and whether it is of the beginning of the stay.

    borders: where the same measure's name before it ends, and where the next measure begins; what is dated there is theirs.
    """
    place, now = places[i], latest(places)
    ahead, behind = borders
    before = place.end_char if i else ahead  # a date between two numbers is of the first
    after = places[i + 1].start_char if i + 1 < len(places) else behind
    date = date_beside(note, place.start_char, place.end_char)
    shared = ahead and date is not None and "," in note.text[date.end_char : place.start_char]  # "24 in March, eGFR 62"
    if date is not None and before <= date.start_char and date.end_char <= after and not shared:
        return {"date": date.text}
    if place.when in (Order.EARLIER, Order.FIRST):
        return {"date": place.said or EARLIER, "first": place.when is Order.FIRST and i <= now}
    return {"date": EARLIER if i > now or place.when is Order.FROM else ""}


def _again(note: ParsedNote, t: FoundTrigger, head: Measured, place: Place) -> Measured | None:
    """A further value of a measure; None where the number is none of it."""
    match = NUMBER.match(note.text, place.start_char)
    if (
        match is None
        or (match["second"] is None) != ("/" not in head.value_text)
        or RANGE.match(note.text, match.end())
    ):
        return None
    unit, _, _ = unit_behind(note.text, match.end())
    number = float(match["first"].replace(",", ""))
    if not float(t.row.cells["least"]) <= number <= float(t.row.cells["most"]):
        return None
    if unit and unit != head.unit and (head.unit or "/" not in unit):
        return None
    value = None if match["second"] or match["many"] else number
    spans = (place.start_char, place.end_char, place.end_char)
    return Measured(head.measure, value, match[0].strip(), unit or head.unit, *spans, t.row.rule_id)


def _value(note: ParsedNote, t: FoundTrigger) -> Measured | None:
    if is_doubtful(note, t) and t.first not in note.once(measures_in_rows):
        return None
    words, kinds = note.words, beside()
    i, last = t.last, len(words)
    single = t.last - t.first == 1 and len(words[t.first]) == _SINGLE
    spoilt = not kinds[WordKind.SPOILT].isdisjoint(words[i : i + _BEFORE])
    skipped = kinds[WordKind.FILLER] | (kinds[WordKind.SPOILT] | {")"} if spoilt else frozenset())
    while i < last and i - t.last < (1 if single and not spoilt else _FILLERS) and words[i] in skipped:
        i += 1
    if single and i < last and words[i] in (":", "="):
        i += 1
    leads = [one for one in note.triggers_within(SERIES, i, i + _LEADS) if one.first == i and one.row.event in LEADING]
    i = leads[0].last if leads else i
    if i >= last or not words[i][:1].isdigit():
        return None
    for k in range(t.first - 1, max(-1, t.first - 1 - _BEFORE), -1):
        if not note.tokens.word[k]:
            break
        if words[k] in kinds[WordKind.NOT_NOW] and not _is_of_age(words, k):
            return None
    at = note.tokens.starts[i]
    match = NUMBER.match(note.text, at)
    spanned = match is not None and RANGE.match(note.text, match.end())
    if match is None or (spanned and t.row.event not in _SPANNED and not leads):
        return None
    section = note.section_at(at)
    if section is not None and section.category in _WITHOUT:
        return None
    other = NUMBER.match(note.text, spanned.end() - 1) if spanned and not leads else None  # of "25-30%" the lower end
    unit, end, is_dose = unit_behind(note.text, (other or match).end())
    if is_dose or not _fits(kind_of(t), unit, words[i - 1]) or _is_a_time(unit, t.row.event):
        return None
    if note.text[match.end() : match.end() + 1] == "+":
        return None
    number = float(match["first"].replace(",", ""))
    text = match[0].strip()
    least, most = float(t.row.cells["least"]), float(t.row.cells["most"])
    pressure = t.row.event == "blood pressure"
    if pressure and match["second"] is None and not match["many"] and not _systolic(words, i):
        return None
    if match["second"] and not pressure and t.row.event != "pain score":
        return None
    if not least <= number <= most or (single and not _in_row(note, end)):
        return None
    if t.row.event == "pain score" and not (match["second"] or unit):
        return None
    unit = unit or ("" if t.row.cells["unit"] == "-" else t.row.cells["unit"])
    if t.row.event == "temperature":
        unit = unit if unit in ("F", "C") else "F" if number >= _FAHRENHEIT else "C"
    start, name_end = note.trigger_span(t)
    plain = match["second"] is None and not match["many"]
    return Measured(t.row.event, number if plain else None, text, unit, start, end, name_end, t.row.rule_id)


def _is_of_age(words: Sequence[str], k: int) -> bool:
    """Whether a word ends an age: in "34-year-old woman with eGFR 32" nothing is old."""
    return k > 1 and (words[k - 1] == "-" or words[k - 1] in word_lists("findings/words_times")["year"])


def _fits(kind: Kind, unit: str, before: str) -> bool:
    """Whether a unit is one of the measure: grams of magnesium are a dose, "weight down 6 kg" is a change."""
    if kind is Kind.BODY:
        return before not in beside()[WordKind.CHANGE]
    return unit not in beside()[WordKind.BODY]


def _is_a_time(unit: str, measure: str) -> bool:
    """Whether a number is in seconds that no measure of an amount has: "CR 3 s" is how fast the skin fills, and no creatinine."""
    return unit == _SECONDS and not measure.endswith(_TIME)


def claimed(note: ParsedNote) -> frozenset[int]:
    """The tokens of names that are measures with their value ("vit D 18 L", "K 3.1"), and so no medicines, for `ParsedNote.once`.

    In a list of medicines a name is one, unless its own value says that it is a result.
    """
    found: set[int] = set()
    for one in note.once(all_measured):
        first, last = note.token_range(one.start_char, one.name_end)
        section = note.section_at(one.start_char)
        listed = section is not None and section.category is SectionCategory.MEDICATIONS
        with_dose = any(word[:1].isdigit() for word in note.words[first:last])  # "digoxin 125 mcg, level 2.6"
        if not with_dose and (not listed or first in note.once(measures_in_rows)):
            found.update(range(first, last))
    return frozenset(found)


def _over(note: ParsedNote, end: int) -> bool:
    """Whether the words right behind a value say that it is an earlier one: "3.1 last month", "2.0 at baseline"."""
    words, is_word = note.words, note.tokens.word
    first, last = note.token_range(end, min(len(note.text), end + _BEHIND_CHARS))
    for i in range(first, min(last, first + _BEFORE)):
        if not is_word[i] or words[i][:1].isdigit():
            return False
        if words[i] in beside()[WordKind.OVER]:
            return not words[i + 1 : i + 2] or not words[i + 1][:1].isdigit()
    return False


def is_spoilt(note: ParsedNote, end: int) -> bool:
    """Whether the words behind a value, up to the next number or clause, say that its sample is none to go by: "6.4 (grossly hemolyzed)"."""
    words, kinds = note.words, beside()
    first, _ = note.token_range(end, len(note.text))
    for i in range(first, min(len(words), first + _SPOILT_WITHIN)):
        if words[i] in _STOPS or words[i][:1].isdigit() or words[i] in kinds[WordKind.UNSPOILT]:
            return False
        if words[i] in kinds[WordKind.SPOILT]:
            return True
    return False


def _systolic(words: Sequence[str], i: int) -> bool:
    return "systolic" in words[i + 1 : i + 2]


def _in_row(note: ParsedNote, end: int) -> bool:
    """Whether a value behind a single letter ("P 88, R 16") ends where another value or a mark follows."""
    first, _ = note.token_range(end, end + 40)
    if first >= len(note.words) or not note.tokens.word[first] or note.words[first] in beside()[WordKind.FOLLOWS]:
        return True
    end_token = min(len(note.words), first + _LONGEST_NAME)
    return any(t.first == first for family in (FAMILY, SERIES) for t in note.triggers_within(family, first, end_token))


_WITHOUT = frozenset((SectionCategory.ALLERGIES, SectionCategory.FAMILY_HISTORY))
