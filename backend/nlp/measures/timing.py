"""How often and when something is taken: every wording is one code and a number of times a day, from one table.

The rows are assets/rules/measures/timing_triggers.tsv; only codes written as one word ("q6h", "8hrly") are shapes.
Reading, the dose checks and the comparison of sentences with their sources use it, so that none reads a wording that
another does not.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest, tested, tokens
from backend.nlp.document.trigger_automaton import FoundTrigger, TriggerAutomaton, plain_marks
from backend.nlp.measures.units import NUMBER_WORDS, unit_of
from backend.nlp.rules.trigger_rows import trigger_rows

FAMILY = "measures/timing"
PRN, WITH, JOIN, ONCE, CONTINUOUS, DAY, OTHER, NONE = "PRN", "WITH", "JOIN", "ONCE", "CONT", "DAY", "OTHER", "NONE"
UP_TO = "up to"
"""Words before a frequency that is the greatest."""
ALTERNATE, IN_TURN = "QOD", "alternating with"
"""The code of every other day, and the words of JOIN for a dose that is taken on the days between."""
BESIDE = frozenset({PRN, WITH, JOIN})
"""Codes that tell no frequency."""
LATIN = {"ON": "HS", "OM": "QAM"}
"""Omni nocte and omni mane: read in capitals alone, right behind a dose."""
_GLUED = re.compile(
    r"(?:q\s?\.?\s?|every\s?|each\s?)?(?P<n>\d{1,3})\s?(?:(?:-|\u2013|to|or)\s?(?P<m>\d{1,2})\s?)?-?"
    r"(?P<unit>hourly|hours?|hrly|hrs?|h|days?|d|weeks?|wks?|w|months?|mo)\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"q\s?\.?\s?(?P<n>2|3|4|6|8|12|24)(?:(?!\s?[\w/%]|\.\d)|(?=\s(?:prn|p\.r\.n|as\sneeded|for|round|around|scheduled)\b))",
    re.IGNORECASE,
)
_HOURS = {"h": 1.0, "d": 24.0, "w": 168.0, "m": 720.0}
_OPENS = ("q", "every", "each")
CODES = WordTest(lambda word: word[:1] == "q" or word in _OPENS or (word[:1].isdigit() and word[-1:].isalpha()))
"""Words that a code written as one word may begin with: "q6h", "8hrly", "every"."""
_PARTS = frozenset({"QAM", "QNOON", "QPM", "HS"})
_DAILY = {1: "QD", 2: "BID", 3: "TID", 4: "QID"}
_WEEKLY = {1: "QW", 2: "BIW", 3: "TIW"}
_COUNTED = {"NXD": _DAILY, "NXW": _WEEKLY}
_DAYS_A_WEEK = 7
_APART, _MOST_APART = {"1/7N": 1 / 7, "1/30N": 1 / 30}, 26
"""Weeks or months between two doses at most: "Venofer 50 weekly" is a dose."""
_NAMES = {0.5: "every other day", 1 / 7: "once a week", 2 / 7: "twice a week", 1.0: "once a day", 2.0: "twice a day"}
_CLOSE = 0.001


CHART = "measures/timing/chart"
_ROUND_HOUR = re.compile(r"(?P<hour>[01]\d|2[0-3]):?(?:00|15|30|45)(?!\d)")
_NOON, _EVENING, _NIGHT = 11, 14, 20


class Timing(NamedTuple):
    """A frequency in a text, over tokens first to last, last left out.

    Attributes:
        code: QD, BID, TID, QID, QAM, QPM, HS, Q6H, Q6-8H, QOD, QW; ONCE, CONT, PRN, WITH, JOIN and DAY (of the week) too.
        per_day: times a day; None where the words do not tell.
        alone: whether the words tell a frequency in any sentence, not only beside a dose.
    """

    first: int
    last: int
    code: str
    per_day: float | None
    alone: bool
    rule_id: str


def timings(note: ParsedNote, first: int, last: int) -> list[Timing]:
    """The timings within tokens first to last of a note, in order; they do not overlap."""
    rows, shapes = note.triggers_within(FAMILY, first, last), note.where_within(CODES, first, last)
    return _timings(note.text, note.words, note.tokens.starts, last, rows, shapes) if rows or shapes else []


def timings_in(text: str) -> list[Timing]:
    """The timings of any text, in order."""
    found = tokens(text)
    words = plain_marks(found.words)
    rows = _automaton().find(words)[FAMILY]
    return _timings(text, words, found.starts, len(words), rows, tested(words).get(CODES, ()))


def frequencies_in(text: str) -> tuple[frozenset[str], str]:
    """The names of the frequencies that a text tells ("twice a day"), and the text with blanks in their place.

    Words that tell one only beside a dose ("morning", "on Monday") are left, for they may tell when something happened; a short
    form right behind a dose ("20 mg OD") tells one.
    """
    found = tokens(text)
    names: set[str] = set()
    left = text
    for one in timings_in(text):
        if one.per_day and (one.alone or (one.code == "QD" and _is_behind_dose(found.words, one.first))):
            names.add(frequency_name(one.per_day))
            start, end = found.starts[one.first], found.ends[one.last - 1]
            left = left[:start] + " " * (end - start) + left[end:]
    return frozenset(names), left


def _is_behind_dose(words: Sequence[str], i: int) -> bool:
    """Whether a number with its unit stands right before a token, apart or glued: "20 mg", "20mg"."""
    if i == 0:
        return False
    name = words[i - 1].lstrip("0123456789.,")
    unit = unit_of(name)
    counted = name != words[i - 1] or (i > 1 and words[i - 2][:1].isdigit())
    return counted and unit is not None and unit.kind in ("dose", "form")


def timing_code(text: str) -> str:
    """The code of a frequency in words ("every 6 to 8 hours" is Q6-8H); empty where it tells none."""
    return joined([one for one in timings_in(text) if one.code not in BESIDE])[0]


def per_day(text: str) -> float | None:
    """Times a day that a text tells beside a dose; None where it tells none."""
    return joined([one for one in timings_in(text) if one.code not in BESIDE])[1]


def joined(parts: Sequence[Timing]) -> tuple[str, float | None]:
    """One code and times a day of timings of one dose: "morning and evening" is BID, Monday and Thursday BIW."""
    if any(one.code == DAY for one in parts):
        parts = [one for one in parts if one.code != OTHER]  # "Mondays 5 mg, other days 2.5 mg"
    if any(one.per_day is not None and one.per_day < 1 and one.code != DAY for one in parts):
        parts = [one for one in parts if one.code != "QD"]  # "OD alternate days"
    if any(one.per_day for one in parts):
        parts = [one for one in parts if one.code != "CONT"]  # "q.4h. around the clock"
    codes = list(dict.fromkeys(one.code for one in parts))
    if not codes:
        return "", None
    total = sum(one.per_day or 0 for one in parts) or None
    if set(codes) <= _PARTS:
        return (codes[0] if len(codes) == 1 else _DAILY[len(codes)]), float(len(codes))
    if codes == [DAY]:
        days = len(parts)
        return _WEEKLY.get(days, f"{days}XW"), days / _DAYS_A_WEEK
    if len(codes) > 1 and codes[0] == "QD" and set(codes[1:]) <= _PARTS | {DAY}:
        return (codes[1], 1.0) if len(codes) == 2 and codes[1] != DAY else (codes[0], 1.0)  # "daily in the morning"
    kept = [code for code in codes if code not in (ONCE, DAY)] or codes
    return "+".join(kept), (total if len(kept) > 1 else parts[codes.index(kept[0])].per_day)


def are_parts_of_day(codes: Sequence[str]) -> bool:
    """Whether timing codes are different parts of one day: morning and noon."""
    return set(codes) <= _PARTS and len(set(codes)) == len(codes)


def frequency_name(times: float) -> str:
    """One name for a number of times a day: "twice a day", "once a week"."""
    for known, name in _NAMES.items():
        if abs(known - times) < _CLOSE:
            return name
    return f"{times:g} times a day" if times >= 1 else f"every {1 / times:.0f} days"


def chart_hour(text: str, place: int) -> tuple[str, int] | None:
    """The part of the day of an hour as a chart of medicines has it, "0600" or "18:00", and where it ends; None for none."""
    found = _ROUND_HOUR.match(text, place)
    if found is None:
        return None
    hour = int(found["hour"])
    return ("QAM" if hour < _NOON else "QNOON" if hour < _EVENING else "QPM" if hour < _NIGHT else "HS"), found.end()


def _timings(
    text: str,
    words: Sequence[str],
    starts: Sequence[int],
    last: int,
    rows: Sequence[FoundTrigger],
    shapes: Sequence[int],
) -> list[Timing]:
    found = [one for row in rows if (one := _by_row(row, words)) is not None]
    reached = dict.fromkeys((i for one in found for i in range(one.first, one.last)), 0)
    reached |= {one.first: one.last for one in found}
    for i in shapes:
        word = words[i]
        if reached.get(i) == 0:
            continue  # within another
        glued = _GLUED.match(text, starts[i]) or _BARE.match(text, starts[i])
        if glued is None or (word[:1].isdigit() and not glued["unit"].lower().startswith(("hourly", "hrly"))):
            continue
        end = i + 1
        while end < last and starts[end] < glued.end():
            end += 1
        if end > reached.get(i, 0):
            found = [one for one in found if one.last <= i or one.first >= end]
            found.append(_by_shape(i, end, glued))
            reached |= dict.fromkeys(range(i, end), 0)
    return sorted(one for one in found if one.code != NONE)


def _by_shape(first: int, last: int, match: re.Match[str]) -> Timing:
    groups = match.groupdict()
    low, high, unit = int(groups["n"]), groups.get("m"), (groups.get("unit") or "h")[0].lower()
    span = f"{low}-{int(high)}" if high else str(low)
    return Timing(
        first, last, f"Q{span}{unit.upper()}", 24 / (low * _HOURS[unit]) if low else None, True, f"{FAMILY}/shape"
    )


def _by_row(found: FoundTrigger, words: Sequence[str]) -> Timing | None:
    row = found.row
    numbers = [_number(words[i]) for i in range(found.first, found.last)]
    counts = [n for n in numbers if n] if "#" in row.phrase else []
    code, often = row.event, row.cells["per_day"]
    if "N" in often and not counts:
        return None
    if often in _APART and counts[0] > _MOST_APART:
        return Timing(found.last - 1, found.last, code.replace("N", ""), _APART[often], False, row.rule_id)
    if counts and "N" in often:
        high = next((n for n in counts[1:] if n > counts[0]), counts[0])
        code = code.replace("-M", f"-{high}", 1).replace("N", str(counts[0]), 1)
        code = _COUNTED.get(row.event, {}).get(counts[0], code)
    return Timing(found.first, found.last, code, _times(often, counts), row.cells["alone"] == "yes", row.rule_id)


def _times(often: str, counts: Sequence[int]) -> float | None:
    """The cell per_day with its number: 24/N, N/7, 1/7N."""
    if not often:
        return None
    if "N" not in often:
        return float(often)
    above, _, below = often.partition("/")
    part = [float(side.replace("N", "") or 1) * (counts[0] if "N" in side else 1) for side in (above, below or "1")]
    return part[0] / part[1]


def _number(word: str) -> int | None:
    return int(word) if word.isdigit() and len(word) <= 3 else NUMBER_WORDS.get(word)


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))
