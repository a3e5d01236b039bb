"""What a past reaction did is no complaint of today: "was on trimethoprim in May and came out in a rash".

Takes the mentions of a note and its allergies, sure or possible; gives the mentions, the ills that such a sentence of the past
tells as history. A reaction of today ("started Bactrim yesterday, came out in hives") stays.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.schemas.drafts.note import Allergies, AllergyItem, Mention, PossibleAllergy
from backend.schemas.vocabulary import Assertion, Category


def past_reactions(
    text: str, sentences: Sequence[tuple[int, int]], mentions: Sequence[Mention], allergies: Allergies
) -> list[Mention]:
    """The mentions in order; sentences: half-open spans of the sentences of the note, in order."""
    told: list[_Told] = []
    every: list[PossibleAllergy | AllergyItem] = [*allergies.possible, *allergies.items]
    for one in every:
        span = next(((start, end) for start, end in sentences if start <= one.start_char < end), None)
        cue = _PAST.search(text, *span) if span else None
        if span and cue and not _TODAY.search(text, *span):
            told.append(_Told(one, span, cue[0]))
    return [_as_past(mention, told) for mention in mentions] if told else list(mentions)


class _Told(NamedTuple):
    """An allergy, the sentence that tells it, and the words by which that is of the past."""

    one: PossibleAllergy | AllergyItem
    span: tuple[int, int]
    cue: str


def _as_past(mention: Mention, told: Sequence[_Told]) -> Mention:
    """Only ills close to the cause: a medicine stays as it is, since it may be taken still."""
    if mention.assertion is not Assertion.PRESENT or mention.category not in _ILLS:
        return mention
    for one, (start, end), cue in told:
        apart = max(mention.start_char - one.end_char, one.start_char - mention.end_char)
        effect = start <= mention.start_char < end and apart <= _NEAR
        if isinstance(one, AllergyItem):
            effect = effect and mention.text.lower() in one.reaction.lower()
        if effect:
            return mention.model_copy(update={"assertion": Assertion.HISTORICAL, "assertion_cue": cue})
    return mention


_ILLS = frozenset((Category.SYMPTOM, Category.DISEASE, Category.FINDING))
_NEAR = 80
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_PAST = re.compile(
    rf"\b(?:in (?:early |late |mid-?)?{_MONTH}\b(?! (?:of )?this)|(?:back )?in (?:19|20)\d\d|last (?:year|month|spring|summer|autumn|fall|winter|christmas|{_MONTH})"
    r"|(?:\w+|a few|several|many|some) (?:years?|months?) (?:ago|back)|years ago|as a (?:child|kid|teen\w*|baby|boy|girl)|in childhood|once (?:before|had)|when (?:he|she) was (?:young|little|\d+|a \w+))\b"
)
_TODAY = re.compile(
    r"\b(?:today|yesterday|this morning|last night|tonight|now|since then (?:has|still)|ongoing|still|presents?|presenting|came in|here (?:for|with))\b",
    re.IGNORECASE,
)
