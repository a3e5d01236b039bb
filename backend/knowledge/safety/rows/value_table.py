"""The values that safety rows compare, as rows of assets/rules/safety/values.tsv: names, canonical units and how others convert."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES, rule_rows

_FILE = RULES / "safety" / "values.tsv"
_PERSON = "person"


class ValueRow(NamedTuple):
    """A value by its name in rows.

    Attributes:
        name: as clauses write it.
        measures: what the record calls the observation, each with the place of the number in it (82/40 has two); none for what is read of the person.
        unit: the canonical unit.
        factors: how many canonical units one of each other unit is.
        bare: the unit of a number without one, by the least number that is of it, the greatest first.
        least: the smallest value there can be, in canonical units.
        most: the greatest.
        lasts: whether a value of an earlier year still counts.
        stands_for: the name of the condition that a clause about the value tells by itself: eGFR<30 needs no stated kidney disease.
        asked: whether its absence is told of everybody who takes a medicine with a rule about it, whatever they have.
    """

    name: str
    measures: tuple[tuple[str, int], ...]
    unit: str
    factors: Mapping[str, float]
    bare: tuple[tuple[float, str], ...]
    least: float
    most: float
    lasts: bool
    stands_for: str
    asked: bool

    def canonical(self, number: float, unit: str) -> float | None:
        """A number in canonical units; None for a unit that is none of its own, or a value that no patient has."""
        written = unit or next((known for least, known in self.bare if number >= least), self.unit)
        factor = self.factors.get(written)
        value = None if factor is None else number * factor
        return value if value is not None and self.least <= value <= self.most else None


@lru_cache(maxsize=1)
def value_table() -> Mapping[str, ValueRow]:
    """The rows by name.

    Raises:
        KnowledgeError: a row names no number where one is needed, or repeats a name.
    """
    rows: dict[str, ValueRow] = {}
    for name, measure, unit, converted, bare, least, most, lasts, stands_for, asked in rule_rows(_FILE, 10):
        if name in rows:
            raise KnowledgeError(f"{_FILE.name}: the value {name!r} has two rows. Remove one.")
        try:
            factors = {unit: 1.0} | {known: float(factor) for known, factor in _pairs(converted)}
            bounds = sorted(((float(least_of), known) for known, least_of in _pairs(bare)), reverse=True)
            if unknown := [known for _, known in bounds if known not in factors]:
                raise KnowledgeError(
                    f"{_FILE.name}: {name!r} counts bare numbers in {unknown[0]!r}, which it cannot convert."
                )
            rows[name] = ValueRow(
                name,
                () if measure == _PERSON else tuple(_place(one) for one in measure.split("|")),
                unit,
                MappingProxyType(factors),
                tuple(bounds),
                float(least),
                float(most),
                lasts == "yes",
                "" if stands_for == "-" else stands_for,
                asked == "yes",
            )
        except ValueError as error:
            raise KnowledgeError(f"{_FILE.name}: {name!r} holds a cell that is no number: {error}.") from error
    return MappingProxyType(rows)


def _place(written: str) -> tuple[str, int]:
    """Measure and place: blood pressure#2 is the second number of a blood pressure."""
    measure, _, place = written.partition("#")
    return measure, int(place or 1) - 1


def _pairs(cell: str) -> list[tuple[str, str]]:
    pairs = [] if cell == "-" else [part.strip().partition("=") for part in cell.split(";")]
    return [(name.strip(), value.strip()) for name, _, value in pairs]
