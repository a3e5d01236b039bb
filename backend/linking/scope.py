"""The value that says how far a cue reaches: a stretch of words and what is said of the mentions in it."""

from typing import NamedTuple

from backend.schemas.vocabulary import Assertion


class Scope(NamedTuple):
    """Words first to last, last left out, and what is said of them; cue_first to cue_last are the words that say it."""

    assertion: Assertion
    first: int
    last: int
    cue_first: int
    cue_last: int
