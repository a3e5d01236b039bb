"""Cut a text into words and marks, each with its exact place and its normal form.

Takes any text; gives parallel lists. The normal form is what names are compared by: case folded, without accents,
zero-width characters and soft hyphens, Greek letters spelt out. The original is never changed, so offsets are exact
whatever the normal form's length. It does not know what a word means.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

MAX_WORD = 60
"""Longest word, in code points, that is looked at; no medical word is longer, and hostile input may be."""

_MOST_WORDS = 50_000
"""Words of which a test remembers what it told, so that no text can fill the memory."""
_INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff"
_COMBINING = "\u0300-\u036f"
_TOKEN = re.compile(rf"((?:[^\W_]|[{_COMBINING}{_INVISIBLE}])+|\n|[^\s])")
_PLAIN_TOKEN = re.compile(r"([a-z0-9]+|\n|[^\s])")  # the same of ASCII in lower case, which has none of the rest
_DROPPED = re.compile(rf"[{_COMBINING}{_INVISIBLE}]")
_GREEK = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ε": "epsilon",
    "κ": "kappa",
    "λ": "lambda",
    "μ": "mu",
    "ω": "omega",
}


def word_set(words: str) -> frozenset[str]:
    """The words of one string, for the small closed lists that rules in code need."""
    return frozenset(words.split())


def letter_words(text: str, least: int = 1) -> list[str]:
    """The runs of at least so many letters a to z of a text, in lower case and in order."""
    return re.findall(rf"[a-z]{{{least},}}", text.lower())


class Tokens(NamedTuple):
    r"""Words and marks in order. starts and ends are half-open code-point offsets; words are normal forms.

    A line break is the token "\n". word says which tokens are words (letters or digits) rather than marks.
    """

    starts: list[int]
    ends: list[int]
    words: list[str]
    word: list[bool]


def tokens(text: str) -> Tokens:
    """Every word and mark of a text, in one pass."""
    plain = text.isascii()
    # A split gives gap, token, gap, token and so on to a last gap: the sums of their lengths are the offsets.
    parts = _PLAIN_TOKEN.split(text.lower()) if plain else _TOKEN.split(text)
    lengths = list(map(len, parts))
    borders = list(accumulate(lengths))
    raws = parts[1::2]
    long = max(lengths[1::2], default=0) > MAX_WORD
    if long:
        raws = [raw if len(raw) <= MAX_WORD else "" for raw in raws]
    words = raws if plain else [raw.lower() if raw.isascii() else normal_word(raw) for raw in raws]
    if plain and not long:
        word = list(map(str.isalnum, words))  # a word is letters and digits alone, a mark is neither
    else:
        word = [not raw or normal[:1].isalnum() for raw, normal in zip(raws, words, strict=True)]
    return Tokens(borders[0:-1:2], borders[1::2], words, word)


@lru_cache(maxsize=50_000)
def normal_word(raw: str) -> str:
    """The normal form of one word: "Œdème" and "oedeme" are the same, as are "β" and "beta"."""
    folded = raw.replace("œ", "oe").replace("æ", "ae").replace("Œ", "oe").replace("Æ", "ae").casefold()
    plain = _DROPPED.sub("", unicodedata.normalize("NFKD", folded))
    return "".join(_GREEK.get(letter, letter) for letter in plain) if not plain.isascii() else plain


def word_list(phrase: str) -> list[str]:
    """The normal words of a name, marks and the possessive 's left out: "Crohn's disease" gives crohn, disease."""
    found = tokens(phrase)
    return [word for i, word in enumerate(found.words) if found.word[i] and word and not possessive(phrase, found, i)]


class WordTest:
    """What a reading asks of each word, such as whether a dosage may begin with it; every note's words are tested at once."""

    def __init__(self, passes: Callable[[str], object]) -> None:
        self.passes = passes
        _TESTS.append(self)
        _PASSED.clear()


class _Passed(dict[str, tuple[WordTest, ...]]):
    """The tests that a word passes, remembered by word."""

    def __missing__(self, word: str) -> tuple[WordTest, ...]:
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = passed = tuple(test for test in _TESTS if test.passes(word))
        return passed


def tested(words: Sequence[str]) -> Mapping[WordTest, Sequence[int]]:
    """Where the words that pass each test stand, in order; a test that no word passes has no entry."""
    places: dict[WordTest, list[int]] = defaultdict(list)
    for i, tests in enumerate(map(_PASSED.__getitem__, words)):
        if tests:  # most words pass none
            for test in tests:
                places[test].append(i)
    return places


def possessive(text: str, found: Tokens, i: int) -> bool:
    """Whether token i is the s of a possessive, glued to the word before it by an apostrophe."""
    return (
        i > 1
        and found.words[i] == "s"
        and found.words[i - 1] in APOSTROPHES
        and found.starts[i] == found.ends[i - 1]
        and found.starts[i - 1] == found.ends[i - 2]
    )


APOSTROPHES = frozenset("'\u2019\u2018\u02bc`\u00b4\u2032")
HYPHENS = frozenset("-\u2010\u2011\u2012\u2013\u2212")
_TESTS: list[WordTest] = []
_PASSED = _Passed()
