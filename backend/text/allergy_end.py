"""Where an allergies section without a header after it gives way to the story.

"Allergies: PCN" is often the only header of a short note; what follows is no list of allergies. It ends at a blank line
before a paragraph that tells something else, or at a sentence that only the story has: an age, vital signs, a dose, a
laboratory value, what was given. A line that speaks of allergies or reactions always stays.
"""

import re

from backend.schemas.vocabulary import SectionCategory
from backend.text.headers import MAX_HEADER_CHARS, Kind, known_header
from backend.text.sentences import sentences

# "Medications", "Other" and "Immunizations" may head a part of a list of allergies.
_OWN = frozenset(
    (SectionCategory.ALLERGIES, SectionCategory.MEDICATIONS, SectionCategory.OTHER, SectionCategory.IMMUNIZATIONS)
)

_ALLERGY = re.compile(
    r"allerg|react|intoler|rash|hives|itch|anaphyla|swell|angioedema|urticaria|nausea|upset|cough|nkd|sensitiv|side effect"
    r"|\b(?:caus|made (?:her|him)|makes|gives|breaks out)",
    re.I,
)
_LISTED = re.compile(r"\s*(?:[-*•·●▪◦>]|\d{1,2}[.)]|[^\n]{0,80}(?:\||\t))")
_AGE = re.compile(
    r"\s*(?:(?:the |this |pt |patient )[\w ]{0,20})?(?:is )?(?:an? )?\d{1,3}[ -]?(?:y\.?\s?/?o\b|yo\b|years?\b|yr|[MF]\b)",
    re.I,
)
_STORY = re.compile(
    r"^\s*(?i:given|came|presented|presents|home|lives|was brought|brought|exam|plan|impression|last (?:menses|menstrual|meal|period|tetanus)|LMP|tetanus|yours|kind regards|I|we|thank you)\b"
    r"|\b(?:BP|HR|RR|SpO2|Temp|T|P)[ :]{1,2}\d|\b(?:K|Na|Cr|HCO3|Hgb|Hb|WBC|Plt|lactate|glucose|glu) \d"
    r"|\b\d+(?:\.\d+)? ?(?:mg|mcg|units|mL)\b",
)
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_LONG = 9  # words of a paragraph's first line that no list of allergies has


def allergies_end(text: str, body: int, end: int) -> int:
    """The offset at which the story begins again, or `end`."""
    start = len(text[body:end]) - len(text[body:end].lstrip()) + body
    for gap in _PARAGRAPH.finditer(text, start, end):
        line = text[gap.end() : end].split("\n", 1)[0]
        if _tells(line, _LONG) or _titled(line):
            end = gap.end()
            break
    for place, (first, last) in enumerate(sentences(text, start, end)):
        sentence = text[first:last]
        if place and _tells(sentence, 10_000):
            return first
    return end


def _titled(line: str) -> bool:
    """Whether a line is the header of another section, however it is set ("Objective")."""
    found = None if _ALLERGY.search(line) or len(line) > MAX_HEADER_CHARS else known_header(line)
    return found is not None and found.kind in (Kind.MAIN, Kind.LABEL) and found.category not in _OWN


def _tells(line: str, long: int) -> bool:
    """Whether a line or sentence belongs to the story."""
    if not line.strip() or _ALLERGY.search(line) or _LISTED.match(line):
        return False
    return bool(_AGE.match(line) or _STORY.search(line)) or len(line.split()) > long
