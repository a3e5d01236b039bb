"""What in a note may have had an effect: medicines, foods and materials, known by name, by shape, or in general words.

Takes the words of a note and its mentions; gives the causes in order, and those of a stretch. A remedy is one that reactions are
treated with; a word that ends as medicines do, or stands as a name after "took", counts without being known.
"""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import NamedTuple

from backend.nlp.allergies.allergens import SURE, Lookup
from backend.nlp.allergies.possible.allergy_signs import SHORTEST_NAME, Signs, allergy_signs, shaped
from backend.nlp.document.tokens import Tokens, word_set
from backend.nlp.lexicon.variants import english_words
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion, Category

_NOT_TAKEN = frozenset((Assertion.NEGATED, Assertion.HYPOTHETICAL, Assertion.FAMILY))
_CAUSES = SURE | {Category.SUBSTANCE, Category.DIET}
_SHORTEST_BRAND = 4
_SHORTEST_UNKNOWN = 6
_GIVEN = word_set("given took taking received prescribed administered tried")
_IS, _USED = word_set("was is were"), word_set("used given applied started prescribed tried injected run infused")
_TELLS_USE = _IS | _USED
_NO_NAME = (
    "therapy",
    "sis",
    "plasty",
    "ectomy",
    "tomy",
    "scopy",
    "graphy",
    "gram",
    "tion",
    "ly",
    "ing",
    "ment",
)  # "received dialysis"
_GENERAL = word_set(
    "antibiotic antibiotics contrast dye anesthetic anaesthetic anesthesia anaesthesia painkiller painkillers vaccine vaccines vaccination transfusion transfusions "
    "adhesive tape dressing bandage bandages gloves glue pill pills medicine medication drug something shot jab booster cream lotion plaster plasters catheter electrode "
    "electrodes implant mesh paint soap detergent chemo plasma relaxant relaxer thinner milk dairy wheat formula catheter stitches sutures"
)
_OF_CARE = word_set("room team chart record records clinic department consultant machine assessment review nurse")
_TO = frozenset(("to", "from"))
CALENDAR = word_set(
    "january february march april may june july august september october november december monday tuesday wednesday thursday friday "
    "saturday sunday mon tue tues wed weds thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec christmas easter thanksgiving"
)


class Cause(NamedTuple):
    """What may have had an effect: words first to last, last left out; the concept is empty where the graph has none.

    remedy: reactions are treated with it. named: it has a name of its own, unlike "antibiotic". denied: the note says that it was not taken, or only may be.
    """

    first: int
    last: int
    concept_id: str
    name: str
    remedy: bool
    named: bool
    denied: bool = False


class Causes:
    """The causes of one note. words: as the signs are compared with them, the marks written one way."""

    def __init__(
        self, text: str, found: Tokens, words: Sequence[str], mentions: Sequence[Mention], lookup: Lookup
    ) -> None:
        self._text = text
        self._starts = found.starts
        self._words = words
        self._signs: Signs = allergy_signs()
        causes = {cause.first: cause for cause in self._mentioned(mentions)}
        for cause in self._within_precautions(mentions, lookup):
            causes.setdefault(cause.first, cause)
        taken = {i for cause in causes.values() for i in range(cause.first, cause.last)}
        for cause in self._unknown(taken):
            causes[cause.first] = cause
        self._causes = sorted(causes.values())
        self._firsts = [cause.first for cause in self._causes]

    def among(self, first: int, last: int) -> list[Cause]:
        """The causes in words first to last, last left out."""
        return self._causes[bisect_left(self._firsts, first) : bisect_left(self._firsts, last)]

    def _mentioned(self, mentions: Sequence[Mention]) -> list[Cause]:
        causes = []
        for m in mentions:
            if m.category in _CAUSES and m.text.lower() not in self._signs.commonplace:
                first, last = bisect_left(self._starts, m.start_char), bisect_left(self._starts, m.end_char)
                if not _OF_CARE.isdisjoint(self._words[last : last + 1]):
                    continue  # "collapsed in the anaesthetic room"
                remedy = not self._signs.remedies.isdisjoint(self._words[first:last])
                causes.append(Cause(first, last, m.concept_id, m.name, remedy, True, m.assertion in _NOT_TAKEN))
        return causes

    def _within_precautions(self, mentions: Sequence[Mention], lookup: Lookup) -> list[Cause]:
        """As in "Avoids aspirin" is a name of its own, and aspirin is a part of it."""
        causes = []
        for m in mentions:
            if m.category is not Category.PRECAUTION:
                continue
            for i in range(bisect_left(self._starts, m.start_char), bisect_left(self._starts, m.end_char)):
                named = lookup(self._words[i])
                if named is not None and named.category in _CAUSES:
                    remedy = self._words[i] in self._signs.remedies
                    causes.append(Cause(i, i + 1, named.concept_id, named.name, remedy, True))
        return causes

    def _unknown(self, taken: Collection[int]) -> list[Cause]:
        signs, words = self._signs, self._words
        distinct = set(words)
        known = {word for word in distinct if len(word) >= SHORTEST_NAME and shaped(word)}
        known |= distinct & (signs.materials | signs.brands)
        places = [i for i, word in enumerate(words) if word in known]
        places += [i for i, word in enumerate(words[:-1], start=1) if word in signs.before_names and self._foreign(i)]
        telling = [i for i, word in enumerate(words) if word in _TELLS_USE and i]
        places += [i - 1 for i in telling if self._used(i - 1) and self._foreign(i - 1)]
        causes = []
        done = 0
        for i in sorted(places):
            if i < done or i in taken:
                continue
            if (length := signs.unnamed(words, i)) > 0:
                if not _OF_CARE.isdisjoint(words[i + length : i + length + 1]):
                    continue  # "collapsed in the anaesthetic room"
                general = _GENERAL.isdisjoint(words[i : i + length])
                causes.append(Cause(i, i + length, "", "", False, general))
                done = i + length
            elif words[i] in signs.remedies or words[i] not in signs.materials:
                causes.append(Cause(i, i + 1, "", "", words[i] in signs.remedies, True))
                done = i + 1
        return causes

    def _used(self, i: int) -> bool:
        """Whether a word is what was used: "Elastoplast was used", "Aquacel applied"."""
        return self._words[i + 1] in _USED or (
            self._words[i + 1] in _IS and not _USED.isdisjoint(self._words[i + 2 : i + 3])
        )

    def _foreign(self, i: int) -> bool:
        """Whether a word after "took" or "rash to" is a name and no English word: a brand that nothing knows, or after "given" a name in lower case."""
        if i and self._words[i - 1] in _TO and (i < 2 or self._words[i - 2] not in self._signs.telling):
            return False  # "a trip to Brazil"
        start = self._starts[i]
        if not self._text[start].isupper() and self._words[i - 1] not in _GIVEN:
            return False
        raw = self._text[start : start + len(self._words[i])]
        if self._words[i] in CALENDAR or self._words[i] in english_words():
            return False
        if raw.islower():
            return (
                raw.isalpha()
                and len(raw) >= _SHORTEST_UNKNOWN
                and self._words[i - 1] in _GIVEN
                and not raw.endswith(_NO_NAME)
            )
        owner = self._words[i + 1 : i + 3] == ["'", "s"]  # "on Doris's legs"
        return not owner and len(raw) >= _SHORTEST_BRAND and raw[0].isupper() and raw[1:].islower()
