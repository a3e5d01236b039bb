"""Headers that allergies share with something else: "Medications and allergies", "Social history/Allergies"."""

import re

from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.document.headers import known_header
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import letter_words
from backend.schemas.drafts.note import Section
from backend.schemas.vocabulary import SectionCategory

_PARTS = re.compile(r"\s*(?:[/,&+]|\band\b)\s*")


def shared_with(title: str) -> frozenset[SectionCategory]:
    """What a header names beside allergies; empty when it names allergies alone, or none."""
    lowered = title.lower().partition(" to ")[0]
    if "allerg" not in lowered:
        return frozenset()
    parts = [part for part in _PARTS.split(lowered) if part.strip() and not _is_kind(part)]
    named = [header.category for part in parts if (header := known_header(part))]
    return frozenset(named) - {SectionCategory.ALLERGIES, SectionCategory.OTHER}


def shared_part(note: ParsedNote, section: Section) -> tuple[int, int] | None:
    """The tokens of a shared line that are about allergies: of "Meds/Allergies: none/amoxicillin" the second part."""
    names = section.title.lower().split("/")
    at = next((i for i, name in enumerate(names) if "allerg" in name), None)
    line = note.text[section.body_char : section.end_char].strip().partition("\n")[0]
    parts = line.split("/")
    if at is None or len(names) < 2 or len(parts) != len(names):
        return None
    start = note.text.index(line, section.body_char) + sum(len(part) + 1 for part in parts[:at])
    return note.token_range(start, start + len(parts[at]))


def _is_kind(part: str) -> bool:
    return all(
        phrases("lists").of(word) & {"thing", "surroundings"} and not word.endswith("s") for word in letter_words(part)
    )
