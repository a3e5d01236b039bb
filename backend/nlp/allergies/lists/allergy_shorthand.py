"""Reads allergies in the shorthand of running text: "all: pcn.", "allergies unobtainable".

Takes a sentence; gives entries and spans. Only medicines and allergens that are surely such count after a bare
"all". It does not read sentences that tell: allergy_prose does.
"""

import re
from typing import NamedTuple

from backend.nlp.allergies.allergens import SURE, Allergens
from backend.nlp.allergies.allergy_entry import Entry
from backend.nlp.allergies.lists.allergy_entries import entries

Span = tuple[int, int]


class Shorthand(NamedTuple):
    """What a sentence lists after a bare "all", and the spans that say there is none."""

    listed: list[Entry]
    none: list[Span]


def shorthand(text: str, start: int, end: int, allergens: Allergens) -> Shorthand:
    """What follows a bare "all", if it is medicines and nothing else, or none."""
    found = Shorthand([], [])
    if all(text.find(word, start, end) < 0 for word in ("all", "ALL", "All", "alg")):
        return found
    for match in _ALL.finditer(text, start, end):
        said = match.span("said")
        if text[match.start() - 2 : match.start()].startswith(",") and _NONE.match(text, *said):
            continue  # "skin tests for allergies, all negative, and ..."
        if _NONE.fullmatch(text, *said):
            found.none.append(said)
            continue
        listed = entries(text, *said, allergens.known)
        concepts = [allergens.concept(text[one.start : one.end]) for one in listed]
        if all(one is not None and one.category in SURE for one in concepts):
            found.listed.extend(listed)
    return found


def not_obtained(text: str, start: int, end: int) -> list[Span]:
    """Where a sentence says that the allergies could not be found out."""
    return [match.span() for match in _NOT_OBTAINED.finditer(text, start, end)]


_NOT_OBTAINED = re.compile(
    r"\b(?:will not|won't|would not|refuses to|declines to|cannot|can't|unable to|too \w+ to)\s+(?:answer|give|tell|provide|discuss|say|name)\b[^.;\n]{0,50}\ballerg(?:y|ies)\b"
    r"|\bnor (?:his|her|their|the) allerg(?:y|ies) (?:could|can) be \w+|\ballerg(?:y|ies)(?: history| status)?\s+(?:could not|couldn't|cannot|can't|unable to) be \w+|\b(?:unable to|could not|cannot) (?:obtain|assess|ascertain|verify|get)\b"
    r"[^.;\n]{0,60}\ballerg(?:y|ies)\b|\ballerg(?:y|ies)\s+(?:(?:are|were|is)\s+)?(?:unknown|unk|not known|unobtainable|not obtained|unavailable|not available)\b"
    r"|\b(?:not|n't)\s+(?:know|sure|certain|aware|recall|remember|tell us|say)\s+(?:if|whether|about|what|which)\b[^.;\n]{0,30}\ballerg(?:y|ies|ic)\b(?!\s+to\b(?! any))|\b(?:unsure|uncertain)\s+(?:if|whether|about|of)\b[^.;\n]{0,30}\ballerg(?:y|ies|ic)\b(?!\s+to)",
    re.IGNORECASE,
)
# "all: pcn." at the start of a line or after a full stop, up to the next mark
_ALL = re.compile(
    r"(?:(?<![^\n])|(?<=[.;,\d]\s)|(?<=[.;,]))(?:all|ALL|All|alls|algs?)(?:\s*:)?\s+(?P<said>(?:[a-zA-Z][^.;:\n]{1,50}?|0))(?=\s*(?:[.;\n]|$))"
)
_NONE = re.compile(r"none|nil|0|zero|nkd?a|neg|negative|denie[sd]|no", re.IGNORECASE)
