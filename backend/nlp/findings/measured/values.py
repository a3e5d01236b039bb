"""Measured values that name a finding: "BP 78/44" is a low blood pressure, "K 6.8" a high potassium.

Takes a text; gives the places of the numbers with the name of the finding, the limit they pass and how the record holds it, as
assets/rules/value_findings.tsv has them. A number counts only right after its measure, and not as a goal, a
limit, a range, a dose or an earlier value. It reads no numbers in words, and judges no trend.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest, tokens
from backend.nlp.findings.measured.observations import is_spoilt
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.note import Section
from backend.schemas.vocabulary import SectionCategory


class Held(StrEnum):
    """How the record holds what a value tells: not as a problem, as a stated one, or as what the value alone tells."""

    NOT = "-"
    STATED = ""
    ALONE = "alone"


class ValueFinding(NamedTuple):
    """A number of the text, from start to end, the name of what it tells, and why.

    is_finding: it passes the limit from where it is a finding of the note; child: its limits hold for children.
    """

    start: int
    end: int
    concept: str
    why: str
    is_finding: bool = True
    held: Held = Held.STATED
    child: bool = False


class _Limit(NamedTuple):
    """One row of the rules file; second values are 0 where the measure is one number."""

    concept: str
    below: bool
    limit: tuple[float, float] | None
    problem: tuple[float, float] | None
    held: Held
    child: bool
    least: float
    most: float
    stated: str
    unit: str
    paired: bool
    written: str
    milder: str


class _Rules(NamedTuple):
    pattern: re.Pattern[str]
    limits: dict[str, tuple[_Limit, ...]]
    firsts: frozenset[str]


def value_findings(note: ParsedNote) -> list[ValueFinding]:
    """The values of a note that are findings by themselves, in order of place, without overlap."""
    return [one for one in note.once(telling_values) if one.is_finding]


def telling_values(note: ParsedNote) -> tuple[ValueFinding, ...]:
    """The values of a note that are findings, or problems of the record alone, in order of place, without overlap; for `ParsedNote.once`."""
    text, rules = note.text, _rules()
    found: list[ValueFinding] = []
    for match in note.shapes(rules.pattern, _BEGINS):
        if match["name"].isupper() and len(match["name"]) == 1 and not _IN_ROW.match(text, match.end()):
            continue
        lead = max(0, match.start() - _LEAD)
        if _NOT_NOW.search(text, lead, match.start()):
            continue
        if match["name"].lower() not in _VITALS and _OF_FLUID.search(text, lead, match.start()):
            continue
        if is_spoilt(note, match.end("value")):
            continue
        limits = rules.limits[match["name"].lower()]
        found.extend(_passed(text, match.start("value"), match.end("value"), match["name"], limits))
        if match["second"] is not None:
            at = match.end("value")
            while more := _ANOTHER.match(text, at):
                found.extend(_passed(text, more.start("value"), more.end("value"), match["name"], limits))
                at = more.end("value")
    return tuple(found)


def states_findings(text: str, part: Section, place: int) -> bool:
    """Whether findings are stated at a place of a section; under a line of allergies running text may follow."""
    if part.category is SectionCategory.ALLERGIES and "\n" in text[part.body_char : place].strip():
        return True
    if part.category is SectionCategory.MEDICATIONS:  # "Home meds: lisinopril 10 mg. In ED BP 168/94, SpO2 89%."
        said = text[max(part.body_char, place - _LONGEST_LINE) : place]
        return _MEASURED_AGAIN.search(said) is not None
    return part.category not in _WITHOUT_VALUES


def is_measure(text: str, start: int, end: int) -> bool:
    """Whether the name at a place is that of a measure with its value ("bicarb 9"), whatever the value; no dose is one.

    A level of a medicine is none: lithium is taken where it is measured.
    """
    rules = _rules()
    name = text[start:end].lower()
    if name not in rules.limits or any(name in one.concept for one in rules.limits[name]):
        return False
    match = rules.pattern.match(text, start)
    return match is not None and match.end("name") == end and not _NO_VALUE.match(text, match.end("value"))


def _begins(word: str) -> bool:
    firsts = _rules().firsts
    return word in firsts or word.rstrip("0123456789") in firsts  # "K5.9" is one word


_BEGINS = WordTest(_begins)


def _passed(text: str, start: int, end: int, name: str, limits: tuple[_Limit, ...]) -> Iterator[ValueFinding]:
    """The finding of one number, none where it is a range, a dose or within its limits."""
    if _NO_VALUE.match(text, end):
        return
    written = text[start:end]
    first, _, second = written.replace(",", "").partition("/")
    low = float(second) if second.strip().isdigit() else 0.0
    unit = _UNIT.match(text, end)
    written_unit = _UNITS[unit[1].lower()] if unit else ""
    high = float(first)
    own = [one for one in limits if _is_of(one, text, end, first, bool(second), written_unit)]
    for one in own:
        if _beyond(one, one.limit, high, low):
            strict = one.problem is None or one.held is not Held.ALONE or _beyond(one, one.problem, high, low)
            yield _told(text, (start, end), name, one, one.written, True, one.held if strict else Held.NOT)
            return
    for one in own:
        if _beyond(one, one.problem, high, low):
            yield _told(text, (start, end), name, one, one.milder, False, Held.ALONE)
            return


def _is_of(one: _Limit, text: str, end: int, number: str, paired: bool, unit: str) -> bool:
    """Whether a number can be a value of a row: by its range, its unit and how it is written."""
    if one.paired != paired or not one.least <= float(number) <= one.most:
        return False
    if one.limit is not None and one.limit[0] == one.least and one.least % 1 and "." not in number:
        return False
    if unit and one.unit.lower() in _UNITS and unit != _UNITS[one.unit.lower()]:
        return False
    return not one.stated or re.match(rf"\s*{one.stated}", text[end : end + 12], re.IGNORECASE) is not None


def _told(
    text: str, place: tuple[int, int], name: str, one: _Limit, limit: str, is_finding: bool, held: Held
) -> ValueFinding:
    start, end = place
    side = "below" if one.below else "at or above"
    why = f"{name} {text[start:end]} is {side} {limit}{' ' if one.unit[:1].isalpha() else ''}{one.unit}"
    percent = text.startswith("%", end)
    return ValueFinding(start, end + percent, one.concept, why.strip(), is_finding, held, one.child)


def _beyond(one: _Limit, limit: tuple[float, float] | None, high: float, low: float) -> bool:
    if limit is None:
        return False
    if not one.below:
        return high >= limit[0] or (one.paired and low >= limit[1])
    return high < limit[0] or (one.paired and 0 < low < limit[1] and high < limit[0] + _NEAR)


@lru_cache(maxsize=1)
def _rules(path: Path = RULES / "value_findings.tsv") -> _Rules:
    """The rules file, read once. Raises KnowledgeError naming the row that is not understood."""
    limits: dict[str, list[_Limit]] = {}
    for names, concept, side, limit, least, most, stated, unit, problem, child in rule_rows(path, 10):
        try:
            if side not in ("below", "from"):
                raise ValueError(f"side {side!r} is neither 'below' nor 'from'")
            if child not in ("", "yes"):
                raise ValueError(f"child {child!r} is neither 'yes' nor empty")
            said, _, milder = problem.rpartition(" ") if problem[-1:].isdigit() else (problem, "", "")
            one = _Limit(
                concept, side == "below", _pair(limit), _pair(milder), Held(said), child == "yes", float(least.split("/")[0]),
                float(most.split("/")[0]), stated, unit, "/" in least, limit, milder,
            )  # fmt: skip
        except ValueError as error:
            raise KnowledgeError(f"{path.name}, '{concept}': {error}. The file's head explains its columns.") from error
        for name in names.split("|"):
            held = limits.setdefault(name.lower(), [])
            if one not in held:
                held.append(one)
    single = "|".join(sorted((re.escape(name.upper()) for name in limits if len(name) == 1), reverse=True))
    longer = "|".join(_by_letter([name for name in limits if len(name) > 1]))
    pattern = re.compile(
        rf"(?<![\w/.-])(?=[A-Za-z+][^\d\n]{{0,60}}\d)(?P<name>{single}|{longer})(?![A-Za-z_/])[^\S\n]*(?:[:=]|\bwas\b|\bis\b|\bof\b)?[^\S\n]*"
        r"(?:(?:of|is|was|at|to|level|now|today|initially|noted|found|be|in|the|ED|triage|down|up|as|low|high|on|arrival|dropped|fell|rose|surgery|clinic|office|here|ward|this|morning)[^\S\n]+){0,5}"
        r"(?P<value>(?:\d{1,3}(?:,\d{3})+|\d{1,6})(?:\.\d{1,3})?(?P<second>\s?/\s?(?:\d{2,3}|p(?:alp)?\b))?)(?![\d.]*\d)"
    )
    firsts = {tokens(name).words[0] for name in limits}
    return _Rules(
        pattern,
        {name: tuple(held) for name, held in limits.items()},
        frozenset(firsts | {first.rstrip("0123456789") for first in firsts}),
    )


def _pair(limit: str) -> tuple[float, float] | None:
    """A limit with its second number, 0 where it has none; None for no limit."""
    first, _, second = limit.partition("/")
    return None if limit in ("", Held.NOT) else (float(first), float(second or 0))


def _by_letter(names: list[str]) -> Iterator[str]:
    """Patterns of names by their first letter, the longest first: one look at a letter rules out all names of others."""
    for first in sorted({name[0] for name in names}):
        rest = sorted((name[1:] for name in names if name[0] == first), key=len, reverse=True)
        letter = f"[{first}{first.upper()}]" if first.isalpha() else re.escape(first)
        yield f"{letter}(?i:{'|'.join(map(re.escape, rest))})"


_LEAD = 30
_NEAR = 10
"""mmHg: how far above the systolic limit a low diastolic value still counts."""
# "T 39.0 HR 112": a single letter is a measure only where its number ends or another measure, unit or mark follows.
_IN_ROW = re.compile(
    r"\s*(?:$|[,;.)(°/%\n]|[A-Z][a-z]?[A-Za-z0-9]*\+?\s*[:=]?\s*\d|[CF]\b|on\b|in\b|at\b|by\b|and\b|with\b|m(?:mol|[Ee][Qq])\b)"
)
_NOT_NOW = re.compile(
    r"\b(?:goal|target\w*|keep\w*|maintain\w*|aim\w*|titrat\w*|if|when|until|unless|hold|call|notify|parameters?|normal|range|reference|baseline|bl|prior"
    r"|previous\w*|old|usual|home|outpatient|vitamin|vit|dietary|diet|tablets?|max(?:imum)?|limit|than|above|below|over|under"
    r"|discharge|for|should|will|mother|father|sister|brother|baby|fetal|foetal|infant|newborn)\b[^.,;\n\d]*$",
    re.IGNORECASE,
)
_OF_FLUID = re.compile(
    r"\b(?:urine|urinary|ua|csf|fluid|tap|ascit\w+|peritoneal|pleural|synovial|aspirate)\b[^.;\n\d]*$", re.IGNORECASE
)
_VITALS = frozenset(
    (
        "bp",
        "b/p",
        "sbp",
        "hr",
        "rr",
        "t",
        "temp",
        "temperature",
        "tmax",
        "pulse",
        "heart rate",
        "blood pressure",
        "spo2",
        "sao2",
        "sat",
        "sats",
        "o2 sat",
    )
)
_NO_VALUE = re.compile(
    r"\s*(?:-|\u2013|to\b)\s*\d|\s*(?:mg|mcg|g|ug|units?|iu|tabs?|tablets?|caps?|ml|cc|meq|mmol|grams?|drops?|puffs?|kg|lbs?|cm|mm|x)\b(?!\s*/|\s*hg)"
    r"|\s*(?:min(?:ute)?s?|s(?:ec(?:ond)?s?)?|days?|weeks?|months?|years?|hours?|hrs|times|th|st|nd|rd)\b|\.\d|,\d{3}|\s*(?:goal|target)\b",
    re.IGNORECASE,
)
# Units that tell a measure from the same number in another unit: 32 mmol/L of glucose is high, 32 mg/dL low.
_UNITS = {
    **{unit: unit for unit in ("mg/dl", "g/dl", "g/l", "mmhg", "kpa", "ng/ml", "µmol/l")},
    **dict.fromkeys(("mmol", "mmol/l", "mm/l"), "mmol/l"),
    **dict.fromkeys(("umol", "µmol", "umol/l", "micromol/l"), "µmol/l"),
    **dict.fromkeys(("ng/l", "pg/ml"), "ng/l"),
}
_UNIT = re.compile(rf"\s*({'|'.join(sorted(map(re.escape, _UNITS), key=len, reverse=True))})(?![\w/])", re.IGNORECASE)
_ANOTHER = re.compile(
    r"(?:[^\S\n]*\(?[a-z]{2,12}\)?)?[^\S\n]*(?:,|;|and|to|->|\u2192|then)[^\S\n]*(?:BP[^\S\n]*)?(?P<value>\d{2,3}\s?/\s?\d{2,3})(?![\d/])"
)
_MEASURED_AGAIN = re.compile(
    r"(?:^|[.;\n])\s*(?:in (?:the )?(?:ED|ER|A&E)|on (?:arrival|exam\w*|admission|presentation)|at triage|triage|vitals?|VS|obs|labs?|bloods|o/e|exam\w*"
    r"|initial|today|now|found|BP|HR|T|temp|SpO2|sats?|WBC|Hgb|Hb|Na|Cr|BNP|trop\w*|lactate)\b[^\n]*$",
    re.IGNORECASE,
)
_LONGEST_LINE = 600
"""How far back a list of medicines is searched for where its line has gone on to what was measured."""
_WITHOUT_VALUES = frozenset((SectionCategory.ALLERGIES, SectionCategory.MEDICATIONS, SectionCategory.FAMILY_HISTORY))
