"""What retrieved texts advise against, or say to do harm: evidence against an option, never for it.

"Ask before you take ibuprofen, since it can make heart failure worse" speaks against ibuprofen.
"""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.generation.composer.answers.asked import stems
from backend.generation.composer.answers.aspects import AGAINST, AMOUNT, BEFORE, phrases
from backend.generation.composer.answers.aspects import HARMS as HARM
from backend.nlp.document.tokens import tokens
from backend.nlp.rules import RULES, words_by_kind
from backend.nlp.rules.word_lists import word_lists


class Direction(StrEnum):
    """What a text says of two things that it names: one helps against the other, harms it or needs care with it, or neither."""

    HELPS = "helps"
    HARMS = "harms"
    NEITHER = "neither"


class Named(NamedTuple):
    """What a stretch of text names: concepts, and the stems of its words."""

    concepts: frozenset[str]
    words: frozenset[str]

    def meets(self, concepts: Collection[str], words: Collection[str]) -> bool:
        """Whether it names one of some concepts, or all of some words."""
        return not self.concepts.isdisjoint(concepts) or (bool(words) and frozenset(words) <= self.words)


class Advice(NamedTuple):
    """Something that a sentence speaks against. harm: what it is said to do; None where it is advised against outright."""

    of: Named
    harm: Named | None


def advice_against(text: str, named: Sequence[tuple[int, int, str]]) -> tuple[Advice, ...]:
    """Everything that a sentence speaks against.

    Args:
        text: one sentence.
        named: its concepts, each with its half-open code points.
    """

    def stretch(start: int, end: int) -> Named:
        return Named(frozenset(c for at, _, c in named if start <= at < end), stems(text[start:end]))

    found = phrases(text)[AGAINST]
    if not found:
        return ()
    cut, contrasts = tokens(text), word_lists("answers/words_asked")["contrasts"]
    stops = [start for start, word in zip(cut.starts, cut.words, strict=True) if word in contrasts]
    amounts = [one for one in found if one.event == AMOUNT]
    advice = []
    for one in found:
        if one.event == AMOUNT:
            continue
        if one.event == BEFORE:
            at = bisect_left(stops, one.end_char)
            start, end = one.end_char, stops[at] if at < len(stops) else len(text)
        else:
            at = bisect_left(stops, one.start_char)
            start, end = stops[at - 1] if at else 0, one.start_char
        if not any(start <= amount.start_char < end for amount in amounts):
            advice.append(Advice(stretch(start, end), stretch(one.end_char, len(text)) if one.event == HARM else None))
    return tuple(advice)


def direction_of(relation: str) -> Direction:
    """What a relation of the graph says of its two ends."""
    return _directions().get(relation, Direction.NEITHER)


@lru_cache(maxsize=1)
def _directions() -> Mapping[str, Direction]:
    by_kind = words_by_kind(RULES / "answers" / "directions.tsv", Direction)
    return {relation: direction for direction, relations in by_kind.items() for relation in relations}
