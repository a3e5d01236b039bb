"""Findings stated in words that stand apart: "has lost 4 kg", "stiff for two hours each morning".

Takes a parsed note; gives the places with the name of the finding, as assets/rules/apart_findings.tsv has them. The file's head explains
how they are written. It does not know whether they are denied: assertions does.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest
from backend.nlp.rules import RULES, rule_rows


class ApartFinding(NamedTuple):
    """A stretch of the text, from start to end, and the name of the finding it tells."""

    start: int
    end: int
    concept: str


class _Rule(NamedTuple):
    """words: one of them stands in whatever the pattern finds."""

    concept: str
    words: frozenset[str]
    written: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """Compiled at the first text that says one of the words: most notes ask for a few of the rules."""
        return _compiled(self.written)


def apart_findings(note: ParsedNote) -> list[ApartFinding]:
    """The findings that a note tells in words that stand apart, in the order of the rules."""
    text, asking = note.text, _asking()
    asked = note.where(_ASKED)
    ends = [0, *(found.end() for found in _CLAUSE_END.finditer(text)), len(text)] if asked else []
    clauses: dict[int, set[int]] = {}
    for i in asked:
        clause = bisect_right(ends, note.tokens.starts[i], 1, len(ends) - 1)
        for word in _LETTERS.findall(note.words[i]):
            for place in asking.get(word, ()):
                clauses.setdefault(place, set()).add(clause)
    every = rules()
    return [
        found
        for place in sorted(clauses)
        for clause in sorted(clauses[place])
        for found in _matches(every[place], text, ends[clause - 1], ends[clause])
    ]


@lru_cache(maxsize=1)
def rules(path: Path = RULES / "apart_findings.tsv") -> tuple[_Rule, ...]:
    """The rules file, read once. Raises KnowledgeError naming the row that is not understood."""
    return tuple(_rule(path, *row) for row in rule_rows(path, 2))


@lru_cache(maxsize=1)
def _asking() -> dict[str, list[int]]:
    """By each word that rules ask for, which rules of the file these are."""
    asking: dict[str, list[int]] = {}
    for place, rule in enumerate(rules()):
        for word in rule.words:
            asking.setdefault(word, []).append(place)
    return asking


def _matches(rule: _Rule, text: str, first: int, last: int) -> Iterator[ApartFinding]:
    """What a rule finds in a clause: no rule reaches over the end of one."""
    for match in rule.pattern.finditer(text, first, last):
        start, end = match.span("part" if match["part"] else 0)
        yield ApartFinding(start, start + len(text[start:end].rstrip()), rule.concept)


def _rule(path: Path, concept: str, pattern: str) -> _Rule:
    pieces = _PIECE.findall(pattern)
    if not _closed(pieces):
        raise KnowledgeError(
            f"{path.name}, '{concept}': the brackets of '{pattern}' do not close, or < stands twice. The file's head explains them."
        )
    words, _ = _needed(pieces, 0)
    if not words:
        raise KnowledgeError(
            f"{path.name}, '{concept}': no word of letters stands in all that '{pattern}' finds. Write one that does."
        )
    written = "".join(_SAME.get(piece) or f"{_written(piece)}\\b{_GAP}" for piece in pieces)
    if "(?P<part>" not in written:
        written += "(?P<part>(?!))?"
    return _Rule(concept, words, rf"\b{written}")


_compiled = cache(partial(re.compile, flags=re.IGNORECASE))


def _closed(pieces: Sequence[str]) -> bool:
    """Whether every bracket is closed and only one part is marked: then the pattern can be compiled."""
    depths = list(accumulate((piece in _OPENING) - (piece in _CLOSING) for piece in pieces))
    return min(depths, default=0) >= 0 and depths[-1:] in ([0], []) and pieces.count("<") <= 1


def _needed(pieces: Sequence[str], place: int) -> tuple[frozenset[str], int]:
    """Words of which one stands in whatever the pieces from a place on find, up to the bracket that closes them.

    Given with where that is. Those that cost least; none where nothing is needed.
    """
    choices: list[frozenset[str]] = []
    best: frozenset[str] = frozenset()
    while place < len(pieces) and pieces[place] not in _CLOSING:
        piece, place = pieces[place], place + 1
        if piece == "|":
            choices.append(best)
            best = frozenset()
            continue
        found: frozenset[str] = frozenset()
        if piece in _OPENING:
            found, place = _needed(pieces, place)
            place += 1
            if piece == "{":
                continue
        elif _LETTERS.fullmatch(piece):
            found = frozenset({piece})
        if found and (not best or _cost(found) < _cost(best)):
            best = found
    choices.append(best)
    return (frozenset[str]().union(*choices) if all(choices) else frozenset()), place


def _cost(words: frozenset[str]) -> tuple[bool, int, int]:
    """How often a text is read in vain for one of these words: what is common counts most, then how many they are."""
    return bool(words & _COMMON), len(words), -min(map(len, words))


def _written(word: str) -> str:
    """A word as a pattern: its apostrophe may be the straight or the curved one."""
    return re.escape(word).replace("'", "['\u2019]")


_COMMON_WORDS = (
    "a about an and are at back be down every for from get go going half hour hours in is minute minutes night no of on only or out second than "
    "the to up want was with without"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_OPENING, _CLOSING = "({<", ")}>"
_LETTERS = re.compile(r"[a-z]+")
_ASKED = WordTest(lambda word: not _asking().keys().isdisjoint(_LETTERS.findall(word)))
_CLAUSE_END = re.compile(r"[.;]\s+|\n+")
_GAP = r"[^\S\n]*"
_SAME = {
    "(": "(?:", ")": ")", "|": "|", "{": "(?:", "}": ")?", "<": "(?P<part>", ">": rf"){_GAP}",
    "#": rf"\d+(?:\.\d+)?{_GAP}", "...": r"(?:[^\s.,;:]+[^\S\n]+){0,5}?", ":": rf":{_GAP}", ",": rf",{_GAP}", "-": rf"-{_GAP}",
}  # fmt: skip
_PIECE = re.compile(r"\.\.\.|[(){}<>|#:,-]|[^\s(){}<>|#:,-]+")
