"""What a document has said already, so that it says nothing twice in other words.

Two sentences repeat each other where most of the shorter one's words stand in the other. How a warning begins ("Call your doctor
if") counts for nothing.
"""

import re

from backend.generation.wording import content_words

SHARE = 0.7
FEWEST = 3
_OPENING = re.compile(r"^(?:call|see) [^,]*?\b(?:if|for)\b", re.IGNORECASE)


class Told:
    """Use one a document; it remembers."""

    def __init__(self) -> None:
        self._said: list[tuple[bool, frozenset[str]]] = []
        self._texts: set[str] = set()

    def is_new(self, text: str) -> bool:
        """Whether a sentence says something that was not said; one that does is remembered."""
        if text in self._texts:
            return False
        urgent = "ambulance" in text  # is no repeat of what one may call the doctor for
        words = content_words(_OPENING.sub("", text))
        for same, earlier in self._said:
            fewer = min(len(words), len(earlier))
            if same == urgent and fewer >= FEWEST and len(words & earlier) >= SHARE * fewer:
                return False
        self._texts.add(text)
        self._said.append((urgent, words))
        return True
