"""What a document says already, so that it says nothing twice.

A warning repeats another too where each of its choices is a narrower case of what the other asks for as urgently: whoever calls an
ambulance for chest pain calls one for a chest pain that lasts.
"""

import re

from backend.generation.composer.wording import content_words
from backend.knowledge.advice.red_flags import AS_NEW, level_of, sign_of
from backend.knowledge.advice.sign_classes import Level

SHARE = 0.7
FEWEST = 3
_OPENING = re.compile(r"^(?:call|see|go|tell) [^.;]*?\b(?:if|for)\b", re.IGNORECASE)
_CHOICES = re.compile(r",\s+or\s+|;\s+")
_TWO = re.compile(r"^(you|your child) (?:have|has) ((?:[\w-]+ )+[\w-]+) or ((?:[\w-]+ )+[\w-]+)$", re.IGNORECASE)
"""Two complaints of one verb: "you have chest pain or trouble breathing"."""


class WrittenSoFar:
    """What a document says already. Use one a document; it remembers."""

    def __init__(self) -> None:
        self._said: list[tuple[Level | None, frozenset[str]]] = []
        self._texts: set[str] = set()
        self._signs: list[tuple[Level, list[str]]] = []

    def is_new(self, text: str, *, whole: bool = False, at: Level | None = None) -> bool:
        """Whether a sentence says something that was not said; one that does is remembered.

        Args:
            text: the sentence.
            whole: it repeats only what says as much as itself, as a short sentence before a long one does not.
            at: how urgent it is where its opening does not say so, as of a crisis line.
        """
        if text in self._texts:
            return False
        level = level_of(text) or at  # a sign that asks for an ambulance is no repeat of one to tell the doctor of
        words = content_words(_OPENING.sub("", text.replace(AS_NEW, "")))
        for same, earlier in self._said:
            fewer = len(words) if whole else min(len(words), len(earlier))
            if same is level and fewer >= FEWEST and len(words & earlier) >= SHARE * fewer:
                return False
        choices = _choices(sign_of(text))
        if level is not None and choices and all(self._is_asked_for(_said(one), level) for one in choices):
            return False
        self._texts.add(text)
        self._said.append((level, words))
        if level is not None:
            self._signs += [(level, _said(one)) for one in choices if "," not in one]
        return True

    def _is_asked_for(self, words: list[str], level: Level) -> bool:
        """Whether a sign is one of those that were told as urgently, or begins as one and says more of it: who "feels faint" has not fainted."""
        return any(told and told == words[: len(told)] and urgent.rank <= level.rank for urgent, told in self._signs)


def _said(choice: str) -> list[str]:
    """The words of a choice that have a meaning of their own, in order."""
    return [stem for word in choice.split() for stem in content_words(word)]


def _choices(sign: str) -> list[str]:
    """The choices of a sign: "you have chest pain or trouble breathing, or you faint" has three."""
    found = []
    for one in filter(None, _CHOICES.split(sign)):
        two = _TWO.match(one)
        found += [two[2], two[3]] if two else [one]
    return found
