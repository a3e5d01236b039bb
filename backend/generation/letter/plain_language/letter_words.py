"""Words of a sentence with the blanks before them, and the word lists by which it is turned to its patient."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.rules import RULES, rule_names
from backend.nlp.rules.word_lists import word_lists

_WORD = re.compile(r"(\s*)([^\W_]+(?:(?:['’./:&-]|(?<=\d),(?=\d))[^\W_]+)*|\.{2,}|\S)")
_STRAY = re.compile(r"[\s,;:\u2013-]*(?<!\.)\.(?:\s*\.)?$")
_CUT_QUOTE = re.compile(r",([\"”])$")
"""A comma before the mark that ends a quotation at the end of a clause."""
_QUOTES = frozenset('"“”')


class Word(NamedTuple):
    """A word or mark. space: the blanks before it; quoted: whether it stands within quotation marks."""

    space: str
    text: str
    quoted: bool

    @property
    def low(self) -> str:
        """In lower case, with straight apostrophes."""
        return self.text.lower().replace("’", "'")


def lists() -> Mapping[str, frozenset[str]]:
    """The word lists of assets/rules/letter/words_story.tsv, by name."""
    return word_lists("letter/words_story")


@lru_cache(maxsize=1)
def leaning() -> re.Pattern[str]:
    """Phrases within a sentence that mean what another sentence tells ("at that time"): assets/rules/letter/leaning.txt."""
    phrases = rule_names(RULES / "letter" / "leaning.txt")
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b", re.IGNORECASE)


def words_of(text: str) -> list[Word] | None:
    """The words of a text; None where quotation marks do not pair."""
    found: list[Word] = []
    inside = False
    for match in _WORD.finditer(text):
        mark = match[2] in _QUOTES
        found.append(Word(match[1], match[2], inside or mark))
        inside ^= mark
    return None if inside else found


def written(words: Sequence[Word]) -> str:
    """The text of words, without blanks at its ends."""
    return "".join(word.space + word.text for word in words).strip()


def is_adverb(low: str) -> bool:
    """Whether a word may stand between a subject and its verb."""
    own = lists()
    return low in own["adverbs"] or (low.endswith("ly") and len(low) > 4 and low not in own["no_adverbs"])


def stopped(text: str) -> str:
    """A sentence with one full stop at its end, and no stray mark before it."""
    text = _STRAY.sub(".", _CUT_QUOTE.sub(r"\1", text.strip()))
    return text if text.rstrip("\"'").endswith((".", "!", "?", "”")) else f"{text.rstrip(' ,;:–—-')}."
