"""Reads what was once an allergy and is none: removed after testing, outgrown, entered in error.

Takes a stretch of text, gives the spans of such statements. It does not know what they speak of.
"""

import re
from collections.abc import Iterator


def withdrawn(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What was once listed and is no longer: "penicillin allergy removed after testing", "sulfa: entered in error"."""
    lowered = text[start:end].lower()
    if not any(word in lowered for word in _TAKEN_BACK):
        return  # the pattern begins anywhere, and so is dear
    for match in _WITHDRAWN.finditer(text, start, end):
        yield match.span()


_TAKEN_BACK = (
    "error",
    "remov",
    "label",
    "prove",
    "refute",
    "ruled out",
    "excluded",
    "taken off",
    "outgr",
    "resolved",
    "challenge",
    "skin test",
    "delete",
    "cleared",
    "no longer",
)
# What goes on about it after a comma; anything else there may be the next entry: "codeine (entered in error), morphine".
_REST = (
    r"[^.,;()\n]*(?:,(?=\s*(?:per|by|after|since|confirmed|documented|now|who|which|later|as|on|in|label\w*|test\w*|skin|oral|negative|passed|no|deleted|removed"
    r"|(?:(?:s?he|they|patient|pt|has|had|have|been|and) )*(?:tolerat\w+|took|takes|taken|taking))\b)[^.,;()\n]*)*(?:\)|\s*\([^()\n]*\))?"
)
_WORD_END = r"(?:(?<!\s)|(?=,))"  # blanks are read once, from the first of them
_WITHDRAWN = re.compile(
    r"(?:[^.;,\n]|(?<!\.)\.{4,}+){0,60}?(?:\b(?:removed|deleted)\b[^.;,\n]{0,20},\s*)?(?:\ballerg(?:y|ies)(?: (?:label|flag|entry|alert|listing))?(?: \([^()\n]{1,30}\))?,?\s+(?:(?:was|were|is|has|have|been|now|since|later|but)\s+)*(?:removed|deleted|de-?label+ed|disproved|disproven|refuted"
    rf"|ruled out|excluded|taken off|cleared|outgrown|resolved)|\b(?:entered|listed|recorded|documented|added)\s+in\s+error"
    rf"|(?<!not )(?<!never )(?<!be )\b(?:de-?label+ed|removed from (?:(?:the|his|her|their|our|allergy) ){{0,2}}(?:list|chart|records?|profile)))\b{_REST}"
    rf"|[^.;,\n]{{0,80}}?\ballerg(?:y|ies|ic)\b[^.;,\n]{{0,40}}{_WORD_END},?\s++(?:but\s+|which\s+|and\s+|that\s+)?(?:(?:he|she|they|has|have|had|is|was|since|later|now)\s+)*(?:outgrew|outgrown|grew out of|no longer (?:has|reacts?|a problem))\b{_REST}"
    rf"|[^.;,\n]{{0,80}}?\ballerg(?:y|ies|ic)\b[^.;,\n]{{0,40}}{_WORD_END},?\s++(?:until|but|and|then|later|since)\s+[^.;,\n]{{0,30}}?(?:passed|negative|normal)\b[^.;,\n]{{0,30}}\b(?:challenge|skin test\w*)\b{_REST}"
    rf"|[^.;,\n]{{0,60}}?\ballergy\b[^.;,\n]{{0,25}},\s+(?:now |since |long )?resolved\b{_REST}"
    r"|\b(?:outgrew|outgrown|grew out of)\s+[^.;,\n]*",
    re.IGNORECASE,
)
