"""A sentence's plain wordings of chart words, put back into the words of the cited text: "an MI" for "a heart attack".

The rows of assets/rules/letter (plain_terms.tsv, lay_words.tsv; plan_slot_triggers.tsv for the short forms of plans) say which everyday words
stand for which written ones; a pair counts only where the cited text has the written side. What is compared then is the same word on both sides. Nothing is put back that is not cited.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.plain_words import Term, plain_words
from backend.nlp.rules.trigger_rows import trigger_rows

_WORD = re.compile(r"\w+")
_SLOTS = "letter/plan_slot"
_AWAITED = {"pending": "still awaited"}
_OWN_WORDS, _OPEN = "=", frozenset("*#")
"""What a slot is told as where it keeps the note's words, or a part of them."""
_EDGE = r"(?<!\w){}(?!\w)"


def as_cited(text: str, units: Iterable[str]) -> str:
    """The sentence with each plain wording replaced by the written one that the cited text has.

    Args:
        text: the sentence.
        units: the sentences of what it cites.
    """
    cited = "\n".join(" ".join(unit.split()) for unit in units)
    text = _plan_as_cited(text, cited)
    lower = text.lower()
    said = [
        pair for word in sorted(set(_WORD.findall(lower))) for pair in _pairs().get(word, ()) if pair.plain in lower
    ]
    if not said:
        return text
    low = cited.lower()
    for row, written, plain in sorted(said, key=lambda pair: -len(pair.plain)):
        flags = re.NOFLAG if row.exact else re.IGNORECASE
        if written in low and re.search(_EDGE.format(re.escape(row.written)), cited, flags):
            put = row.written.replace("\\", r"\\")
            text = re.sub(_EDGE.format(re.escape(plain)), put, text, flags=re.IGNORECASE)
    return text


def _plan_as_cited(text: str, cited: str) -> str:
    """The sentence with what a slot of a plan is told as replaced by the note's words for it: "if there is no improvement" by "INB"."""
    found = tokens(cited)
    slots = _plans().find(plain_marks(found.words))[_SLOTS] if found.words else ()
    pairs = (
        (_AWAITED.get(one.row.event, one.row.cells["said"]), cited[found.starts[one.first] : found.ends[one.last - 1]])
        for one in slots
    )
    for said, written in sorted(pairs, key=lambda pair: -len(pair[0])):
        if said != _OWN_WORDS and not _OPEN.intersection(said):
            put = written.replace("\\", r"\\")
            text = re.sub(_EDGE.format(re.escape(said)), put, text, flags=re.IGNORECASE)
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


@lru_cache(maxsize=1)
def _plans() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(_SLOTS))
