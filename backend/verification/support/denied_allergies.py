"""Sentences that say there are no allergies, held against what the notes list.

Takes sentences and the allergies of the pasted and the earlier notes; gives a severe flag for each such sentence. Which words deny
all allergies is the linker's knowledge. A sentence that denies one allergy ("not allergic to latex") is not read here.
"""

import re
from collections.abc import Iterator, Sequence

from backend.interfaces import Linker
from backend.schemas.drafts.draft import Flag, Sentence
from backend.schemas.drafts.note import AllergyItem, LinkedNote
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, FlagKind, Severity
from backend.verification.safety.earlier_allergies import EarlierAllergy

_NOT_ALL = re.compile(r"\b(?:other|others|except|besides|apart|if|reactions?)\b", re.IGNORECASE)
_SPEAKS = re.compile(r"allerg|\bn\.?\s?k|anaphyla|sensitiv", re.IGNORECASE)  # spares the linker
_NAMED = 3  # allergies that a flag names


def denies_all_allergies(text: str, linker: Linker) -> bool:
    """Whether a sentence says that the patient has no allergies, and names none itself."""
    if not _SPEAKS.search(text) or _NOT_ALL.search(text):
        return False
    said = linker.link(text).allergies
    return said.status == AllergyStatus.NONE_KNOWN and not said.items


def denied_allergy_flags(
    linked: LinkedNote, earlier: Sequence[EarlierAllergy], sentences: Sequence[Sentence], linker: Linker
) -> Iterator[Flag]:
    """earlier: what only the earlier notes list. Intolerances are no allergies, so they contradict nothing."""
    told = [f"the note lists “{item.text}”" for item in allergies_of(linked)]
    told += [f"“{item.text}” is {where}" for item, where in earlier if item.kind == AllergyKind.ALLERGY]
    if not told:
        return
    more = f", and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
    for place, sentence in enumerate(sentences):
        if denies_all_allergies(sentence.text, linker):
            yield Flag(
                kind=FlagKind.ALLERGY_DISAGREEMENT,
                severity=Severity.SEVERE,
                message=f"The draft says that there are no allergies, but {'; '.join(told[:_NAMED])}{more}.",
                sentence=place,
                evidence=(sentence.text,),
            )


def allergies_of(linked: LinkedNote) -> tuple[AllergyItem, ...]:
    """The allergies that a note lists, without intolerances."""
    return tuple(item for item in linked.allergies.items if item.kind == AllergyKind.ALLERGY)
