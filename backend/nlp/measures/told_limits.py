"""From where a vital sign or a blood test of an adult is low or high, for telling and for checking what is told; not for acting.

Rows of assets/rules/measures/told_limits.tsv. Doses, dangers and flags have limits of their own.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES, rule_rows

SIGN, TEST = "sign", "test"
LEADS = {SIGN: "Measured when", TEST: "Tests outside the usual range"}
"""How a sentence begins that tells values of a kind and nothing else."""
_NONE = "-"


class _Limit(NamedTuple):
    """low and high: the first number of a value, then of a blood pressure the second; None for no limit."""

    kind: str
    unit: str
    least: tuple[float, ...] | None
    most: tuple[float, ...] | None
    low: tuple[float, ...] | None
    high: tuple[float, ...] | None
    words: str


def told_measures(kind: str) -> tuple[tuple[str, str], ...]:
    """Each measure of a kind with the words for it, in the order of the rows.

    Args:
        kind: SIGN or TEST.
    """
    return tuple((measure, limits[0].words) for measure, limits in _limits().items() if limits[0].kind == kind)


def side_of(measure: str, value_text: str, unit: str = "") -> str:
    """Whether a value is "low" or "high"; empty where it is neither, no number, or has no limit in its unit."""
    try:
        value = _numbers(value_text)
    except ValueError:
        return ""
    for limit in _limits().get(measure, ()):
        if limit.unit and limit.unit != unit.lstrip("°"):
            continue
        if limit.least and limit.most and not limit.least[0] <= value[0] <= limit.most[0]:
            continue
        # one number alone is enough; a high one is told first
        if limit.high and any(a >= b for a, b in zip(value, limit.high, strict=False)):
            return "high"
        if limit.low and value and value[0] < limit.low[0]:
            return "low"
    return ""


def sided(text: str) -> Iterator[tuple[int, int]]:
    """Yield the name and the side of each value that a text rightly calls high or low: "blood pressure 186/101 (high)"."""
    for match in _sided_pattern().finditer(text):
        measure = _measure_of()[match["words"].lower()]
        if side_of(measure, match["value"], match["unit"] or "") == match["side"]:
            yield match.span("words")
            yield match.span("side")


class ToldValues(NamedTuple):
    """Values of one measure as a letter tells them; values as written, without their units."""

    measure: str
    start: int
    end: int
    values: tuple[str, ...]


def told_values(text: str) -> Iterator[ToldValues]:
    """Yield the values that a text tells in the words of the rows: "pulse 124 (high), then 96"; none that it wrongly calls high or low."""
    for match in _told_pattern().finditer(text):
        measure = _measure_of()[match["words"].lower()]
        values = list(_VALUE.finditer(match["values"]))
        if all(not one["side"] or side_of(measure, one["value"], one["unit"] or "") == one["side"] for one in values):
            yield ToldValues(measure, *match.span(), tuple(one["value"] for one in values))


_VALUE = re.compile(r"(?P<value>\d+(?:[.,/]\d+)*)(?:\s?%)?(?: ?(?P<unit>[FC])\b)?(?: \((?P<side>high|low)\))?")


@lru_cache(maxsize=1)
def _told_pattern() -> re.Pattern[str]:
    words = "|".join(map(re.escape, sorted(_measure_of(), key=len, reverse=True)))
    value = re.sub(r"\?P<\w+>", "?:", _VALUE.pattern)
    return re.compile(rf"(?<!\w)(?P<words>{words}) (?P<values>{value}(?:, then {value})*)", re.IGNORECASE)


@lru_cache(maxsize=1)
def _measure_of() -> dict[str, str]:
    return {limits[0].words.lower(): measure for measure, limits in _limits().items()}


@lru_cache(maxsize=1)
def _sided_pattern() -> re.Pattern[str]:
    words = "|".join(map(re.escape, _measure_of()))
    return re.compile(
        rf"(?<!\w)(?P<words>{words})(?: [\d.,/% FC()a-z]+?, then)? (?P<value>\d[\d.,/]*)\s?%?(?P<unit>[FC])? \((?P<side>high|low)\)",
        re.IGNORECASE,
    )


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.rstrip("% ").replace(",", "").split("/"))


@lru_cache(maxsize=1)
def _limits() -> dict[str, list[_Limit]]:
    """The limits by measure.

    Raises:
        KnowledgeError: a limit is no number, or a kind is unknown.
    """
    found: dict[str, list[_Limit]] = {}
    for measure, kind, unit, *cells, words in rule_rows(RULES / "measures" / "told_limits.tsv", 8):
        try:
            least, most, low, high = (None if cell == _NONE else _numbers(cell) for cell in cells)
        except ValueError as error:
            raise KnowledgeError(f"told_limits.tsv: {measure}: {error}. Write a number, a/b, or -.") from error
        if kind not in (SIGN, TEST):
            raise KnowledgeError(f"told_limits.tsv: {measure}: kind '{kind}' is not known. Write {SIGN} or {TEST}.")
        found.setdefault(measure, []).append(_Limit(kind, unit, least, most, low, high, words))
    return found
