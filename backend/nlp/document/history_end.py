"""Where a history ends without a header: at a line that begins with vital signs.

A short note goes on from "Past history: ..." to "T 38.9, HR 116, BP 112/70. Red eyes." after no more than a line break. What
follows is of today, whatever header stands above it. It does not know names of findings.
"""

import re

from backend.schemas.vocabulary import SectionCategory

HOLDS_NO_VITALS = frozenset(
    (
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.MEDICATIONS,
        SectionCategory.IMMUNIZATIONS,
    )
)
_SIGN = r"(?:T|Tm|Temp(?:erature)?|BP|B/P|HR|Pulse|P|RR|R|Resp|SpO2|O2 ?sats?|Sats?|Weight)"
_VITALS = re.compile(
    rf"\n[^\S\n]*(?=(?:(?:VS|Vitals?(?: signs)?)\s*[:,-]?\s*)?{_SIGN}\s*[:=]?\s*\d[\d./]*[^\S\n]*(?:\u00b0?[CF]\b|%|/min|mmHg|RA)?[,;]?\s+{_SIGN}\s*[:=]?\s*\d)"
)


def history_end(text: str, body: int, end: int) -> int:
    """The offset of the first line of text[body:end] that begins with two vital signs, or `end`."""
    found = _VITALS.search(text, body, end)
    return found.end() if found else end
