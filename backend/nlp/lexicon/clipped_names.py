"""Read the beginning of a medicine's name as that medicine: "levetir", "omep".

Takes the words of the names and those of medicines; gives, for a word that is none of them, the names that it begins. It is the
beginning of one medicine alone: of no other name, whatever it is of, and of no English word. It does not know the rest of the note.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.lexicon.variants import american, english_words
from backend.nlp.rules import RULES, rule_rows

LEAST_LETTERS = 4
_LEFT_OFF = 2
"""Letters that a clipped name lacks at least: what lacks one is misspelt."""
_MOST_BEGUN = 40
"""Words that may begin so; a beginning of more is of no use."""


class UsualClip(NamedTuple):
    """A clipped name that usage decides though other words begin so, and whether a bare number behind it is its dose."""

    read: str
    numbered: bool


def whole_names(clip: str, words: Sequence[str], medicines: frozenset[str]) -> list[str]:
    """The shortest words that a clipped one begins, all of medicines; none where another word begins so as well.

    Args:
        clip: an unknown word in its normal form.
        words: every word of the names, in order.
        medicines: those of medicines.
    """
    if not (len(clip) >= LEAST_LETTERS and clip.isascii() and clip.isalpha()):
        return []
    begun = [word for form in {clip, american(clip)} for word in _begun(form, words)]
    shortest = [word for word in begun if not any(word != other and word.startswith(other) for other in begun)]
    english = [word for word in _begun(clip, _english()) if not any(word.startswith(one) for one in shortest)]
    if len(begun) > _MOST_BEGUN or english or not medicines.issuperset(shortest):
        return []
    return shortest if all(len(word) >= len(clip) + _LEFT_OFF for word in shortest) else []


@lru_cache(maxsize=1)
def usual_clips() -> dict[str, UsualClip]:
    """The clipped names that usage decides, by the word."""
    rows = rule_rows(RULES / "lexicon" / "clipped_names.tsv", 5)
    return {clip: UsualClip(read, number == "dose") for clip, read, number, _, _ in rows}


def _begun(clip: str, words: Sequence[str]) -> list[str]:
    first = bisect_left(words, clip)
    last = bisect_left(words, clip + "{", first)
    return list(words[first : min(last, first + _MOST_BEGUN + 1)])


@lru_cache(maxsize=1)
def _english() -> tuple[str, ...]:
    return tuple(sorted(english_words()))
