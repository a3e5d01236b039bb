"""Whether an effect that is told before its cause is tied to it: "hives after penicillin", "thigh pain since simvastatin was doubled".

Takes the words of one sentence; answers for one cause and one effect how strongly they are tied. Effects told after their cause, and
what the tie is worth, are allergy_links' work.
"""

from collections.abc import Sequence

from backend.nlp.allergies.possible.allergy_causes import Cause
from backend.nlp.allergies.possible.allergy_clauses import STARTING
from backend.nlp.allergies.possible.allergy_places import NEAR, Places, other_object
from backend.nlp.allergies.possible.allergy_signs import Sign, SignKind
from backend.nlp.document.tokens import word_set

_USE_NEAR = 4  # words of "when he is given"
_BACK = word_set(
    "w after following with from on to when whenever if while since upon during within each every any as under beneath where wherever in into = <"
)
_AT_ITS_USE = word_set("when whenever where")
_SPAN = word_set("since until any during each every as = <")
_BLAMED = word_set("implicated blamed culprit responsible suspected offending")
_AROSE = word_set("developed began appeared occurred started came")
_CHRONIC = word_set(
    "diabetic hypertensive asthmatic epileptic gout seizure seizures epilepsy asthma copd pain depressed depression anxiety insomnia diabetes dm t2dm hypertension htn fibrillation afib af chf failure hypothyroidism "
    "gerd arthritis ra lupus psoriasis crohn schizophrenia bipolar parkinson dementia hiv migraine migraines osteoporosis cancer lymphoma leukemia myeloma"
)
_NEW_CLAUSE = word_set("and but ; then was were is are discharged continued continues remains prescribed takes")
_OF_OBJECTS = word_set("on with to from in upon under beneath during within as each every any after following")
_TREATED_BY = word_set("on with to")
_STOPPING = word_set(
    "stopping stopped discontinuing discontinued discontinuation off withdrawal cessation quitting removed eliminated out"
)
_WITHOUT = _STOPPING | word_set("missed missing skipped ran without")
_CAME = word_set("came come comes coming broke break breaks breaking")
_AS = word_set("as while when")
_RUNNING = word_set("went going running infusing infused pushed injected")
_WITHIN = 6  # words of "within half an hour of"
_LENGTHS = word_set("minutes hours day days week weeks month months")
_UPON = word_set("after of following into")
_TIGHT = word_set("minute minutes seconds moments shortly immediately straight")
_TIMES = word_set("when whenever time if after")


class Backward:
    """The words of one sentence and what stands around its causes."""

    def __init__(self, words: Sequence[str], places: Places) -> None:
        self._words = words
        self._places = places

    def tie(self, cause: Cause, effect: Sign, gap: Sequence[str], within: Sequence[Sign]) -> int:
        """2 for a word of cause, 1 for one of time, 0 for none. gap: the words between them; within: the signs among these."""
        allergic = effect.kind is SignKind.ALLERGIC
        because = [sign for sign in within if sign.kind is SignKind.BECAUSE]
        inside = {i for sign in because for i in range(sign.first, sign.last)}
        lasted = {
            effect.last + i for i, word in enumerate(gap) if word == "for" and not _LENGTHS.isdisjoint(gap[i : i + 4])
        }
        if any(s.kind is SignKind.EASED and s.first not in inside and s.first not in lasted for s in within):
            return 0
        if self._places.instead(cause) and _TIMES.isdisjoint(gap[-4:]):
            return 0  # "swelling of the knee, changed to meloxicam"
        if "." not in gap and (self._blamed(cause) or _soon(gap) or self._went_in(cause, gap)):
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

    def _blamed(self, cause: Cause) -> bool:
        """As in "Vancomycin was implicated", "testing named teicoplanin as the cause"."""
        after = self._words[cause.last : cause.last + 4]
        return not _BLAMED.isdisjoint(after) or after[:3] in (["as", "the", "cause"], ["was", "the", "cause"])

    def _went_in(self, cause: Cause, gap: Sequence[str]) -> bool:
        """As in "Flushing and a feeling of doom as the ceftriaxone went in"."""
        return not _AS.isdisjoint(gap[-_USE_NEAR:]) and not _RUNNING.isdisjoint(
            self._words[cause.last : cause.last + 3]
        )

    def _at_each_use(self, effect: Sign, gap: Sequence[str], within: Sequence[Sign]) -> bool:
        """Whether a side effect comes when the cause is given: "when given", "whenever she takes"."""
        when = next((i for i, word in enumerate(gap) if word in _AT_ITS_USE), len(gap))
        given = any(s.kind is SignKind.EXPOSED and s.first - effect.last > when for s in within)
        chronic = not _CHRONIC.isdisjoint(self._words[effect.first : effect.last])
        return given and len(gap) - when <= _USE_NEAR and not chronic

    def _holds(self, gap: Sequence[str], i: int) -> bool:
        """Whether a word of place or time joins the effect to the cause; not "from an abscess, started on" nor "on the leg, clindamycin"."""
        treated = gap[i] in _TREATED_BY and "," in gap[:i] and gap[i - 1] != ","
        return not treated and (gap[i] not in _OF_OBJECTS or not other_object(gap, i + 1))


def _soon(gap: Sequence[str]) -> bool:
    """As in "Collapsed in the anaesthetic room, one minute after", "within half an hour of": as good as a word of cause."""
    if len(gap) < 2 or gap[-1] not in _UPON:
        return False
    return not _TIGHT.isdisjoint(gap[-3:-1]) or (gap[-1] == "of" and "within" in gap[-_WITHIN:])


def _before_taking(gap: Sequence[str]) -> Sequence[str]:
    """The words right before "takes"; all of _TIMES where it is not said, so that nothing is missed."""
    return gap[max(0, gap.index("takes") - 3) : gap.index("takes")] if "takes" in gap else tuple(_TIMES)
