"""Misspelt and clipped words of statements about allergies, put right before they are read: "alergic", "sweling", "rxn".

Takes a text; gives the text with the words of assets/rules/allergy_spellings.tsv as they should be, and the places of both,
so that offsets of the one can be told in the other. It knows no names of medicines: names reads those.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from backend.nlp.document.tokens import tokens
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.note import Allergies, Mention, Section


class Respelt(NamedTuple):
    """A text put right. written, read: where each changed word starts and ends, before and after; both rising."""

    text: str
    written: tuple[tuple[int, int], ...]
    read: tuple[tuple[int, int], ...]

    def forward(self, place: int) -> int:
        """The place in the text put right of a place in the text as written."""
        return _at(place, self.written, self.read)

    def back(self, place: int) -> int:
        """The place in the text as written of a place in the text put right."""
        return _at(place, self.read, self.written)


def respelt(text: str, words: Collection[str] | None = None) -> Respelt | None:
    """The text put right, or None where nothing is misspelt, as in most texts. words: its normal words, where they are known."""
    rules = _rules()
    plain = rules.plain.isdisjoint(tokens(text).words if words is None else words)
    if plain and not any(word in text.lower() for word in rules.marked):
        return None
    parts: list[str] = []
    written: list[tuple[int, int]] = []
    read: list[tuple[int, int]] = []
    at = length = 0
    for match in rules.pattern.finditer(text):
        right = rules.words[" ".join(match[0].lower().split())]
        if match[0][0].isupper():
            right = right[0].upper() + right[1:]
        length += match.start() - at
        parts += [text[at : match.start()], right]
        written.append(match.span())
        read.append((length, length + len(right)))
        at, length = match.end(), length + len(right)
    if not written:
        return None
    return Respelt("".join([*parts, text[at:]]), tuple(written), tuple(read))


def moved(
    fixed: Respelt, sections: Sequence[Section], mentions: Sequence[Mention]
) -> tuple[list[Section], list[Mention]]:
    """Sections and mentions with their places in the text put right."""

    def at(one: Section | Mention, *names: str) -> dict[str, int]:
        return {name: fixed.forward(getattr(one, name)) for name in names}

    return (
        [part.model_copy(update=at(part, "start_char", "body_char", "end_char")) for part in sections],
        [mention.model_copy(update=at(mention, "start_char", "end_char")) for mention in mentions],
    )


def as_written(text: str, fixed: Respelt, read: Allergies) -> Allergies:
    """Allergies read from the text put right, in the words and places of the text as written."""
    items = []
    for item in read.items:
        start, end = fixed.back(item.start_char), fixed.back(item.end_char)
        items.append(item.model_copy(update={"start_char": start, "end_char": end, "text": text[start:end]}))
    return read.model_copy(update={"items": tuple(items)})


class _Rules(NamedTuple):
    pattern: re.Pattern[str]
    words: dict[str, str]
    plain: frozenset[str]
    marked: tuple[str, ...]


def _at(place: int, ours: tuple[tuple[int, int], ...], theirs: tuple[tuple[int, int], ...]) -> int:
    at = bisect_right(ours, (place, place)) - 1
    if at + 1 < len(ours) and ours[at + 1][0] == place:
        return theirs[at + 1][0]
    if at < 0:
        return place
    (start, end), (other, other_end) = ours[at], theirs[at]
    if place >= end:
        return other_end + place - end
    return other if place == start else other_end  # within a changed word: all of it


@lru_cache(maxsize=1)
def _rules(path: Path = RULES / "allergy_spellings.tsv") -> _Rules:
    """The rules file, read once. Raises KnowledgeError where a row has not two cells."""
    words = {row[0]: row[1] for row in rule_rows(path, 2)}
    longest = sorted(words, key=len, reverse=True)
    pattern = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest)
    # Most texts hold none of the words, and cost no search.
    plain = frozenset(word for word in words if word.isalnum())
    return _Rules(
        re.compile(rf"(?<![\w/-])(?:{pattern})(?![\w/-])", re.IGNORECASE), words, plain, tuple(set(words) - plain)
    )
