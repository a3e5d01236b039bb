"""Whether a sentence ties an effect to what may have caused it.

Takes the words of one sentence, or of two that go on, and their signs; answers for one cause and one effect. What a reaction
was treated with, or what eased it, is no cause; of two causes the nearer one counts. It does not know assertions.
"""

from collections.abc import Sequence
from typing import NamedTuple

from backend.linking.allergy_signs import Sign, SignKind
from backend.linking.tokens import word_set

_FAR, _BACKWARD, _NEAR, _OPENING = 25, 14, 8, 6
"""Most words between a cause and its effect; between an effect and its cause; where the tie is weak; before a cause."""

_STRONG = word_set(
    "within minutes hours later when whenever afterwards developed develops ended after then got gets = > → since while until once had "
    "experienced suffered needed required"
)
_BEFORE_CAUSE = word_set("within after following upon whenever when with")
_BACK = word_set("after following with from on to when whenever while since upon during within each every any = <")
_BLAMED = word_set("implicated blamed culprit responsible suspected offending")
_ACTED = word_set(
    "broke breaks breaking came swelled swells swole blew puffed reacted reacts itched wheezed stopped quit blistered flushed went"
)
_REASON = word_set("because due as after when since owing secondary given for from : ( - , d")
_REPLACED = word_set("changed switched replaced substituted changing switching switch change")
_NEW_CLAUSE = word_set("and but ; then was were is are discharged continued continues remains prescribed")
_FORWARD_ONLY = word_set("gave giving gives make makes put")
_GLUE = word_set("infusion - induced related associated exposure sting stings dye drug")
_LIST = word_set("and or , / &")
_IT = word_set("it which that this these they")
_ARROWS = frozenset("=>→")
_MARKS = frozenset('(-:=>,–—→["“')


class Cause(NamedTuple):
    """What may have had an effect: words first to last, last left out; the concept is empty where the graph has none.

    remedy: reactions are treated with it. named: it has a name of its own, unlike "antibiotic".
    """

    first: int
    last: int
    concept_id: str
    name: str
    remedy: bool
    named: bool


class Links:
    """The ties of one sentence. joined: two sentences are read as one, and only what goes over their border is asked for."""

    def __init__(self, words: Sequence[str], signs: Sequence[Sign], first: int, joined: bool) -> None:
        self._words = words
        self._signs = signs
        self._first = first
        self._joined = joined

    def tied(self, cause: Cause, effect: Sign, causes: Sequence[Cause]) -> bool:
        """Whether the sentence says, or lets one think, that the cause had the effect. causes: all of the sentence."""
        if effect.first < cause.last and cause.first < effect.last:
            return False
        if any(self._between(other, cause, effect) for other in causes):
            return False
        ahead = cause.last <= effect.first
        left, right = (cause.last, effect.first) if ahead else (effect.last, cause.first)
        gap = self._words[left:right]
        if len(gap) > (_FAR if ahead else _BACKWARD) or ";" in gap:
            return False
        if effect.kind is SignKind.BARRED:
            return cause.named and not cause.remedy and len(gap) <= _OPENING and not self._joined and "." not in gap
        within = [sign for sign in self._signs if left <= sign.first and sign.last <= right]
        return self._forward(cause, effect, gap, within) if ahead else self._backward(cause, effect, gap, within)

    def _forward(self, cause: Cause, effect: Sign, gap: Sequence[str], within: Sequence[Sign]) -> bool:
        """The cause is told before its effect."""
        allergic = effect.kind is SignKind.ALLERGIC
        exposed = self._before(SignKind.EXPOSED, cause.first)
        eased = _last(within, SignKind.EASED)
        causal = [sign for sign in within if sign.kind is SignKind.CAUSES and sign.first > eased]
        near = len(gap) <= _NEAR + (_OPENING if self._joined else 0) or (allergic and exposed)
        if causal and (near or any(self._words[sign.first - 1] in _IT for sign in causal)):
            return True
        marked = 0 < len(gap) <= 3 and all(word in _MARKS for word in gap) and gap != [","]
        if marked and not (cause.remedy and _ARROWS.isdisjoint(gap)):
            return True
        if cause.remedy:
            return False
        if allergic and (not gap or (len(gap) == 1 and gap[0] in _GLUE)):
            return True  # "a penicillin rash", "vancomycin infusion reaction"
        ended = any(sign.kind is SignKind.ENDED for sign in within) or self._before(SignKind.ENDED, cause.first)
        if ended and not _REASON.isdisjoint(gap) and (allergic or len(gap) <= _BACKWARD):
            return True
        return allergic and self._followed(cause, effect, gap, eased, exposed)

    def _followed(self, cause: Cause, effect: Sign, gap: Sequence[str], eased: int, exposed: bool) -> bool:
        """Whether an allergic effect came after an exposure, in time."""
        told = any(word in _STRONG for i, word in enumerate(gap, cause.last) if i > eased)
        if told and (exposed or self._joined or len(gap) <= _NEAR):
            return True
        if eased >= 0:
            return False
        opening = self._words[max(self._first, cause.first - _OPENING) : cause.first]
        if not _BEFORE_CAUSE.isdisjoint(opening) and len(gap) <= _BACKWARD and "." not in gap:
            return True  # "within ten minutes of the azithromycin her tongue began to swell"
        acted = self._words[effect.first] in _ACTED or effect.last - effect.first > 1
        return acted and (exposed or not {"and", "but", ","}.isdisjoint(gap) or not gap)

    def _backward(self, cause: Cause, effect: Sign, gap: Sequence[str], within: Sequence[Sign]) -> bool:
        """The effect is told before its cause."""
        if _last(within, SignKind.EASED) >= 0:
            return False
        if not _BLAMED.isdisjoint(self._words[cause.last : cause.last + 4]) and "." not in gap:
            return True
        if cause.remedy:
            return len(gap) <= 3 and not {"to", "from", "after"}.isdisjoint(gap)
        allergic = effect.kind is SignKind.ALLERGIC
        if any(s.kind is SignKind.CAUSES and self._words[s.first] not in _FORWARD_ONLY for s in within):
            return allergic or len(gap) <= _NEAR
        place = next((i for i, word in enumerate(gap) if word in _BACK), -1)
        if place < 0 or not allergic:
            return place == 0 and len(gap) <= 2 and cause.named
        exposed = any(s.kind is SignKind.EXPOSED and s.first - effect.last < place for s in within)
        return not exposed and _NEW_CLAUSE.isdisjoint(gap[:place])

    def _between(self, other: Cause, cause: Cause, effect: Sign) -> bool:
        """Whether another cause stands between the two, and is no list with this one ("penicillin and sulfa")."""
        words = self._words
        if cause.last <= other.first and other.last <= effect.first:
            replaced = not _REPLACED.isdisjoint(words[max(self._first, cause.first - 2) : other.first])
            return not _LIST.issuperset(words[cause.last : other.first]) and not replaced
        if effect.last <= other.first and other.last <= cause.first:
            return not _LIST.issuperset(words[other.last : cause.first])
        return False

    def _before(self, kind: SignKind, place: int) -> bool:
        start = max(self._first, place - _OPENING)
        return any(sign.kind is kind and start <= sign.first and sign.last <= place for sign in self._signs)


def _last(signs: Sequence[Sign], kind: SignKind) -> int:
    return max((sign.first for sign in signs if sign.kind is kind), default=-1)
