"""How words tell what a test showed: its name, the verb or mark behind it, how it came out, and where what was found ends.

Takes the words of one sentence in small letters; knows no note and no places. Words are rows of assets/rules/findings/words_results.tsv.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from backend.nlp.rules.word_lists import word_lists

_MOST_NAME, _MOST_PLACE, _MOST_BETWEEN = 4, 7, 14
"""Words before the head of a test's name, of its place, and between the name and the verb."""


class Verdict(StrEnum):
    """How a test came out. FITS: what it showed would fit with something. DOUBTED: it is only supposed. AGAINST: it did not find what it looked for."""

    FOUND = "found"
    FITS = "fits"
    DOUBTED = "doubted"
    ABSENT = "absent"
    USUAL = "usual"
    AGAINST = "against"
    HIGH = "high"
    LOW = "low"
    POSITIVE = "positive"


NAMING = frozenset((Verdict.FOUND, Verdict.FITS, Verdict.DOUBTED, Verdict.ABSENT))
"""Verdicts that name what was found or not found."""


class Shown(NamedTuple):
    """Where what was found begins, and how the test came out. bare: without a verb."""

    begin: int
    verdict: Verdict
    bare: bool = False


def name_of_test(low: Sequence[str], at: int, heads: Collection[str]) -> tuple[int, int, bool]:
    """The name of a test around one of its last words: words before it, the place behind it; whether it is of an earlier time."""
    own = word_lists("findings/words_results")
    first, last = at, at + 1
    no_name = own["no_name"] | own["ends"]  # "on apixaban so CT head was done"
    while first > max(0, at - _MOST_NAME) and low[first - 1][0].isalpha() and low[first - 1] not in no_name:
        first -= 1
    earlier = not own["earlier"].isdisjoint(low[max(0, first - 2) : last])
    while last < len(low) and (low[last] in own["tail"] or low[last] in heads):
        last += 1
    end = last + (low[last : last + 1] == ["of"])
    while end < len(low) and end - last <= _MOST_PLACE and _is_of_place(low[end], own, bare=low[last] != "of"):
        end += 1
    while end > last and low[end - 1] == "and":
        end -= 1
    told = end < len(low) and (low[end] in own["showing"] or low[end] in own["being"])
    if any(map(_is_body, low[last:end])) or (told and end > last + 1 and low[last] == "of"):
        last = end
    while last < len(low) and low[last] in own["tail"]:
        last += 1
    return first, last, earlier


def _is_body(word: str) -> bool:
    body = word_lists("findings/words_phrases")["body"]
    return any(one in body for one in (word, word.removesuffix("s"), word.removesuffix("es"), f"{word[:-3]}y"))


def _is_of_place(word: str, own: Mapping[str, Collection[str]], *, bare: bool) -> bool:
    if bare:
        return _is_body(word) or word in ("and", *_SIDES)
    if not word[0].isalpha() or any(word in own[name] for name in ("showing", "being", "done", "ends")):
        return False
    return word in ("the", "his", "her", "and") or word not in own["no_name"]


def shown_behind(low: Sequence[str], at: int) -> Shown | None:
    """Where what a test showed begins behind its name, and how it came out; None where nothing is told."""
    own = word_lists("findings/words_results")
    if low[at : at + 1] == [":"]:
        return _after_verb(low, at + 1, bare=True)
    i = at
    while i < min(len(low), at + _MOST_BETWEEN):
        if low[i] in own["showing"]:
            return _after_verb(low, i + 1, bare=False)
        if low[i : i + 2] == ["ruled", "out"]:
            return Shown(i + 2, Verdict.ABSENT)
        if low[i] in ("did", "does") and low[i + 1 : i + 2] == ["not"]:
            following = low[i + 2 : i + 3]
            return Shown(i + 3, Verdict.ABSENT) if following and following[0] in own["base"] else None
        if low[i] in own["being"] or low[i] in own["filler"]:
            k = i + 1
            while k < len(low) and (low[k] in own["read_as"] or low[k] in own["filler"]):
                k += 1
            if k < len(low) and any(low[k] in own[name] for name in ("usual", "against", "leads", "high", "low")):
                return _after_verb(low, k, bare=True)
            if k < len(low) and low[k] in own["showing"]:
                return _after_verb(low, k + 1, bare=False)
            if k == i + 1 or k >= len(low) or low[k - 1] not in own["read_as"]:
                return None
            i = k
            continue
        if low[i] == ":" and i > at:
            return _after_verb(low, i + 1, bare=True)  # "X-ray, right hand: no break"
        if low[i] == "by":  # "ordered by her doctor"
            i = next(
                (k for k in range(i, min(i + _MOST_NAME + 3, len(low))) if low[k] in own["being"] | own["showing"]),
                len(low),
            )
            continue
        known = low[i] == DATE or low[i].isdigit() or low[i] in own["between"] or low[i] in own["done"]
        if not (known or low[i] in _SIDES or _is_body(low[i])):
            return None
        i += 1
    return None


def _after_verb(low: Sequence[str], at: int, *, bare: bool) -> Shown | None:
    """What stands behind the verb. bare: behind "was" or a colon, where "normal" is how the test came out."""
    own = word_lists("findings/words_results")
    if [*low[at : at + 1], *low[at + 1 : at + 2]] in _EXISTS:
        at += 2  # "these reveal there are no fractures"
    if at >= len(low):
        return None
    if low[at : at + 1] == ["within"] and low[at + 1 : at + 2] == ["normal"] and low[at + 2 : at + 3] in _LIMITS:
        return Shown(at + 3, Verdict.USUAL)
    word, following = low[at], low[at + 1 : at + 2]
    ends = following in ([], ["."], [","], [";"], ["and"], ["x"], ["at"], ["today"])
    leads = following in (["for"], ["of"], ["with"], ["to"])
    if word in own["against"] and leads:
        return Shown(at + 2, Verdict.ABSENT)
    if word in own["leads"] and leads:
        doubted = Verdict.DOUBTED if word in own["doubted"] else Verdict.FOUND
        return Shown(at + 2, Verdict.FITS if word in own["fits"] else doubted)
    if not bare:
        return Shown(at, Verdict.FOUND)
    turned = not own["not_so"].isdisjoint(low[max(0, at - 3) : at + 3])
    for name, verdict in _BARE.items():
        if word in own[name]:
            if not ends and not turned and verdict in (Verdict.HIGH, Verdict.LOW):
                continue  # "increased markings" are found
            return Shown(at + 1, verdict) if ends and not turned else None
    return None if word in own["leads"] else Shown(at, Verdict.FOUND)


def told_by_telegram(low: Sequence[str], first: int, at: int) -> Shown | None:
    """How a test came out whose name opens a telegram: "CT head no bleed", "duplex neg for DVT", "CXR mild edema"."""
    own = word_lists("findings/words_results")
    if at >= len(low) or (first and low[first - 1] not in _OPENING):
        return None
    word, following = low[at], low[at + 1 : at + 2]
    if word == "no" and following and following[0][0].isalpha():
        return Shown(at + 1, Verdict.ABSENT, bare=True)
    if word in own["against"] and following == ["for"]:
        return Shown(at + 2, Verdict.ABSENT, bare=True)
    for name in ("usual", "against"):
        if word in own[name]:
            ends = following in ([], ["."], [","], [";"])
            return Shown(at + 1, _BARE[name], bare=True) if ends else None
    if not word[0].isalnum() or word == DATE or not own["no_finding"].isdisjoint(low[at:]):
        return None
    return Shown(at, Verdict.FOUND, bare=True)


def end_of_telegram(low: Sequence[str], shown: Shown, end: int, tests: frozenset[str]) -> tuple[int, bool]:
    """Where what a telegram tells ends, and whether it goes on: a comma ends a denial, unless another one follows."""
    at = end if shown.verdict in NAMING else shown.begin
    for i in range(shown.begin, at):
        if low[i] == "-" or (low[i] == "," and not tests.isdisjoint(low[i + 1 : i + 3])):
            return i, low[i] == "-"
        if low[i] == "," and shown.verdict is Verdict.ABSENT and low[i + 1 : i + 2] != ["no"]:
            return i, True
    rest = low[at : at + 2]
    ended = (
        not rest or rest[0] == "." or rest[0] == ";" or (rest[0] == "," and not tests.isdisjoint(low[at + 1 : at + 3]))
    )
    return at, not ended


def end_of_found(low: Sequence[str], begin: int) -> int:
    """Where what was found ends: at the end of the sentence or before what tells something else; at its begin where that is not sure."""
    own = word_lists("findings/words_results")
    subjects = word_lists("letter/words_story")["clause_subjects"] - {"no", "the", "there", "his", "her"}
    for i in range(begin, len(low)):
        if low[i] == ")" or (low[i] == "(" and low[i + 2 : i + 3] == [")"]):
            continue  # a short form behind its name
        if low[i] in _MARKS:
            return i
        if low[i] == "for" and (low[i - 1] in own["leads"] or low[i - 1] == "evidence"):
            continue
        if low[i] in own["ends"] or low[i] in subjects or (low[i] == "that" and low[i - 1] == "and"):
            return i - (low[i - 1] in (",", "and")) - (low[i - 2 : i] == [",", "and"])
        if low[i] in own["being"] and low[i - 1] == "that":
            continue  # "a mass that was suspicious"
        if low[i] in own["being"] or low[i] in own["showing"] or low[i] in ("has", "had", "have"):
            return begin
    return len(low)


_EXISTS = [["there", "is"], ["there", "are"], ["there", "was"], ["there", "were"]]
LEANING = frozenset(("it", "this", "these", "those", "which"))
_LIMITS = [["limits"], ["limit"], ["range"]]
DATE = "date"
_SIDES = ("l", "r", "left", "right", "both", "bilateral")
_OPENING = frozenset((".", ",", ";", ":", "-", "–", "*", "•", ")", "+"))
"""What stands before the name that opens a telegram."""
_MARKS = frozenset((".", ";", "(", ":", '"', "“", "”"))
_BARE = {
    "usual": Verdict.USUAL,
    "against": Verdict.AGAINST,
    "high": Verdict.HIGH,
    "low": Verdict.LOW,
    "positive": Verdict.POSITIVE,
}
