"""Whether a sentence of a note tells of an earlier time than that of the note: "in 2012", "at that time", "3 years ago"."""

import re

_EARLIER = re.compile(
    r"\b(?:at that time|(?:years?|yrs?|months?|weeks?) (?:ago|back|earlier|prior|before)|in (?:19|20)\d\d|since (?:19|20)\d\d"
    r"|last (?:year|month|spring|summer|fall|winter)|previously|in the past|age of \d+|years? old when)\b",
    re.IGNORECASE,
)
"""By which a sentence tells of an earlier time."""
_REACHES = re.compile(
    r"\b(?:at that time|(?:years?|yrs?) (?:ago|back|earlier|prior|before)|in (?:19|20)\d\d|last year|in the past)\b",
    re.IGNORECASE,
)
"""By which also what follows it may be of that time."""
_COMPARED = re.compile(r"\b(?:unchanged|stable|compared|larger|smaller|changed|grown)\b[^.;]*", re.IGNORECASE)
"""What says how a finding of today stands to an earlier one."""
_HISTORY = re.compile(r"\bhistory of\b", re.IGNORECASE)


def is_earlier(text: str) -> bool:
    """Whether a sentence tells of an earlier time."""
    return _EARLIER.search(text) is not None


def reaches_on(text: str) -> bool:
    """Whether a sentence tells of an earlier time that what follows it may be of too."""
    return _REACHES.search(text) is not None


def tells_earlier(text: str) -> bool:
    """Whether what a sentence tells is of an earlier time or a history; not what compares today with it: "unchanged from 6 months ago"."""
    return is_earlier(_COMPARED.sub(" ", text)) or _HISTORY.search(text) is not None
