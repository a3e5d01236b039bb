"""Of whom a clause speaks, and which effects are facts although its words seem to deny them or to tell them of somebody else.

Takes the words of a note; answers for a clause, and for an effect in its sentence. Relatives to whom something happened are left out
before (allergy_kin); here a clause with a relative's name is the patient's only where the relative tells, or another pronoun goes on.
"""

from collections.abc import Sequence
from itertools import pairwise

from backend.nlp.allergies.allergy_experiencer import borrowed, child_speaks
from backend.nlp.allergies.possible.allergy_causes import Cause
from backend.nlp.allergies.possible.allergy_signs import Sign
from backend.nlp.document.tokens import word_set
from backend.nlp.people.family import PersonKind, people
from backend.nlp.rules.word_lists import word_lists

_ADDRESSED = word_set("you your patients people")
_ADVICE = word_set("return call seek watch report monitor")
_HABIT = word_set("eat eats take takes have has touch touches wear wears drink drinks use uses smell smells")
_TO_COME = word_set(
    "call return seek will would should may might could watch monitor stop consider ask asked asks tell hold worse worsens needed please recommend advised told unsure "
    "know whether sure denies no not never see start continue give check"
)
_PER = word_set("per by from to")
_NOT = word_set("cannot t not unable never no")
_WANTED, _BARELY = word_set("get catch breathe swallow"), word_set("not t cannot barely hardly")
_VERBAL = word_set("not t cannot never")
_USING = word_set("use give have take tolerate wear eat")
_REFUSING = word_set("no not cannot never unable denies without")
_MARKS = frozenset("-:(=>→–—")
_OPENING = 6
_NEAR = 4
_OWNERS = word_set("her his their")
_MEN = word_set("father dad brother son uncle grandfather grandpa nephew husband grandson stepfather stepson")
_WOMEN = word_set(
    "mother mom mum sister daughter aunt grandmother grandma niece wife granddaughter stepmother stepdaughter"
)
_MALE, _FEMALE = word_set("he him his"), word_set("she her hers")
_DENYING = word_set("no not never denies denied without if")
TELLS = word_lists("attributes/words_people")["tells"]
RELATIVES = frozenset(
    word for word, person in people().items() if person.kind in (PersonKind.BLOOD, PersonKind.HOUSEHOLD)
)
_INFORMS = TELLS | word_set(": bedside wrote writes swears mentions mentioned volunteers volunteered")


class Persons:
    """The words of one note, and where each starts in its text."""

    def __init__(self, text: str, starts: Sequence[int], words: Sequence[str]) -> None:
        self._text = text
        self._starts = starts
        self._words = words

    def aside(self, first: int, last: int) -> bool:
        """Whether a clause speaks of a relative, or to the reader."""
        if not _ADDRESSED.isdisjoint(self._words[first:last]) or self._words[first] in _ADVICE:
            return True
        for i in range(first, last):
            if (
                self._words[i] in RELATIVES
                and self._words[i + 1 : i + 2] != ["'"]  # but "her daughter's EpiPen"
                and not child_speaks(self._text, self._starts[first], self._starts[i])
            ):
                tells = not _INFORMS.isdisjoint(self._words[i + 1 : i + _NEAR])
                other = _FEMALE if self._words[i] in _MEN else _MALE if self._words[i] in _WOMEN else frozenset[str]()
                if not other.isdisjoint(self._words[i + 1 : last]):
                    return False  # "mom has pictures of the rash he had"
                return not tells and _PER.isdisjoint(self._words[max(first, i - 2) : i])
        return False

    def surely(self, first: int, last: int, cause: Cause, effect: Sign) -> bool:
        """As in "Cannot eat soy without her eyes swelling"; "her daughter recalls that her mother nearly died"."""
        if self._ruled_out(cause, effect):
            return True
        before = self._words[first : effect.first]
        if self._words[effect.first] in _WANTED and before[-1:] and before[-1] in _BARELY:
            return True  # "could not get his breath" is no denial
        sentence = self._words[first:last]
        if "if" in sentence and not _HABIT.isdisjoint(sentence) and _TO_COME.isdisjoint(sentence):
            return True  # "my lips swell if I eat cashews"
        if borrowed(self._text, self._starts[effect.first]):
            return True
        if "without" in before[-_NEAR:]:
            return not _NOT.isdisjoint(before[: len(before) - before[::-1].index("without") - 1])
        kin = [i for i, word in enumerate(before) if word in RELATIVES]
        told = len(kin) == 2 and not TELLS.isdisjoint(before[kin[0] : kin[0] + _NEAR])
        return told and before[kin[1] - 1] in _OWNERS and _DENYING.isdisjoint(before)

    def _ruled_out(self, cause: Cause, effect: Sign) -> bool:
        """As in "NO MORPHINE - respiratory arrest": the "no" is of the medicine, and what stands behind the mark is why."""
        before, behind = (
            self._words[max(0, cause.first - _OPENING) : cause.first],
            self._words[cause.last : effect.first],
        )
        if behind[:1] == [","] and any(one in _VERBAL and two in _USING for one, two in pairwise(before)):
            return _REFUSING.isdisjoint(behind)  # "do not use the gloves, her hands come up red"
        marked = bool(behind) and behind[0] in _MARKS and effect.first > cause.last
        return marked and not _REFUSING.isdisjoint(before) and _REFUSING.isdisjoint(behind)
