"""Where a history ends without a header: at a line that begins with vital signs, a family's also with its paragraph.

A short note goes on from "Past history: ..." to "T 38.9, HR 116, BP 112/70. Red eyes." after no more than a line break. What
follows is of today, whatever header stands above it. "FH: father gout." is a paragraph, and the next one is of the patient.
It does not know names of findings.
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
    rf"\n[^\S\n]*(?=(?:(?:VS|Vitals?(?: signs)?|Obs|O/?E|PE|O|Exam(?:ination)?|On exam(?:ination)?)\b\s*[:,-]?\s*)?{_SIGN}\s*[:=]?\s*\d[\d./]*[^\S\n]*(?:\u00b0?[CF]\b|%|/min|mmHg|RA)?[,;]?\s+{_SIGN}\s*[:=]?\s*\d)"
)


_PARAGRAPH = re.compile(r"\n[ \t]*\n")


def history_end(text: str, body: int, end: int, category: SectionCategory, title_end: int) -> int:
    """Where a history ends: at its first line that begins with two vital signs, a family's on its title's line with the paragraph.

    Args:
        text: the note.
        body: where the history begins.
        end: where the next header stands.
        category: which history.
        title_end: where its title ends.
    """
    found = _VITALS.search(text, body, end)
    last = found.end() if found else end
    if category is SectionCategory.FAMILY_HISTORY and "\n" not in text[title_end:body]:
        paragraph = _PARAGRAPH.search(text, body, last)
        return paragraph.end() if paragraph else last
    return last
