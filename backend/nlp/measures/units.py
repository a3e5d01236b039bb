"""Units of measure and words for numbers, each counted in one unit of its kind; months and pounds are kinds of their own."""

from typing import NamedTuple

from backend.nlp.rules import RULES, rule_rows


class Unit(NamedTuple):
    """A unit as written.

    Attributes:
        name: what it is called in a dosage: mg, mL, tablet.
        counted_in: the unit that its kind is counted in.
        factor: how many of those one is.
        kind: dose, form, time, share or other.
    """

    name: str
    counted_in: str
    factor: float
    kind: str


_WRITTEN = {
    word: Unit(name, counted_in, float(factor), kind)
    for word, name, counted_in, factor, kind in rule_rows(RULES / "measures" / "units.tsv", 5)
}
PORTIONS = {"half": 0.5, "quarter": 0.25}
NUMBER_WORDS = {
    word: int(value) for word, value in rule_rows(RULES / "measures" / "numbers.tsv", 2) if word not in PORTIONS
}
HOURS, MONTHS = "hours", "months"
UNITS: dict[str, tuple[str, float]] = {word: (unit.counted_in, unit.factor) for word, unit in _WRITTEN.items()}
"""Unit as written, in lower case: the unit it is counted in, and how many of those it is."""
DOSED = frozenset(unit.counted_in for unit in _WRITTEN.values() if unit.kind in ("dose", "form"))
"""Units that may not be added to a bare number: 40 is not 40 mg."""
UK = {"7": (HOURS, 24.0), "52": (HOURS, 168.0), "12": (MONTHS, 1.0)}


def unit_of(word: str) -> Unit | None:
    """The unit that a word in lower case is, or None."""
    return _WRITTEN.get(word)


def is_time(word: str) -> bool:
    """Whether a word in lower case is a unit of time."""
    unit = unit_of(word)
    return unit is not None and unit.kind == "time"


def number_of(text: str, scale: float = 1.0) -> str:
    """One spelling of a number: three, 3 and 3.0 are the same."""
    word = text.lower().strip()
    value = float(NUMBER_WORDS[word]) if word in NUMBER_WORDS else float(word.replace(",", "") or 0)
    return f"{value * scale:.6g}"
