"""Cuts a stretch of a note into sentences, and packs those of a text into passages, with exact offsets.

A full stop ends a sentence unless it belongs to an abbreviation, a decimal, an initial or the number of a list. A line
break ends one too where lines are entries (short lines, bullets, labels), not where a long line was wrapped. It does
not know grammar, and it never cuts inside a de-identification mark. Where a sentence was begun in lower case, the next one
may be as well ("pain since am. denies fever").
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from string import ascii_letters, digits

from backend.nlp.rules import RULES, words_by_kind


class WordKind(StrEnum):
    """How a word bears on the full stop after it; the rules file explains each."""

    BEFORE_NUMBER = "before_number"
    NEVER_ENDS = "never_ends"
    RARELY_ENDS = "rarely_ends"
    OPENS = "opens"


def sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Half-open spans of the trimmed sentences of text[start:end], in order; white space alone gives none."""
    stop = len(text) if end is None else min(end, len(text))
    found = []
    for first, last in _blocks(text, max(start, 0), stop):
        for left, right in _split(text, first, last):
            piece = text[left:right]
            begin = left + len(piece) - len(piece.lstrip())
            finish = left + len(piece.rstrip())
            finish -= text[max(begin, finish - 2) : finish] in _STRAY
            if begin < finish:
                found.append((begin, finish))
    return found


def passages(text: str, limit: int = 1000) -> list[tuple[int, int]]:
    """Half-open spans of at most `limit` code points, in order, that begin and end at sentence borders.

    A sentence longer than the limit is cut at white space, or within a word that is itself longer; nothing but white space
    between passages is left out.

    Raises:
        ValueError: limit is below 1.
    """
    if limit < 1:
        raise ValueError(f"limit is {limit}; a passage needs at least 1 code point.")
    packed: list[tuple[int, int]] = []
    for start, end in _pieces(text, limit):
        if packed and end - packed[-1][0] <= limit:
            packed[-1] = (packed[-1][0], end)
        else:
            packed.append((start, end))
    return packed


def _pieces(text: str, limit: int) -> Iterator[tuple[int, int]]:
    """Sentences, the too long ones cut."""
    for start, end in sentences(text):
        left = start
        while end - left > limit:
            cut = next((left + m.end() for m in [_LAST_GAP.search(text[left : left + limit + 1])] if m), left + limit)
            gap = _LAST_GAP.match(text[left:cut])
            right = cut if gap is None else left + len(text[left:cut].rstrip())
            yield left, max(right, left + 1)
            left = max(cut, left + 1)
            while left < end and text[left].isspace():
                left += 1
        if left < end:
            yield left, end


def _blocks(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Runs of lines that one wrapped paragraph or one entry of a list may fill."""
    first = start
    previous: tuple[int, int] | None = None
    at = start
    while at < stop:
        end = text.find("\n", at, stop)
        end = stop if end < 0 else end
        if previous is not None and not _wrapped(text, *previous, at, end):
            yield first, previous[1]
            first = at
        previous = (at, end)
        at = end + 1
    if previous is not None:
        yield first, previous[1]


def _wrapped(text: str, start: int, end: int, next_start: int, next_end: int) -> bool:
    """Whether the second line goes on with the first one's sentence."""
    # Only a line's two ends decide, so that a line of any length costs the same.
    before = text[max(start, end - 40) : end].rstrip()
    after = text[next_start : min(next_end, next_start + 60)].lstrip()
    if not before or not after or _ENTRY.match(after) or before.endswith((":", "|")):
        return False
    if _ROW.search(text, start, end) or _ROW.search(text, next_start, min(next_end, next_start + _LONGEST_ROW)):
        return False  # a row of a table is whole
    if before.endswith((".", "!", "?")) and not after[0].islower():
        return False
    if _OPEN_END.search(before):
        return True
    if after[0].islower():
        return before[-1] == "," or end - start >= _HALF_LINE
    return end - start >= _LONG_LINE and before[-1] != ";"


def _split(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    first = start
    number = 0
    for match in _STOP.finditer(text, start, stop):
        at = match.end(1)
        if match["low"] is not None and not _low_begins(text, first, match.start(1), match.end()):
            continue
        if text[match.start(1)] == "?" and _QUERY.match(text, match.start(1) - 1):
            continue  # it asks about what follows: "headache ? TIA", "URTI/? LRTI"
        if text[match.start(1)] == ".":
            word = _word_before(text, max(first, match.start(1) - 40), match.start(1))
            listed = _listed(text, word, match.start(1), first, number)
            number = listed or number
            if listed or (word and not _may_end(text, word, match)):
                continue
        if _inside_mark(text, first, at):
            continue
        yield first, at
        first, number = at, 0
        if text[at : at + 1] == ",":
            first = at + 1
    yield first, stop


def _low_begins(text: str, first: int, stop: int, after: int) -> bool:
    """Whether a sentence may begin in lower case: the one before it did, or its first word opens sentences ("h/o DVT")."""
    stop -= text[stop - 1] == ")"
    word = _word_before(text, max(first, stop - 40), stop)
    rules = _words()
    held = rules[WordKind.NEVER_ENDS] | rules[WordKind.RARELY_ENDS] | rules[WordKind.BEFORE_NUMBER]
    begun = _NEXT.match(text, first, stop)
    if not word or not begun or word.lower() in held:
        return False
    opening = _LOW_WORD.match(text, after)
    return not begun[1][0].isupper() or bool(opening and opening[0] in rules[WordKind.OPENS])


def _word_before(text: str, first: int, stop: int) -> str:
    """The word that ends right before a place, of letters, digits and what joins them; empty for none."""
    before = text[first:stop]
    word = before[len(before.rstrip(_IN_WORD)) :].lstrip(_JOINS)
    return "" if word.endswith(tuple(_JOINS)) else word


def _listed(text: str, word: str, stop: int, first: int, number: int) -> int:
    """The number of the list entry that the word before a full stop is, or 0: "1." opens one, "2." follows it."""
    if not word.isdigit() or len(word) > 2:
        return 0
    value = int(word)
    opens = not text[first : stop - len(word)].strip(" \t\r\n,-*•")
    return value if opens or value == number + 1 > 1 else 0


def _may_end(text: str, word: str, match: re.Match[str]) -> bool:
    """Whether a full stop after this word can end a sentence."""
    low = word.lower()
    following = _NEXT.match(text, match.end())
    after = following[1] if following else ""
    rules = _words()
    if low not in rules[WordKind.NEVER_ENDS] and _LOST_BREAK.match(text, match.end()):
        return True
    if low in rules[WordKind.BEFORE_NUMBER]:
        return not after[:1].isdigit()
    if low in rules[WordKind.NEVER_ENDS]:
        # "her sister has MS. She": in capitals it is no title where a sentence opens after it
        return len(word) > 1 and word.isupper() and after.istitle() and after.lower() in rules[WordKind.OPENS]
    initial = len(word) == 1 and word.isupper()
    if low in rules[WordKind.RARELY_ENDS] or _DOTTED.fullmatch(low) or initial:
        return after.lower() in rules[WordKind.OPENS]
    glued = match.end() == match.end(1) and text[match.end() : match.end() + 1] not in ","
    return not glued or len(word) > 2


@lru_cache(maxsize=1)
def _words() -> dict[WordKind, frozenset[str]]:
    return words_by_kind(RULES / "sentence_words.tsv", WordKind)


def _inside_mark(text: str, first: int, at: int) -> bool:
    bracket = text.rfind("[**", max(first, at - 80), at)
    return bracket >= 0 and text.find("**]", bracket, at) < 0 and text.find("**]", at, at + 80) >= 0


_STRAY = (".,", "!,", "?,")
# "Toprol 50 mg.,3.  Clonidine": the comma was a line break.
_LOST_BREAK = re.compile(r",(?=[A-Z][a-z]{2,})|,\s?(?=\d{1,2}[.)]\s)")
_ROW = re.compile(r"\s\|\s|\t|[^\s.] {4,}\S|\s\.{4,}\s")
_LONGEST_ROW = 300
_HALF_LINE = 40
_LONG_LINE = 60
_ENTRY = re.compile(
    r"[-*•·●▪◦>+#|]\s|[-*•·●▪◦]\w|\(?\d{1,2}[.)]\s|[a-zA-Z][.)]\s|(?:[A-Z][\w/&'-]*[ ,]+){0,5}[\w/&()'-]+:(?:\s|$)|_{5,}|={3,}|-{3,}"
)
_OPEN_END = re.compile(
    r"(?:^|\s)(?:a|an|the|of|with|and|or|to|for|in|on|by|was|is|are|were|has|had|no|nor|her|his|at|from|that|which|as|she|he)$",
    re.IGNORECASE,
)
_QUERY = re.compile(r"[ \t/]\?[ \t]*\w")
_STOP = re.compile(
    r"((?<![.!?])(?!(?<=\s)\.{4})[.!?]++[\"'\u201d\u2019)\]]*+)"
    r"(?:\s+(?=[\"'\u201c(\[_A-Z0-9*#+\u2022<-]|\?|[^\W\da-z_]|[a-z][A-Z]{2})|(?=,\s*[A-Z0-9])|(?<=[a-z)\d]{2}\.)(?=[A-Z][a-z])|(?P<low>(?:(?<=[a-z]{4}\.)|(?<=\d{4}\.)|(?<=\d\.\d\.)|(?<=\)\.)|(?<=\bago\.))\s+(?=[a-z]{2}|[a-z]/[a-z])))"
)
_JOINS = ".'/"
_IN_WORD = ascii_letters + digits + _JOINS
_NEXT = re.compile(r"[\s,]*[\"'(\[]?([A-Za-z]+|\d+)")
_LOW_WORD = re.compile(r"[a-z]+(?:/[a-z]+)?")
_DOTTED = re.compile(r"(?:[a-z]\.)+[a-z]")
_LAST_GAP = re.compile(r"(?s)^.*\s")
