"""What a document says already, so that it says nothing twice."""

import re

from backend.generation.composer.wording import content_words
from backend.knowledge.advice.red_flags import AS_NEW, level_of
from backend.knowledge.advice.sign_classes import Level

SHARE = 0.7
FEWEST = 3
_OPENING = re.compile(r"^(?:call|see|go|tell) [^.;]*?\b(?:if|for)\b", re.IGNORECASE)


class WrittenSoFar:
    """What a document says already. Use one a document; it remembers."""

    def __init__(self) -> None:
        self._said: list[tuple[Level | None, frozenset[str]]] = []
        self._texts: set[str] = set()

    def is_new(self, text: str, *, whole: bool = False) -> bool:
        """Whether a sentence says something that was not said; one that does is remembered.

        Args:
            text: the sentence.
            whole: it repeats only what says as much as itself, as a short sentence before a long one does not.
        """
        if text in self._texts:
            return False
        level = level_of(text)  # a sign that asks for an ambulance is no repeat of one to tell the doctor of
        words = content_words(_OPENING.sub("", text.replace(AS_NEW, "")))
        for same, earlier in self._said:
            fewer = len(words) if whole else min(len(words), len(earlier))
            if same is level and fewer >= FEWEST and len(words & earlier) >= SHARE * fewer:
                return False
        self._texts.add(text)
        self._said.append((level, words))
        return True
