"""Whether a sentence ties an effect to what may have caused it.

Takes the words of one sentence, or of two that go on, and their signs; answers for one cause and one effect. What a reaction
was treated with, or what eased it, is no cause; of two causes the nearer one counts. It does not know assertions.
"""

from collections.abc import Sequence

from backend.linking.allergy_causes import Cause, Causes
from backend.linking.allergy_signs import Sign, SignKind
from backend.linking.tokens import word_set

_FAR, _BACKWARD, _NEAR, _OPENING, _BARRED = 25, 14, 8, 6, 12
"""Most words between a cause and its effect; between an effect and its cause; where the tie is weak; around a cause; where barred."""
_ENOUGH = 3
_STRENGTH = {SignKind.ALLERGIC: 2, SignKind.SIDE: 1, SignKind.ILL: 1}

_STRONG = word_set(
    "within minutes hours later when whenever afterwards developed develops ended after then got gets = > → since while until once had "
    "experienced suffered needed required noticed day days became went felt found now"
)
_BEFORE_CAUSE = word_set("within after following upon whenever when with last")
_BACK = word_set(
    "after following with from on to when whenever while since upon during within each every any as under beneath where wherever = <"
)
_SPAN = word_set("since until any during each every as = <")
_BLAMED = word_set("implicated blamed culprit responsible suspected offending")
_ACTED = word_set(
    "broke breaks breaking came swelled swells swole blew puffed reacted reacts itched wheezed stopped quit blistered flushed went"
)
_REASON = word_set("because due as after when since owing secondary given for from : ( - , d")
_REPLACED = word_set("changed switched replaced substituted changing switching switch change")
_NEW_CLAUSE = word_set("and but ; then was were is are discharged continued continues remains prescribed takes")
_GLUE = word_set("infusion - induced related associated exposure sting stings dye drug")
_LIST = word_set("and or , / &")
_IT = word_set("it which that this these they")
_STOPPING = word_set("stopping stopped discontinuing discontinued discontinuation off withdrawal cessation quitting")
_NOT = word_set("no not without avoid avoids avoided never")
_WELL = word_set("better comfortable well normal less gone away")
_WHEN = word_set("after when once as upon since with")
_STOPS_HERE = frozenset((".", ",", ";", "it", "and"))
_OF_MEDICINES = word_set("side adverse intolerance reaction reactions rxn allergic allergy")
_ARROWS = frozenset("=>→")
_MARKS = frozenset('(-:=>,–—→["“')


class Links:
    """The ties of one sentence. joined: two sentences are read as one, and only what goes over their border is asked for.

    A tie is made where an effect (2 when allergic, else 1), what joins it to the cause (2 for a word of cause, 1 for one of time)
    and what was done then (1: stopped, replaced, not again, an antidote) come to 3.
    """

    def __init__(self, words: Sequence[str], signs: Sequence[Sign], first: int, last: int, joined: bool) -> None:
        self._words = words
        self._signs = signs
        self._first = first
        self._last = last
        self._joined = joined

    def tied(self, cause: Cause, effect: Sign, causes: Causes) -> bool:
        """Whether the sentence says, or lets one think, that the cause had the effect. causes: all of the note."""
        if effect.first < cause.last and cause.first < effect.last:
            return False
        ahead = cause.last <= effect.first
        left, right = (cause.last, effect.first) if ahead else (effect.last, cause.first)
        gap = self._words[left:right]
        if len(gap) > (_FAR if ahead else _BACKWARD) or ";" in gap:
            return False
        if any(self._between(other, cause, effect) for other in causes.among(left, right)):
            return False
        if effect.kind is SignKind.BARRED:
            return cause.named and not cause.remedy and len(gap) <= _BARRED and not self._joined and "." not in gap
        within = [sign for sign in self._signs if left <= sign.first and sign.last <= right]
        tie = self._forward(cause, effect, gap, within) if ahead else self._backward(cause, effect, gap, within)
        return tie > 0 and _STRENGTH[effect.kind] + tie + self._consequence(cause, effect) >= _ENOUGH

    def stopped(self, cause: Cause, alone: bool) -> bool:
        """Whether something got better when the cause was stopped: "went away as soon as the lisinopril was stopped".

        alone: the sentence names no other cause, so that "two weeks after stopping" can mean no other.
        """
        if cause.remedy or not cause.named:
            return False
        for place in range(self._first, self._last):
            if self._words[place] not in _STOPPING:
                continue
            ends = place + 1 >= self._last or self._words[place + 1] in _STOPS_HERE
            near = cause.last <= place <= cause.last + 3 or 0 < cause.first - place <= 3 or (alone and ends)
            if (
                near
                and self._gone(place)
                and not _WHEN.isdisjoint(self._words[max(self._first, place - _NEAR) : place])
            ):
                return True
        return False

    def _gone(self, place: int) -> bool:
        eased = any(s.kind is SignKind.EASED and s.first < place and self._words[s.first] != "for" for s in self._signs)
        return eased or not _WELL.isdisjoint(self._words[self._first : place])

    def _forward(self, cause: Cause, effect: Sign, gap: Sequence[str], within: Sequence[Sign]) -> int:
        """The cause is told before its effect."""
        allergic = effect.kind is SignKind.ALLERGIC
        exposed = self._around(SignKind.EXPOSED, cause, 0)
        eased = _last(within, SignKind.EASED)
        near = len(gap) <= _NEAR + (_OPENING if self._joined else 0) or exposed
        causal = [sign for sign in within if sign.kind is SignKind.CAUSES and sign.first > eased]
        if not _WELL.isdisjoint(self._words[effect.first : effect.last + 2]):
            return 0
        if self._words[effect.first] in _OF_MEDICINES and any(sign.kind is SignKind.BECAUSE for sign in within):
            return 2  # "came off Prozac due to side effects"
        if (
            causal
            and effect.first - causal[-1].last <= _NEAR
            and (near or any(self._words[sign.first - 1] in _IT for sign in causal))
        ):
            return 2
        marked = 0 < len(gap) <= 3 and all(word in _MARKS for word in gap) and gap != [","]
        if marked and not (cause.remedy and _ARROWS.isdisjoint(gap)) and effect.kind is not SignKind.ILL:
            return 2
        if cause.remedy:
            return 0
        if allergic and (not gap or (len(gap) == 1 and gap[0] in _GLUE)):
            return 1  # "a penicillin rash", "vancomycin infusion reaction"
        barred = self._around(SignKind.ENDED, cause, 0) or self._words[max(0, cause.first - 1)] in _NOT
        ended = barred or any(sign.kind is SignKind.ENDED for sign in within)
        if (
            ended
            and not _REASON.isdisjoint(gap)
            and (allergic or len(gap) <= _BACKWARD)
            and effect.kind is not SignKind.ILL
        ):
            return 2
        return int(self._followed(cause, effect, gap, eased, exposed))

    def _followed(self, cause: Cause, effect: Sign, gap: Sequence[str], eased: int, exposed: bool) -> bool:
        """Whether an effect came after an exposure, in time."""
        told = any(word in _STRONG for i, word in enumerate(gap, cause.last) if i > eased)
        if told and (exposed or self._joined or len(gap) <= _NEAR):
            return True
        if eased >= 0:
            return False
        opening = self._words[max(self._first, cause.first - _OPENING) : cause.first]
        if not _BEFORE_CAUSE.isdisjoint(opening) and len(gap) <= _BACKWARD and "." not in gap:
            return True  # "within ten minutes of the azithromycin her tongue began to swell"
        acted = self._words[effect.first] in _ACTED or (
            effect.kind is not SignKind.ILL and effect.last - effect.first > 1
        )
        return acted and (exposed or not {"and", "but", ","}.isdisjoint(gap) or not gap)

    def _backward(self, cause: Cause, effect: Sign, gap: Sequence[str], within: Sequence[Sign]) -> int:
        """The effect is told before its cause."""
        allergic = effect.kind is SignKind.ALLERGIC
        because = [sign for sign in within if sign.kind is SignKind.BECAUSE]
        inside = {i for sign in because for i in range(sign.first, sign.last)}
        if any(sign.kind is SignKind.EASED and sign.first not in inside for sign in within):
            return 0
        if not _BLAMED.isdisjoint(self._words[cause.last : cause.last + 4]) and "." not in gap:
            return 2
        if cause.remedy:
            return 2 * (len(gap) <= 3 and not {"to", "from", "after"}.isdisjoint(gap))
        if because:
            return 2 * (allergic or len(gap) <= _NEAR)
        place = next((i for i, word in enumerate(gap) if word in _BACK), -1)
        if place < 0:
            return int(allergic and (not gap or (len(gap) <= 3 and self._around(SignKind.ENDED, cause, 3))))
        if not allergic:
            close = (
                len(gap) <= 4 and place <= 2 and cause.named and _NEW_CLAUSE.isdisjoint(gap) and gap[place] not in _SPAN
            )
            return (1 if effect.kind is SignKind.ILL else 2) * close
        exposed = any(s.kind is SignKind.EXPOSED and s.first - effect.last < place for s in within)
        return int(not exposed and _NEW_CLAUSE.isdisjoint(gap[:place]))

    def _consequence(self, cause: Cause, effect: Sign) -> int:
        """Whether the cause was stopped or replaced, is not wanted again, or an antidote was needed."""
        if any(s.kind is SignKind.AGAIN and not cause.first <= s.first < cause.last for s in self._signs):
            return 1
        return int(
            self._around(SignKind.ENDED, cause, _NEAR)
            or self._around(SignKind.ENDED, Cause(effect.first, effect.last, "", "", False, False), _NEAR)
        )

    def _between(self, other: Cause, cause: Cause, effect: Sign) -> bool:
        """Whether another cause stands between the two, and is no list with this one ("penicillin and sulfa")."""
        words = self._words
        if cause.last <= other.first and other.last <= effect.first:
            replaced = not _REPLACED.isdisjoint(words[max(self._first, cause.first - 2) : other.first])
            return not _LIST.issuperset(words[cause.last : other.first]) and not replaced
        if effect.last <= other.first and other.last <= cause.first:
            return not _LIST.issuperset(words[other.last : cause.first])
        return False

    def _around(self, kind: SignKind, place: Cause, after: int) -> bool:
        """Whether a sign of this kind stands close before a place, or at most `after` words behind it."""
        start = max(self._first, place.first - _OPENING)
        return any(
            sign.kind is kind and (start <= sign.first < place.first or place.last <= sign.first < place.last + after)
            for sign in self._signs
        )


def _last(signs: Sequence[Sign], kind: SignKind) -> int:
    return max((sign.first for sign in signs if sign.kind is kind), default=-1)
