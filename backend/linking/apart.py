"""Findings told in words that stand apart: "has lost 4 kg", "stiff for two hours each morning".

Takes a text; gives the places with the name of the finding, as assets/rules/apart_findings.tsv has them. The file's head explains
how they are written. It does not know whether they are denied: assertions does.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.text.rules import RULES, rule_rows


class ApartFinding(NamedTuple):
    """A stretch of the text, from start to end, and the name of the finding it tells."""

    start: int
    end: int
    concept: str


class _Rule(NamedTuple):
    concept: str
    key: str
    pattern: re.Pattern[str]


def apart_findings(text: str) -> list[ApartFinding]:
    """The findings that a text tells in words that stand apart, in the order of the rules."""
    lowered = text.lower()
    return [found for rule in rules() if rule.key in lowered for found in _told(rule, text)]


@lru_cache(maxsize=1)
def rules(path: Path = RULES / "apart_findings.tsv") -> tuple[_Rule, ...]:
    """The rules file, read once. Raises KnowledgeError naming the row that is not understood."""
    return tuple(_rule(path, *row) for row in rule_rows(path, 3))


def _told(rule: _Rule, text: str) -> Iterator[ApartFinding]:
    for match in rule.pattern.finditer(text):
        start, end = match.span("part" if match["part"] else 0)
        yield ApartFinding(start, start + len(text[start:end].rstrip()), rule.concept)


def _rule(path: Path, concept: str, key: str, told: str) -> _Rule:
    pieces = _PIECE.findall(told)
    written = "".join(_SAME.get(piece) or f"{_written(piece)}\\b{_GAP}" for piece in pieces)
    if "(?P<part>" not in written:
        written += "(?P<part>(?!))?"
    try:
        return _Rule(concept, key, re.compile(rf"\b{written}", re.IGNORECASE))
    except re.error as error:
        raise KnowledgeError(f"{path.name}, '{concept}': {error}. The file's head explains its columns.") from error


def _written(word: str) -> str:
    """A word as a pattern: its apostrophe may be the straight or the curved one."""
    return re.escape(word).replace("'", "['\u2019]")


_GAP = r"[^\S\n]*"
_SAME = {
    "(": "(?:", ")": ")", "|": "|", "{": "(?:", "}": ")?", "<": "(?P<part>", ">": rf"){_GAP}",
    "#": rf"\d+(?:\.\d+)?{_GAP}", "...": r"(?:[^\s.,;:]+[^\S\n]+){0,5}?", ":": rf":{_GAP}", ",": rf",{_GAP}", "-": rf"-{_GAP}",
}  # fmt: skip
_PIECE = re.compile(r"\.\.\.|[(){}<>|#:,-]|[^\s(){}<>|#:,-]+")
