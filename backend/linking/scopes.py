"""How far each cue of a sentence reaches.

Takes the words of one sentence and its cues; gives scopes: stretches of words and what is said of the mentions in
them. In the tradition of NegEx and ConText (cues, pseudo-cues, stops), with clauses besides: a comma or an "and" that
opens a clause with a verb of its own ends a scope, one that only continues a list does not. It does not know sections
or neighbouring sentences: assertions does.
"""

from collections.abc import Sequence
from typing import NamedTuple

from backend.linking.cues import FAR, Cue, FoundCue
from backend.linking.family import family_stretches
from backend.linking.tokens import word_set
from backend.schemas.vocabulary import Assertion

_VERBS = word_set(
    "has have had is was are were reports reported endorses endorsed complains complained states stated describes "
    "described presents presented developed develops admits admitted shows showed demonstrates demonstrated reveals "
    "revealed remains remained appears appeared continues continued underwent received went took takes feels felt "
    "became came started began did does can will denies denied s"
)
_SEEN = word_set(
    "seen noted identified found present appreciated detected reported observed demonstrated visualized evident"
)
_ONSET = word_set("began begin begun started starting start onset noticed since worsened commenced")
_TREATED = word_set("admitted hospitalized treated seen evaluated diagnosed operated")
_ANSWERS = word_set("no none negative neg denies denied absent nil never not")
_DENIERS = frozenset(("no", "not", "without", "denies", "denied"))
_BEFORE_ANSWER = frozenset(":-(=?")
_AFTER_ANSWER = frozenset(",;.)\n")
_SEPARATORS = word_set(", ; and or nor")
_LISTING = word_set("denies denied deny denying for")
_AFTERMATH = frozenset(("p", "post"))
_LIST_AHEAD = 12


class Scope(NamedTuple):
    """Words first to last, last left out, and what is said of them; cue_first to cue_last are the words that say it."""

    assertion: Assertion
    first: int
    last: int
    cue_first: int
    cue_last: int


def scopes(words: Sequence[str], first: int, last: int, cues: Sequence[FoundCue]) -> list[Scope]:
    """The scopes of one sentence, words[first:last]. cues: of that sentence, in order, without overlap."""
    result = [
        Scope(Assertion.FAMILY, a, _stopped(Assertion.FAMILY, a, b, cues), word, word + 1)
        for a, b, word in family_stretches(words, first, last)
    ]
    breaks = _breaks(words, first, last)
    for found in cues:
        if found.cue.kind == "pseudo" and words[found.first] in _DENIERS:
            # "without complications" negates nothing that follows, but the complications themselves
            result.append(Scope(Assertion.NEGATED, found.last, found.last, found.first, found.last))
        if found.cue.kind in ("pseudo", "stop"):
            continue
        assertion = Assertion(found.cue.kind)
        if _is_answer(words, found, first, last):
            start = _answered(words, found.first - 1, first)
            result.append(Scope(assertion, start, found.first, found.first, found.last))
            continue
        dated = assertion is Assertion.HISTORICAL and found.cue.forward and found.cue.backward
        if dated and _ONSET & set(words[max(first, found.first - 6) : found.first]):
            continue  # "started three months ago" goes on now
        if found.cue.forward and (not dated or _opens(words, found, first, last)):
            end = _forward(words, found, last, cues, breaks, assertion)
            result.append(Scope(assertion, found.last, end, found.first, found.last))
        if found.cue.backward and not (found.cue.forward and not dated and _faces_on(words, found, first, last)):
            start = _backward(words, found, first, cues, assertion, dated)
            result.append(Scope(assertion, start, found.first, found.first, found.last))
    return result + _signs(words, first, last)


def _stopped(assertion: Assertion, first: int, last: int, cues: Sequence[FoundCue]) -> int:
    return min((c.first for c in cues if assertion in c.cue.ends and c.first >= first), default=last)


def _forward(
    words: Sequence[str],
    found: FoundCue,
    last: int,
    cues: Sequence[FoundCue],
    breaks: Sequence[int],
    assertion: Assertion,
) -> int:
    start = found.last
    if found.cue.backward and assertion is Assertion.HISTORICAL and start < last and words[start] == ",":
        start += 1  # "In 2010, she had ..."
    end = min(last, _stopped(assertion, start, last, cues), _reached(words, start, last, found.cue))
    listing = words[found.last - 1] in _LISTING or (start < last and words[start] == ":")
    if assertion is not Assertion.HYPOTHETICAL:
        end = min((b for b in breaks if start < b < end), default=end)
    if assertion is Assertion.NEGATED:
        end = min(end, _turned(words, start, last, cues))
    for i in range(start, end):
        word = words[i]
        if assertion is Assertion.NEGATED and word == "+" and i > start:
            return i
        if word == ";" and not listing and assertion is not Assertion.FAMILY:
            return i
        if word == ")" and "(" not in words[start:i] and "(" in words[max(0, found.first - 8) : found.first]:
            return i
        if word == "with" and words[found.last - 1] in _AFTERMATH and assertion is Assertion.HISTORICAL:
            return i  # "s/p fall with hip pain"
        if word == "," and i == start and found.cue.reach < FAR and assertion is Assertion.HYPOTHETICAL:
            return i  # "ondansetron prn, escitalopram daily"
        if word == "," and i > start and found.cue.reach < FAR and not _list_goes_on(words, i, end):
            return i
    return end


def _turned(words: Sequence[str], start: int, last: int, cues: Sequence[FoundCue]) -> int:
    """Where a comma turns from what is denied to what is possible: "no pneumonia, possible effusion"."""
    doubts = (c.first - 1 for c in cues if c.cue.kind == Assertion.UNCERTAIN and c.cue.forward and c.first > start + 1)
    return min((i for i in doubts if words[i] == ","), default=last)


def _backward(
    words: Sequence[str],
    found: FoundCue,
    first: int,
    cues: Sequence[FoundCue],
    assertion: Assertion,
    dated: bool,
) -> int:
    floor = max((c.last for c in cues if assertion in c.cue.ends and c.last < found.first), default=first)
    floor = max(floor, first)
    content = reached = 0
    i = found.first - 1
    while i >= floor:
        word = words[i]
        near = dated or found.cue.reach < FAR
        if content and (word in (";", ":") or (near and word == ",")):
            return i + 1
        if content and word in _SEPARATORS and _has_verb(words, i, floor):
            return i + 1
        if word[:1].isalnum():
            content += 1
            reached += 1
            if reached > found.cue.reach:
                return i + 1
        i -= 1
    return floor


def _has_verb(words: Sequence[str], i: int, floor: int) -> bool:
    """Whether the stretch to the left of the separator at i, up to the one before, is a clause of its own."""
    j = i - 1
    while j >= floor and words[j] not in ",;":
        if words[j] in _VERBS:
            return True
        j -= 1
    return False


def _breaks(words: Sequence[str], first: int, last: int) -> list[int]:
    """Where a comma, a semicolon or an "and" opens a clause with a verb of its own."""
    breaks = []
    for i in range(first, last):
        if words[i] not in (",", ";", "and"):
            continue
        j = i + 1
        if j < last and words[j] == "and":
            j += 1
        if j < last and words[j] in ("or", "nor"):
            continue
        stop = j
        while stop < last and stop - j < _LIST_AHEAD and words[stop] not in (",", ";", "and", "or"):
            stop += 1
        for k in range(j, stop):
            if words[k] in _VERBS and words[k] != "s":
                seen = any(word in _SEEN for word in words[k + 1 : k + 3])
                passive = seen and _list_before(words, first, i)
                if not passive:
                    breaks.append(i)
                break
    return breaks


def _list_before(words: Sequence[str], first: int, i: int) -> bool:
    """Whether the comma or "and" at i closes a list: "no masses, nodes and effusions were seen"."""
    return "," in words[first:i] and not any(word in _VERBS for word in words[first:i])


def _list_goes_on(words: Sequence[str], i: int, end: int) -> bool:
    """Whether a list with "or" or "vs" goes on after the comma at i."""
    return any(word in ("or", "vs", "versus", "nor") for word in words[i + 1 : min(i + 8, end)])


def _reached(words: Sequence[str], start: int, last: int, cue: Cue) -> int:
    count = 0
    for i in range(start, last):
        count += words[i][:1].isalnum()
        if count > cue.reach:
            return i
    return last


def _opens(words: Sequence[str], found: FoundCue, first: int, last: int) -> bool:
    """Whether a date reaches on: "In 2010, she had ...", "was treated in 2010 for ..."."""
    i = found.first
    if i == first or words[i - 1] in (",", ";", "and", "but", ":", "-", "\n"):
        return True
    goes_on = found.last < last and words[found.last] in ("for", "with") and words[i] in ("in", "last")
    return goes_on and any(word in _TREATED for word in words[max(first, i - 4) : i])


def _faces_on(words: Sequence[str], found: FoundCue, first: int, last: int) -> bool:
    """Whether a cue of either side begins an item of a list, and so says nothing of the item before it."""
    return (
        found.first > first
        and words[found.first - 1] in (",", ";")
        and found.last < last
        and words[found.last][:1].isalpha()
    )


def _is_answer(words: Sequence[str], found: FoundCue, first: int, last: int) -> bool:
    """Whether a cue is the answer after an item: "Fever: no", "chills - denies", "rash (none)"."""
    if found.cue.kind != Assertion.NEGATED or words[found.last - 1] not in _ANSWERS or found.first - 1 <= first:
        return False
    ends = found.last >= last or words[found.last] in _AFTER_ANSWER
    return ends and words[found.first - 1] in _BEFORE_ANSWER


def _answered(words: Sequence[str], i: int, first: int) -> int:
    """Where the item before the mark at i begins."""
    while i > first and words[i - 1] not in (",", ";", ".", "\n", "(", ")", ":"):
        i -= 1
    return i


def _signs(words: Sequence[str], first: int, last: int) -> list[Scope]:
    """Items marked with a minus: "cough (-)", and "+cough -fever -chills" where signs are used that way."""
    result = []
    signed = [
        i
        for i in range(first, last - 1)
        if words[i] in "+-" and words[i + 1][:1].isalpha() and (i == first or words[i - 1] in (",", ";", "\n", ":"))
    ]
    plus = any(words[i] == "+" for i in signed)
    for i in signed:
        if words[i] == "-" and (plus or len(signed) > 2):
            end = next((j for j in range(i + 1, last) if words[j] in (",", ";", "+", "-", "\n", ".")), last)
            result.append(Scope(Assertion.NEGATED, i + 1, end, i, i + 1))
    for i in range(first + 1, last - 1):
        if words[i] == "-" and words[i - 1] == "(" and words[i + 1] == ")":
            if i - 1 == first or words[i - 2] in (",", ";", ":", "\n"):
                end = next((j for j in range(i + 2, last) if words[j] in (",", ";", "(", "\n", ".")), last)
                result.append(Scope(Assertion.NEGATED, i + 2, end, i, i + 1))
            else:
                result.append(Scope(Assertion.NEGATED, _answered(words, i - 1, first), i - 1, i, i + 1))
    return result
