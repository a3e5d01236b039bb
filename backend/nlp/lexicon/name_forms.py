"""The words of a name, in the forms in which a text may say it.

Takes a name; gives its words. It does not know texts: names does.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from backend.nlp.document.tokens import APOSTROPHES, MAX_WORD, word_list
from backend.nlp.lexicon.variants import FILLERS, near_forms, stem

_PLAIN_WORD = re.compile("[a-z0-9]+")
LONGEST = 10  # words of the longest name that is found
Read = tuple[str, str, int]
"""A word as read: its normal form, its stem and its number."""


def forms(name: str) -> list[list[str]]:
    """The words of a name; and with its hyphenated parts joined, so that "x-ray" and "xray" meet."""
    words = (
        _plain_words if name.isascii() and len(name) <= MAX_WORD and not APOSTROPHES.intersection(name) else word_list
    )
    plain = words(name)
    joined = words(name.replace("-", "")) if "-" in name else plain
    return [plain, joined] if joined != plain else [plain]


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
