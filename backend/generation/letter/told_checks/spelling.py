"""Words of a note that are misspelt by one letter, where one English word alone is meant: "epsiode" is an episode.

Only long words in small letters that no lexicon and nothing that was read in the note knows: a name of a medicine or a person is left.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from backend.generation.letter.plain_language.everyday import is_medical
from backend.nlp.lexicon.variants import english_words

_WORD = re.compile(r"(?<![\w'’-])[a-z]{7,}(?![\w'’-])")
_ENDING = 3
"""Letters that may be the ending of a form of a word."""
_ADJECTIVES = ("al", "ic", "ar", "ous", "ive")
"""How an adjective ends that is made of a noun."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def spelled(text: str, written: str, known: Collection[str]) -> str:
    """A text with its misspelt words as they are meant, where that is sure.

    Args:
        text: in plain words.
        written: the note's words for it, which alone may be misspelt.
        known: words in small letters that are left as they are.
    """
    own = set(_WORD.findall(written))
    return _WORD.sub(lambda match: _meant(match[0]) if match[0] in own and match[0] not in known else match[0], text)


@lru_cache(maxsize=4096)
def _meant(word: str) -> str:
    """The one English word that differs from this by a letter, or by two that changed places; the word itself for none or several."""
    words = english_words()
    if is_medical(word) or word in words or any(word[:-end] in words for end in range(1, _ENDING + 1)):
        return word  # a form of a word: "relievers"
    if any(
        word.endswith(end) and f"{word[: -len(end)]}{last}" in words for end in _ADJECTIVES for last in ("", "e", "y")
    ):
        return word  # "palatal" of the palate
    turned = {one for one in _turned(word) if one in words}
    found = turned or {one for one in _changed(word) if one in words}
    return next(iter(found)) if len(found) == 1 else word


def _turned(word: str) -> Iterator[str]:
    return (word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1))


def _changed(word: str) -> Iterator[str]:
    """Yield the words that differ by one letter, of which the first is the same."""
    for i in range(1, len(word)):
        yield word[:i] + word[i + 1 :]
        for letter in _LETTERS:
            yield word[:i] + letter + word[i + 1 :]
            yield word[:i] + letter + word[i:]
    yield from (word + letter for letter in _LETTERS)
