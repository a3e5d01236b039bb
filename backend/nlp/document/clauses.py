"""Cut sentences into clauses: at contrasts, at a comma or an "and" before a verb, and where people write without a mark.

The one segmenter that all statements use, over words alone. Its lists of words stand in assets/rules/attributes.
"""

import re
from collections.abc import Sequence

from backend.nlp.document.tokens import WordTest
from backend.nlp.rules.word_lists import word_lists

_TIMES = re.compile(r"x\d+(?:h|hr|hrs|d|day|days|w|wk|wks|mo|mos|yr|yrs)?")
_COUNT = re.compile(r"x\d")
_LIST_AHEAD = 12
_LONG = 12
_RUN = 6  # words of one denied item
_YEAR = 4
_EVENT = 2  # words of what a year dates


def clause_borders(words: Sequence[str], first: int, last: int, joints: Sequence[int] | None = None) -> list[int]:
    """Where the clauses of a sentence begin after its first word: at contrasts, semicolons and verbs of their own.

    Args:
        words: of the whole text.
        first: the sentence's first token.
        last: the token after its last.
        joints: after its first, where its words may begin a clause, as the test JOINTS tells; None for all of them.
    """
    lists = word_lists("attributes/words_clauses")
    contrasts, persons = lists["contrasts"], lists["persons"]
    borders = []
    for i in range(first + 1, last) if joints is None else joints:
        word = words[i]
        opens = word in _JOINS and clause_has_verb(words, first, i, last)
        bare = (word in persons or word in _HAS) and i + 1 < last and _begins_bare(words, i)
        if opens or bare or word in contrasts:
            borders.append(i)
    return borders


_JOINS, _HAS = (",", "and"), ("has", "had")


def _joins(word: str) -> bool:
    lists = word_lists("attributes/words_clauses")
    return word in _JOINS or word in _HAS or word in lists["persons"] or word in lists["contrasts"]


JOINTS = WordTest(_joins)
"""Words that may begin a clause within a sentence."""


def clause_has_verb(words: Sequence[str], first: int, i: int, last: int) -> bool:
    """Whether the comma or "and" at i opens a clause with a verb of its own, rather than going on with a list."""
    lists = word_lists("attributes/words_clauses")
    verbs, ends = lists["verbs"], lists["item_ends"]
    j = i + 1 + (words[i + 1 : i + 2] == ["and"])
    if j < last and words[j] in ("or", "nor"):
        return False
    for k in range(j, min(j + _LIST_AHEAD, last)):
        word = words[k]
        if word in ends:
            return False
        if word not in verbs or word == "s":
            continue
        if word in lists["presents"] and k > j and words[k - 1] not in lists["persons"]:
            return False  # "h/o cirrhosis, peritonitis presents with ...": the verb is the person's
        moved = word == "was" and k > j and not lists["moved"].isdisjoint(words[k + 1 : k + 2])
        if moved and not lists["past"].isdisjoint(words[first:i]):
            return False  # "a history of gout and asthma was admitted"
        passive = not lists["observed"].isdisjoint(words[k + 1 : k + 3])
        # the comma or "and" may close a list: "no masses, nodes and effusions were seen"
        return not (passive and "," in words[first:i] and verbs.isdisjoint(words[first:i]))
    return False


def _begins_bare(words: Sequence[str], i: int) -> bool:
    """Whether a person and a verb, or a verb alone, begin a clause without a mark: "... for three weeks she has no fever"."""
    lists = word_lists("attributes/words_clauses")
    before, word, after = words[i - 1], words[i], words[i + 1]
    if not before[:1].isalnum() or before in lists["dependent"]:
        return False
    if word in lists["persons"]:
        return (after in lists["verbs"] or after in lists["after_person"]) and after != "s"
    bare = after in ("had", "no") if word == "has" else after in ("a", "an")
    return bare and before not in lists["owners_of_has"]


def timed(words: Sequence[str], first: int, last: int) -> bool:
    """Whether an item of words[first:last], up to its end, says how long it lasts: "weak x3d", "depressed x months"."""
    for i in range(first, last):
        word = words[i]
        if word in (",", ";", "."):
            return False
        if word[:1] != "x":
            continue
        if word == "x" and i + 1 < last:
            units = word_lists("attributes/words_clauses")["units"]
            if words[i + 1][:1].isdigit() or words[i + 1] in units:
                return True
        if _TIMES.fullmatch(word):
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
        if words[i] == str(len(found) + 1) and words[i + 1] in (")", ".") and words[i + 2][:1].isalpha():
            found.append(i)
    return found if len(found) > 1 else []


def unmarked(words: Sequence[str], first: int, last: int) -> bool:
    """Whether a stretch is long and has no mark that sets its items apart: people dictate and type so."""
    return last - first >= _LONG and frozenset(",;:\n.(-/").isdisjoint(words[first:last])


def runs_on(words: Sequence[str], start: int, last: int) -> int:
    """Where what is denied ends in a stretch without marks: at a verb or another topic, or after too many words."""
    lists = word_lists("attributes/words_clauses")
    reached = 0
    for i in range(start, last):
        word = words[i]
        if len(word) == _YEAR and word.isdigit():
            return max(start + 1, i - _EVENT - (words[i - 1] in ("in", "since")))  # "no fever miscarriage in 2020"
        if word in lists["joins"]:
            reached = 0
            continue
        reached += 1
        if i > start and (word in lists["run_verbs"] or word in lists["topics"] or reached > _RUN):
            return i
    return last
