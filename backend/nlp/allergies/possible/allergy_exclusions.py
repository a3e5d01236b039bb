"""What stands beside a medicine in a sentence and is no effect of it: what it treats, what it may cause, an overdose, a home medicine.

Takes the words of a sentence, a cause and an effect; answers whether the words say of them that the one did not bring the other. What
ties the two, allergy_links decides.
"""

from collections.abc import Sequence
from itertools import pairwise

from backend.nlp.allergies.possible.allergy_causes import Cause
from backend.nlp.allergies.possible.allergy_signs import Sign, SignKind
from backend.nlp.document.tokens import word_set

_CLOSE, _NEAR, _OPENING = 3, 4, 6
_COMING, _ANY = 8, word_set("a an any the there he she you they")
_AFTER = word_set("after following despite")
_MAY = word_set("could can may might would will")
_EASED_BY = word_set(
    "relieved relieves relief better improved improves improving improvement responded responds responsive free fewer"
)
_TREATED = word_set("treat treated treats treating treatment managed covered")
_WITH = word_set("with by using on")
_TOO_MUCH = word_set(
    "overdose overdosed overdoses overdosing overuse overused supratherapeutic intoxication intoxicated misuse withdrawal withdraw"
)
_NO_EFFECT = word_set("risk risks precautions prophylaxis culture cultures")
_NOTHING = word_set("no little")
_HELP = word_set("help relief benefit")
_AMOUNT, _MUCH = word_set("high large excessive too"), word_set("dose doses much many amount amounts quantity")
_AT_HOME = word_set("home takes years regular regularly usual daily chronically")
_AT_ONCE = word_set(
    "lip lips tongue throat face eyelid eyelids lids uvula stridor anaphylaxis anaphylactic angioedema hives urticaria wheals welts"
)
_THEN = word_set("within after since then shortly later following minutes hours started starting began given when")
_NOW = (
    ("now", "on"),
    ("currently", "on"),
    ("remains", "on"),
    ("continue", "on"),
    ("continues", "on"),
    ("will", "give"),
    ("will", "use"),
)
_INFECTIONS = word_set(
    "cellulitis abscess infection infected erysipelas shingles zoster sinusitis tonsillitis mastitis"
)
_EFFECTS = word_set("effects risks")
_EXPLAINED = word_set(
    "discussed discuss explained explain common possible potential usual counselled counseled leaflet reviewed went"
)
_WRONG_WAY = word_set("choked choking choke aspirated")
_LOCAL = word_set("local localised localized")
_DOZENS = word_set("twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred")
_HANDFUL = 12  # tablets that nobody takes at once as prescribed
_HURT = frozenset(("fell", word) for word in ("off", "from", "down", "over", "onto", "while")) | {
    ("hit", "by"),
    ("struck", "by"),
    ("tripped", "and"),
}
_WORSE = word_set("worse worsening worsened persists persistent persisted")
_WHY = word_set("because as since for due")
_LIST = word_set("and or , / & plus")
_LAST = 15
_BACK_UP = word_set("it them")
_OUT = word_set("vomited vomits vomit threw throws")


class Untied:
    """One sentence: words from `first` on, and its signs. joined: two sentences are read as one."""

    def __init__(self, words: Sequence[str], signs: Sequence[Sign], first: int, last: int, joined: bool) -> None:
        self._words = words
        self._signs = signs
        self._first = first
        self._last = last
        self._joined = joined

    def untied(self, cause: Cause, effect: Sign, ahead: bool) -> bool:
        """Whether the words say that the effect was none of the cause's. ahead: the cause is told first."""
        allergic = effect.kind is SignKind.ALLERGIC
        left, right = (cause.last, effect.first) if ahead else (effect.last, cause.first)
        if self._may(left, right) or self._none_came(left, right):
            return True  # "which may also cause anxiety", "could be caused by", "made no difference to the wheeze"
        if self._discussed(right) or self._swallowed(cause, effect):
            return True  # "the common side effects of sertraline, nausea and rash"; "choked on a peanut"
        if not _NO_EFFECT.isdisjoint(self._words[effect.first : effect.last + 1]):
            return True  # "because of the bleeding risk", "when cultures grew"
        if not allergic and (self._too_much(cause) or self._brought_up(effect) or self._local(effect)):
            return True
        before = self._before(effect.first, _COMING)
        if not ahead and not _HELP.isdisjoint(before[-_NEAR:]) and "no" in before:
            return True  # "no help with the headaches from painkillers"
        if "should" in before and not _ANY.isdisjoint(before[before.index("should") + 1 :][:1]):
            return True  # "stop it and call should a rash or ulcers come up"
        if ahead:
            after = self._words[cause.last : cause.last + _NEAR]
            if not _HURT.isdisjoint(pairwise(self._words[left:right])) and _AT_ONCE.isdisjoint(
                self._words[effect.first : effect.last]
            ):
                return True  # "peanut butter for lunch. Then fell off the swing and has facial swelling"
            if "not" in after and not _HELP.isdisjoint(after):
                return True  # "acetaminophen did not help, and she sees spots"
            near = _OPENING if self._joined else _CLOSE
            if (not allergic or self._joined) and not _EASED_BY.isdisjoint(self._before(cause.first, near)):
                return True  # "relieved by nitroglycerin. He had sweated"
            if effect.kind is SignKind.ILL and right - left > _OPENING and self._words[right - 1] in _AFTER:
                return True  # "stopped amlodipine as BP is now low after weight loss"
            if self._treating(cause) and not self._at_once(effect):
                return True  # "shingles on the flank, on aciclovir day 4, blisters crusting"
            if (
                self._joined
                and not _WORSE.isdisjoint(self._words[right - _NEAR : effect.last])
                and not self._at_once(effect)
            ):
                return True  # "started azithromycin for bronchitis. Today the cough is worse with wheeze"
            return self._joined and (self._at_home(cause, effect) or (not allergic and self._explained(cause, effect)))
        return self._treated(effect, right) or self._replaced(cause) or self._infected(effect, right)

    def _at_once(self, effect: Sign) -> bool:
        """Whether an effect makes everybody think of an allergy."""
        return not _AT_ONCE.isdisjoint(self._words[effect.first : effect.last])

    def _before(self, place: int, count: int) -> Sequence[str]:
        return self._words[max(self._first, place - count) : place]

    def _may(self, left: int, right: int) -> bool:
        told = [s for s in self._signs if s.kind in (SignKind.CAUSES, SignKind.BECAUSE) and left <= s.first < right]
        return bool(told) and not _MAY.isdisjoint(self._before(told[-1].first, _CLOSE))

    def _none_came(self, left: int, right: int) -> bool:
        causal = [s.last for s in self._signs if s.kind is SignKind.CAUSES and left <= s.first < right]
        return bool(causal) and causal[-1] < right and self._words[causal[-1]] in _NOTHING

    def _discussed(self, right: int) -> bool:
        """Whether the effects are those that a medicine may have, as they are explained to those who take it."""
        sentence = self._words[self._first : right]
        return any(
            word in _EFFECTS and not _EXPLAINED.isdisjoint(sentence[max(0, i - _OPENING) : i])
            for i, word in enumerate(sentence)
        )

    def _swallowed(self, cause: Cause, effect: Sign) -> bool:
        """As in "Choked on a peanut and went blue": it went the wrong way."""
        choked = not _WRONG_WAY.isdisjoint(self._before(cause.first, _CLOSE))
        return choked and not self._at_once(effect)

    def _local(self, effect: Sign) -> bool:
        """As in "Stung this morning, local redness only"."""
        return not _LOCAL.isdisjoint(self._words[max(self._first, effect.first - 1) : effect.last])

    def _too_much(self, cause: Cause) -> bool:
        words = self._words[self._first : self._last]
        number = self._words[cause.first - 1] if cause.first > self._first else ""
        if number in _DOZENS or (number.isdigit() and int(number) >= _HANDFUL):
            return True  # "took forty paracetamol"
        return not _TOO_MUCH.isdisjoint(words) or any(a in _AMOUNT and b in _MUCH for a, b in pairwise(words))

    def _brought_up(self, effect: Sign) -> bool:
        """As in "Vomited it back up" tells what became of the tablet."""
        inside = self._words[effect.first : effect.last + 1]
        return inside[0] in _OUT and not _BACK_UP.isdisjoint(inside)

    def _at_home(self, cause: Cause, effect: Sign) -> bool:
        """Whether a medicine of long standing is named in one sentence and something else in the next: no tie but where all think of one."""
        full_stop = next((i for i in range(cause.last, effect.first) if self._words[i] == "."), cause.last)
        if _AT_HOME.isdisjoint(self._words[max(self._first, cause.first - _LAST) : full_stop]):
            return False
        if not _THEN.isdisjoint(self._words[full_stop : effect.first]):
            return False
        return not self._at_once(effect)

    def _explained(self, cause: Cause, effect: Sign) -> bool:
        """Whether it is said why it was stopped, and the next sentence goes on to something else: "stopped because the box was empty. She is tired"."""
        stopped = [
            s.first
            for s in self._signs
            if s.kind is SignKind.ENDED and -_LAST < s.first - cause.first < _LAST and s.first < effect.first
        ]
        full_stop = next((i for i in range(cause.last, effect.first) if self._words[i] == "."), cause.last)
        return bool(stopped) and not _WHY.isdisjoint(self._words[cause.last : full_stop])

    def _treated(self, effect: Sign, cause_first: int) -> bool:
        """As in "Was treated for pneumonia with piperacillin"."""
        joins = self._words[effect.last] in _WITH and cause_first - effect.last <= _NEAR
        return joins and not _TREATED.isdisjoint(self._before(effect.first, _NEAR))

    def _infected(self, effect: Sign, cause_first: int) -> bool:
        """As in "Facial cellulitis, eye swollen shut, on ampicillin": what swells in an infection, and then what it is treated with."""
        return self._words[effect.last : cause_first] == [",", "on"] and not _INFECTIONS.isdisjoint(
            self._words[self._first : effect.first]
        )

    def _treating(self, cause: Cause) -> bool:
        """Whether an infection is named first, and then what it is treated with: "cellulitis, on cefazolin"."""
        return self._before(cause.first, 2)[-1:] == ["on"] and not _INFECTIONS.isdisjoint(
            self._words[self._first : cause.first]
        )

    def _replaced(self, cause: Cause) -> bool:
        """As in "A rash after piperacillin; now on ciprofloxacin and metronidazole": what is taken now instead, and what is listed with it."""
        place = cause.first
        while place - 2 > self._first and self._words[place - 1] in _LIST:
            place -= 2
        return tuple(self._before(place, 2)) in _NOW
