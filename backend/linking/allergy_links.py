"""Whether a sentence ties an effect to what may have caused it.

Takes the words of one sentence, or of two that go on, and their signs; answers for one cause and one effect. What a reaction
was treated with, or what eased it, is no cause; of two causes the nearer one counts. It does not know assertions.
"""

from collections.abc import Sequence

from backend.linking.allergy_causes import Cause, Causes
from backend.linking.allergy_clauses import STARTING
from backend.linking.allergy_expected import expected, feverish, meant
from backend.linking.allergy_places import FAR, NEAR, OPENING, Places, other_object
from backend.linking.allergy_signs import Sign, SignKind
from backend.linking.allergy_untied import Untied
from backend.linking.tokens import word_set

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
_BACK = word_set(
    "after following with from on to when whenever if while since upon during within each every any as under beneath where wherever in into = <"
)
_AT_ITS_USE = word_set("when whenever where")
_TIGHT = word_set("within minutes shortly immediately seconds promptly instantly moments")
_SPAN = word_set("since until any during each every as = <")
_BLAMED = word_set("implicated blamed culprit responsible suspected offending")
_ACTED = word_set(
    "broke breaks breaking came swelled swells swole blew puffed reacted reacts itched wheezed stopped quit blistered flushed went"
)
_THEN = word_set("and then but")
_AROSE = word_set("developed began appeared occurred started came")
_CHRONIC = word_set(
    "diabetic hypertensive asthmatic epileptic gout seizure seizures epilepsy asthma copd pain depressed depression anxiety insomnia diabetes dm t2dm hypertension htn fibrillation afib af chf failure hypothyroidism "
    "gerd arthritis ra lupus psoriasis crohn schizophrenia bipolar parkinson dementia hiv migraine migraines osteoporosis cancer lymphoma leukemia myeloma"
)
_BECAME = word_set("became got felt went was")
_SUFFERED = word_set("threw vomited passed fainted collapsed seized hallucinated")
_REASON = word_set("because due as after when since owing secondary given for from : ( - , d")
_NEW_CLAUSE = word_set("and but ; then was were is are discharged continued continues remains prescribed takes")
_GLUE = word_set("infusion - induced related associated exposure sting stings dye drug")
_IT = word_set("it which that this these they")
_THAT = word_set("it them that this again")
_GOES_ON = word_set(", and but then ; . presents presented developed now")
_ENDING = word_set("down subsided faded")
_EXPECTED = word_set("expected anticipated warned counselled counseled")
_OF_OBJECTS = word_set("on with to from in upon under beneath during within as each every any after following")
_TREATED_BY = word_set("on with to")
_STOPPING = word_set(
    "stopping stopped discontinuing discontinued discontinuation off withdrawal cessation quitting removed eliminated out"
)
_WITHOUT = _STOPPING | word_set("missed missing skipped ran without")
_CAME = word_set("came come comes coming broke break breaks breaking")
_TIMES = word_set("when whenever time if after")
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
            if not cause.named or cause.remedy:
                return False
            if self._joined:
                return ahead and self._again(effect) and len(causes.among(self._first, self._last)) == 1
            return len(gap) <= _BARRED and "." not in gap
        within = [sign for sign in self._signs if left <= sign.first and sign.last <= right]
        tie = self._forward(cause, effect, gap, within) if ahead else self._backward(cause, effect, gap, within)
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
        if not allergic and not _EXPECTED.isdisjoint(self._words[self._first : self._last]):
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
        marked = 0 < len(gap) <= 3 and all(word in _MARKS for word in gap) and (gap != [","] or barred)
        if marked and not (cause.remedy and _ARROWS.isdisjoint(gap)) and (barred or effect.kind is not SignKind.ILL):
            return 2
        if cause.remedy:
            return 0
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

    def _again(self, barred: Sign) -> bool:
        """Whether what must not be had again is the one thing that was spoken of: "told never to take it again"."""
        return not _THAT.isdisjoint(self._words[max(self._first, barred.first - _AFTER_NAME) : barred.last + 2])

    def _telling(self, effect: Sign) -> bool:
        """Whether an effect makes one think of an allergy wherever it stands, even as what somebody came with."""
        return not _UNMISTAKABLE.isdisjoint(self._words[effect.first : effect.last])

    def _indication(self, sign: Sign, effect: Sign) -> bool:
        """Whether a "for" tells for what, or for how long, the cause was given, and the sentence goes on to the effect: "for acne,
        and got hives", "for two years woke with swollen lips"."""
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

    def _backward(self, cause: Cause, effect: Sign, gap: Sequence[str], within: Sequence[Sign]) -> int:
        """The effect is told before its cause."""
        allergic = effect.kind is SignKind.ALLERGIC
        because = [sign for sign in within if sign.kind is SignKind.BECAUSE]
        inside = {i for sign in because for i in range(sign.first, sign.last)}
        if any(sign.kind is SignKind.EASED and sign.first not in inside for sign in within):
            return 0
        if not allergic and not _EXPECTED.isdisjoint(self._words[self._first : self._last]):
            return 0
        if self._places.instead(cause) and _TIMES.isdisjoint(gap[-4:]):
            return 0  # "swelling of the knee, changed to meloxicam"
        if not _BLAMED.isdisjoint(self._words[cause.last : cause.last + 4]) and "." not in gap:
            return 2
        left_off = [w for i, w in enumerate(gap, effect.last) if w != "out" or self._words[i - 1] not in _CAME]
        if not _WITHOUT.isdisjoint(left_off) or _TIMES.isdisjoint(_before_taking(gap)):
            return 0  # "his gout flared after he stopped allopurinol"; "a rash after hiking; takes metformin"
        if cause.remedy:
            return 2 * (allergic and len(gap) <= 3 and not {"to", "from", "after"}.isdisjoint(gap))
        if because and not other_object(gap, because[-1].last - effect.last):
            return 2 * (allergic or len(gap) <= NEAR)
        ties = [i for i, word in enumerate(gap) if word in _BACK]
        place = next((i for i in ties if self._holds(gap, i)), -1)
        if place >= 0 and ("whenever" in gap or "time" in gap or gap[0] in _AROSE) and len(gap) <= NEAR:
            return 2  # "aches all over whenever he is on it", "pancytopenia developed during linezolid"
        if (
            place >= 0
            and gap[place] == "since"
            and place <= 3
            and STARTING.issuperset(gap[place + 1 :])
            and cause.named
        ):
            return 2  # "thigh pain since simvastatin was doubled"
        if ties and place < 0:
            return 0  # "a rash on the flank, valacyclovir begun"
        if place < 0:
            return int(allergic and (not gap or (len(gap) <= 3 and self._places.around(SignKind.ENDED, cause, 3))))
        exposed = any(s.kind is SignKind.EXPOSED and s.first - effect.last < place for s in within)
        if not allergic and self._at_each_use(effect, gap, within):
            return 2  # "very muddled and sees insects when given co-codamol"
        if not allergic:
            if gap[0] == "," and gap[place] in ("on", "with"):
                return 0  # "anemia, on iron"
            if not _CHRONIC.isdisjoint(self._words[effect.first : effect.last]) and gap[place] in ("on", "with"):
                return 0  # "seizures on levetiracetam": it is what they are treated with
            close = (
                len(gap) <= 4
                and place <= 2
                and not exposed
                and cause.named
                and _NEW_CLAUSE.isdisjoint(gap)
                and gap[place] not in _SPAN
            )
            return (1 if effect.kind is SignKind.ILL else 2) * close
        at_its_use = (
            place == len(gap) - 1 and gap[place] in _AT_ITS_USE
        )  # "blistered and wept again when Elastoplast was used"
        return int(not exposed and (at_its_use or _NEW_CLAUSE.isdisjoint(gap[:place])))

    def _at_each_use(self, effect: Sign, gap: Sequence[str], within: Sequence[Sign]) -> bool:
        """Whether a side effect comes when the cause is given: "when given", "whenever she takes"."""
        when = next((i for i, word in enumerate(gap) if word in _AT_ITS_USE), len(gap))
        given = any(s.kind is SignKind.EXPOSED and s.first - effect.last > when for s in within)
        chronic = not _CHRONIC.isdisjoint(self._words[effect.first : effect.last])
        return given and len(gap) - when <= _AFTER_NAME and not chronic

    def _holds(self, gap: Sequence[str], i: int) -> bool:
        """Whether a word of place or time joins the effect to the cause; not "from an abscess, started on" nor "on the leg, clindamycin"."""
        treated = gap[i] in _TREATED_BY and "," in gap[:i] and gap[i - 1] != ","
        return not treated and (gap[i] not in _OF_OBJECTS or not other_object(gap, i + 1))


def _before_taking(gap: Sequence[str]) -> Sequence[str]:
    """The words right before "takes"; all of _TIMES where it is not said, so that nothing is missed."""
    return gap[max(0, gap.index("takes") - 3) : gap.index("takes")] if "takes" in gap else tuple(_TIMES)


def _last(signs: Sequence[Sign], kind: SignKind) -> int:
    return max((sign.first for sign in signs if sign.kind is kind), default=-1)
