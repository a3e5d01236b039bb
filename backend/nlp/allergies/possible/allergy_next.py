"""What a clause tells of the one before it without a word that ties the two: "Hives over the trunk; Bactrim stopped".

Takes the words of a note, its signs and its causes; gives pairs of a cause and an effect. Whether the effect is a fact, allergy_possible asks.
"""

from collections.abc import Sequence

from backend.nlp.allergies.possible.allergy_causes import Cause, Causes
from backend.nlp.allergies.possible.allergy_signs import Sign, SignKind, Signs
from backend.nlp.document.tokens import word_set

_ANGIOEDEMA = word_set("lip lips tongue face uvula angioedema")
_ACE = "pril"
_STOPPED = word_set("stopped held discontinued dc withdrawn aborted halted ceased abandoned")
_WHY = word_set("for as because since due until")
_IT = word_set("it them")
_CLOSE = 3  # words from the start of a clause to its cause, and on to what became of it
_SHORT = 12  # words of a sentence that only goes on


class Next:
    """The words of one note, its vocabulary of signs and its causes."""

    def __init__(self, words: Sequence[str], signs: Signs, causes: Causes) -> None:
        self._words = words
        self._signs = signs
        self._causes = causes

    def told(self, first: int, joint: int, last: int) -> list[tuple[Cause, Sign]]:
        """The effects of words first to joint and the causes of words joint to last that belong together."""
        return [*self._swollen(first, joint, last), *self._stopped(first, joint, last)]

    def of_it(self, left: int, right: int) -> bool:
        """Whether a short sentence only goes on about what was named before it: "She took it for a week."."""
        return right - left <= _SHORT and not _IT.isdisjoint(self._words[left:right])

    def _swollen(self, first: int, joint: int, last: int) -> list[tuple[Cause, Sign]]:
        """A tongue, lips or a face that swell, and an ACE inhibitor named next, tell an angioedema without any word that ties them."""
        taken = [
            cause
            for cause in self._causes.among(joint, last)
            if not cause.denied and self._words[cause.last - 1].endswith(_ACE)
        ]
        signs = self._signs.found(self._words, first, joint) if taken else []
        swollen = [
            sign
            for sign in signs
            if sign.kind is SignKind.ALLERGIC and not _ANGIOEDEMA.isdisjoint(self._words[sign.first : sign.last])
        ]
        return [(cause, effect) for cause in taken for effect in swollen]

    def _stopped(self, first: int, joint: int, last: int) -> list[tuple[Cause, Sign]]:
        """As in "Hives over the trunk; Bactrim stopped": what is stopped right after an allergic effect is named."""
        near = [cause for cause in self._causes.among(joint, min(last, joint + _CLOSE)) if not cause.remedy]
        stopped = [one for one in near if not _STOPPED.isdisjoint(self._words[one.last : min(last, one.last + _CLOSE)])]
        if not stopped or not _WHY.isdisjoint(self._words[joint:last]) or self._causes.among(first, joint):
            return []
        signs = self._signs.found(self._words, first, joint)
        eased = any(sign.kind is SignKind.EASED for sign in signs)
        told = [sign for sign in signs if sign.kind is SignKind.ALLERGIC and not eased]
        return [(cause, effect) for cause in stopped for effect in told]
