"""Which warning signs a letter tells already, by what each sign is: the complaints that it names, and the words that narrow it.

Whoever calls an ambulance for a faint calls one for a faint with chest pain, and is not to be told to call the doctor tomorrow for the
same. A sign that another covers as urgently says nothing new; so does one that is the lesser form of it
(assets/rules/fit/lesser_signs.tsv) where the other is more urgent: of one danger a reader is told one level.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.knowledge.advice.red_flags import level_of, sign_of
from backend.knowledge.advice.sign_classes import Level
from backend.nlp.rules import RULES, rule_names, rule_rows
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Category

WORDS = "fit/words_signs"
_ILLS = frozenset({Category.SYMPTOM, Category.FINDING, Category.DISEASE})
_PARTS = re.compile(r",\s+or\s+|;\s+|,\s+|\s+or\s+")
_STEM = re.compile(r"(?:ies|es|s|ing|ed)$")
_LETTERS_AND_NUMBERS = re.compile(r"[a-z0-9]+")
_BEHIND = re.compile(r":\s|\bif\b|\bfor\b", re.IGNORECASE)
"""What stands between whom to reach and what for in the note's own words."""
_LETTERS = re.compile(r"[a-z][a-z-]+")
_STEM_FROM = 5
"""Letters from which a word is cut to its stem."""


class Sign(NamedTuple):
    """One alternative of a warning.

    Attributes:
        concepts: complaints that are there together, by id.
        words: stems that narrow them.
        whole: nothing behind it may narrow it too, as in "a fever or belly pain with liver disease".
    """

    concepts: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    whole: bool = True

    def joined(self, other: "Sign") -> "Sign":
        """Both together."""
        return Sign(self.concepts | other.concepts, self.words | other.words, self.whole)


class ToldSigns:
    """The signs of one letter. Use once; it remembers.

    Args:
        named: what a text names.
        broader: the broader concepts of a concept, by id.
    """

    def __init__(self, named: Callable[[str], Sequence[Mention]], broader: Callable[[str], Iterable[str]]) -> None:
        self._named = named
        self._broader = broader
        self._told: list[tuple[str, Level, tuple[Sign, ...]]] = []

    def is_new(self, sentence: str) -> bool:
        """Whether a sentence tells a sign that is not told yet as urgently; one that does is remembered, and so is one without a level."""
        level = level_of(sentence)
        if level is None:
            return True
        signs = self._signs(sentence)
        if self._covers(((at, one) for _, at, told in self._told for one in told), level, signs):
            return False
        self._told.append((sentence, level, signs))
        return True

    def told_by_note(self, sentence: str) -> bool:
        """Remember the signs for which the note itself tells to get help: what it asks for sooner is told at no later level. True."""
        words = frozenset(_LETTERS_AND_NUMBERS.findall(sentence.lower()))
        lists = word_lists(WORDS)
        called = not lists["ambulance"].isdisjoint(words)
        level = (
            Level.CALL_AMBULANCE if called else Level.EMERGENCY_DEPARTMENT if comes_back(sentence) else Level.CALL_TODAY
        )
        sign = _BEHIND.split(sentence, maxsplit=1)[-1]
        self._told.append((sentence, level, tuple(signs_of(sign, self._named(sign)))))
        return True

    def repeated(self) -> frozenset[str]:
        """The sentences among those told that what was told later covers."""
        kept = list(self._told)
        for one in reversed(self._told):
            others = [told for told in kept if told is not one]
            if self._covers(((at, sign) for _, at, signs in others for sign in signs), one[1], one[2]):
                kept = others
        return frozenset(text for text, _, _ in self._told) - {text for text, _, _ in kept}

    def _signs(self, sentence: str) -> tuple[Sign, ...]:
        sign = sign_of(sentence)
        return tuple(signs_of(sign, self._named(sign)))

    def _covers(self, told: Iterable[tuple[Level, Sign]], level: Level, signs: Sequence[Sign]) -> bool:
        """Whether each sign is covered by one that was told at least as urgently."""
        urgent = [(at, one) for at, one in told if one.whole and at.rank <= level.rank]
        return bool(signs) and all(
            any(self._is_of(one, sign, lesser=at.rank < level.rank) for at, one in urgent) for sign in signs
        )

    def _is_of(self, told: Sign, sign: Sign, *, lesser: bool) -> bool:
        """Whether a sign is one that was told, or a narrower case of it. lesser: its lesser form counts too."""
        if not told.concepts:
            return bool(told.words) and not sign.concepts and told.words == sign.words
        held = self._closed(sign.concepts)
        if lesser:
            held |= self._closed(greater for one in held for greater in _greater().get(one, ()))
        return told.concepts <= held and told.words <= sign.words

    def _closed(self, concepts: Iterable[str]) -> set[str]:
        found: set[str] = set()
        waiting = list(concepts)
        while waiting:
            concept = waiting.pop()
            if concept not in found:
                found.add(concept)
                waiting += self._broader(concept)
        return found


def signs_of(sign: str, named: Sequence[Mention]) -> Iterator[Sign]:
    """Yield the alternatives of a sign: "you faint with chest pain or a racing heart, or have a seizure" has three.

    Args:
        sign: the words behind "if".
        named: what they name, with places.
    """
    words = word_lists(WORDS)
    found: list[Sign] = []
    head: Sign | None = None
    since = 0  # the first of the alternatives that no comma with "or" sets apart
    for text, mentions, strong, alternative in _parts(sign, named):
        one, before = _read(text, mentions)
        first = (_LETTERS.findall(text.lower()) or [""])[0]
        own = strong or first in words["subject"]
        if found and one.concepts and alternative and first in words["narrowing"]:
            found.append((head or Sign()).joined(one))  # "with confusion, or with a fever"
            continue
        if found and (first in words["narrowing"] or not (one.concepts or own)):
            head = head or (found[-1] if first in words["joining"] else None)
            found[-1] = found[-1].joined(one)
            continue
        head, since = (None, len(found)) if own else (head, since)
        if head is None and before is not None:
            found[since:] = [earlier._replace(whole=False) for earlier in found[since:]]
        found.append(head.joined(one) if head else one)
        head = head or before
    yield from found


def _parts(sign: str, named: Sequence[Mention]) -> Iterator[tuple[str, list[tuple[Mention, int]], bool, bool]]:
    """Yield the parts of a sign with what each names and where in it, whether "or" behind a comma sets it apart, and whether any "or" does."""
    start, strong, by_or = 0, True, False
    inside = [one for one in named if one.category in _ILLS and one.concept_id not in word_lists(WORDS)["course"]]
    ends = [*((one.start(), one.end(), one[0]) for one in _PARTS.finditer(sign)), (len(sign), 0, "")]
    for end, after, mark in ends:
        if any(one.start_char < end < one.end_char for one in inside):
            continue  # "no gas or stool" is one complaint
        held = [(one, one.start_char - start) for one in inside if start <= one.start_char < end]
        yield sign[start:end], held, strong, by_or
        by_or = bool(mark.strip(" ,"))
        start, strong = after, by_or and mark[0] in ",;"


def _read(text: str, mentions: Sequence[tuple[Mention, int]]) -> tuple[Sign, Sign | None]:
    """What a part tells, and what of it stands before "with" or "and", which what follows shares."""
    lists = word_lists(WORDS)
    places = [(at, at + len(one.text)) for one, at in mentions]
    words = [(one[0], one.start()) for one in _LETTERS.finditer(text.lower())]
    outside = [(word, at) for word, at in words if not any(a <= at < b for a, b in places)]
    stems = [
        (_stemmed(word), at) for word, at in outside if word not in lists["plain"] and word not in lists["joining"]
    ]
    whole = Sign(frozenset(one.concept_id for one, _ in mentions), frozenset(stem for stem, _ in stems))
    joint = next((at for word, at in outside if word in lists["joining"]), None)
    if joint is None:
        return whole, None
    concepts = frozenset(one.concept_id for one, at in mentions if at < joint)
    before = Sign(concepts, frozenset(stem for stem, at in stems if at < joint))
    return whole, before if before != Sign() else None


def _stemmed(word: str) -> str:
    return _STEM.sub("", word) if len(word) >= _STEM_FROM else word


def comes_back(text: str) -> bool:
    """Whether a return precaution of a note asks to come, and not only to call."""
    return _comes_back().search(text) is not None


@lru_cache(maxsize=1)
def _comes_back() -> re.Pattern[str]:
    phrases = rule_names(RULES / "fit" / "comes_back.txt")
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1)
def _greater() -> Mapping[str, tuple[str, ...]]:
    """The graver forms of a complaint, by id."""
    found: dict[str, tuple[str, ...]] = {}
    for lesser, greater in rule_rows(RULES / "fit" / "lesser_signs.tsv", 2):
        found[lesser] = (*found.get(lesser, ()), greater)
    return found
