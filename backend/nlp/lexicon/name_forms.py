"""The words of a name, in the forms in which a text may say it.

Takes a name; gives its words. It does not know texts: names does.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from backend.nlp.document.tokens import APOSTROPHES, MAX_WORD, word_list
from backend.nlp.lexicon.variants import FILLERS, english_words, near_forms, stem
from backend.nlp.rules import RULES, rule_rows

_PLAIN_WORD = re.compile("[a-z0-9]+")
_SHORTEST = 3
LONGEST = 10  # words of the longest name that is found
Read = tuple[str, str, int]
"""A word as read: its normal form, its stem and its number."""


def forms(name: str) -> list[list[str]]:
    """The words of a name; with its hyphenated parts joined, so that "x-ray" and "xray" meet; a compound in its two words."""
    words = (
        _plain_words if name.isascii() and len(name) <= MAX_WORD and not APOSTROPHES.intersection(name) else word_list
    )
    plain = words(name)
    joined = words(name.replace("-", "")) if "-" in name else plain
    parted = _parted(plain[0]) if len(plain) == 1 else None
    return [plain, *([joined] if joined != plain else ()), *([parted] if parted else ())]


def _parted(word: str) -> list[str] | None:
    """The two words of a compound; None for another word: "heartburn", not "trombone", for "trom" is no word."""
    if not word.endswith(_ends()):
        return None
    end = max((end for end in _ends() if word.endswith(end)), key=len)
    first = word[: -len(end)]
    return [first, end] if len(first) >= _SHORTEST and first in english_words() else None


@lru_cache(maxsize=1)
def _ends() -> tuple[str, ...]:
    return tuple(end for end, _, _ in rule_rows(RULES / "lexicon" / "compound_ends.tsv", 3))


def _plain_words(name: str) -> list[str]:
    """As word_list, in one step, for what most names are: no accent, no possessive, no word too long."""
    return _PLAIN_WORD.findall(name.lower())


def usable(form: Sequence[str]) -> bool:
    """Whether a form can be looked for: not too long, not of digits alone, and of more than one letter."""
    return 0 < len(form) <= LONGEST and any(not word.isdigit() for word in form) and sum(map(len, form)) > 1


def reordered(form: str, read: Sequence[Read]) -> bool:
    """Whether a name's words and those of a text are the same but for order, number and family."""
    said = sorted([(root, normal) for normal, root, _ in read])
    named = sorted([(root, word) for word in form.split(" ") if (root := stem(word)) not in FILLERS])
    return [root for root, _ in named] == [root for root, _ in said] and all(
        near_forms(one, other) for (_, one), (_, other) in zip(named, said, strict=True)
    )


@lru_cache(maxsize=20_000)
def first_word(name: str) -> str:
    """The first word of a name, in its normal form."""
    return word_list(name)[0]
