"""Tells an adult which vital signs were not normal, in plain words: "blood pressure 186/101 (high)".

Dated values of earlier days and values computed by the program are left out; of one measure two values are told, in the note's order.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from backend.nlp.measures.vital_limits import side_of, vital_signs
from backend.schemas.record import ObservationStatement

_MOST_OF_ONE = 2


class MeasuredSign(NamedTuple):
    """A vital sign that is low or high, in words, and the statements it is read from."""

    text: str
    statements: tuple[ObservationStatement, ...]


def measured_signs(observations: Iterable[ObservationStatement]) -> Iterator[MeasuredSign]:
    """Yield the vital signs that are not normal, in the order of the limits.

    Args:
        observations: of the record of an adult.
    """
    today = [one for one in observations if one.spans and not one.formula and not one.date]
    for measure, words in vital_signs():
        held: dict[str, ObservationStatement] = {}
        for one in today:
            side = side_of(measure, one.value_text, one.unit) if one.measure == measure else ""
            if side and len(held) < _MOST_OF_ONE:
                held.setdefault(f"{one.value_text}{_unit(one)} ({side})", one)
        if held:
            yield MeasuredSign(f"{words} {', then '.join(held)}", tuple(held.values()))


def _unit(one: ObservationStatement) -> str:
    if one.measure == "oxygen saturation":
        return "" if one.value_text.endswith("%") else "%"
    return f" {one.unit.lstrip('°')}" if one.measure == "temperature" and one.unit else ""
