"""Reads sections that share their header with allergies: "Medications and allergies", "Social history/Allergies".

Takes a section, or a sentence of one; gives spans and entries. Which medicine of a shared list is taken and which is not
tolerated it cannot tell, unless the words say so.
"""

import re

from backend.nlp.allergies.allergens import SURE, Allergens
from backend.nlp.allergies.allergy_entry import Entry
from backend.nlp.allergies.allergy_status import denials, outside
from backend.nlp.allergies.allergy_vocabulary import is_noise
from backend.nlp.allergies.lists.allergy_entries import entries
from backend.nlp.document.headers import known_header
from backend.schemas.drafts.note import Section
from backend.schemas.vocabulary import SectionCategory

Span = tuple[int, int]


def shared_with(title: str) -> frozenset[SectionCategory]:
    """What a header names beside allergies; empty when it names allergies alone, or none."""
    lowered = title.lower()
    if "allerg" not in lowered:
        return frozenset()
    # "Drug and food allergies", "allergies to foods and medications": kinds of allergies, no lists of their own
    parts = [part for part in _PARTS.split(_TO.sub("", lowered)) if part.strip() and part.strip() not in _KINDS]
    named = [header.category for part in parts if (header := known_header(part))]
    return frozenset(named) - {SectionCategory.ALLERGIES, SectionCategory.OTHER}


def shared_part(text: str, section: Section) -> Span | None:
    """The part of a shared line that is about allergies: of "Meds/Allergies: none/amoxicillin" the second."""
    names = section.title.lower().split("/")
    at = next((i for i, name in enumerate(names) if "allerg" in name), None)
    line = _LINE.match(text, section.body_char, section.end_char)
    if at is None or line is None or (len(names) == 1 and shared_with(section.title)):
        return None
    parts = line[0].split("/")
    if len(parts) != len(names):
        return None
    start = line.start() + sum(len(part) + 1 for part in parts[:at])
    return start, start + len(parts[at])


def denies_all(text: str, start: int, end: int) -> bool:
    """Whether a sentence says that there is none, and nothing else: "None."."""
    denied = denials(text, start, end, in_section=True)
    return any(one.general for one in denied) and all(is_noise(text[a:b]) for a, b in outside(start, end, denied))


def bare_list(text: str, start: int, end: int, allergens: Allergens) -> list[Entry]:
    """The entries of a sentence that is a list of medicines or allergens and nothing else."""
    found = entries(text, start, end, allergens.known)
    concepts = [allergens.concept(text[one.start : one.end]) for one in found]
    return found if all(concept is not None and concept.category in SURE for concept in concepts) else []


_PARTS = re.compile(r"\s*(?:[/,&+]|\band\b)\s*")
_TO = re.compile(r"(?<=[ysnc]) to .*")
_KINDS = frozenset(("drug", "medication", "medicine", "food", "latex", "environmental", "seasonal", "contrast"))
_LINE = re.compile(r"\s*[^\n]+")
