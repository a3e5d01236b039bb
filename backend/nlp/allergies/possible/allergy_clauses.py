"""What a sentence says of a medicine without naming an effect that any vocabulary knows.

Takes the words of one sentence and its signs; answers for one cause. Five forms are read: the medicine does something to somebody
("dried her out"), something gets better without it, something began with it, somebody became something after it, and somebody could
not do something on it. What helps is none of them.
"""

from collections.abc import Sequence

from backend.nlp.allergies.possible.allergy_causes import Cause
from backend.nlp.allergies.possible.allergy_signs import Sign, SignKind
from backend.nlp.document.tokens import word_set

_OPENING, _NEAR, _REACH = 6, 8, 3
_PERSON = word_set("him her his them their me my")
_IRREGULAR = word_set("sent drove put left kept got hit tore ate turned upset hurt threw wore shot ran felt")
_BENIGN = word_set(
    "helps helped relieves relieved eases eased controls controlled keeps kept calms calmed lets improves improved saves saved cures "
    "cured treats treated stops stopped reduces reduced lowers lowered needs needed increased increases decreased keeps was is has "
    "does as this his hers its prescribed ordered started continued refilled advised discussed administered allowed offered takes "
    "requires required gives gave given minutes hours days tablets doses pills drops injections infusions levels"
)
_EXPECTED = word_set("expected anticipated warned")
_GAVE = word_set("gave gives")
_GIFTS = word_set(
    "relief some good much little no comfort energy sleep benefit better more partial temporary great significant the his her a an one two ease adequate"
)
_ALSO = word_set("always also really just only has had once now again")
_STOPPING = word_set(
    "stopping stopped discontinuing discontinued discontinuation off withdrawal cessation quitting removed eliminated out"
)
_STOPS_HERE = frozenset((".", ",", ";", "it", "and"))
_WHEN = word_set("after when once as upon since with")
_WELL = word_set("better comfortable well normal less gone away relief improved stable controlled good")
STARTING = word_set("starting started beginning began taking on going the her his a new being given")
_NO = word_set("no not denies without never")
_BECAME = word_set("became becomes turned turns felt feels")
_AFTER = word_set("after following on with from")
_HARMLESS = word_set("to into back out over home down off in")
_BLAMING = word_set("blames blamed blame blaming")
_RECOVERED = word_set("recovered resolved cleared")
_UNABLE = word_set("could couldn cannot can unable")


def does(words: Sequence[str], cause: Cause, last: int) -> bool:
    """Whether a medicine does something to somebody: "quetiapine oversedated her", "ibuprofen sends his pressure up"."""
    i = cause.last
    while i < last and words[i] in _ALSO:
        i += 1
    near = words[i : min(last, i + _OPENING)]
    if near[:1] in ([","], ["but"], ["and"]) and "it" in near:
        i += near.index("it") + 1  # "that Bactrim, oh lord, it cooked me"
    if near[:1] == ["for"]:  # "quinine for leg cramps dropped her platelets"
        i = next((j for j in range(i + 2, min(last - 1, i + _OPENING)) if words[j + 1] in _PERSON), i)
    if (
        i + 1 >= last
        or words[i + 1] not in _PERSON
        or (words[i] in _BENIGN and words[i] not in _GAVE)
        or cause.remedy
        or not cause.named
    ):
        return False
    verb = words[i]
    if verb in _GAVE and i + 2 < last:
        return words[i + 2] not in _GIFTS and not words[i + 2].isdigit()  # "risperidone gave him breasts"
    acts = verb in _IRREGULAR or (len(verb) > _REACH and verb.endswith(("s", "ed")))
    return acts and _WELL.isdisjoint(words[i : min(last, i + _NEAR)])


class Clauses:
    """One sentence: words first to last, last left out."""

    def __init__(self, words: Sequence[str], signs: Sequence[Sign], first: int, last: int) -> None:
        self._words = words
        self._signs = signs
        self._first = first
        self._last = last

    def told(self, cause: Cause, alone: bool) -> bool:
        """Whether the sentence speaks of harm by a cause. alone: it names no other cause."""
        if cause.remedy or not cause.named or not _EXPECTED.isdisjoint(self._words[self._first : self._last]):
            return False
        return (
            does(self._words, cause, self._last)
            or self._stopped(cause, alone)
            or self._began(cause)
            or self._became(cause)
            or self._unable(cause)
            or self._blamed(cause)
        )

    def _stopped(self, cause: Cause, alone: bool) -> bool:
        """As in "Went away as soon as the lisinopril was stopped"; "felt normal two weeks after stopping", of the only cause."""
        for place in range(self._first, self._last):
            if self._words[place] not in _STOPPING:
                continue
            ends = place + 1 >= self._last or self._words[place + 1] in _STOPS_HERE
            near = cause.last <= place <= cause.last + _REACH or 0 < cause.first - place <= _REACH or (alone and ends)
            opening = self._words[max(self._first, place - _NEAR) : place]
            if near and cause.last <= place and not _RECOVERED.isdisjoint(self._words[place + 2 : place + 3]):
                return True  # "white count 1.1, stopped, recovered"
            if near and ("until" in opening or (self._gone(place) and not _WHEN.isdisjoint(opening))):
                return True
        return False

    def _began(self, cause: Cause) -> bool:
        """As in "Legs jumping since promethazine"."""
        opening = self._words[max(self._first, cause.first - _REACH) : cause.first]
        since = opening.index("since") + 1 if "since" in opening else len(opening) + 1
        return since <= len(opening) and STARTING.issuperset(opening[since:]) and self._unwell(cause.first)

    def _became(self, cause: Cause) -> bool:
        """As in "He became wild after lorazepam"."""
        if self._words[cause.first - 1] not in _AFTER or cause.first <= self._first:
            return False
        start = max(self._first, cause.first - _NEAR)
        became = [i for i in range(start, cause.first - 1) if self._words[i] in _BECAME]
        return bool(became) and self._words[became[-1] + 1] not in _HARMLESS and self._unwell(cause.first)

    def _unable(self, cause: Cause) -> bool:
        """As in "Could not keep food down on exenatide"."""
        if self._words[cause.first - 1] != "on" or cause.first <= self._first:
            return False
        before = self._words[max(self._first, cause.first - _NEAR) : cause.first]
        eased = any(s.kind is SignKind.EASED and self._first <= s.first < cause.first for s in self._signs)
        return not _UNABLE.isdisjoint(before) and not {"not", "t", "unable", "cannot"}.isdisjoint(before) and not eased

    def _blamed(self, cause: Cause) -> bool:
        """As in "She blames the patch for the raw square on her back"."""
        before = self._words[max(self._first, cause.first - _REACH) : cause.first]
        return not _BLAMING.isdisjoint(before) and "for" in self._words[cause.last : cause.last + _REACH]

    def _unwell(self, place: int) -> bool:
        until = self._words[self._first : place]
        eased = any(s.kind is SignKind.EASED and s.first < place for s in self._signs)
        return not eased and _WELL.isdisjoint(until) and _NO.isdisjoint(until) and _STOPPING.isdisjoint(until)

    def _gone(self, place: int) -> bool:
        eased = any(s.kind is SignKind.EASED and s.first < place and self._words[s.first] != "for" for s in self._signs)
        return eased or not _WELL.isdisjoint(self._words[self._first : place])
