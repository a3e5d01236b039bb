"""Whether a statement about an allergy is denied, or a condition or a question rather than a fact.

Takes places of a text; looks at the few words before them. It does not know what is stated.
"""

import re
from collections.abc import Iterator
from itertools import islice

from backend.nlp.attributes.gated_patterns import Gated


def cues(gate: Gated, text: str, start: int, end: int, lowered: str) -> Iterator[re.Match[str]]:
    """The places of a pattern in text[start:end], which is `lowered` in lower case: one for a row of them ("ALLERGIES ALLERGIES"), and no more than any sentence holds."""
    passed = -1
    for match in islice(gate.finditer(text, start, end, lowered), _MOST_CUES):
        if passed < 0 or text[passed : match.start()].strip():
            yield match
        passed = match.end()


def doubted(text: str, start: int, at: int) -> bool:
    """Whether the statement is a condition or a question put to the patient, not a fact."""
    return bool(_IF.search(text, max(start, at - 40), at))


def denied(text: str, start: int, at: int) -> bool:
    """Whether a denial stands at most 30 characters before a place."""
    return bool(_NO.search(text, max(start, at - 30), at))


def tolerated(denial: str) -> bool:
    """Whether a denial only says what is taken without harm ("tolerates cephalexin"), and nothing of allergies."""
    told = denial.lower()
    return "allerg" not in told and ("tolerat" in told or _CAN_TAKE.search(told) is not None)


_CAN_TAKE = re.compile(r"\b(?:can|able to|may|is ok|is okay|is fine)\b")
_MOST_CUES = 25
_IF = re.compile(
    r"\b(?:if|in case of|should (?:you|he|she|there)|watch for|monitor(?:ed)? for|signs of|call for|risk of|whether|rule out|r/o|test(?:ed|ing) for)\b[^,;.]*$",
    re.IGNORECASE,
)
_NO = re.compile(r"\b(?:no|denies|denied|without|not|never|any)\b(?:\s+\w+){0,3}\s*$", re.IGNORECASE)
# What the team is to do next is no allergen: "(muscle aches), start ezetimibe".
ORDER = re.compile(
    r"(?:start|begin|switch|use|give|continue|consider|try|plan|order|check|add|will|recommend|change|refer|follow|hold|stop|avoid|resume)\b",
    re.IGNORECASE,
)
