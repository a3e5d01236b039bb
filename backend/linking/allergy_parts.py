"""A sentence of an allergies section that is a list and a telling at once: "sulfa (hives), latex; her son says codeine made her ill".

Takes such a sentence; gives its parts, each of which is read by itself. Read as a whole it would be a telling, in which the list is
lost. It does not know which of the parts tells an allergy.
"""

import re

from backend.linking.allergy_entries import entries
from backend.linking.allergy_pieces import Known, pieces
from backend.linking.allergy_prose import prose


def list_and_telling(text: str, start: int, end: int, known: Known) -> list[tuple[int, int]]:
    """The parts of text[start:end], without overlap and in order; the whole of it where it is one or the other."""
    if not prose(text[start:end]):
        return [(start, end)]
    parts = _at_semicolons(text, start, end, known)
    if len(parts) > 1:
        return parts
    listed = start
    for left, right in pieces(text, start, end, known):
        if not _names(text, left, right, known):
            break
        listed = right
    teller = _TELLER.match(text, listed, end)
    if listed == start or teller is None:
        return [(start, end)]
    return [(start, listed), (teller.end("mark"), end)]


def _at_semicolons(text: str, start: int, end: int, known: Known) -> list[tuple[int, int]]:
    """The parts between semicolons, if some are names and others tell; what tells of nothing itself goes with the one before."""
    parts: list[tuple[int, int]] = []
    left = start
    for right in (*(mark.start() for mark in _MARK.finditer(text, start, end)), end):
        told = text[left:right]
        if parts and (told.count(")") > told.count("(") or not _tells_of(text, left, right, known)):
            parts[-1] = parts[-1][0], right
        elif told.strip():
            parts.append((left, right))
        left = right + 1
    names = [_names(text, *part, known) for part in parts]
    return parts if any(names) and not all(names) else [(start, end)]


def _tells_of(text: str, start: int, end: int, known: Known) -> bool:
    """Whether a part names something one can react to; a pronoun ("it made her lips swell") does not."""
    return _names(text, start, end, known) or (
        not _IT.match(text, start, end) and any(known(word[0].lower()) for word in _WORD.finditer(text, start, end))
    )


def _names(text: str, start: int, end: int, known: Known) -> bool:
    """Whether a stretch is names with their reactions, the first of them known."""
    if prose(text[start:end]) or _TAKEN.match(text, start, end):
        return False
    found = entries(text, start, end, known)
    return bool(found) and known(text[found[0].start : found[0].end])


_MARK = re.compile(";")
_WORD = re.compile(r"[A-Za-z][\w-]{2,}")
_IT = re.compile(r"\s*(?:and )?(?:it|this|that|which|both|these|they)\b", re.IGNORECASE)
_TAKEN = re.compile(r"\s*(?:tolerates?|can|takes?|taking|treated|given|ok|okay|no|not|denies|carries)\b", re.IGNORECASE)
_TELLER = re.compile(
    r"(?P<mark>\s*[,;]\s*(?:and\s+)?)(?:(?:her|his|the|a|my|patient's)\s+)?(?:wife|husband|spouse|partner|son|daughter|mother|father|mom|mum|dad|sister|brother"
    r"|family|she|he|they|pt|patient|also|reports?|states?|says?|endorses)\b",
    re.IGNORECASE,
)
