"""What a time within a sentence dates: an onset that goes on, what follows it ("In 2010, she had ..."), or these days.

Takes words of one sentence and its cues. How far a cue reaches, scopes decides.
"""

import re
from collections.abc import Sequence

from backend.nlp.attributes.triggers import Cue, Direction, Event
from backend.nlp.rules.word_lists import word_lists

_LIST = "attributes/words_scopes"
_OPENING = frozenset((",", ";", "and", "but", ":", "-", "\n", "."))
_CLAUSE = frozenset((",", ";", ".", ":", "\n", "and", "but"))
_LASTING = re.compile(r"x\d+(?:h|hrs?|d|days?|wks?)")
_SOON = 8
_STORY = 5
_BEGAN = 6


def onset_before(words: Sequence[str], cue: Cue, first: int) -> int | None:
    """Where, shortly before a date, a word says that something began then."""
    onset = word_lists(_LIST)["onset"]
    return next((i for i in range(cue.first - 1, max(first, cue.first - _BEGAN) - 1, -1) if words[i] in onset), None)


def opens(words: Sequence[str], cue: Cue, first: int, last: int) -> bool:
    """Whether a date reaches on: "In 2010, she had ...", "was treated in 2010 for ..."."""
    lists = word_lists(_LIST)
    i = before = cue.first
    while before > first and words[before - 1] in lists["about"]:
        before -= 1
    if before == first or words[before - 1] in _OPENING:
        return True
    if cue.trigger.direction is Direction.OPENING:
        return False
    following = words[cue.last : min(cue.last + 2, last)]
    if following == [",", "both"]:
        return True  # "pregnant twice before 2015, both miscarriages"
    said = words[i : cue.last]
    ago = "ago" in said or "prior" in said
    if following[:1] == ["when"] and said[-1] == "ago" and lists["near_times"].isdisjoint(said):
        return True  # "two winters ago when he had ..."
    if following == [",", "when"] and "days" not in said:
        return True  # "last crisis four months ago, when he had ..."
    goes_on = following[:1] in (["for"], ["with"]) and (words[i] in lists["dates"] or ago)
    if (
        goes_on
        and words[i] in lists["dates"]
        and following[0] == "for"
        and not lists["done"].isdisjoint(words[first:i])
    ):
        return following[1:] != ["which"]  # "had a cesarean in 2015 for breech presentation"
    return goes_on and not lists["treated"].isdisjoint(words[max(first, i - 4) : i])


def opening_end(words: Sequence[str], cue: Cue, last: int, cues: Sequence[Cue]) -> int:
    """Where the clause ends that an earlier time opens ("On her last visit she had delirium, ..."); at the cue if it is of today."""
    start = cue.last + (words[cue.last : cue.last + 1] == [","])
    end = next((i for i in range(start, last) if words[i] in _CLAUSE), last)
    return cue.last if _recent(cues, cue.last, end) else end


def perfect(words: Sequence[str], first: int, last: int) -> bool:
    """Whether words tell what has come about by now ("has dropped"), so that no date after them is theirs; not "has had"."""
    return any(words[j] in ("has", "have") and words[j + 1] not in ("had", "been") for j in range(first, last - 1))


def current_story(words: Sequence[str], cue: Cue, last: int, cues: Sequence[Cue], dated: bool) -> bool:
    """Whether a cue of the past tells of today: "last episode of pain was yesterday", "three weeks ago my eyelids were puffy"."""
    if words[cue.first] == "last" and not dated and _recent(cues, cue.last, last):
        return True
    if not dated or words[cue.last - 2 : cue.last] != ["weeks", "ago"]:
        return False
    lists = word_lists(_LIST)
    i = cue.last + (cue.last < last and words[cue.last] == ",")
    following = words[i : min(i + _STORY, last)]
    opens_story = bool(following) and following[0] in lists["owners"] and not lists["came"].isdisjoint(following)
    return opens_story and lists["over"].isdisjoint(words[i:last])


def returns(words: Sequence[str], cue: Cue, cues: Sequence[Cue]) -> bool:
    """Whether what went away has come again: "the rash resolved and recurred yesterday"; not "resolved and has not recurred"."""
    lists = word_lists(_LIST)
    for other in cues:
        if other.trigger.event is Event.RETURNED and cue.last <= other.first < cue.last + _SOON:
            between = words[cue.last : other.first]
            another = any(
                word in ("and", "but") and words[cue.last + k + 1] in lists["owners"] for k, word in enumerate(between)
            )  # "the cough resolved and the fever returned"
            return not another and lists["not_again"].isdisjoint(between)
    return False


def recent_items(words: Sequence[str], start: int, last: int, cues: Sequence[Cue]) -> frozenset[int]:
    """The commas and "and"s that open an item told as of these days: "cough x3d", "syncope this morning"."""
    places = [
        cue.first for cue in cues if cue.first > start and cue.trigger.event is Event.RECENT and cue.trigger.backward
    ]
    places += lasting(words, start, last)
    found = set()
    for place in places:
        for i in range(place - 1, start, -1):
            if words[i] in (",", "and"):
                found.add(i)
            if words[i] in _CLAUSE or words[i] in ("who", "which"):
                break
    return frozenset(found)


def lasting(words: Sequence[str], first: int, last: int) -> list[int]:
    """Where a word says for how many hours, days or weeks something has lasted: "x3d"."""
    return [i for i in range(first, last) if words[i][:1] == "x" and _LASTING.fullmatch(words[i])]


def _recent(cues: Sequence[Cue], first: int, last: int) -> bool:
    return any(cue.trigger.event is Event.RECENT and cue.trigger.backward and first <= cue.first < last for cue in cues)
