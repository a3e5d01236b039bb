"""Cuts a reply into headings and sentences while it is being written.

Code finds them, not the model. A sentence is given as soon as so much follows it that nothing more can change it, so that
the pieces in which a reply arrives make no difference. Text of a model that thinks aloud first (`<think>`) is left out.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from backend.generation.model.plain_text import without_start
from backend.nlp.document import sentences
from backend.prompts.citations import CLOSED

LOOKAHEAD = 120  # characters: longer than a heading, a next word, or the markers after a full stop
NEAR = 40  # a marker this near the end may still grow
THINK, THOUGHT = "<think>", "</think>"

_AFTER_STOP = re.compile(rf"([.!?]+[\"'”’)]*)(\s*(?:{CLOSED}\s*)+)", re.IGNORECASE)
_ENDED = re.compile(r"[.!?:;\]】］)\"'”’]\s*$")
_BREAKS = re.compile(r"[\x0b\x0c\x85\u2028\u2029]|<br\s*/?>", re.IGNORECASE)
_NUMBER = re.compile(r"^(?:section|part)?\s*(?:\d{1,2}|[ivx]{1,4})[.):]\s*", re.IGNORECASE)
_DECORATION = "*_#=~:-–— \t"


class ReplySentence(NamedTuple):
    """A sentence with its markers, as the model wrote it. last: it ends its paragraph."""

    text: str
    section: str
    last: bool = False


class SentenceStream:
    """Cuts one reply into sentences as it arrives.

    Args:
        headings: what a heading may be called, in lower case, to the document's heading.
        section: what stands before the first heading.
    """

    def __init__(self, headings: Mapping[str, str], section: str) -> None:
        self._headings = headings
        self._section = section
        self._line = ""
        self._begun = False
        self._thinking: bool | None = None
        self._held = ""

    def feed(self, piece: str) -> list[ReplySentence]:
        """The sentences that are whole now."""
        text = self._spoken(piece.replace("\r\n", "\n").replace("\r", "\n"))
        out: list[ReplySentence] = []
        # a break may come in two pieces, so it is looked for in the whole line
        *whole, self._line = _BREAKS.sub("\n", self._line + text).split("\n")
        for line in whole:
            out.extend(self._sentences(line, whole=True))
            self._begun = False
        if len(self._line) > LOOKAHEAD:
            out.extend(self._sentences(self._line, whole=False))
        return out

    def end(self, whole: bool = True) -> list[ReplySentence]:
        """What is left. whole: false where the reply was broken off; then a sentence without its end is left out."""
        line, self._line = self._line + (self._held if self._thinking is None else ""), ""
        found = self._sentences(line, whole=True)
        self._begun = False
        if not whole and found and not _ENDED.search(line):
            found = found[:-1]
        return found

    @property
    def pending(self) -> str:
        """The sentence being written, as far as it goes; empty while it may still be a heading or a thought."""
        return "" if not self._begun and self._may_be_heading() else self._line

    def _spoken(self, piece: str) -> str:
        """The piece without what was thought aloud before the reply."""
        if self._thinking is False:
            return piece
        self._held += piece
        start = self._held.lstrip()
        if self._thinking is None:
            if start[: len(THINK)].lower() != THINK[: len(start)]:
                self._thinking, held, self._held = False, self._held, ""
                return held
            if len(start) < len(THINK):
                return ""
            self._thinking = True
        _, closed, rest = self._held.partition(THOUGHT)
        if not closed:
            return ""
        self._thinking, self._held = False, ""
        return rest

    def _sentences(self, line: str, whole: bool) -> list[ReplySentence]:
        """The sentences of a line, or the first of them where the line goes on; what is left stays in `_line`."""
        if not self._begun:
            line = self._after_heading(line)
            self._begun = True
        text = _moved(line, len(line) if whole else len(line) - NEAR)
        spans = sentences(text)
        if not whole:
            spans = [span for span in spans[:-1] if span[1] + LOOKAHEAD <= len(text)]
            self._line = text[spans[-1][1] :] if spans else text
        last = len(spans) - 1 if whole else -1
        return [ReplySentence(text[a:b], self._section, place == last) for place, (a, b) in enumerate(spans)]

    def _after_heading(self, line: str) -> str:
        """The line without the heading it is or begins with, and without marks of a list."""
        bare = without_start(line)
        name = self._heading(bare)
        if name:
            self._section = name
            return ""
        title, colon, rest = bare.partition(":")
        name = self._heading(title) if colon else ""
        if name:
            self._section = name
            return rest.lstrip("*_ \t")
        return bare

    def _may_be_heading(self) -> bool:
        """Whether the line may yet become a heading: none so far, or the beginning of one."""
        if len(self._line) > LOOKAHEAD:
            return False
        name = _named(without_start(self._line))
        return not any(c.isalpha() for c in name) or any(heading.startswith(name) for heading in self._headings)

    def _heading(self, text: str) -> str:
        return self._headings.get(_named(text), "")


def _named(text: str) -> str:
    """A line as headings are compared: without number and decoration, in lower case."""
    return _NUMBER.sub("", text.strip(_DECORATION)).strip(_DECORATION).casefold()


def _moved(text: str, limit: int) -> str:
    """Markers that stand after a full stop put before it: they belong to the sentence that ended. Up to a place.

    Of a run of markers and stops all markers come first, so that a line read in pieces and at once comes out the same.
    """

    def before(match: re.Match[str]) -> str:
        if match.end() > limit:
            return match[0]
        marks = match[2].rstrip()
        return marks + match[1] + match[2][len(marks) :]

    while (moved := _AFTER_STOP.sub(before, text)) != text:
        text = moved
    return text
