"""What a sentence says of allergies, held against the allergies that its cited notes list.

"You are not allergic to it", "it is safe for you" and "you take it" speak against a listed allergy; "you are allergic to it" needs
one. An intolerance ("does not agree with you") denies nothing. Which words deny all allergies is the linker's knowledge.
"""

import re
from collections.abc import Iterator, Sequence

from backend.interfaces import Linker
from backend.nlp.document.tokens import letter_words
from backend.schemas.drafts.note import AllergyItem, LinkedNote
from backend.schemas.vocabulary import AllergyKind, AllergyStatus
from backend.verification.support.cited import Source, union_of
from backend.verification.support.event_direction import MEDICINES, EventDirection, medicine_events

KEEPS = frozenset({EventDirection.RUNS, EventDirection.STARTS, EventDirection.MORE, EventDirection.LESS})
"""What is done with a medicine that the patient has."""
INTOLERANT = re.compile(r"\bnot agree with\b|intoleran", re.IGNORECASE)
_NO_ALLERGY = re.compile(
    r"\b(?:no|not|never|without|denies|isn't|aren't|n't)\b[^.;]{0,30}\ballerg|\ballerg\w+\b[^.;]{0,30}\b(?:cleared|gone|resolved|over|outgrown|ruled out|none)\b|\bNKDA\b",
    re.IGNORECASE,
)
_CLAIMED = re.compile(r"\ballerg(?:ic|y|ies) to\b|^\s*(?:your |drug )*allerg(?:y|ies)\s*:", re.IGNORECASE)
_SAFE = re.compile(
    r"\bsafe(?:ly)?\b|\bharmless\b|\bnothing to worry\b|\bwithout (?:any )?(?:risk|danger|trouble)\b|\bno (?:danger|risk)\b",
    re.IGNORECASE,
)


def allergies_against(claim: LinkedNote, sources: Sequence[Source]) -> Iterator[tuple[bool, str]]:
    """Yield reasons, each with whether the cited text says the contrary (True) or merely does not say so."""
    own = [s for s in sources if s.own]
    mentions = claim.note.mentions
    text = claim.note.text
    if not own or INTOLERANT.search(text):
        return
    allergens = union_of(s.allergens for s in own)
    listed = " ".join(s.allergy_text for s in own)
    if _NO_ALLERGY.search(text):
        named = [m for m in mentions if m.category in MEDICINES or m.concept_id in allergens]
        if any(m.concept_id in allergens for m in named) or (not named and allergens | set(listed.split())):
            yield True, "the cited text lists the allergy"
        return
    if _SAFE.search(text):
        for m in mentions:
            if m.concept_id in allergens:
                yield True, f"the cited text lists an allergy to: {m.name}"
    for item in claim.allergies.items if _CLAIMED.search(text) else ():
        known = item.concept_id in allergens if item.concept_id else False
        if known or _any_word(item.text, listed):
            continue
        none = any(s.no_allergies for s in own)
        yield none, f"the cited text {'says that there is no allergy' if none else 'lists no allergy'} to: {item.text}"
    taken = union_of(s.asserted for s in own)
    for concept, directions in medicine_events(text, [m for m in mentions if not m.allergen]).items():
        only = concept in allergens and not any(concept in s.asserted and concept not in s.allergens for s in own)
        if only and directions & KEEPS and concept in taken | allergens:
            name = next(m.name for m in mentions if m.concept_id == concept)
            yield True, f"the cited text lists an allergy to: {name}"


def _any_word(text: str, listed: str) -> bool:
    return any(word[:5] in listed for word in letter_words(text, 4))


_NOT_ALL = re.compile(r"\b(?:other|others|except|besides|apart|if|reactions?)\b", re.IGNORECASE)
_SPEAKS = re.compile(r"allerg|\bn\.?\s?k|anaphyla|sensitiv", re.IGNORECASE)  # spares the linker


def denies_all_allergies(text: str, linker: Linker) -> bool:
    """Whether a sentence says that the patient has no allergies, and names none itself."""
    if not _SPEAKS.search(text) or _NOT_ALL.search(text):
        return False
    said = linker.link(text).allergies
    return said.status == AllergyStatus.NONE_KNOWN and not said.items


def allergies_of(linked: LinkedNote) -> tuple[AllergyItem, ...]:
    """The allergies that a note lists, without intolerances."""
    return tuple(item for item in linked.allergies.items if item.kind == AllergyKind.ALLERGY)
