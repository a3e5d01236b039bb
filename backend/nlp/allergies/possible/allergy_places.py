"""What stands around a cause and its effect in a sentence: another cause, what was done then, what it was replaced by.

Takes the words of a sentence and their signs; answers for one cause and one effect. Whether the two are tied, allergy_links decides.
"""

from collections.abc import Sequence

from backend.nlp.allergies.possible.allergy_causes import Cause
from backend.nlp.allergies.possible.allergy_expected import expected, feverish
from backend.nlp.allergies.possible.allergy_signs import Sign, SignKind
from backend.nlp.document.tokens import word_set

FAR, NEAR, OPENING = 25, 8, 6
"""Most words between a cause and its effect; where the tie is weak; around a cause."""
_SEVERAL = 2  # effects that come together after a cause
_SUDDEN = (SignKind.ALLERGIC, SignKind.SIDE)
_REPLACED = word_set(
    "changed switched replaced substituted changing switching switch change exchanged swapped broadened narrowed"
)
_BY = word_set("to for with by")
_LIST = word_set("and or , / &")
_THEN = word_set("and then , later")
_WANTED = word_set("wants prefers requests")
_AGAIN = word_set("again also later then once")
_PREPOSITION = word_set("after with from on to")
_QUALIFIED = 2  # words of a name before the one that is known: "after scrambled egg"
_COUNTED = word_set("day days dose doses course cycle infusion injection tablet tablets bag unit week")
_GENERAL = word_set(
    "pill pills drug drugs medicine medicines medication medications antibiotic antibiotics shot injection cream food dye tape"
)


class Places:
    """The surroundings of causes and effects of one sentence. joined: two sentences are read as one."""

    def __init__(
        self, words: Sequence[str], signs: Sequence[Sign], effects: Sequence[Sign], first: int, joined: bool
    ) -> None:
        self._effects = [effect for effect in effects if effect.kind in _SUDDEN]
        self._words = words
        self._signs = signs
        self._first = first
        self._joined = joined

    def instead(self, cause: Cause) -> bool:
        """Whether a cause is what another was replaced by: "changed to meropenem due to a rash"."""
        place = cause.first
        while place - 2 > self._first and self._words[place - 1] in _THEN and self._words[place - 2] not in _BY:
            place -= 2 if self._words[place - 2] not in _THEN else 1  # "changed to argatroban and then apixaban"
        before = self._words[max(self._first, place - 4) : place]
        if before and before[-1] in _WANTED:
            return True  # "paper tape leaves welts, wants Coban"
        return bool(before) and before[-1] in _BY and not _REPLACED.isdisjoint(before)

    def consequence(self, cause: Cause, effect: Sign) -> int:
        """Whether the cause was stopped or replaced, is not wanted again, or an antidote was needed."""
        if any(s.kind is SignKind.AGAIN and not cause.first <= s.first < cause.last for s in self._signs):
            return 1
        return int(
            (effect.kind is not SignKind.ILL and self.several(cause))
            or self.around(SignKind.ENDED, cause, NEAR)
            or self.around(SignKind.ENDED, Cause(effect.first, effect.last, "", "", False, False), NEAR)
        )

    def several(self, cause: Cause) -> bool:
        """Whether effects come together after a cause, in one sentence."""
        after = {
            effect.first: feverish(self._words, self._signs, effect)
            for effect in self._effects
            if cause.last <= effect.first <= cause.last + FAR and not expected(self._words, self._signs, cause, effect)
        }
        return len(after) >= _SEVERAL and not all(after.values()) and not self._joined

    def between(self, other: Cause, cause: Cause, effect: Sign) -> bool:
        """Whether another cause stands between the two, and is no list with this one ("penicillin and sulfa")."""
        words = self._words
        if cause.last <= other.first and other.last <= effect.first:
            replaced = not _REPLACED.isdisjoint(words[max(self._first, cause.first - 2) : other.first])
            return not _LIST.issuperset(words[cause.last : other.first]) and not replaced
        if effect.last <= other.first and other.last <= cause.first:
            gap = words[other.last : cause.first]
            return not (_LIST.issuperset(gap) or _and_after(gap))
        return False

    def counted(self, cause: Cause) -> bool:
        """Whether it is said how much or how long something was given: "day 3 of Keflex"."""
        before = self._words[max(self._first, cause.first - 4) : cause.first]
        return before[-1:] == ["of"] and not _COUNTED.isdisjoint(before)

    def around(self, kind: SignKind, place: Cause, after: int) -> bool:
        """Whether a sign of this kind stands close before a place, or at most `after` words behind it."""
        start = max(self._first, place.first - OPENING)
        return any(
            sign.kind is kind and (start <= sign.first < place.first or place.last <= sign.first < place.last + after)
            for sign in self._signs
        )


def _and_after(gap: Sequence[str]) -> bool:
    """As in "Hives after milk on two occasions and again after scrambled egg": whether the second cause has the effect of the first."""
    if "and" not in gap or not {",", ".", ";"}.isdisjoint(gap):
        return False
    rest = gap[gap.index("and") + 1 :]
    while rest and rest[0] in _AGAIN:
        rest = rest[1:]
    return bool(rest) and rest[0] in _PREPOSITION and len(rest) <= 1 + _QUALIFIED


def other_object(gap: Sequence[str], after: int) -> bool:
    """Whether a comma ends what a word of cause or place speaks of: "from an abscess, started on ..."; not "from a pill, Bactrim"."""
    rest = gap[after:]
    return "," in rest and _GENERAL.isdisjoint(rest[: rest.index(",")])
