"""Tells an adult which vital signs were not normal, in plain words: "blood pressure 186/101 (high)".

Rows of assets/rules/letter/vital_limits.tsv say what is low and what is high. Dated values of earlier days and values computed by
the program are left out; of one measure the two values furthest from normal are told, in the note's order.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import ObservationStatement

_MOST_OF_ONE = 2
_NONE = "-"


class MeasuredSign(NamedTuple):
    """A vital sign that is low or high, in words, and the statements it is read from."""

    text: str
    statements: tuple[ObservationStatement, ...]


class _Limit(NamedTuple):
    """low and high: the first number of a value, then of a blood pressure the second; None for no limit."""

    unit: str
    low: tuple[float, ...] | None
    high: tuple[float, ...] | None
    words: str


def measured_signs(observations: Iterable[ObservationStatement]) -> Iterator[MeasuredSign]:
    """Yield the vital signs that are not normal, in the order of the rows.

    Args:
        observations: of the record of an adult.
    """
    today = [one for one in observations if one.spans and not one.formula and not one.date]
    for measure, limits in _limits().items():
        held: dict[str, ObservationStatement] = {}
        for one in today:
            side = _side(one, limits) if one.measure == measure else ""
            if side and len(held) < _MOST_OF_ONE:
                held.setdefault(f"{one.value_text}{_unit(one)} ({side})", one)
        if held:
            yield MeasuredSign(f"{limits[0].words} {', then '.join(held)}", tuple(held.values()))


def _side(one: ObservationStatement, limits: Iterable[_Limit]) -> str:
    """Low, high, or empty for neither."""
    try:
        value = _numbers(one.value_text)
    except ValueError:
        return ""
    for limit in limits:
        if limit.unit and limit.unit != one.unit.lstrip("°"):
            continue
        # one number alone, low or high, is enough; a high one is told first
        if limit.high and any(a >= b for a, b in zip(value, limit.high, strict=False)):
            return "high"
        if limit.low and value and value[0] < limit.low[0]:
            return "low"
    return ""


def _unit(one: ObservationStatement) -> str:
    if one.measure == "oxygen saturation":
        return "%"
    return f" {one.unit.lstrip('°')}" if one.measure == "temperature" and one.unit else ""


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.rstrip("% ").split("/"))


@lru_cache(maxsize=1)
def _limits() -> dict[str, list[_Limit]]:
    """The limits by measure.

    Raises:
        KnowledgeError: a limit is no number.
    """
    found: dict[str, list[_Limit]] = {}
    for measure, unit, low, high, words in rule_rows(RULES / "letter" / "vital_limits.tsv", 5):
        try:
            sides = [None if cell == _NONE else _numbers(cell) for cell in (low, high)]
        except ValueError as error:
            raise KnowledgeError(f"vital_limits.tsv: {measure}: {error}. Write a number, a/b, or -.") from error
        found.setdefault(measure, []).append(_Limit(unit, sides[0], sides[1], words))
    return found
