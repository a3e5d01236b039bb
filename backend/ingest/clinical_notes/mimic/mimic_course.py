"""Whether a history of present illness already tells what came after admission.

Such a history gives away what the discharge instructions are about, so a pair made from it is marked. The emergency
department's course is told apart: it is known when a patient is admitted. So is what happened in earlier stays and in
other hospitals.

Rules over sentences, with no knowledge of the case. They were written on invented histories; docs/sources.md has the figures.
"""

import re
from enum import StrEnum

from backend.nlp.document import sentences


class CourseScope(StrEnum):
    """The furthest that a history goes."""

    BEFORE = "before"
    EMERGENCY = "emergency"
    STAY = "stay"


_UNIT = r"(?:[MSCTN]?ICU|CVICU|PACU|floors?|wards?|telemetry|step-?down(?: unit)?|medical service|medicine service|medicine|surgery service|OR|operating room|cath(?:eterization)? lab)"
# Sure signs: they speak of this stay wherever they stand. "On the floor" does so only where a sentence begins with it: else
# it may be where somebody was found.
_SURE = re.compile(
    rf"""
    \bhospital\ day\b|\bHD\ ?\#\ ?\d|\bon\ HD\ ?\d+\b(?!\ ?(?:x|times|days|/|per))
    |\b(?:brief\ )?hospital\ course\b(?!\ at\b)
    |\bduring\ (?:this|the\ current|the\ present)\ (?:hospitali[sz]ation|hospital\ stay|admission|stay)\b
    |\b(?:rest|remainder)\ of\ (?:his|her|the|their)\ (?:hospitali[sz]ation|hospital\ stay|stay|admission)\b
    |\b(?:arrival|arriving|transfer|transferred)\ (?:to|on|onto)\ (?:the\ )?(?:medical\ |surgical\ |medicine\ |general\ )?{_UNIT}\b
    |\bcalled\ out\ (?:of|from|to)\b
    |^\W*on\ the\ floor\b|\b(?:upon|once\ on|(?:upon|on)\ reaching)\ (?:the\ )?(?:floor|ward)\b
    |\bon\ (?:the\ )?(?:medical|surgical|medicine)\ (?:floor|ward)\b|\bon\ the\ ward\b(?!\ of\b)
    |\bby\ the\ (?:day|time)\ of\ discharge\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Signs that count unless the sentence speaks of an earlier stay or of another hospital.
_LIKELY = re.compile(
    rf"""
    \b(?:was|were|is|being|been|and|then)\ (?:\w+\ ){{0,2}}(?:admitted|brought|taken|sent|moved)\ (?:directly\ )?to\ (?:the\ |our\ )?
        (?:\w+\ )?{_UNIT}\b
    |\bduring\ (?:(?:his|her|their|the)\ )?(?:hospitali[sz]ation|hospital\ stay|inpatient\ stay|admission|stay)\b
    |\bwhile\ (?:inpatient|hospitali[sz]ed|in\ house|in-house|in\ the\ hospital|admitted)\b
    |\b(?:was|were|is|and|then)\ (?:\w+\ ){{0,2}}discharged\b|\b(?:at|on|before|prior\ to|for)\ (?:the\ time\ of\ )?discharge\b(?!\ (?:from|of)\ (?:the\ )?(?:ear|eye|nose|nipple|wound|penis|vagina))
    |\b(?:was|were)\ (?:\w+\ ){{0,2}}(?:extubated|weaned|transitioned|diuresed)\b
    |\btolerated\ (?:the\ )?(?:procedure|surgery|operation)\b|\bpost-?operative(?:ly)?\ course\b
    |\b(?:on|by|until)\ (?:POD|post-?operative\ day)\W{{0,2}}\d
    |\b(?:after|following)\ admission\b|\bcourse\ of\ (?:his|her|their|the)\ (?:admission|hospitali[sz]ation|(?:hospital\ )?stay)\b
    |\b(?:in|from)\ the\ (?:[MSCTN]?ICU|CVICU|PACU)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ELSEWHERE = re.compile(
    r"\b(?:last|previous(?:ly)?|prior|recent(?:ly)?|earlier|past|former|ago|since|OSH|outside hospital|another hospital|"
    r"other hospital|referring hospital|history of|h/o|admissions|hospitali[sz]ations|in (?:19|20)\d\d|in (?:January|February|March|"
    r"April|May|June|July|August|September|October|November|December)|years?|months?|weeks?)\b(?! to (?:discharge|transfer))",
    re.IGNORECASE,
)
# After a sentence like these, what came before was before this stay.
_COMES = re.compile(
    r"\b(?:re-?)?present(?:s|ed|ing)\b|\breturn(?:s|ed|ing)\b|\b(?:came|comes|coming) (?:in|to|back)\b|"
    r"\bbrought (?:in|to) (?:by|the (?:ED|emergency))|\bnow (?:with|has|p/w)\b|\bp/w\b|\bsince (?:then|discharge|that)\b|"
    r"\bsent (?:in|to the (?:ED|emergency))|\b(?:in|to) the (?:ED|ER|emergency)\b",
    re.IGNORECASE,
)
_EMERGENCY = re.compile(r"\b(?:ED|ER|EW)\b|\bemergency (?:department|room|ward)\b", re.IGNORECASE)


def course_scope(history: str) -> CourseScope:
    """How far a history goes: `before` admission, into the `emergency` department, or into the `stay`."""
    parts = [" ".join(history[start:end].split()) for start, end in sentences(history)]
    coming = [place for place, part in enumerate(parts) if _COMES.search(part)]
    last_coming = coming[-1] if coming else -1
    for place, part in enumerate(parts):
        if _SURE.search(part) and not _ELSEWHERE.search(part):
            return CourseScope.STAY
        if place >= last_coming and not _ELSEWHERE.search(part) and _after(_COMES, _LIKELY, part, place == last_coming):
            return CourseScope.STAY
    return CourseScope.EMERGENCY if any(_EMERGENCY.search(part) for part in parts) else CourseScope.BEFORE


def _after(comes: re.Pattern[str], sign: re.Pattern[str], part: str, same: bool) -> bool:
    """Whether a sign stands in the sentence, behind the coming where the sentence tells that too."""
    start = max((found.end() for found in comes.finditer(part)), default=0) if same else 0
    return sign.search(part, start) is not None
