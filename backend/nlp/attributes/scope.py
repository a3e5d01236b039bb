"""The value that says how far a cue reaches: a stretch of words and what is said of the mentions in it."""

from collections.abc import Sequence
from typing import NamedTuple

from backend.schemas.vocabulary import Assertion


class Scope(NamedTuple):
    """Words first to last, last left out, and what is said of them; cue_first to cue_last are the words that say it."""

    assertion: Assertion
    first: int
    last: int
    cue_first: int
    cue_last: int

    def within(self, marks: Sequence[int]) -> "Scope":
        """The scope cut to the entry of a numbered list that its cue stands in; one said before the list reaches all of it.

        marks: where the entries begin, at least one, in order.
        """
        own = max((mark for mark in marks if mark <= self.cue_first), default=None)
        if own is None:
            return self
        following = min((mark for mark in marks if mark > self.cue_first), default=self.last)
        return self._replace(first=max(self.first, own), last=min(self.last, following))
