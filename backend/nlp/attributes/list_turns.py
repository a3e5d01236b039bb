"""Where a list within a sentence turns from what is denied or past to something else.

Takes words of one sentence and its cues; gives places, answers, and the scopes of bare years ("appendectomy 2015"). It does
not know how far a cue reaches by itself: scopes does.
"""

from collections.abc import Sequence

from backend.nlp.attributes.cues import FoundCue
from backend.nlp.attributes.plus_minus import item_start
from backend.nlp.attributes.scope import Scope
from backend.nlp.document.clauses import DOES, VERBS, timed
from backend.nlp.document.tokens import word_set
from backend.schemas.vocabulary import Assertion

SEPARATORS = word_set(", ; and or nor")
ONSET = word_set("began begin begun started starting start onset noticed since worsened commenced")
_JOINERS = SEPARATORS | word_set("any known significant of for with to personal past prior previous no the a an - /")
_TURNS = frozenset((",", ".", ";", "and", "-", "("))
_OLD = frozenset(("old", "remote", "healed"))
_BEGINS = word_set("a an the some there has")
_NO_EVENT = word_set(
    "in since on of to from until by at or and before after between through than wbc ck bnp platelets units calories ml"
)
_ONE = frozenset(("a", "an"))
_STORY = 5
_CAME = word_set("was were got became began started went felt looked swelled hurt turned")
_OVER = word_set("admitted hospitalized treated seen evaluated diagnosed operated replaced repaired removed")
_WHOSE = frozenset(("his", "her", "the", "a", "an", "my", "their"))
_ALTERNATIVE = word_set("or nor")
_SHORT = 4
_OWN_NO = word_set("no nil neg")
_LONGEST_BEFORE = 8
_ABNORMAL = word_set("unsteady swollen tender distended elevated positive abnormal red enlarged reduced raised")
_AT = word_set("in over to at on along around")
_SIDES = word_set("bilateral bilat bibasilar bibasal b/l")
_HANDS = word_set("l r left right")
_NORMAL = word_set("ok okay normal intact good clear soft fine wnl nl stable regular nontender nt supple")
_DEGREES = word_set("mild moderate severe small large trace minimal stable marked")
_AFTERMATH = frozenset(("p", "post"))
_INJURIES = word_set("fall falls mvc mva trauma injury assault accident collision crash")
_LATE = word_set("days day d weeks week wks wk")
_SINCE = 6


def turned(words: Sequence[str], start: int, last: int, cues: Sequence[FoundCue]) -> int:
    """Where a mark or an "and" turns from what is denied to what is possible: "no pneumonia, possible effusion"."""
    doubts = (c.first - 1 for c in cues if c.cue.kind == Assertion.UNCERTAIN and c.cue.forward and c.first > start + 1)
    turned = min((i for i in doubts if words[i] in _TURNS), default=last)
    # "no fever, PE until proven otherwise": the doubt is of the item that stands before it
    before = (item_start(words, c.first, start) - 1 for c in cues if start < c.first and _doubts_before(words, c, last))
    turned = min(
        [turned, *(i for i in before if i > start and words[i] == "," and _ALTERNATIVE.isdisjoint(words[i:last]))]
    )
    # Without any mark, "no numbness history of fusion" turns at the history.
    told = (
        c.first
        for c in cues
        if c.cue.kind == Assertion.HISTORICAL and c.cue.forward and not c.cue.backward
        if c.last < last and words[c.last][:1].isalnum()
    )
    return min([turned, *(i for i in told if i > start and _told_apart(words, i))])


def _doubts_before(words: Sequence[str], found: FoundCue, last: int) -> bool:
    """Whether a cue doubts what stands before it alone: "abscess cannot be excluded."."""
    ends = found.last >= last or not words[found.last].isalnum()
    return found.cue.kind == Assertion.UNCERTAIN and found.cue.backward and (ends or not found.cue.forward)


def _told_apart(words: Sequence[str], i: int) -> bool:
    """Whether a word of the past at i begins something of its own, rather than going on with what stands before it."""
    before = words[i - 1]
    if before.isalpha():
        return before not in _JOINERS
    return before == "." or (before == "," and words[i] in _OLD)


def closed(words: Sequence[str], i: int, comma: int, end: int) -> bool:
    """Whether "and a" begins something else, after an "or" or where no item before has an article: "without X or Y, and a cyst"."""
    after = words[comma + 1 : min(comma + 3, end)]
    if len(after) < 2 or after[0] != "and":
        return False
    return (after[1] in _BEGINS and "or" in words[i:comma]) or (
        after[1] in _WHOSE and _WHOSE.isdisjoint(words[i:comma])
    )


def list_goes_on(words: Sequence[str], i: int, end: int) -> bool:
    """Whether a list with "or" or "vs" goes on after the comma at i."""
    return any(word in ("or", "vs", "versus", "nor") for word in words[i + 1 : min(i + 8, end)])


def repeated(words: Sequence[str], found: FoundCue, comma: int, end: int) -> bool:
    """Whether each item of a list has a "no" of its own, so that none reaches past the comma: a bare item is not denied."""
    no = words[found.first]
    if no in _OWN_NO and found.last == found.first + 1 and words[comma + 1 : comma + 2] == [no]:
        return True  # the next item's own "no" goes on from here
    before = words[max(0, found.first - _LONGEST_BEFORE) : found.first]
    return (
        no in _OWN_NO
        and found.last == found.first + 1
        and no in before
        and before[-1] in (",", ";")
        and words[comma + 1 : comma + 2] not in (["or"], ["nor"], ["and"])
        and "or" not in words[comma:end]
        and "nor" not in words[comma:end]
    )


def years(words: Sequence[str], first: int, last: int) -> list[Scope]:
    """A year set right after what happened then: "appendectomy 2015," is history."""
    result: list[Scope] = []
    for i in range(first + 1, last):
        if len(words[i]) == 4 and words[i].isdigit() and "1940" <= words[i] <= "2099" and words[i - 1].isalpha():
            ends = i + 1 >= last or words[i + 1] in (".", ",", ";", ")", "\n")
            start = item_start(words, i, first)
            item = words[start:i]
            if ends and words[i - 1] not in _NO_EVENT and not ONSET.intersection(item) and not VERBS.intersection(item):
                result.append(Scope(Assertion.HISTORICAL, start, i, i, i + 1))
    return result


def graded(words: Sequence[str], comma: int, end: int) -> bool:
    """Whether what follows a comma is told with its degree or side, or as normal, and no "or" joins it.

    "no vegetations, mild regurgitation"; "no distress, rhonchi bilat"; "no tremor, vision ok, unsteady gait".
    """
    rest = words[comma + 1 : end]
    if not rest or "or" in rest or "nor" in rest:
        return False
    stop = next((i for i, word in enumerate(rest) if word in (",", ";", ".", "\n")), len(rest))
    told = 1 < stop <= _SHORT and (rest[stop - 1] in _NORMAL or rest[stop - 1] in _SIDES | _HANDS)
    told = told or (1 < stop <= _SHORT and rest[stop - 1] in _ABNORMAL)
    tender = rest[0] == "tender" and len(rest) > 1 and rest[1] in _AT
    return rest[0] in _DEGREES or rest[0] in _SIDES or told or tender


def none_for(words: Sequence[str], found: FoundCue, last: int) -> bool:
    """Whether "none" says how long there was none of one item: "belly pain, BM none x3d"."""
    if words[found.first : found.last] != ["none"]:
        return False
    return words[found.last : found.last + 1] in (["for"], ["in"]) or timed(
        words, found.last, min(found.last + 3, last)
    )


def turns_to_another(words: Sequence[str], found: FoundCue, i: int) -> bool:
    """Whether a verb or a new thing follows what is denied: "no joy in anything, eats little"; "could not stand and an ache"."""
    after = words[i + 1] if i + 1 < len(words) else ""
    if words[i] in (",", "and") and after in DOES:
        return True
    if words[i] == "," and after == "lmp":
        return True  # "no discharge, LMP 7 wks ago, ..."
    return words[i] == "and" and after in _ONE and words[found.first : found.last] == ["not"]


def story(words: Sequence[str], found: FoundCue, last: int) -> bool:
    """Whether "three weeks ago" opens what somebody tells of a part of the body, rather than of an illness that is over."""
    if words[found.last - 2 : found.last] != ["weeks", "ago"]:
        return False
    i = found.last + (found.last < last and words[found.last] == ",")
    told = words[i : min(i + _STORY, last)]
    return bool(told) and told[0] in _WHOSE and not _CAME.isdisjoint(told) and _OVER.isdisjoint(words[i:last])


def operated(words: Sequence[str], found: FoundCue, comma: int) -> bool:
    """Whether a comma closes an operation of these weeks: "s/p knee replacement 3 wks ago, knee hot and red"."""
    return (
        words[found.last - 1] in _AFTERMATH
        and words[comma - 1] in ("ago", "prior", "back")
        and words[comma - 2] in _LATE
    )


def after_injury(words: Sequence[str], found: FoundCue, i: int) -> bool:
    """Whether the "with" at i tells what came of what was before: "s/p fall with hip pain", "h/o gout, s/p fall with a cut"."""
    if words[found.last - 1] in _AFTERMATH:
        return True
    near = words[max(found.last, i - _SINCE) : i]
    return not _AFTERMATH.isdisjoint(near) and not _INJURIES.isdisjoint(near)
