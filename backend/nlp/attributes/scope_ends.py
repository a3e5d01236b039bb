"""Where the scope of a cue ends within a list: where what is denied gives way to what is there, what is past to what is new.

Takes words of one sentence, a cue and how far it may reach; gives where it ends.
"""

from bisect import bisect_left
from collections.abc import Sequence

from backend.nlp.attributes.list_items import item_start
from backend.nlp.attributes.time_cues import recent_items
from backend.nlp.attributes.triggers import FAR, Cue, Direction, Event
from backend.nlp.document.clauses import counted, timed
from backend.nlp.rules.word_lists import word_lists

_LIST = "attributes/words_scopes"
_AFTER_ITEM = frozenset((",", ";", ".", ")", "\n"))
_SHORT = 4
_LONGEST_BEFORE = 8
_SINCE = 6


def denial_end(words: Sequence[str], cue: Cue, reach: tuple[int, int, int], listing: bool) -> int:
    """Where a list of what is denied ends: at an item that is told as there, for itself, or as something new.

    Args:
        words: of the whole text.
        cue: the denial.
        reach: where what is denied starts, where it may end at most, and where the sentence ends.
        listing: it is a list by its cue ("denies", "for").
    """
    start, end, last = reach
    if start < end and words[start] == ",":
        if cue.trigger.backward and cue.trigger.reach < FAR:
            return start  # "Covid test neg, flu A pos": the result is of what stands before it
        if _and_something_else(words, start, start, end) or (not listing and _graded(words, start, end)):
            return start
    lists = word_lists(_LIST)
    for i in range(start, end):
        word = words[i]
        if word == "+":
            # "no stiffness, photophobia +": the plus says it of what stands before it
            trails = i + 1 >= last or words[i + 1] in _AFTER_ITEM
            return max(start, item_start(words, i - (words[i - 1] == "("), start)) if trails else i
        if word in lists["here"]:
            item = item_start(words, i, start)  # "no weight loss, fatigue present"
            if (
                item > start
                and words[item] not in lists["separators"]
                and (i + 1 >= last or words[i + 1] in _AFTER_ITEM)
            ):
                return item
        if i == start:
            continue
        if word == "," and _item_is_new(words, cue, i, (start, end, last), listing):
            return i
        if word in (",", ";") and timed(words, item_start(words, i, start), i):
            return i  # "no urine x1d, weak": what lasts is told item by item
        if word == ";" and timed(words, i + 1, last):
            return i
        if word in (",", "and") and _starts_another(words, cue, i):
            return i
    return end


def past_end(words: Sequence[str], cue: Cue, reach: tuple[int, int, int], cues: Sequence[Cue]) -> int:
    """Where what is past ends: at what came of it, or at an item told as of these days ("h/o asthma, cough x3d")."""
    start, end, last = reach
    lists = word_lists(_LIST)
    aftermath, recent = lists["aftermath"], recent_items(words, start, last, cues)
    for i in range(start, end):
        word = words[i]
        if word == "with":
            # "s/p fall with hip pain", "h/o gout, s/p fall with a cut"
            near = words[max(cue.last, i - _SINCE) : i]
            injured = not aftermath.isdisjoint(near) and not lists["injuries"].isdisjoint(near)
            if words[cue.last - 1] in aftermath or injured:
                return i
        elif word in (",", "and") and i > start:
            # "s/p knee replacement 3 wks ago, knee hot and red"
            operated = words[cue.last - 1] in aftermath and words[i - 1] in ("ago", "prior", "back")
            if i in recent or (word == "," and operated and words[i - 2] in lists["lately"]):
                return i
    return end


def contrast_end(words: Sequence[str], start: int, last: int, cues: Sequence[Cue]) -> int:
    """Where a list goes over from what is denied to what is possible or past: "no pneumonia, possible effusion"."""
    lists = word_lists(_LIST)
    ends = [last]
    for cue in cues[bisect_left(cues, (start + 1,)) : bisect_left(cues, (last + 1,))]:
        trigger, i = cue.trigger, cue.first
        if trigger.event is Event.UNCERTAIN:
            if trigger.forward and i > start + 1 and words[i - 1] in lists["breaks"]:
                ends.append(i - 1)
            # "no fever, PE until proven otherwise": the doubt is of the item that stands before it
            alone = cue.last >= last or not words[cue.last].isalnum() or not trigger.forward
            item = item_start(words, i, start) - 1
            ends_list = item > start and words[item] == "," and {"or", "nor"}.isdisjoint(words[item:last])
            if trigger.backward and alone and ends_list:
                ends.append(item)
        elif trigger.event is Event.HISTORICAL and trigger.direction is Direction.FORWARD:
            # Without any mark, "no numbness history of fusion" goes over to the history.
            before = words[i - 1]
            apart = (
                before not in lists["joiners"]
                if before.isalpha()
                else before == "." or (before == "," and words[i] in lists["old"])
            )
            if apart and cue.last < last and words[cue.last][:1].isalnum():
                ends.append(i)
    return min(ends)


def _item_is_new(words: Sequence[str], cue: Cue, i: int, reach: tuple[int, int, int], listing: bool) -> bool:
    start, end, last = reach
    return (
        _and_something_else(words, start, i, end)
        or (not listing and _graded(words, i, end))
        or words[i + 1 : i + 2] == ["with"]  # "without pain, with nausea"
        or _each_has_its_own(words, cue, i, end)  # "no bleeding, no weight loss, bloating after meals"
        or counted(words, i + 1, last)  # "no neck stiffness, nausea x1"
    )


def _and_something_else(words: Sequence[str], i: int, comma: int, end: int) -> bool:
    """Whether "and a" begins something else, after an "or" or where no item before has an article: "without X or Y, and a cyst"."""
    after = words[comma + 1 : min(comma + 3, end)]
    lists = word_lists(_LIST)
    if len(after) < 2:
        return False
    if after[0] != "and":  # "without fever, the rash spread"
        named = after[0] in ("the", "his", "her", "my", "their") and lists["owners"].isdisjoint(words[i:comma])
        return named and "or" not in words[comma:end]
    opens = after[1] in lists["begins"] and "or" in words[i:comma]
    return opens or (after[1] in lists["owners"] and lists["owners"].isdisjoint(words[i:comma]))


def _each_has_its_own(words: Sequence[str], cue: Cue, comma: int, end: int) -> bool:
    """Whether each item of a list has a "no" of its own, so that none reaches past the comma: a bare item is not denied."""
    no = words[cue.first]
    if no not in word_lists(_LIST)["own_no"] or cue.last != cue.first + 1:
        return False
    if words[comma + 1 : comma + 2] == [no]:
        return True  # the next item's own "no" goes on from here
    before = words[max(0, cue.first - _LONGEST_BEFORE) : cue.first]
    goes_on = words[comma + 1 : comma + 2] == ["and"] or "or" in words[comma:end] or "nor" in words[comma:end]
    return no in before and before[-1] in (",", ";") and not goes_on


def _graded(words: Sequence[str], comma: int, end: int) -> bool:
    """Whether what follows a comma is told with its degree or side, or as normal, and no "or" joins it.

    "no vegetations, mild regurgitation"; "no distress, rhonchi bilat"; "no tremor, vision ok, unsteady gait".
    """
    rest = words[comma + 1 : end]
    if not rest or "or" in rest or "nor" in rest:
        return False
    lists = word_lists(_LIST)
    stop = next((i for i, word in enumerate(rest) if word in (",", ";", ".", "\n")), len(rest))
    names = ("normal", "sides", "hands", "abnormal")
    if 1 < stop <= _SHORT and any(rest[stop - 1] in lists[name] for name in names):
        return True
    tender = rest[0] == "tender" and len(rest) > 1 and rest[1] in lists["places"]
    grade = rest[0].isdigit() and rest[1:2] == ["/"]  # "no gallop, 2/6 murmur"
    return grade or rest[0] in lists["degrees"] or rest[0] in lists["sides"] or tender


def _starts_another(words: Sequence[str], cue: Cue, i: int) -> bool:
    """Whether a verb or a new thing follows what is denied: "no joy in anything, eats little"; "could not stand and an ache"."""
    after = words[i + 1] if i + 1 < len(words) else ""
    if after in word_lists("attributes/words_clauses")["does"]:
        return True
    if words[i] == ",":
        return after == "lmp"  # "no discharge, LMP 7 wks ago, ..."
    return after in ("a", "an") and words[cue.first : cue.last] == ["not"]
