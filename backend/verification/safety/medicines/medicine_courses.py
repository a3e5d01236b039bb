"""Whether the words around a medicine say that its course is over, so that it is no medicine taken now.

Takes the note's text and a mention; reads the mention's own sentence. Nothing said means that it is taken.
"""

import re

from backend.nlp.document import sentences
from backend.schemas.drafts.note import Mention

BEFORE, AFTER = 300, 120  # characters looked at


def course_over(text: str, mention: Mention) -> bool:
    """`was treated with`, `finished a course of`, `no longer takes`, `last … course`, `was stopped`."""
    before, after = sentence_around(text, mention)
    return _OVER.search(before) is not None or _OVER_AFTER.match(after) is not None


def sentence_around(text: str, mention: Mention) -> tuple[str, str]:
    """What stands before and after a mention in its own sentence."""
    start, end = max(0, mention.start_char - BEFORE), min(len(text), mention.end_char + AFTER)
    for first, last in sentences(text, start, end):
        if first <= mention.start_char < last:
            return text[first : mention.start_char], text[mention.end_char : last]
    return text[start : mention.start_char], text[mention.end_char : end]


_UP_TO_IT = r"\s+(?:[\w'/%.-]+,?\s+){0,5}$"
_OVER = re.compile(
    r"\b(?:(?:was|were) treated with|finish(?:ed|ing)|completed|(?:an?|one|two|three|last|previous|\d+[ -]day) courses? of|tried|trials? of|failed"
    rf"|used to take|stopped|discontinued|no longer(?: takes| taking| on)?|previously on){_UP_TO_IT}"
    r"|\b(?:last|previous|prior)\s+$",
    re.IGNORECASE,
)
_OVER_AFTER = re.compile(
    r"\s?\((?:finished|completed|stopped|ended)\b|\s(?:courses?\b|[\w ]{0,20}?(?:was|were) (?:stopped|discontinued|finished)\b|(?:gave|caused|made|upset|did not help|in (?:19|20)\d\d)\b)",
    re.IGNORECASE,
)
