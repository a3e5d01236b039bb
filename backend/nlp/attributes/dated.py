"""What a date within a sentence dates: an onset that goes on, or what follows it ("In 2010, she had ...").

Takes words of one sentence and the date's cue. How far it reaches, scopes decides.
"""

import re
from collections.abc import Sequence

from backend.nlp.attributes.cues import FoundCue
from backend.nlp.attributes.list_turns import ONSET
from backend.nlp.document.tokens import word_set

_TREATED = word_set("admitted hospitalized treated seen evaluated diagnosed operated")
_DATES = frozenset(("in", "last", "at"))
_DONE = frozenset(("had", "underwent"))
_NOW = word_set("yesterday today tonight overnight morning noon hours minutes")
_NEAR = word_set("days day weeks week wks wk")
_SOON = 8
_NOT = word_set("not never no without nor ; :")
_SOMEWHERE = word_set("to home in for with here")
_RETURNED = word_set("recurred recurs returned returns relapsed reappeared")
_EARLIER = word_set("last previous prior earlier")
_TIMES = word_set(
    "course courses admission admissions hospitalization hospitalisation stay flare flares visit pregnancy delivery birth round cycle"
)
_SPELLS = word_set("attack attacks episode episodes bout bouts")
_WHEN = word_set("on in at during with")
_WHOSE = word_set("the his her my their")
_CLAUSE = frozenset((",", ";", ".", ":", "\n", "and", "but"))
_ABOUT = word_set("about around approximately some almost nearly over only just roughly maybe perhaps")
_ITEM_END = word_set(", ; . and who which presents presented presenting admitted seen brought here") | {"\n"}
_LATELY = re.compile(
    r"\b(?:today|yesterday|tonight|overnight|this morning|last night|(?:for|x|since) (?:the )?(?:past |last )?"
    r"(?:\d+|an?|one|two|three|four|five|six|few|several) ?(?:h|hrs?|hours?|d|days?|wks?|weeks?)\b|x\d+ ?(?:h|hrs?|d|days?|wks?)\b)"
)


def onset_of(words: Sequence[str], found: FoundCue, first: int) -> int | None:
    """Where, shortly before a date, a word says that something began then."""
    return next((i for i in range(found.first - 1, max(first, found.first - 6) - 1, -1) if words[i] in ONSET), None)


def opens(words: Sequence[str], found: FoundCue, first: int, last: int) -> bool:
    """Whether a date reaches on: "In 2010, she had ...", "was treated in 2010 for ..."."""
    i = found.first
    before = i
    while before > first and words[before - 1] in _ABOUT:
        before -= 1
    if before == first or words[before - 1] in (",", ";", "and", "but", ":", "-", "\n"):
        return True
    if words[found.last : found.last + 2] == [",", "both"]:
        return True  # "pregnant twice before 2015, both miscarriages"
    if (
        words[found.last - 1] == "ago"
        and words[found.last : found.last + 1] == ["when"]
        and _NEAR.isdisjoint(words[i : found.last])
    ):
        return True  # "two winters ago when he had ..."
    if words[found.last : found.last + 2] == [",", "when"] and "days" not in words[i : found.last]:
        return True  # "last crisis four months ago, when he had ..."
    goes_on = found.last < last and words[found.last] in ("for", "with")
    goes_on = goes_on and (words[i] in _DATES or words[found.last - 1] == "ago")
    if goes_on and words[i] in _DATES and words[found.last] == "for" and not _DONE.isdisjoint(words[first:i]):
        return words[found.last + 1 : found.last + 2] != ["which"]  # "had a cesarean in 2015 for breech presentation"
    return goes_on and any(word in _TREATED for word in words[max(first, i - 4) : i])


def perfect(words: Sequence[str], first: int, last: int) -> bool:
    """Whether words tell what has come about by now ("has dropped"), so that no date after them is theirs; not "has had"."""
    return any(words[j] in ("has", "have") and words[j + 1] not in ("had", "been") for j in range(first, last - 1))


def earlier(words: Sequence[str], first: int, last: int) -> list[tuple[int, int, int]]:
    """Where an earlier time that opens a clause tells what was then: the first word, the one after the last, and the word that says so.

    "On her last admission she had delirium", "the last course of antibiotics caused diarrhea"; no "last attack two hours ago".
    """
    found: list[tuple[int, int, int]] = []
    if _EARLIER.isdisjoint(words[first:last]):
        return found
    for i in range(first, last):
        event = _event(words, i, first, last) if words[i] in _EARLIER else None
        if event is not None:
            opened = event + 1 + (words[event + 1 : event + 2] == [","])
            end = next((j for j in range(opened, last) if words[j] in _CLAUSE), last)
            if _NOW.isdisjoint(words[i:end]):
                found.append((opened, end, i))
    return found


def _event(words: Sequence[str], i: int, first: int, last: int) -> int | None:
    """Where the earlier time is named that the word at i tells of, if it opens a clause; a spell only after "during"."""
    event = next((j for j in range(i + 1, min(i + 4, last)) if words[j] in _TIMES | _SPELLS), None)
    opened = i
    while opened > first and words[opened - 1] in _WHEN | _WHOSE:
        opened -= 1
    if event is None or words[i + 1] == "to" or not (opened == first or words[opened - 1] in _CLAUSE):
        return None
    return event if words[event] in _TIMES or words[opened] in _WHEN else None


def back_again(words: Sequence[str], found: FoundCue, last: int) -> bool:
    """Whether what went away has come again: "the rash resolved and recurred yesterday"; not "resolved and has not recurred"."""
    for i in range(found.last, min(found.last + _SOON, last)):
        if words[i] in _NOT or (words[i] in ("and", "but") and not _WHOSE.isdisjoint(words[i + 1 : i + 2])):
            return False  # "the cough resolved and the fever returned"
        came = words[i] in ("came", "come", "comes") and words[i + 1 : i + 2] == ["back"]
        if came or words[i] in _RETURNED:
            following = (word for word in words[i + 1 + came : last] if word not in _NOW)
            return next(following, "") not in _SOMEWHERE
    return False


def just_now(words: Sequence[str], found: FoundCue, last: int) -> bool:
    """Whether the last time of something was hours ago, so that it belongs to today: "last episode of pain was yesterday"."""
    return words[found.first] == "last" and not found.cue.backward and not _NOW.isdisjoint(words[found.last : last])


def lately(words: Sequence[str], first: int, last: int) -> bool:
    """Whether the item of a list that begins at first is told as of these days: "cough x3d", "syncope this morning"."""
    end = next((i for i in range(first, last) if words[i] in _ITEM_END), last)
    return _LATELY.search(" ".join(words[first:end])) is not None
