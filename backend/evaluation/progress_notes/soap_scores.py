"""SOAP completeness: which of the four parts a note has, whoever wrote it (CLI-RAG's 4/4).

Parts are found by the note's headers. A part that holds nothing but gaps for the team is not there. It counts that
something is said, not whether it is right or enough.
"""

import re
from typing import NamedTuple

from backend.generation.composer.soap_visits import PARTS
from backend.nlp.document import sections
from backend.schemas.vocabulary import SoapPart


class SoapScores(NamedTuple):
    """completeness: share of the four parts that are there, 0 to 1; statements of each part are not counted."""

    present: tuple[SoapPart, ...]
    missing: tuple[SoapPart, ...]
    completeness: float


def soap_scores(text: str) -> SoapScores:
    """The scores of one note's text; a note without any header has no part."""
    found = set()
    for section in sections(text):
        part = PARTS.get(section.category)
        body = _GAP.sub(" ", text[section.body_char : section.end_char])
        if part is not None and any(character.isalnum() for character in body):
            found.add(part)
            if part is SoapPart.ASSESSMENT and _BOTH.search(section.title):
                found.add(SoapPart.PLAN)
    present = tuple(part for part in SoapPart if part in found)
    missing = tuple(part for part in SoapPart if part not in found)
    return SoapScores(present, missing, len(present) / len(SoapPart))


_GAP = re.compile(r"\[team to complete:[^\]]*\]", re.IGNORECASE)
_BOTH = re.compile(r"\bplan\b|\ba\s?/\s?p\b", re.IGNORECASE)
