"""Where a list of what is denied ends within a sentence: at an item that is told as there, for itself, or as something new.

Takes the words of one sentence, a denial and a place in what it reaches; says whether it ends there. How far a denial may
reach at most, scopes decides; turns knows the forms that other assertions share.
"""

from collections.abc import Sequence

from backend.nlp.attributes.cues import FAR, FoundCue
from backend.nlp.attributes.list_turns import SEPARATORS, closed, graded, repeated, turns_to_another
from backend.nlp.attributes.plus_minus import item_start
from backend.nlp.document.clauses import counted, timed
from backend.nlp.document.tokens import word_set

_HERE = frozenset(("present", "yes"))
_AFTER_ANSWER = frozenset(",;.)\n")
_NOW = word_set("today yesterday now tonight morning afternoon evening night week ago recently")
_SOON = 6


def denial_end(words: Sequence[str], found: FoundCue, i: int, reach: tuple[int, int, int], listing: bool) -> int | None:
    """Where a denial ends if the word at i ends it, else None.

    reach: where what is denied starts, where it may end at most, and where the sentence ends. listing: it is a list by its cue.
    """
    start, end, last = reach
    word = words[i]
    if i == start:
        if word == "," and found.cue.backward and found.cue.reach < FAR:
            return i  # "Covid test neg, flu A pos": the result is of what stands before it
        return i if word == "," and (closed(words, start, i, end) or (not listing and graded(words, i, end))) else None
    if word == "+":
        # "no stiffness, photophobia +": the plus says it of what stands before it
        trails = i + 1 >= last or words[i + 1] in _AFTER_ANSWER
        return max(start, item_start(words, i - (words[i - 1] == "("), start)) if trails else i
    if word in _HERE:
        # "no weight loss, fatigue present"
        item = item_start(words, i, start)
        there = item > start and words[item] not in SEPARATORS and (i + 1 >= last or words[i + 1] in _AFTER_ANSWER)
        return item if there else None
    if word == "," and _comma_ends(words, found, i, (start, end, last), listing):
        return i
    if word in ",;" and timed(words, item_start(words, i, start), i):
        return i  # "no urine x1d, weak": what lasts is told item by item
    if word == ";" and timed(words, i + 1, last):
        return i
    return i if turns_to_another(words, found, i) else None


def _comma_ends(words: Sequence[str], found: FoundCue, i: int, reach: tuple[int, int, int], listing: bool) -> bool:
    start, end, last = reach
    return (
        closed(words, start, i, end)
        or (not listing and graded(words, i, end))
        or words[i + 1 : i + 2] == ["with"]  # "without pain, with nausea"
        or repeated(words, found, i, end)  # "no bleeding, no weight loss, bloating after meals"
        or counted(words, i + 1, last)  # "no neck stiffness, nausea x1"
    )


def is_there(words: Sequence[str], start: int, end: int, last: int) -> bool:
    """Whether what a denial reaches is there all the same: "no fever until this morning", "never had pain like this"."""
    begun = words[end : end + 1] == ["until"] and not _NOW.isdisjoint(words[end + 1 : min(end + _SOON, last)])
    return begun or any(
        words[i] == "like" and words[i + 1 : i + 2] in (["this"], ["these"])
        for i in range(start + 1, min(end + 1, last))
    )
