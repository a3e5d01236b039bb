"""Which words tell something of a statement's status, by kind, from a list of words in assets/rules."""

from collections.abc import Mapping
from functools import cache

from backend.nlp.rules.word_lists import word_lists


@cache
def word_kinds(name: str) -> Mapping[str, tuple[str, ...]]:
    """What each word tells.

    Args:
        name: the list, as `word_lists` has it ("medications/words_status").

    Returns:
        The kinds of each word, in the order of the list.
    """
    kinds: dict[str, list[str]] = {}
    for kind, words in word_lists(name).items():
        for word in sorted(words):
            kinds.setdefault(word, []).append(kind)
    return {word: tuple(found) for word, found in kinds.items()}
