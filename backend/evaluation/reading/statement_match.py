"""Which statement of a record is meant by an annotation: names share their words, and the places agree.

An annotator names a thing freely ("sleepiness / lethargy", "Neurontin (gabapentin)"), so one shared content word may do
where the statement lies in the quote; outside the quote one name must hold all words of the other.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from backend.nlp.document.tokens import word_set
from backend.nlp.lexicon.variants import stem
from backend.schemas.record import AllergyStatement

_WORD = re.compile(r"[a-z0-9]+")
_GENERIC = frozenset(
    map(
        stem,
        word_set(
            "a an and at by for from in into is of on or the to with without no not his her patient history "
            "chronic acute mild moderate severe left right bilateral possible probable likely recent new old "
            "prior past previous current active known disease disorder syndrome condition status type episode "
            "problem use mg mcg g ml unit units tablet tablets daily oral po iv dose therapy treatment medicine "
            "drug stage grade non due secondary related upper lower"
        ),
    )
)
T = TypeVar("T")


class Place(NamedTuple):
    """Half-open code points."""

    start: int
    end: int


class Named(NamedTuple):
    """A statement to be matched: its words by every name it has, and where it stands."""

    names: tuple[frozenset[str], ...]
    places: tuple[Place, ...]


def content_stems(name: str) -> frozenset[str]:
    """The stems of a name's words that tell something; of a name of generic words alone, all of them."""
    stems = frozenset(stem(word) for word in _WORD.findall(name.lower()))
    return (stems - _GENERIC) or stems


def places_of(text: str, quote: str) -> list[Place]:
    """Where a quote occurs in a note, without overlap."""
    found, at = [], text.find(quote) if quote else -1
    while at >= 0:
        found.append(Place(at, at + len(quote)))
        at = text.find(quote, at + len(quote))
    return found


def alternatives(name: str) -> tuple[frozenset[str], ...]:
    """The names that an annotator gave as one: those beside a slash or in brackets stand for themselves."""
    parts = [part for part in re.split(r"[/()=;]|\bor\b|\baka\b", name) if _WORD.search(part.lower())]
    return tuple(dict.fromkeys(content_stems(part) for part in (name, *parts)))


def same_agent(agent: str, stated: AllergyStatement) -> bool:
    """Whether an annotated agent shares a word with that of a stated allergy, as named or as written."""
    words = {*alternatives(stated.agent), *(content_stems(span.text) for span in stated.spans[:1])}
    return any(a & b for a in alternatives(agent) for b in words)


def match_score(gold: Sequence[frozenset[str]], quote: Iterable[Place], named: Named) -> float:
    """How well a statement fits an annotation, 0 for not at all; comparable within one annotation.

    Two for lying in the quote, and the share of words in common (Dice) of the names that agree best.
    """
    best = max(
        (2 * len(a & b) / (len(a) + len(b)) for a in gold for b in named.names if a & b and a and b), default=0.0
    )
    if not best:
        return 0.0
    within = any(p.start < q.end and q.start < p.end for p in named.places for q in quote)
    if within:
        return 2 + best
    whole = any(a <= b or b <= a for a in gold for b in named.names if a and b)
    return best if whole else 0.0


def best_match(
    gold: Sequence[frozenset[str]], quote: Sequence[Place], statements: Sequence[tuple[T, Named]]
) -> list[T]:
    """The statements that fit an annotation, best first; none for none."""
    scored = [(match_score(gold, quote, named), i, one) for i, (one, named) in enumerate(statements)]
    return [one for score, _, one in sorted(scored, key=lambda item: (-item[0], item[1])) if score > 0]
