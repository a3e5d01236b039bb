"""The words of a text as names are sought in them: which stand together, and which could be one.

Takes a text and its tokens; gives words with the block they stand in (no name crosses a full stop) and the line (no
re-ordered name crosses that). It does not know names.
"""

from collections.abc import Callable
from typing import NamedTuple

from backend.linking.tokens import HYPHENS, Tokens, possessive, word_set

_BREAKS = frozenset('.,;:()[]{}?!"|=<>+*\u2022\u00b7\u201c\u201d#@~\u2192')
_AFTER_COMMA = word_set("type stage grade class unspecified nos acute chronic not")
_TITLES = word_set("dr mr mrs ms miss prof doctor")
_GLUE = HYPHENS | {"."}
_SHOUTED = 0.8


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


class Words(list[Word]):
    """Words with their blocks and lines, one a word, never falling."""

    blocks: list[int]
    lines: list[int]

    def part(self, first: int, last: int) -> "Words":
        """The words from first to last, last left out."""
        result = Words(self[max(0, first) : last])
        result.blocks, result.lines = self.blocks[max(0, first) : last], self.lines[max(0, first) : last]
        return result

    def joined(self, known: Callable[[str], bool]) -> "tuple[Words, list[int]]":
        """The same words with glued ones made one where that is a known word, and where those stand."""
        result = Words()
        result.blocks, result.lines = [], []
        places: list[int] = []
        i = 0
        while i < len(self):
            longest = i
            whole = meant = self[i].normal
            j = i + 1
            while j < len(self) and self[j].glued and j - i < 5:
                whole += self[j].normal
                if known(whole):
                    longest, meant = j, whole
                j += 1
            if longest > i:
                places.append(len(result))
            result.append(self[i]._replace(end=self[longest].end, normal=meant))
            result.blocks.append(self.blocks[i])
            result.lines.append(self.lines[i])
            i = longest + 1
        return result, places


def words_of(text: str, found: Tokens) -> Words:
    """The words among the tokens of a text."""
    result = Words()
    result.blocks, result.lines = [], []
    block = line = 0
    line_start = 0
    upper = letters = 0
    for i, normal in enumerate(found.words):
        start, end = found.starts[i], found.ends[i]
        if not found.word[i]:
            if normal == "\n":
                _shout(result, line_start, upper, letters)
                line_start, upper, letters = len(result), 0, 0
                line += 1
                block += i > 0 and found.words[i - 1] == "\n"
            elif normal in _BREAKS and not _inside(text, found, i):
                block += 1
            continue
        if possessive(text, found, i):
            continue
        raw = text[start:end]
        letters += raw.isalpha()
        upper += raw.isalpha() and raw.isupper()
        before = result[-1] if result else None
        glued = before is not None and start == before.end + 1 and text[start - 1] in _GLUE
        titled = before is not None and before.normal in _TITLES and raw[:1].isupper()
        result.append(Word(start, end, normal, titled, False, glued))
        result.blocks.append(block)
        result.lines.append(block + line)
    _shout(result, line_start, upper, letters)
    return result


def _shout(words: Words, first: int, upper: int, letters: int) -> None:
    if letters >= 4 and upper >= _SHOUTED * letters:
        for i in range(first, len(words)):
            words[i] = words[i]._replace(shouted=True)


def _inside(text: str, found: Tokens, i: int) -> bool:
    """Whether a mark stands inside a name rather than between two: "St. John", "E. coli", "S.O.B", "diabetes, type 2"."""
    mark = found.words[i]
    if i == 0 or i + 1 >= len(found.words):
        return False
    follows = found.ends[i - 1] == found.starts[i]
    nearby = found.starts[i + 1] == found.ends[i]
    if mark == ".":
        genus = len(found.words[i - 1]) == 1 and text[found.starts[i - 1]].isupper()
        species = genus and found.starts[i + 1] == found.ends[i] + 1 and text[found.starts[i + 1]].islower()
        return follows and (nearby or species or found.words[i - 1] == "st")
    if mark == "+":
        return follows and nearby
    return mark == "," and found.words[i + 1] in _AFTER_COMMA
