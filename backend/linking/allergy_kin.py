"""Whose allergy a sentence tells: words by which it speaks of a relative and not of the patient.

Patterns, and the parts of a sentence that are not of the relative; backend.linking.allergies decides what they count for.
"""

import re
from collections.abc import Iterator


def beside(text: str, start: int, end: int, told: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The clauses of a sentence before and after the one that tells a relative's allergy.

    told: RELATIVE's match. "NKDA; her mother is allergic to sulfa, the patient herself to nothing" gives the first and the last.
    """
    before = [mark.start() for mark in _BORDER.finditer(text, start, told.start())]
    if before:
        yield start, before[-1]
    after = _BORDER.search(text, told.end(), end)
    if after and after.end() < end:
        yield after.end(), end


KIN = re.compile(
    r"\b(?:father|mother|brother|sister|son|daughter|aunt|uncle|cousin|grand\w+|parents?|siblings?|wife|husband|dad|mom|mum|niece|nephew"
    r"|child(?:ren)?|family|maternal|paternal|relatives?|twin)(?:'s|s)?\b",
    re.IGNORECASE,
)
RELATIVE = re.compile(
    r"\b(?:father|mother|brother|sister|son|daughter|aunt|uncle|cousin|grand(?:mother|father|parent)|parents?|siblings?|wife|husband|dad|mom"
    r"|niece|nephew|children|family members?|family history)(?:'s|s)?\b(?!\s+(?:told|tells|thinks?|thought|believes?|recalls?|remembers?|mentions?|insists?|knows?|warns?|warned|asks?|confirmed|adds?|explains?|reports?|states?|says|said|notes|confirms|stated|reported|that))"
    r"(?:\s+(?:is|was|has|had|have|also|both|are|with|who|of|reportedly|a|an|known|history|severe|multiple|anaphylaxis|(?!that\b|he\b|she\b|patient\b|pt\b)[\w-]+)){0,6}?"
    r"\s+(?:allerg|anaphyla)|\ballerg\w+[^.;,]{0,40}\bin (?:her|his|the) (?:father|mother|brother|sister|son|daughter|family|parents|siblings)",
    re.IGNORECASE,
)
# What sets a clause of its own apart; a bare comma does not: "mother is allergic to sulfa, penicillin and eggs".
_BORDER = re.compile(
    r";|,?\s+(?:but|whereas|while|however|although|though|even though)\s+|,\s+(?=(?:the )?(?:patient|pt|he|she)\b)|,\s+(?=(?:her|his) (?:mother|father|sister|brother|son|daughter)\b)",
    re.IGNORECASE,
)
