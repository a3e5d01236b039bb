"""Possible allergies in running text: a medicine, food or material close to an effect that it may have had.

Takes a read note; gives what may be an allergy and is not listed as one, with the words that say why, for a clinician to check.
A sentence counts, and the one after it where that goes on ("Within an hour ..."). Four things make a link: a word of cause, a
word of time after an exposure, a mark ("Keflex -> hives"), and that somebody must not have it again. An effect that is denied,
hypothetical or a relative's counts for nothing, nor does what a reaction was treated with. It finds more than there is: a false
hint costs a glance, and an idiom that no rule knows is caught as well.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from backend.linking.allergens import SURE, Lookup
from backend.linking.allergy_links import Cause, Links
from backend.linking.allergy_signs import Sign, SignKind, Signs, allergy_signs
from backend.linking.allergy_withdrawn import withdrawn
from backend.linking.cues import plain_marks
from backend.linking.family import RELATIVES, TELLS
from backend.linking.names import Candidate
from backend.linking.tokens import Tokens, word_set
from backend.linking.variants import english_words
from backend.schemas.note import Allergies, Mention, PossibleAllergy, Section
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

Cut = Sequence[tuple[int, int]]
Assess = Callable[[Sequence[tuple[int, int]]], list[Assertion]]

_CAUSES = SURE | {Category.SUBSTANCE, Category.DIET}
_LEFT_OUT = frozenset((SectionCategory.ALLERGIES, SectionCategory.FAMILY_HISTORY, SectionCategory.INSTRUCTIONS))
_NO_FACT = frozenset((Assertion.NEGATED, Assertion.FAMILY, Assertion.HYPOTHETICAL))
_GOES_ON = word_set(
    "within after shortly then later soon it this that these which almost immediately minutes hours by thereafter"
)
_ADDRESSED = word_set("you your patients people")
_PER = word_set("per by from to")
_OPENING = 6
_SHORTEST_BRAND = 4


class _Found(NamedTuple):
    cause: Cause
    effect: Sign


def possible_allergies(
    text: str,
    found: Tokens,
    sections: Sequence[Section],
    cut: Sequence[Cut],
    mentions: Sequence[Mention],
    allergies: Allergies,
    assess: Assess,
    lookup: Lookup,
) -> tuple[PossibleAllergy, ...]:
    """What may be an allergy and is not among `allergies`, each thing once, in the order of the text.

    cut: the sentences of each section. assess: the assertions of spans of this text. lookup: the concept of a word, or None.
    """
    if allergy_signs().telling.isdisjoint(found.words):
        return ()
    reader = _Reader(text, found, mentions, lookup)
    hints: list[_Found] = []
    for section, own in zip(sections, cut, strict=True):
        if section.category not in _LEFT_OUT:
            hints += reader.read(own)
    spans = [(found.starts[hint.effect.first], found.ends[hint.effect.last - 1]) for hint in hints]
    facts = [
        hint
        for hint, told in zip(hints, assess(spans), strict=True)
        if told not in _NO_FACT or hint.effect.kind is SignKind.BARRED
    ]
    return _once(text, found, facts, allergies)


class _Reader:
    def __init__(self, text: str, found: Tokens, mentions: Sequence[Mention], lookup: Lookup) -> None:
        self._text = text
        self._found = found
        self._words = plain_marks(found.words)
        self._signs: Signs = allergy_signs()
        self._mentions = {m.start_char: m for m in mentions if m.category in _CAUSES}
        self._lookup = lookup
        # "avoids aspirin" is a name of its own, and aspirin is a part of it
        self._wider = [(m.start_char, m.end_char) for m in mentions if m.category is Category.PRECAUTION]

    def read(self, cut: Cut) -> list[_Found]:
        """The hints of one section's sentences."""
        hints: list[_Found] = []
        starts = self._found.starts
        at, before = 0, (0, 0)
        if not cut:
            return hints
        at = _first_at(starts, cut[0][0], 0)
        for start, end in cut:
            first = _first_at(starts, start, at)
            last = at = _first_at(starts, end, first)
            words = self._words[first:last]
            if not self._signs.telling.isdisjoint(words) and not self._aside(first, last, start, end):
                hints += self._sentence(first, last)
                if before[1] == first and not _GOES_ON.isdisjoint(words[:_OPENING]):
                    hints += self._sentence(before[0], last, joint=first)
            before = (first, last)
        return hints

    def _aside(self, first: int, last: int, start: int, end: int) -> bool:
        """Whether a sentence speaks of a relative, to the reader, or of an allergy that is none any more."""
        words = self._words[first:last]
        if not _ADDRESSED.isdisjoint(words):
            return True
        for i in range(first, last):
            if self._words[i] in RELATIVES:
                if not TELLS.isdisjoint(self._words[i + 1 : i + 4]) or not _PER.isdisjoint(
                    self._words[max(first, i - 2) : i]
                ):
                    break  # who tells of the patient
                return True
        return any(True for _ in withdrawn(self._text, start, end))

    def _sentence(self, first: int, last: int, joint: int | None = None) -> list[_Found]:
        """joint: where the second of two sentences begins; then only what goes from one to the other counts."""
        signs = self._signs.found(self._words, first, last)
        effects = [sign for sign in signs if sign.kind in (SignKind.ALLERGIC, SignKind.SIDE, SignKind.BARRED)]
        causes = self._causes(first, last, signs) if effects else []
        links = Links(self._words, signs, first, joint is not None)
        hints = []
        for cause in causes:
            if joint is not None and cause.first < joint and any(joint <= other.first for other in causes):
                continue  # the second sentence names a cause of its own
            over = [e for e in effects if joint is None or (cause.first < joint) != (e.first < joint)]
            hints += [_Found(cause, effect) for effect in over if links.tied(cause, effect, causes)]
        return hints

    def _causes(self, first: int, last: int, signs: Sequence[Sign]) -> list[Cause]:
        remedies = {sign.first for sign in signs if sign.kind is SignKind.REMEDY}
        exposures = {sign.last for sign in signs if sign.kind is SignKind.EXPOSED}
        causes: list[Cause] = []
        i = first
        while i < last:
            mention = self._mentions.get(self._found.starts[i])
            if mention is not None:
                end = _first_at(self._found.starts, mention.end_char, i)
                remedy = not remedies.isdisjoint(range(i, end))
                causes.append(Cause(i, end, mention.concept_id, mention.name, remedy, True))
                i = end
                continue
            if (part := self._part(i)) is not None:
                causes.append(Cause(i, i + 1, part.concept_id, part.name, i in remedies, True))
                i += 1
                continue
            unnamed = [sign.last for sign in signs if sign.kind is SignKind.UNNAMED and sign.first == i]
            if unnamed:
                causes.append(Cause(i, max(unnamed), "", "", False, False))
                i = max(unnamed)
                continue
            word = self._words[i]
            if (
                i in remedies
                or self._signs.shaped(word)
                or ((i in exposures or self._words[i - 1] in ("to", "from")) and self._foreign(i))
            ):
                causes.append(Cause(i, i + 1, "", "", i in remedies, True))
            i += 1
        return causes

    def _part(self, i: int) -> Candidate | None:
        """The medicine that a word names inside a longer name of another kind."""
        place = self._found.starts[i]
        if not any(start <= place < end for start, end in self._wider):
            return None
        named = self._lookup(self._words[i])
        return named if named is not None and named.category in _CAUSES else None

    def _foreign(self, i: int) -> bool:
        """Whether a word after "took" or "given" is written as a name and is no English word: a brand that nothing knows."""
        raw = self._text[self._found.starts[i] : self._found.ends[i]]
        return (
            len(raw) >= _SHORTEST_BRAND
            and raw[0].isupper()
            and raw[1:].islower()
            and self._words[i] not in english_words()
        )


def _first_at(starts: Sequence[int], place: int, floor: int) -> int:
    """The first word, from floor on, that begins at or after a place of the text."""
    i = floor
    while i < len(starts) and starts[i] < place:
        i += 1
    return i


def _once(text: str, found: Tokens, hints: Sequence[_Found], allergies: Allergies) -> tuple[PossibleAllergy, ...]:
    listed = {item.concept_id for item in allergies.items if item.concept_id} | {
        item.text.lower() for item in allergies.items
    }
    result: dict[str, PossibleAllergy] = {}
    for cause, effect in sorted(hints):
        start, end = found.starts[cause.first], found.ends[cause.last - 1]
        name = text[start:end]
        keys = {name.lower(), cause.concept_id}
        taken = any(item.start_char < end and start < item.end_char for item in allergies.items)
        if taken or not listed.isdisjoint(keys) or any(name.lower() in known for known in listed):
            continue
        told = text[found.starts[effect.first] : found.ends[effect.last - 1]]
        result.setdefault(
            cause.concept_id or name.lower(),
            PossibleAllergy(
                text=name,
                start_char=start,
                end_char=end,
                concept_id=cause.concept_id or None,
                name=cause.name,
                because=" ".join(told.split()),
            ),
        )
    return tuple(result.values())
