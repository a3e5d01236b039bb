"""A sentence of an allergies section that is a list and a telling at once: "sulfa (hives), latex, her son says codeine made her ill".

Takes such a sentence, parted at semicolons already; gives its parts, each of which is read by itself. Read as a whole it would be
a telling, in which the list is lost. It does not know which of the parts tells an allergy.
"""

import re

from backend.nlp.allergies.lists.allergy_entries import entries
from backend.nlp.allergies.lists.allergy_pieces import Known, pieces
from backend.nlp.allergies.statements.allergy_prose import prose


def list_and_telling(text: str, start: int, end: int, known: Known) -> list[tuple[int, int]]:
    """The parts of text[start:end], without overlap and in order; the whole of it where it is one or the other."""
    if not prose(text[start:end]):
        return [(start, end)]
    listed = start
    for left, right in pieces(text, start, end, known):
        if not _names(text, left, right, known):
            break
        listed = right
    teller = _TELLER.match(text, listed, end)
    if listed == start or teller is None:
        return [(start, end)]
    return [(start, listed), (teller.end("mark"), end)]


def _names(text: str, start: int, end: int, known: Known) -> bool:
    """Whether a stretch is names with their reactions, the first of them known."""
    if prose(text[start:end]) or _TAKEN.match(text, start, end):
        return False
    found = entries(text, start, end, known)
    return bool(found) and known(text[found[0].start : found[0].end])


_TAKEN = re.compile(r"\s*(?:tolerates?|can|takes?|taking|treated|given|ok|okay|no|not|denies|carries)\b", re.IGNORECASE)
_TELLER = re.compile(
    r"(?P<mark>\s*[,;]\s*(?:and\s+)?)(?:(?:her|his|the|a|my|patient's)\s+)?(?:wife|husband|spouse|partner|son|daughter|mother|father|mom|mum|dad|sister|brother"
    r"|family|she|he|they|pt|patient|also|reports?|states?|says?|endorses)\b",
    re.IGNORECASE,
)
