"""The words of a text as names are sought in them: which stand together, and which could be one.

Takes a text and its tokens; gives words with the block they stand in (no name crosses a full stop) and the line (no
re-ordered name crosses that). It does not know names.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from backend.nlp.document.tokens import HYPHENS, Tokens, possessive, word_set

_BREAKS = frozenset('.,;:()[]{}?!"|=<>+*\u2022\u00b7\u201c\u201d#@~\u2192')
_AFTER_COMMA = word_set("type stage grade class unspecified nos acute chronic not")
TITLES = word_set("dr mr mrs ms miss prof doctor")
_GLUE = HYPHENS | {"."}
_SHOUTED = 0.8
_MOST_JOINED = 5
_INITIALS = 2  # letters of a part of "S.O.B" and "St.John"


class Word(NamedTuple):
    """One word. titled: a person's name after a title. shouted: in a line of capitals, where they tell nothing.

    glued: it follows the word before it by a hyphen or dot alone, as in "x-ray" and "S.O.B.".
    """

    start: int
    end: int
    normal: str
    titled: bool = False
    shouted: bool = False
    glued: bool = False


_made = partial(tuple.__new__, Word)
"""A Word of its six fields, at half the cost of calling Word: this is done for each word of each note."""


class Words(list[Word]):
    """Words with their blocks and lines, one a word, never falling."""

    blocks: list[int]
    lines: list[int]

    def part(self, first: int, last: int) -> "Words":
        """The words from first to last, last left out."""
        result = Words(self[max(0, first) : last])
        result.blocks, result.lines = self.blocks[max(0, first) : last], self.lines[max(0, first) : last]
        return result

    def add_apart(self, others: "Words") -> None:
        """Put other words behind these, in blocks of their own."""
        border = max(self.blocks[-1], self.lines[-1]) + 1
        self += others
        self.blocks += [block + border for block in others.blocks]
        self.lines += [line + border for line in others.lines]

    def joined(self, known: Callable[[str], bool]) -> "tuple[Words, list[int]]":
        """The same words with glued ones made one where that is a known word, and where those stand."""
        joins: list[tuple[int, int, str]] = []
        done = 0
        for glued in [i for i, word in enumerate(self) if word.glued and i]:
            first = longest = glued - 1
            if first < done:
                continue
            whole = meant = self[first].normal
            for j in range(glued, min(first + _MOST_JOINED, len(self))):
                if not self[j].glued:
                    break
                whole += self[j].normal
                if known(whole):
                    longest, meant = j, whole
            if longest > first:
                joins.append((first, longest, meant))
                done = longest + 1
        if not joins:
            return self, []
        result = Words()
        result.blocks, result.lines = [], []
        places: list[int] = []
        at = 0
        for first, last, meant in joins:
            result += self[at:first]
            result.blocks += self.blocks[at : first + 1]
            result.lines += self.lines[at : first + 1]
            places.append(len(result))
            result.append(self[first]._replace(end=self[last].end, normal=meant))
            at = last + 1
        result += self[at:]
        result.blocks += self.blocks[at:]
        result.lines += self.lines[at:]
        return result, places


def words_of(text: str, found: Tokens) -> Words:
    """The words among the tokens of a text."""
    result = Words()
    blocks, lines = list[int](), list[int]()
    result.blocks, result.lines = blocks, lines
    block = line = 0
    line_start = 0
    upper = letters = 0
    before_end, before = -1, ""
    add = result.append
    for i, (start, end, normal, is_word) in enumerate(zip(*found, strict=True)):
        if not is_word:
            if normal == "\n":
                _shout(result, line_start, upper, letters)
                line_start, upper, letters = len(result), 0, 0
                line += 1
                block += i > 0 and found.words[i - 1] == "\n"
            elif normal in _BREAKS and not _inside(text, found, i):
                block += 1
            continue
        if normal == "s" and possessive(text, found, i):
            continue
        if normal.isalpha():
            letters += 1
            upper += text[end - 1].isupper() and text[start:end].isupper()
        glued = start == before_end + 1 and text[start - 1] in _GLUE and before_end >= 0
        titled = before in TITLES and text[start].isupper()
        add(_made((start, end, normal, titled, False, glued)))
        blocks.append(block)
        lines.append(block + line)
        before_end, before = end, normal
    _shout(result, line_start, upper, letters)
    return result


def _shout(words: Words, first: int, upper: int, letters: int) -> None:
    if letters >= 4 and upper >= _SHOUTED * letters:
        for i in range(first, len(words)):
            words[i] = words[i]._replace(shouted=True)


def _inside(text: str, found: Tokens, i: int) -> bool:
    """Whether a mark stands inside a name rather than between two: "St. John", "E. coli", "S.O.B", "diabetes, type 2", "No. 3", "#3"."""
    mark = found.words[i]
    if i == 0 or i + 1 >= len(found.words):
        return False
    follows = found.ends[i - 1] == found.starts[i]
    nearby = found.starts[i + 1] == found.ends[i]
    if mark == "#" or (mark == "." and found.words[i - 1] == "no"):
        return found.words[i + 1].isdigit()
    if mark == ".":
        genus = len(found.words[i - 1]) == 1 and text[found.starts[i - 1]].isupper()
        species = genus and found.starts[i + 1] == found.ends[i] + 1 and text[found.starts[i + 1]].islower()
        full = len(found.words[i - 1]) > _INITIALS and text[found.starts[i + 1]].isupper()  # "Silent.Chest clear"
        full = full and len(found.words[i + 1]) > _INITIALS
        return follows and ((nearby and not full) or species or found.words[i - 1] == "st")
    if mark == "+":
        return follows and nearby
    return mark == "," and found.words[i + 1] in _AFTER_COMMA
