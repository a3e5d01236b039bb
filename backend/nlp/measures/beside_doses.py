"""What stands beside a dose: a bracket, an arrow to the dose that takes its place, the greatest frequency, something else with a dose of its own.

A bracket says the dose in another way, the volume that holds it, or the dose that was taken before: "15 mg (six 2.5 mg tabs) on Sundays" is 15 mg once a week, "210 mg (4.2 mL) twice a day" 210 mg, "5 mg (was 2.5 mg) daily" 5 mg a day.
"""

import math
from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.measures.amounts import Amounts
from backend.nlp.measures.open_dosage import OpenDosage
from backend.nlp.measures.timing import UP_TO, Timing
from backend.nlp.measures.units import NUMBER_WORDS, PORTIONS, Unit, unit_of
from backend.nlp.rules.word_lists import word_lists

BRACKET = 10
"""Words of a bracket beside a dose at most."""
_SAME = 0.01
"""By what share two ways to say a dose may differ."""
_VOLUME = "mL"
_HEADS = frozenset((">", "\u2192", "=>", "\u2191", "\u2193"))
_ARROWS = _HEADS | frozenset("-=\u2013\u2014")
_APART = frozenset("-\u2013\u2014/")
_LEADS, _MOST_LEADS = frozenset(".,(-\u2013\u2014\u2026:"), 40
"""Signs, so many at most, between a dose and the words for what it was before: "2.5 bd ....... (was 5 bd)"."""
_CHANGES = 20.0
"""How many times as much or as little a dose was at most."""
_REASON = 6
"""Words at most of what a medicine is needed for."""
_STEP_WITHIN = 12
"""Words behind a dose among which the next one of a course is told."""
_OTHER_NAME = 3
"""Words at most of the name of something else."""


class _Told(NamedTuple):
    first: int
    value: float
    unit: Unit
    per: str


def read_bracket(note: ParsedNote, amounts: Amounts, dosage: OpenDosage, first: int, close: int) -> OpenDosage | None:
    """What a bracket says of the open dosage, written into it; None where it says something else.

    Args:
        note: the parsed note.
        amounts: reads its numbers.
        dosage: the open one.
        first: the token of the opening bracket.
        close: that of the closing one.

    Returns:
        The dosage of before where the bracket tells it, else the open one.
    """
    unit = unit_of(str(dosage.values.get("unit", "")).lower())
    if unit is None:
        return None
    counts, doses = [1.0], list[_Told]()
    j = first + 1
    while j < close:
        strength = amounts.strength(j, dosed=True)
        if strength > j:
            dosage.values.setdefault("strength", note.written(j, strength))
            j = strength
            continue
        value, _, _, at = amounts.values(j)
        inner, per = amounts.unit(at) if value is not None else (None, "")
        if value is not None and inner is not None and inner.kind == "dose":
            doses.append(_Told(j, value, inner, per))
        elif value is not None:
            counts.append(value)
        j = max(j + 1, amounts.token_at(amounts.unit_end(at))) if value is not None else j + 1
    alike = [one for one in doses if one.unit.counted_in == unit.counted_in and one.per != "kg"]
    others = [one for one in doses if one.unit.counted_in != unit.counted_in and not one.per]
    if len(alike) == 1 and note.words[first + 1] in word_lists("measures/words_dosage")["former"]:
        before = OpenDosage(before_change=True)
        before.add(alike[0].first, close, dose=alike[0].value, unit=alike[0].unit.name)
        return before
    if not alike and len(others) == 1 and _VOLUME in (unit.name, others[0].unit.name):
        _with_volume(dosage, others[0])
        return dosage
    told = "strength" in dosage.values or (bool(doses) and not alike and not others)
    return dosage if told or _is_same(dosage, unit, [one.value * one.unit.factor for one in alike], counts) else None


def _with_volume(dosage: OpenDosage, told: _Told) -> None:
    """The dose by weight, and how many millilitres hold it: "3 mL (75 mg)"."""
    if told.unit.name == _VOLUME:
        dosage.values["volume"] = told.value
        return
    high = dosage.values.pop("dose_high", None)
    if high is None:
        dosage.values["volume"] = dosage.values["dose"]
    dosage.values.update(dose=told.value, unit=told.unit.name)


def _is_same(dosage: OpenDosage, unit: Unit, doses: Sequence[float], counts: Sequence[float]) -> bool:
    """Whether the open dose is one of these, some number of times."""
    dose, quantity = dosage.values.get("dose"), dosage.values.get("quantity")
    told = [float(str(dose)) * unit.factor * times for times in (1.0, float(str(quantity or 1)))]
    said = [one * times for one in doses for times in counts]
    return any(math.isclose(one, other, rel_tol=_SAME) for one in told for other in said)


def arrow_end(note: ParsedNote, timings: Mapping[int, Timing], i: int, last: int) -> int:
    """Where an arrow ends between a dosage and the one that takes its place, "5 -> 2.5 mg", "daily >>> MWF"; i for none."""
    words, end = note.words, i
    while end < last and words[end] in _ARROWS:
        end += 1
    heads = any(word in _HEADS for word in words[i:end]) and words[i:end] != [">"]  # "CIWA > 8" compares
    return end if heads and end < last and (words[end][:1].isdigit() or end in timings) else i


def before_end(note: ParsedNote, amounts: Amounts, i: int, last: int) -> int:
    """Where the dose begins that a dose had before, behind words for it: "5 mg, was 10 mg", "30 instead of 60"; i for none."""
    words, at, kinds = note.words, i, word_lists("measures/words_dosage")
    while at < min(last, i + _MOST_LEADS) and words[at] in _LEADS:
        at += 1
    told = next((n for n in (3, 2, 1) if "_".join(words[at : at + n]) in kinds["instead"]), 0)
    end = at + told
    if not told or end >= last or not words[end][:1].isdigit():
        return i
    value, _, parts, behind = amounts.values(end)
    return i if value is None or parts or note.text[behind : behind + 1] in ("/", ":") else end


def is_change(now: OpenDosage, before: OpenDosage) -> bool:
    """Whether two dosages may be of one medicine before and after a change."""
    a, b = (float(str(one.values.get("dose") or 0)) for one in (now, before))
    codes = [[timing.code for timing in one.timings] for one in (now, before)]
    return bool(a and b) and 1 / _CHANGES <= a / b <= _CHANGES and (a != b or codes[0] != codes[1])


def step_begin(words: Sequence[str], i: int, last: int) -> int:
    """Where the next dose of a course begins, behind "then" further on in the same clause; i for none."""
    steps = word_lists("measures/words_dosage")["step"]
    for j in range(i, min(i + _STEP_WITHIN, last)):
        if words[j] in ("\n", ";"):
            break
        if words[j] in steps:
            return next((k for k in range(j + 1, min(j + 4, last)) if words[k][:1].isdigit()), i)
    return i


def greatest(note: ParsedNote, timings: Mapping[int, Timing], i: int) -> int:
    """Where the frequency begins of which a word says that it is the greatest, "up to TDS", "max QDS"; i for none."""
    words, most = note.words, word_lists("measures/words_dosage")["most"]
    at = i + 2 if " ".join(words[i : i + 2]) == UP_TO else i + (words[i] in most)
    found = timings.get(at)
    return at if found is not None and found.alone else i


def is_of_other(note: ParsedNote, amounts: Amounts, timings: Mapping[int, Timing], i: int, last: int) -> bool:
    """Whether words behind "and" name something else, of which the dose behind them is: "2,000 units daily and fibre powder 17 g"."""
    words = note.words
    if words[i] != "and":
        return False
    kinds = word_lists("measures/words_dosage")
    at = next((j for j in range(i + 1, min(i + _OTHER_NAME + 2, last)) if not words[j].isalpha()), i + 1)
    named = at > i + 1 and words[at][:1].isdigit() and amounts.is_dose(amounts.one(at)[2])
    own = kinds["same"] | kinds["sometimes"] | kinds["step"] | NUMBER_WORDS.keys() | PORTIONS.keys()
    return named and not any(words[j] in own or j in timings or unit_of(words[j]) for j in range(i + 1, at))


def is_sometimes(note: ParsedNote, i: int, following: int, last: int) -> bool:
    """Whether a word says that the dose behind it is not taken each time, or describes an ill: "only occasional flares"."""
    words, kinds = note.words, word_lists("measures/words_dosage")
    behind = words[following] if following < last else ""
    if words[i] in kinds["describing"]:
        return behind.isalpha() and behind not in kinds["used"] and words[i - 1] != "for"
    return behind[:1].isdigit() and words[i] in kinds["sometimes"]


def stands_apart(note: ParsedNote, i: int) -> bool:
    """Whether a token is a dash or slash with blanks around it: "amlodipine 10 - takes before dialysis", and not "6-hourly"."""
    starts, ends = note.tokens.starts, note.tokens.ends
    return note.words[i] in _APART and ends[i - 1] < starts[i] and starts[i + 1 : i + 2] != [ends[i]]


def needed_for(note: ParsedNote, dosed: Set[int], i: int, last: int) -> tuple[int, str]:
    """What stands right behind "as needed": "for pain", "nausea and insomnia"."""
    words, first = note.words, i
    while first < last and words[first] in (".", ","):
        if words[first] == "," and (first + 1 >= last or words[first + 1] != "for"):
            return i, ""
        if words[first] == "." and first + 1 < last and note.written(first + 1, first + 2)[:1].isupper():
            return i, ""  # the next sentence
        first += 1
    begin = end = first + (first < last and words[first] == "for")
    kinds = word_lists("measures/words_dosage")
    while (
        end < last
        and end - begin < _REASON
        and words[end][:1].isalpha()
        and end not in dosed
        and words[end] not in NUMBER_WORDS
        and words[end] not in kinds["told"]
    ):
        end += 1
    unknown = end == begin or words[begin] in kinds["no_reason"] or words[end - 1] in ("unknown", "unclear")
    told = not unknown and end - begin < _REASON
    return (end, " ".join(note.written(begin, end).split())) if told else (i, "")
