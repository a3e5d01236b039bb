"""Patterns that are sought only in a sentence that holds some of their letters: most sentences hold none, and cost no search.

Takes a pattern and pieces of words, in lower case, one of which stands in whatever the pattern matches. It reads nothing itself.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple


class Gated(NamedTuple):
    """A pattern and its pieces of words, divided by blanks where they are made: `gated(pattern, "allerg react")`."""

    pattern: re.Pattern[str]
    pieces: tuple[str, ...]

    def finditer(self, text: str, start: int, end: int, lowered: str) -> Iterable[re.Match[str]]:
        """The matches within text[start:end], which is `lowered` in lower case."""
        return self.pattern.finditer(text, start, end) if self.within(lowered) else ()

    def within(self, lowered: str) -> bool:
        """Whether a sentence in lower case holds one of the pieces."""
        for piece in self.pieces:  # noqa: SIM110 - a generator takes longer, and this saves time
            if piece in lowered:
                return True
        return False


def gated(pattern: re.Pattern[str], pieces: str) -> Gated:
    """A pattern with its pieces of words, divided by blanks."""
    return Gated(pattern, tuple(pieces.split()))
