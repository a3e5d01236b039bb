"""Which retrieved sentences and graph facts answer a question: those that are about the things asked and the aspect asked.

Below the floor nothing answers: a sentence that misses a disease, medicine or finding of the question, or says nothing of the aspect, is
no answer, however many words it shares.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from backend.generation.composer.answers.asked import Asked, Thing, stems
from backend.generation.composer.answers.aspects import CUE, MAY, Aspect, phrases
from backend.generation.composer.material import QuotedSentence
from backend.generation.composer.wording import listed
from backend.schemas.drafts.evidence import GraphItem

LEAST_BESIDE = 0.5  # of the things that need not all be met, the share that must be
SHARE = 0.6  # of the best score, below which a sentence is not added to the answer
MOST_FACTS = 8  # ends of one relation in one sentence


class Found(NamedTuple):
    """Something that answers. score: comparable within one question only; text: as it may be written."""

    text: str
    citations: tuple[str, ...]
    score: float
    concepts: frozenset[str]


def answering(asked: Asked, quotes: Sequence[QuotedSentence], facts: Sequence[GraphItem]) -> list[Found]:
    """What answers, best first; empty where nothing does.

    Args:
        asked: the question.
        quotes: the sentences that may be quoted, in the order of their passages.
        facts: the graph facts that were retrieved.
    """
    if asked.outside or not (asked.things or asked.aspect):
        return []
    found = [one for place, quote in enumerate(quotes) if (one := _scored(asked, quote, place))]
    found += _facts(asked, facts)
    best = max((one.score for one in found), default=0.0)
    return sorted((one for one in found if one.score >= SHARE * best), key=lambda one: -one.score)


def meets(thing: Thing, concepts: Collection[str], words: Collection[str]) -> bool:
    """Whether a text with such concepts and stems is about a thing: it names it, what it is a kind of, or all its words."""
    return not thing.concepts.isdisjoint(concepts) or any(one <= frozenset(words) for one in thing.words)


def _scored(asked: Asked, quote: QuotedSentence, place: int) -> Found | None:
    own = stems(quote.text)
    about = own | stems(quote.passage.title)
    concepts = quote.concepts | ({quote.passage.concept_id} if quote.passage.concept_id else set())
    near = _nearness(asked.things, quote.concepts, own, concepts, about)
    if near is None:
        return None
    fits = _of_aspect(asked, quote)
    if not fits:
        return None
    return Found(quote.text, (quote.passage.id,), fits + near - 1e-4 * math.log1p(place), quote.concepts)


def _nearness(
    things: Sequence[Thing],
    own: Collection[str],
    words: Collection[str],
    concepts: Collection[str],
    about: Collection[str],
) -> float | None:
    """How much of what is asked a text meets, 0 to 2, what its own sentence names twice; None below the floor."""
    must = [thing for thing in things if thing.must]
    beside = [thing for thing in things if not thing.must]
    met = [thing for thing in things if meets(thing, concepts, about)]
    if any(thing not in met for thing in must):
        return None
    shared = sum(thing in met for thing in beside)
    if beside and shared < LEAST_BESIDE * len(beside):
        return None
    if not things:
        return 0.0
    named = sum(meets(thing, own, words) for thing in things)
    return (len(met) + named) / len(things)


def _of_aspect(asked: Asked, quote: QuotedSentence) -> float:
    """How well a sentence fits the aspect asked, 0 for not at all."""
    if asked.aspect is None:
        return 1.0
    cues = {one.event for one in phrases(quote.text)[CUE]}
    best = _one_aspect(asked.aspect, quote, cues, len(asked.things))
    more = sum(_one_aspect(aspect, quote, cues, len(asked.things)) > 0 for aspect in asked.more)
    return best and best + 0.5 * more


def _one_aspect(aspect: Aspect, quote: QuotedSentence, cues: Collection[str], things: int) -> float:
    part = quote.passage.section
    of_part = part in aspect.parts or part.lower() in aspect.kinds
    first = bool(aspect.parts) and part == aspect.parts[0]
    if aspect.name == MAY:
        # of one thing any advice answers; of two, what names both
        return 1.0 + of_part
    if of_part and aspect.own:
        return 2.0 + first
    if aspect.name in cues:
        return 1.0 + of_part + 0.5 * first
    return 0.0


def _facts(asked: Asked, facts: Sequence[GraphItem]) -> Iterator[Found]:
    """Facts of the relations asked, those of one head in one sentence."""
    relations = {one for aspect in (asked.aspect, *asked.more) if aspect for one in aspect.relations}
    groups: dict[tuple[str, str], list[GraphItem]] = {}
    for item in facts:
        if item.relation in relations and item.tail_name and item.tail_name in item.text:
            groups.setdefault((item.concept_id, item.relation), []).append(item)
    must = [thing for thing in asked.things if thing.must]
    for items in groups.values():
        if len(must) > 1:
            items = [i for i in items if all(meets(t, (i.concept_id, i.tail_id or ""), stems(i.text)) for t in must)]
        elif must and not meets(must[0], (items[0].concept_id,), stems(items[0].text.split(items[0].tail_name)[0])):
            continue
        if items and must:
            items = items[:MOST_FACTS]
            lead = items[0].text[: items[0].text.rindex(items[0].tail_name)]
            tails = [
                item.text[len(lead) :].rstrip(".") if item.text.startswith(lead) else item.tail_name for item in items
            ]
            concepts = frozenset(c for item in items for c in (item.concept_id, item.tail_id) if c)
            yield Found(f"{lead}{listed(tails)}.", tuple(item.id for item in items), 1.0 + len(must) / 10, concepts)
