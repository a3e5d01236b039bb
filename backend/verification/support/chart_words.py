"""A sentence's plain wordings of chart words, put back into the words of the cited text: "an MI" for "a heart attack".

The rows of assets/rules/letter (plain_terms.tsv, lay_words.tsv) say which everyday words stand for which written ones; a pair counts only where the
cited text has the written side. What is compared then is the same word on both sides. Nothing is put back that is not cited.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.rules.plain_words import Term, plain_words

_WORD = re.compile(r"\w+")
_EDGE = r"(?<!\w){}(?!\w)"


def as_cited(text: str, units: Iterable[str]) -> str:
    """The sentence with each plain wording replaced by the written one that the cited text has.

    Args:
        text: the sentence.
        units: the sentences of what it cites.
    """
    lower = text.lower()
    said = [
        pair for word in sorted(set(_WORD.findall(lower))) for pair in _pairs().get(word, ()) if pair.plain in lower
    ]
    if not said:
        return text
    cited = "\n".join(" ".join(unit.split()) for unit in units)
    low = cited.lower()
    for row, written, plain in sorted(said, key=lambda pair: -len(pair.plain)):
        flags = re.NOFLAG if row.exact else re.IGNORECASE
        if written in low and re.search(_EDGE.format(re.escape(row.written)), cited, flags):
            put = row.written.replace("\\", r"\\")
            text = re.sub(_EDGE.format(re.escape(plain)), put, text, flags=re.IGNORECASE)
    return text


class _Pair(NamedTuple):
    """A row with both sides in lower case."""

    row: Term
    written: str
    plain: str


@lru_cache(maxsize=1)
def _pairs() -> dict[str, list[_Pair]]:
    """The rows by the first word of their plain words; rows that keep a word are left out."""
    pairs: dict[str, list[_Pair]] = {}
    for row in plain_words():
        first = _WORD.search(row.plain.lower())
        if row.written != row.plain and first is not None:
            pairs.setdefault(first[0], []).append(_Pair(row, row.written.lower(), row.plain.lower()))
    return pairs
