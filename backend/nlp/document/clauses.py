"""Where a sentence begins a new clause: at a comma or an "and" before a verb, and where people write without any mark.

Takes the words of one sentence; gives the places. A scope that a cue opens ends there. It does not know cues.
"""

import re
from collections.abc import Sequence

from backend.nlp.document.tokens import word_set

VERBS = word_set(
    "has have had is was are were reports reported endorses endorsed complains complained states stated describes "
    "described presents presented developed develops admits admitted shows showed demonstrates demonstrated reveals "
    "revealed remains remained appears appeared continues continued underwent went took takes feels felt "
    "became came started began did does can will denies denied comes occurs radiates persists s"
)
_SEEN = word_set(
    "seen noted identified found present appreciated detected reported observed demonstrated visualized evident"
)
_SUBJECTS = word_set("he she patient pt they")
_OPENERS = _SUBJECTS | {"has", "had"}
_FURTHER = word_set("used uses lives works smokes drinks got gets looks says said thinks thought left never also")
_DEPENDENT = word_set(
    "that which when while since because as if after before until where whom than whether although though who the this "
    "denies denied deny denying thinks thought believes believed feels felt says said states stated reports reported "
    "has have had is was did does do and or but nor so to of for with in by unless once how what why"
)
_WHOSE = word_set("i who it one member members relative family patient")
_UNITS = word_set("hours days weeks months years d wk wks mo mos")
_TIMES = re.compile(r"x\d+(?:h|hr|hrs|d|day|days|w|wk|wks|mo|mos|yr|yrs)?")
_COUNT = re.compile(r"x\d")
DOES = word_set(
    "wakes eats sleeps cries lies sits talks worries walks moves looks stays spends gets keeps wants lives works smokes sleeping drags forgets naps barely hardly"
)
_COMES = frozenset(("presents", "presented"))
_MOVED = word_set("admitted brought transferred referred sent hospitalized")
_PAST = word_set("history hx pmh pmhx h")
_LIST_AHEAD = 12
_AFTER_NUMBER = frozenset((")", "."))
_MARKS = frozenset((",", ";", ":", "\n", ".", "(", "-", "/"))
_LONG = 12
_RUN = 6  # words of one denied item
_YEAR = 4
_EVENT = 2  # words of what a year dates
_JOINS = word_set("or nor and of any in to the a an for")
_RUN_VERBS = VERBS - word_set("s denies denied seen present")
_TOPICS = word_set(
    "on lmp eating drinking sexually here takes taking lives works still currently today yesterday not no"
)


def breaks_of(words: Sequence[str], first: int, last: int) -> list[int]:
    """Where a comma, a semicolon or an "and" of words[first:last] opens a clause with a verb of its own."""
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
        while stop < last and stop - j < _LIST_AHEAD and words[stop] not in _ITEM_END:
            stop += 1
        for k in range(j, stop):
            if words[k] in _COMES and k > j and words[k - 1] not in _SUBJECTS:
                break  # "h/o cirrhosis, peritonitis presents with ...": the verb is the person's
            moved = k > j and words[k] == "was" and not _MOVED.isdisjoint(words[k + 1 : k + 2])
            if moved and not _PAST.isdisjoint(words[first:i]):
                break  # "a history of gout and asthma was admitted"
            if words[k] in VERBS and words[k] != "s":
                seen = any(word in _SEEN for word in words[k + 1 : k + 3])
                passive = seen and _list_before(words, first, i)
                if not passive:
                    breaks.append(i)
                break
    return breaks


def clause_starts(words: Sequence[str], first: int, last: int) -> list[int]:
    """Where a pronoun and its verb begin a clause without a mark before them: "... for three weeks she has no fever".

    Also "no runny nose has had strep", where the pronoun is left out.
    """
    found: list[int] = []
    if _OPENERS.isdisjoint(words[first:last]):
        return found
    for i in range(first + 1, last - 1):
        before, word, after = words[i - 1], words[i], words[i + 1]
        if not before[:1].isalnum() or before in _DEPENDENT:
            continue
        told = word in _SUBJECTS and (after in VERBS or after in _FURTHER) and after != "s"
        bare = (word == "has" and after in ("had", "no")) or (word == "had" and after in ("a", "an"))
        bare = bare and before not in _SUBJECTS | _WHOSE
        if told or bare:
            found.append(i)
    return found


def timed(words: Sequence[str], first: int, last: int) -> bool:
    """Whether an item of words[first:last], up to its end, says how long it lasts: "weak x3d", "depressed x months"."""
    for i in range(first, last):
        if words[i] in (",", ";", "."):
            return False
        if words[i] == "x" and i + 1 < last and (words[i + 1][:1].isdigit() or words[i + 1] in _UNITS):
            return True
        if _TIMES.fullmatch(words[i]):
            return True
    return False


def counted(words: Sequence[str], first: int, last: int) -> bool:
    """Whether an item says how often it came: "vomited x2"."""
    stop = next((i for i in range(first, last) if words[i] in (",", ";", ".")), last)
    return stop - first > 1 and _COUNT.fullmatch(words[stop - 1]) is not None


def entries(words: Sequence[str], first: int, last: int) -> list[int]:
    """Where the entries of a list begin that is numbered within words[first:last]: "1) gastritis 2) ulcer"."""
    found: list[int] = []
    if "1" not in words[first:last]:
        return found
    for i in range(first, last - 2):
        if words[i] == str(len(found) + 1) and words[i + 1] in _AFTER_NUMBER and words[i + 2][:1].isalpha():
            found.append(i)
    return found if len(found) > 1 else []


def unmarked(words: Sequence[str], first: int, last: int) -> bool:
    """Whether a stretch is long and has no mark that sets its items apart: people dictate and type so."""
    return last - first >= _LONG and _MARKS.isdisjoint(words[first:last])


def runs_on(words: Sequence[str], start: int, last: int) -> int:
    """Where what is denied ends in a stretch without marks: at a verb or another topic, or after too many words."""
    reached = 0
    for i in range(start, last):
        word = words[i]
        if len(word) == _YEAR and word.isdigit():
            return max(start + 1, i - _EVENT - (words[i - 1] in ("in", "since")))  # "no fever miscarriage in 2020"
        if word in _JOINS:
            reached = 0
            continue
        reached += 1
        if i > start and (word in _RUN_VERBS or word in _TOPICS or reached > _RUN):
            return i
    return last


def _list_before(words: Sequence[str], first: int, i: int) -> bool:
    """Whether the comma or "and" at i closes a list: "no masses, nodes and effusions were seen"."""
    return "," in words[first:i] and not any(word in VERBS for word in words[first:i])


# "a history of hypertension and migraine who developed ...": the verb is that of the person, not of the last item.
_ITEM_END = frozenset((",", ";", "and", "or", "who", "which", "whose", "but", "however", "although", "though"))


_CONTRASTS = frozenset(("but", "however", "although", "though", "whereas", "except", ";"))


def clause_borders(words: Sequence[str], first: int, last: int) -> list[int]:
    """Where the clauses of a sentence begin after its first word: at contrasts, semicolons and verbs of their own.

    Args:
        words: of the whole text.
        first: the sentence's first token.
        last: the token after its last.
    """
    contrasts = [i for i in range(first + 1, last) if words[i] in _CONTRASTS]
    return sorted({*contrasts, *breaks_of(words, first, last), *clause_starts(words, first, last)} - {first})
