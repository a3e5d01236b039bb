"""Measured values as observations: vital signs and laboratory values with value, unit and date, and the eGFR derived from them.

Takes a parsed note. Names are rows of assets/rules/procedures/measure_triggers.tsv; the number stands right behind the name. A dose,
a goal, a range or an earlier value is none. What a value means is told elsewhere (findings/values.py).
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.attributes.seam import AttributesOf
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.procedures.dates import date_beside
from backend.nlp.rules import RULES, rule_rows, words_by_kind
from backend.schemas.drafts.note import Mention
from backend.schemas.record import ObservationStatement, Person
from backend.schemas.vocabulary import SectionCategory

FAMILY = "procedures/measure"
CKD_EPI = "CKD-EPI 2021"
DERIVED = "findings/egfr.ckd-epi-2021"
_ADULT = 18
_MICROMOLES = 88.4
"""Micromoles a litre of creatinine in a milligram a decilitre."""
_LEAST_MICROMOLES = 20
"""A creatinine without a unit from here on is in micromoles a litre: no patient has 20 mg/dL and none 15 micromoles."""
_FILLERS, _BEFORE = 5, 3
_BEHIND_CHARS = 40
_NUMBER = re.compile(
    r"(?P<first>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,7})(?:\.\d{1,3})?)(?P<many>s\b)?(?:\s?/\s?(?P<second>\d{1,3}(?!\d|\s?/\s?\d)))?(?!\d)"
)
_RANGE = re.compile(r"\s*(?:-|\u2013|to\s)\s*\d")
_FAHRENHEIT = 85.0
_SINGLE = 1
_SPANNED = frozenset({"ejection fraction"})
"""Measures that notes write as a span."""
_LONGEST_NAME = 6


class WordKind(StrEnum):
    """What a word beside a measure does; the rules file explains each."""

    FILLER = "filler"
    NOT_NOW = "not_now"
    OVER = "over"
    FOLLOWS = "follows"


class Measured(NamedTuple):
    """A value of a measure, as the note has it. value is None for a value that is no number (120/80, "50s")."""

    measure: str
    value: float | None
    value_text: str
    unit: str
    start_char: int
    end_char: int
    name_end: int
    rule_id: str


def measured(note: ParsedNote, measure: str = "") -> Iterator[Measured]:
    """The measured values of a note in order, or those of one measure."""
    for t in note.triggers[FAMILY]:
        if not measure or t.row.event == measure:
            value = _value(note, t)
            if value is not None:
                yield value


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
    for one in measured(note):
        date = date_beside(note, one.start_char, one.end_char)
        found.append(
            ObservationStatement(
                id=f"observation-{len(found) + 1}",
                measure=one.measure,
                value=one.value,
                value_text=one.value_text,
                unit=one.unit,
                date=date.text if date else "",
                spans=note.record_spans((one.start_char, one.end_char)),
                rule_ids=(one.rule_id,),
            )
        )
    creatinine = next((one for one in reversed(found) if one.measure == "creatinine" and one.value), None)
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


def _value(note: ParsedNote, t: FoundTrigger) -> Measured | None:
    words, beside = note.words, _words()
    i, last = t.last, len(words)
    single = t.last - t.first == 1 and len(words[t.first]) == _SINGLE
    while i < last and i - t.last < (1 if single else _FILLERS) and words[i] in beside[WordKind.FILLER]:
        i += 1
    if single and i < last and words[i] in (":", "="):
        i += 1
    if i >= last or not words[i][:1].isdigit():
        return None
    for k in range(t.first - 1, max(-1, t.first - 1 - _BEFORE), -1):
        if not note.tokens.word[k]:
            break
        if words[k] in beside[WordKind.NOT_NOW]:
            return None
    at = note.tokens.starts[i]
    match = _NUMBER.match(note.text, at)
    spanned = match is not None and _RANGE.match(note.text, match.end())
    if match is None or (spanned and t.row.event not in _SPANNED):
        return None
    section = note.section_at(at)
    if section is not None and section.category in _WITHOUT:
        return None
    other = _NUMBER.match(note.text, spanned.end() - 1) if spanned else None  # of "25-30%" the lower end
    unit, end, is_dose = _unit(note.text, (other or match).end())
    if is_dose:
        return None
    if note.text[match.end() : match.end() + 1] == "+" or _over(note, end):
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


def _over(note: ParsedNote, end: int) -> bool:
    """Whether the words right behind a value say that it is an earlier one: "3.1 last month", "2.0 at baseline"."""
    words, is_word = note.words, note.tokens.word
    first, last = note.token_range(end, min(len(note.text), end + _BEHIND_CHARS))
    for i in range(first, min(last, first + _BEFORE)):
        if not is_word[i] or words[i][:1].isdigit():
            return False
        if words[i] in _words()[WordKind.OVER]:
            return not words[i + 1 : i + 2] or not words[i + 1][:1].isdigit()
    return False


def _systolic(words: Sequence[str], i: int) -> bool:
    return "systolic" in words[i + 1 : i + 2]


def _in_row(note: ParsedNote, end: int) -> bool:
    """Whether a value behind a single letter ("P 88, R 16") ends where another value or a mark follows."""
    first, _ = note.token_range(end, end + 40)
    if first >= len(note.words) or not note.tokens.word[first] or note.words[first] in _words()[WordKind.FOLLOWS]:
        return True
    return any(
        t.first == first for t in note.triggers_within(FAMILY, first, min(len(note.words), first + _LONGEST_NAME))
    )


def _unit(text: str, end: int) -> tuple[str, int, bool]:
    """The unit behind a number, where it ends, and whether it is one of a dose."""
    match = _units()[0].match(text, end)
    if match is None:
        return "", end, False
    unit = _units()[1][match[1].lower()]
    return ("", end, True) if unit == "-" else (unit, match.end(), False)


@lru_cache(maxsize=1)
def _units() -> tuple[re.Pattern[str], dict[str, str]]:
    rows = {written: unit for written, unit, _ in rule_rows(RULES / "procedures" / "words_units.tsv", 3)}
    written = "|".join(re.escape(one) for one in sorted(rows, key=len, reverse=True))
    return re.compile(rf"[^\S\n]?[^\S\n]?({written})(?![\w/^])", re.IGNORECASE), rows


@lru_cache(maxsize=1)
def _words() -> dict[WordKind, frozenset[str]]:
    return words_by_kind(RULES / "procedures" / "words_measures.tsv", WordKind)


_WITHOUT = frozenset((SectionCategory.ALLERGIES, SectionCategory.FAMILY_HISTORY))
