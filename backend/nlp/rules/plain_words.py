"""The rows that say words of charts in everyday words, and where they stand in a text, the longest first.

Reads assets/rules/letter/plain_terms.tsv (short forms) and lay_words.tsv (words and phrases). It does not know notes or letters.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules.rule_files import RULES, rule_rows

FILES = ("plain_terms.tsv", "lay_words.tsv")
_CASES = ("any", "exact", "last")
_EDGE_BEFORE, _EDGE_AFTER = r"(?<![\w&/.’'-])", r"(?![\w&/’'-])"
_START = re.compile(rf"{_EDGE_BEFORE}\w+")
_FIRST = re.compile(r"\w+")


class Term(NamedTuple):
    """A written form and its plain words. exact: only in this spelling. last: only where no noun follows."""

    written: str
    plain: str
    exact: bool
    last: bool = False


class Phrases:
    """Finds written forms in texts, at each word the longest that stands there whole.

    Args:
        forms: each begins with a letter or a digit; a blank in them is any white space of the text.

    Raises:
        KnowledgeError: a form begins with a mark.
    """

    def __init__(self, forms: Collection[str]) -> None:
        self._forms: dict[str, list[str]] = {}
        for form in forms:
            first = _FIRST.match(form)
            if first is None:
                raise KnowledgeError(f"The written form '{form}' begins with a mark; begin it with a letter or digit.")
            self._forms.setdefault(first[0].lower(), []).append(form)
        self._patterns: dict[str, re.Pattern[str]] = {}

    def found(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the places of written forms in order; none overlaps another."""
        at = 0
        while (word := _START.search(text, at)) is not None:
            match = self._at(word[0].lower(), text, word.start())
            if match is not None:
                yield match
            at = match.end() if match is not None else word.end()

    def _at(self, word: str, text: str, start: int) -> re.Match[str] | None:
        if word not in self._forms:
            return None
        if word not in self._patterns:
            longest = sorted(self._forms[word], key=len, reverse=True)
            either = "|".join(r"\s+".join(map(re.escape, form.split())) for form in longest)
            self._patterns[word] = re.compile(f"(?:{either}){_EDGE_AFTER}", re.IGNORECASE)
        return self._patterns[word].match(text, start)


@lru_cache(maxsize=1)
def plain_words() -> tuple[Term, ...]:
    """The rows of both files in order.

    Raises:
        KnowledgeError: a case is none of any, exact and last.
    """
    rows: list[Term] = []
    for name in FILES:
        for written, case, plain in rule_rows(RULES / "letter" / name, 3):
            if case not in _CASES:
                raise KnowledgeError(f"{name}: the case of '{written}' is '{case}'; use one of {', '.join(_CASES)}.")
            rows.append(Term(written, plain, case == "exact", case == "last"))
    return tuple(rows)
