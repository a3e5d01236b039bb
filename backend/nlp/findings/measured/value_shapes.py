"""How a measured value is written: its number, a range, and the unit behind it. Units are rows of assets/rules/procedures/words_units.tsv."""

import re
from functools import lru_cache

from backend.nlp.rules import RULES, rule_rows

NUMBER = re.compile(
    r"(?P<first>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,7})(?:\.\d{1,3})?)(?P<many>s\b)?(?:\s?/\s?(?P<second>\d{1,3}(?!\d|\s?/\s?\d)))?(?!\d)"
)
RANGE = re.compile(r"\s*(?:-|\u2013|to\s)\s*\d")
_NOT_INCHES = re.compile(r"\s*in[^\S\n]+\w", re.IGNORECASE)
"""Behind a number "in" with a word after it is no unit: "62 in 2021"."""


def unit_behind(text: str, end: int) -> tuple[str, int, bool]:
    """The unit behind a number, where it ends, and whether it is one of a dose."""
    match = _units()[0].match(text, end)
    if match is None or _NOT_INCHES.match(text, end):
        return "", end, False
    unit = _units()[1][match[1].lower()]
    return ("", end, True) if unit == "-" else (unit, match.end(), False)


@lru_cache(maxsize=1)
def _units() -> tuple[re.Pattern[str], dict[str, str]]:
    rows = {written: unit for written, unit, _ in rule_rows(RULES / "procedures" / "words_units.tsv", 3)}
    written = "|".join(re.escape(one) for one in sorted(rows, key=len, reverse=True))
    return re.compile(rf"[^\S\n]?[^\S\n]?({written})(?![\w/^])", re.IGNORECASE), rows
