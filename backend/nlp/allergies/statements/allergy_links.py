"""Whether a sentence ties an effect to what may have caused it.

Takes the words of one sentence, or of two that go on, and their signs; answers for one cause and one effect. What a reaction
was treated with, or what eased it, is no cause; of two causes the nearer one counts. It does not know assertions.
"""

from collections.abc import Sequence

from backend.nlp.allergies.possible.allergy_causes import Cause, Causes
from backend.nlp.allergies.possible.allergy_exclusions import Untied
from backend.nlp.allergies.possible.allergy_expected import expected, feverish, meant
from backend.nlp.allergies.possible.allergy_places import FAR, NEAR, OPENING, Places
from backend.nlp.allergies.possible.allergy_signs import Sign, SignKind
from backend.nlp.allergies.statements.allergy_backward import Backward
from backend.nlp.document.tokens import word_set

_BACKWARD, _BARRED = 14, 12
"""Most words between an effect and its cause; where barred."""
_ENOUGH = 3
_LISTED = 3  # commas between a cause and an effect that make them parts of one list
_AFTER_NAME = 4  # words in which "was given" follows a name
_CAUSED = 2  # what a word of cause, or minutes, are worth
_STRENGTH = {SignKind.ALLERGIC: 2, SignKind.SIDE: 1, SignKind.ILL: 1}

_STRONG = word_set(
    "within minutes hours later when whenever afterwards developed develops ended after then got gets = > → since while until once had "
    "experienced suffered needed required noticed day days became went felt found now night morning evening times"
)
_BEFORE_CAUSE = word_set("within after following upon whenever when with last into day")
_TIGHT = word_set("within minutes shortly immediately seconds promptly instantly moments")
_ACTED = word_set(
    "broke breaks breaking came swelled swells swole blew puffed reacted reacts itched wheezed stopped quit blistered flushed went"
)
_THEN = word_set("and then but")
_BECAME = word_set("became got felt went was")
_SUFFERED = word_set("threw vomited passed fainted collapsed seized hallucinated")
_REASON = word_set("view light account because due as after when since owing secondary given for from : ( - , d")
_GLUE = word_set("infusion - induced related associated exposure sting stings dye drug")
_IT = word_set("it which that this these they")
_THAT = word_set("it them that this again")
_GOES_ON = word_set(", : and but then ; . presents presented developed now")
_ENDING = word_set("down subsided faded fading drying receding clearing resolving crusting settling healing unchanged")
_EXPECTED = word_set("expected anticipated warned counselled counseled")
_ADMITTED = word_set("admitted presents presented presenting referred")
_UNMISTAKABLE = word_set(
    "anaphylaxis anaphylactic anaphylactoid angioedema hives urticaria urticarial wheals welts lip lips tongue throat face eyelid eyelids "
    "lids uvula mouth stridor allergic allergy rash rashes"
)
_TAKES = word_set("takes taking uses using on")
_LENGTHS = word_set("day days week weeks month months year years decade decades ages")
_NOT = word_set("no not without avoid avoids avoided never")
_WELL = word_set("better comfortable well normal less gone away relief improved stable controlled good free fewer")
_OF_MEDICINES = word_set("side adverse intolerance reaction reactions rxn allergic allergy")
_ARROWS = frozenset("=>→")
_FORMS = word_set(
    "first second third 1st 2nd infusion dose tablet tablets injection cream patch suppository drops gel ointment jab shot iv po oral mg mcg g ml"
)
_CLOSE = 2  # words between what is barred and a remedy: "cannot take Benadryl"
_SOON = 4  # words behind the mark
_UPON = word_set("on after by day")
_COUNTED = word_set("day days week dose doses tablet tablets")  # "tried Wellbutrin: seizure on day 10"
_MARKS = frozenset('(-:=>,–—→["“')


class Links:
    """The ties of one sentence. joined: two sentences are read as one, and only what goes over their border is asked for.

    A tie is made where an effect (2 when allergic, else 1), what joins it to the cause (2 for a word of cause, 1 for one of time)
    and what was done then (1: stopped, replaced, not again, an antidote, or several effects came together) come to 3.
    """

    def __init__(
        self, words: Sequence[str], signs: Sequence[Sign], effects: Sequence[Sign], first: int, last: int, joined: bool
    ) -> None:
        self._places = Places(words, signs, effects, first, joined)
        self._back = Backward(words, self._places)
        self._untied = Untied(words, signs, first, last, joined)
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
        if len(gap) > (FAR if ahead else _BACKWARD) or (";" in gap and not self._joined):
            return False
        if expected(self._words, self._signs, cause, effect) or self._untied.untied(cause, effect, ahead):
            return False
        if any(self._places.between(other, cause, effect) for other in causes.among(left, right)):
            return False
        if ahead and self._places.instead(cause):
            return False
        if effect.kind is SignKind.BARRED:
            close = not ahead and len(gap) <= _CLOSE and bool(cause.concept_id)
            if not cause.named or (cause.remedy and not close and self._words[cause.last : cause.last + 1] != [":"]):
                return False
            if self._joined:
                return ahead and self._again(effect) and len(causes.among(self._first, self._last)) == 1
            return len(gap) <= _BARRED and "." not in gap
        if effect.kind is not SignKind.ALLERGIC and not _EXPECTED.isdisjoint(self._words[self._first : self._last]):
            return False
        within = [s for s in self._signs if left <= s.first and s.last <= right]
        if ahead and not within:  # "felt like a vise": the effect may begin with the end of what brought it
            within = [s for s in self._signs if s.kind is SignKind.CAUSES and left <= s.first < right]
        tie = self._forward(cause, effect, gap, within) if ahead else self._back.tie(cause, effect, gap, within)
        if tie < _CAUSED and feverish(self._words, self._signs, effect):
            return False  # "cycle 3 day 10 of doxorubicin, noted a temperature of 101.4"
        consequence = self._places.consequence(cause, effect)
        if not consequence and meant(self._words, cause, effect):
            return False
        return tie > 0 and _STRENGTH[effect.kind] + tie + consequence >= _ENOUGH

    def _forward(self, cause: Cause, effect: Sign, gap: Sequence[str], within: Sequence[Sign]) -> int:
        """The cause is told before its effect."""
        allergic = effect.kind is SignKind.ALLERGIC
        exposed = self._places.around(SignKind.EXPOSED, cause, _AFTER_NAME) or self._places.counted(cause)
        long = not exposed or not _TAKES.isdisjoint(
            self._words[max(self._first, cause.first - _AFTER_NAME) : cause.first]
        )
        if not _ADMITTED.isdisjoint(gap) and not self._telling(effect) and (effect.kind is SignKind.ILL or long):
            return 0  # "on entecavir, admitted with a broken wrist"; "on apixaban, presents with leg swelling"
        eased = _last([sign for sign in within if not self._indication(sign, effect)], SignKind.EASED)
        near = len(gap) <= NEAR + (OPENING if self._joined else 0) or exposed
        causal = [sign for sign in within if sign.kind is SignKind.CAUSES and sign.first > eased]
        if not _WELL.isdisjoint(self._words[effect.first : effect.last + 2]):
            return 0
        if not _ENDING.isdisjoint(self._words[effect.last : effect.last + 2]):
            return 0
        if self._words[max(self._first, cause.first - 3) : cause.first] == ["ran", "out", "of"]:
            return 0
        if self._words[effect.first] in _OF_MEDICINES and any(sign.kind is SignKind.BECAUSE for sign in within):
            return 2  # "came off Prozac due to side effects"
        if (
            causal
            and effect.first - causal[-1].last <= NEAR
            and (near or any(self._words[sign.first - 1] in _IT for sign in causal))
        ):
            return 2
        barred = self._places.around(SignKind.ENDED, cause, 0) or self._words[max(0, cause.first - 1)] in _NOT
        marks = [word for word in gap if not word.isdigit() and word not in _FORMS]  # "Phenytoin 2014 - rash"
        marked = marks and len(gap) <= 4 and _MARKS.issuperset(marks) and (marks != [","] or (barred and gap == marks))
        if marked and not (cause.remedy and _ARROWS.isdisjoint(gap)) and (barred or effect.kind is not SignKind.ILL):
            return 2
        if cause.remedy:
            return 0
        if self._headed(cause, effect, gap) and eased < 0:
            return 2
        if allergic and (not gap or (len(gap) == 1 and gap[0] in _GLUE)):
            return 1  # "a penicillin rash", "vancomycin infusion reaction"
        ended = barred or any(sign.kind is SignKind.ENDED for sign in within)
        if (
            ended
            and not _REASON.isdisjoint(gap)
            and (allergic or len(gap) <= _BACKWARD)
            and effect.kind is not SignKind.ILL
        ):
            return 2
        opening = self._words[max(self._first, cause.first - OPENING) : cause.first]
        if self._at_once(effect, gap) or (eased < 0 and len(gap) <= _BACKWARD and not _TIGHT.isdisjoint(opening)):
            return 2
        return int(self._followed(cause, effect, gap, eased, exposed))

    def _headed(self, cause: Cause, effect: Sign, gap: Sequence[str]) -> bool:
        """Whether a sentence opens with the cause and tells after a mark what came: "Diclofenac after the operation: asthma"."""
        if cause.first > self._first + 1 or self._joined or effect.kind is SignKind.ILL or "." in gap:
            return False
        mark = next((i for i, word in enumerate(gap) if word in (":", "-")), len(gap))
        return mark < min(NEAR, len(gap)) and len(gap) - mark <= _SOON and "for" not in gap

    def _again(self, barred: Sign) -> bool:
        """Whether what must not be had again is the one thing that was spoken of: "told never to take it again"."""
        return not _THAT.isdisjoint(self._words[max(self._first, barred.first - _AFTER_NAME) : barred.last + 2])

    def _telling(self, effect: Sign) -> bool:
        """Whether an effect makes one think of an allergy wherever it stands, even as what somebody came with."""
        return not _UNMISTAKABLE.isdisjoint(self._words[effect.first : effect.last])

    def _indication(self, sign: Sign, effect: Sign) -> bool:
        """Whether a "for" names the indication or the time of the cause, and the sentence goes on to the effect.

        As in "for acne, and got hives" and "for two years woke with swollen lips".
        """
        rest = self._words[sign.last : effect.first]
        if self._words[sign.first] == "for" and not _LENGTHS.isdisjoint(rest[:3]):
            return True
        return self._words[sign.first] == "for" and not _GOES_ON.isdisjoint(rest[1:])

    def _at_once(self, effect: Sign, gap: Sequence[str]) -> bool:
        """Whether a side effect follows the cause as what happened next: "sent home on codeine and threw up"."""
        if effect.kind is not SignKind.SIDE or not 0 < len(gap) <= 4 or _THEN.isdisjoint(gap):
            return False
        if "then" in gap and feverish(self._words, self._signs, effect):
            return True  # "given IVIG, then fever and chills"
        return self._words[effect.first] in _SUFFERED or not _BECAME.isdisjoint(gap)

    def _followed(self, cause: Cause, effect: Sign, gap: Sequence[str], eased: int, exposed: bool) -> bool:
        """Whether an effect came after an exposure, in time."""
        told = any(word in _STRONG for i, word in enumerate(gap, cause.last) if i > eased)
        when = self._words[effect.last : effect.last + 4]
        told = told or (exposed and not _UPON.isdisjoint(when[:1]) and not _COUNTED.isdisjoint(when))
        if told and (exposed or self._joined or len(gap) <= NEAR):
            return True
        if eased >= 0:
            return False
        opening = self._words[max(self._first, cause.first - OPENING) : cause.first]
        if not _BEFORE_CAUSE.isdisjoint(opening) and len(gap) <= _BACKWARD and "." not in gap:
            return True  # "within ten minutes of the azithromycin her tongue began to swell"
        if effect.kind is SignKind.ALLERGIC and exposed and "," in gap and len(gap) <= NEAR:
            return True  # "given morphine 2 mg, arm itchy"
        if effect.kind is SignKind.ALLERGIC and len(gap) <= _BACKWARD:
            # a cause and then, in one breath, an allergic effect; over a full stop only where somebody was given it
            return ("." not in gap and not self._joined and gap.count(",") < _LISTED) or exposed
        if exposed and self._joined and self._telling(effect):
            return True  # "stung by a wasp in the garden. On arrival gray, pulse 140, with urticaria"
        if effect.kind is SignKind.SIDE and exposed and len(gap) <= NEAR and not _THEN.isdisjoint(gap):
            return True  # "one tablet and the paramedics came"
        if exposed and len(gap) <= _BACKWARD and self._places.several(cause):
            return True
        acted = self._words[effect.first] in _ACTED or (
            effect.kind is not SignKind.ILL and effect.last - effect.first > 1
        )
        return acted and (exposed or not {"and", "but", ","}.isdisjoint(gap) or not gap)


def _last(signs: Sequence[Sign], kind: SignKind) -> int:
    return max((sign.first for sign in signs if sign.kind is kind), default=-1)
