"""Cuts a piece of a note into the lines and clauses that a letter may tell by themselves.

Takes the note's text with its tokens; gives stretches. It knows no statements and weighs nothing.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from backend.generation.letter.plain_language.letter_words import lists
from backend.generation.letter.plain_language.verb_forms import is_auxiliary, is_past
from backend.nlp.document.clauses import clause_borders
from backend.nlp.document.tokens import Tokens
from backend.nlp.rules.word_lists import word_lists

_LEADING = re.compile(
    r"^(?:\s*(?:[-•*#]|\(?\d{1,2}[.)](?!\d)|\d{1,2}(?=\s[A-Z])|\(?[a-z][.)](?=\s))\s*)+|^\s*[A-Z][A-Za-z]*(?:[ /&][A-Za-z]+){0,3}:\s+"
)
_TRAILING = re.compile(r"\s*\n\s*\d{1,2}[.)]?\s*$|(?:[\s,;]+however)?[\s,;-]+$|[\s,;]+however$", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_WRAPPED = 60
"""Code points of a line from which the next may go on with its sentence."""
_LINE = re.compile(r"\s*(?:[-•*+]|\d+[.)]?\s|[A-Z])")
_BORDERS = frozenset((",", "and", "but", "then", ";", "however"))
_LONG = 24
"""Words of a sentence from which it is told clause by clause."""


def stretches(note: str, found: Tokens, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The lines of a piece, and of a long one the clauses that can stand alone: where each begins, and its words without marks."""
    borders = [start, *_line_ends(note, start, end), end]
    for a, b in pairwise(borders):
        for left, right in _clauses(note, found, a, b):
            lead = _LEADING.match(note[left:right])
            begin = left + (lead.end() if lead else 0)
            following = _FIRST_WORD.match(note, begin, right)
            if lead and ":" in lead[0] and following and following[0].lower() in lists()["patient_verbs"]:
                begin = (
                    left + len(lead[0]) - len(lead[0].lstrip(" \t\n-•*"))
                )  # "Any fresh blood: call" has its condition there
            trail = _TRAILING.search(note[begin:right])
            stop = begin + trail.start() if trail else right
            while begin < stop and note[begin].isspace():
                begin += 1
            if begin < stop:
                yield left, begin, stop


def _line_ends(note: str, start: int, end: int) -> Iterator[int]:
    """Where a piece has a new line that is no wrapped one: a mark or a capital opens it, or the line before is short."""
    at = start
    while (at := note.find("\n", at, end)) >= 0:
        before = at - max(start, note.rfind("\n", 0, at) + 1)
        if before < _WRAPPED or _LINE.match(note, at + 1):
            yield at + 1
        at += 1


def _clauses(note: str, found: Tokens, start: int, end: int) -> Iterator[tuple[int, int]]:
    first, last = bisect_left(found.starts, start), bisect_left(found.starts, end)
    words = found.words
    own = lists()
    cut = [i for i in range(first + 1, last) if words[i] == ";" or _turns(words, first, i, last)]
    if last - first > _LONG:
        for i in clause_borders(words, first, last):
            k = _behind(words, i, last)
            stands = k < last and (words[k] in own["clause_subjects"]) and words[i] in (",", "and", "but", ";")
            before = max((_behind(words, one, last) for one in cut if one < i), default=first)
            if stands and _complete(words, before, i) and i not in cut:
                cut.append(i)
    begin = start
    for i in sorted(cut):
        yield begin, found.starts[i]
        k = _behind(words, i, last)
        k = next((h for h in range(i, k) if words[h] == "however"), k)  # it says that the clause takes something back
        begin = found.starts[k] if k < last else end
    if begin < end:
        yield begin, end


def _behind(words: Sequence[str], i: int, last: int) -> int:
    """The first word behind a border of clauses."""
    return next((k for k in range(i + 1, last) if words[k] not in _BORDERS), last)


def _turns(words: Sequence[str], first: int, i: int, last: int) -> bool:
    """Whether a clause of its own begins at "however": "no scan now, however if it lasts we will order one"; not "he, however, denies"."""
    behind = words[_behind(words, i, last) : last]
    own = lists()
    begins = bool(behind) and behind[0] in own["clause_subjects"] | own["openers"] | own["relatives"]
    finite = (is_past(word) or is_auxiliary(word) or word in own["modals"] for word in words[first:i])
    return words[i] == "however" and begins and any(finite)


def _complete(words: Sequence[str], first: int, i: int) -> bool:
    """Whether the words before i can stand alone: a verb of their own, no clause that only begins, no phrase that leads on."""
    own, verbs_of = lists(), word_lists("attributes/words_clauses")["verbs"]
    if words[first] in own["openers"] | own["half_openers"]:
        return False
    verb = next((k for k in range(i - 1, first, -1) if words[k] in verbs_of or is_past(words[k])), None)
    if verb is None or any(words[k] in own["openers"] - own["prepositions"] for k in range(verb + 1, i)):
        return False
    mark = next((k for k in range(i - 1, verb, -1) if words[k] in (",", "and", "but")), None)
    return mark is None or words[mark + 1] not in own["prepositions"]
