"""What two sentences of a story can be compared by: their stems and numbers; whether one leans on another, or is too long to read at once."""

import re

from backend.generation.letter.plain_language.letter_words import leaning, lists
from backend.nlp.lexicon.variants import stem

_READ_AT_ONCE = 36
"""Words of a sentence that is read at once."""
_LEANS_AT_END = re.compile(r"\b(?:of|for|with|to|about|from) (?:this|these|it)\b(?=\s*[.;,])", re.IGNORECASE)
_SENTENCES = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)[.!?]\s+(?=[A-Z])")


def leans(text: str) -> bool:
    """Whether a sentence means what another one tells: it begins with "this" or says "at that time"."""
    first = re.match(r"[^\W\d_]+", text)
    begins = first is not None and first[0].lower() in lists()["anaphors"]
    return begins or _LEANS_AT_END.search(text) is not None or leaning().search(text) is not None


def is_short(text: str) -> bool:
    """Whether every sentence of a text is one that is read at once."""
    return all(len(sentence.split()) <= _READ_AT_ONCE for sentence in _SENTENCES.split(text))


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text, as they are written."""
    return frozenset(re.findall(r"\d+(?:[.,/]\d+)*", text))


def stems(text: str) -> frozenset[str]:
    """The stems of its words of three letters or more, without those that every sentence has."""
    words = re.findall(r"[a-z0-9]{3,}", text.lower())
    small = (
        lists()["openers"] | lists()["prepositions"] | lists()["joins"] | lists()["determiners"] | lists()["repeated"]
    )
    return frozenset(stem(word) for word in words if word not in small)
