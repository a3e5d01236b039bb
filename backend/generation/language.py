"""Whether a note is written in English, the one language that documents are written in and rules read."""

import re

from backend.nlp.lexicon.variants import english_words

_WORD = re.compile(r"[^\W\d_]{4,}")
_LEAST_WORDS = 12
_LEAST_ENGLISH = 0.27
"""Share of ordinary English words among those of four letters or more; shorter ones may be short forms of any language."""
NOT_ENGLISH = "The note is not in English, so nothing is written from it. What was recognised is shown; write the note in English."


def is_english(text: str) -> bool:
    """Whether a note can be taken for English; a few words always can."""
    words = _WORD.findall(text.lower())
    known = english_words()
    return len(words) < _LEAST_WORDS or sum(word in known for word in words) >= _LEAST_ENGLISH * len(words)
