"""Which retrieved sentences and graph facts answer a question: those that are about the things asked and the aspect asked.

Below the floor nothing answers: a sentence on a page about something else, one that misses a disease, medicine or finding of the
question, or says nothing of the aspect, is no answer, however many words it shares.
"""

import math
import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from backend.generation.composer.answers.asked import Asked, Thing, of_child, stems
from backend.generation.composer.answers.aspects import (
    AFTER,
    BEFORE,
    CUE,
    MAY,
    VALUE,
    WHEN_TO_CALL,
    Aspect,
    Phrase,
    phrases,
)
from backend.generation.composer.material import QuotedSentence, page_title
from backend.generation.composer.wording import listed
from backend.knowledge.advice.red_flags import level_of
from backend.schemas.drafts.evidence import GraphItem

LEAST_BESIDE = 0.5  # of the things that need not all be met, the share that must be
LEAST_ALONE = 0.8  # the same where nothing is asked about that must be met
SHARE = 0.75  # of the best score, below which a sentence is not added to the answer
OWN, CUED, CHAPTER = 2.0, 0.5, 0.75
"""What standing in the aspect's part counts; what a cue adds, and a page about the very thing."""
LEAST_OF_TITLE = 0.5
"""Of a page's title, the share that the question asks about: the rest narrows it, as "neonatal diabetes" for diabetes.

Where the title is the name of a thing of its own, more than that share: heat stroke is no stroke.
"""
OF_KIND = 0.5
LONG = 5  # letters from which one stem may begin another: weigh, weight
FACT = 1.5  # what a fact of the relation asked counts, beside what it names
SIDES = (BEFORE, AFTER)
MOST_FACTS = 8  # ends of one relation in one sentence
_STATES = re.compile(r"[.!][\"”’')\]]*\s*$")
"""A sentence that states something: headings, questions and broken lines are no answer."""


class Found(NamedTuple):
    """Something that answers.

    Attributes:
        text: as it may be written.
        citations: what says so.
        score: comparable within one question only.
        concepts: those it names.
        own_part: whether it stands under a heading of what is asked.
    """

    text: str
    citations: tuple[str, ...]
    score: float
    concepts: frozenset[str]
    own_part: bool = False


def answering(asked: Asked, quotes: Sequence[QuotedSentence], facts: Sequence[GraphItem]) -> list[Found]:
    """What answers, best first, of warning signs the most urgent first; empty where nothing does.

    Args:
        asked: the question.
        quotes: the sentences that may be quoted, in the order of their passages.
        facts: the graph facts that were retrieved; they answer where no sentence does, or what parts of chapters do not hold.
    """
    if asked.outside or not (asked.things or asked.aspect):
        return []
    found = [
        one
        for place, quote in enumerate(quotes)
        if _STATES.search(quote.text)
        and quote.passage.section not in asked.without
        and (asked.of_child or not of_child(quote.text))
        and (one := _scored(asked, quote, place))
    ]
    if any(one.own_part for one in found):  # what stands elsewhere on the page only mentions what is told there
        found = [one for one in found if one.own_part]
    if not found or not (asked.aspect and asked.aspect.own):
        found += _facts(asked, facts)
    best = max((one.score for one in found), default=0.0)
    chosen = sorted((one for one in found if one.score >= SHARE * best), key=lambda one: -one.score)
    return _urgent_first(chosen)


def _urgent_first(found: Sequence[Found]) -> list[Found]:
    """Warning signs change places among themselves: the most urgent stands first."""
    levels = [level_of(one.text) for one in found]
    ranked = sorted(((level.rank, place) for place, level in enumerate(levels) if level is not None), reverse=True)
    return [one if level is None else found[ranked.pop()[1]] for one, level in zip(found, levels, strict=True)]


def meets(thing: Thing, concepts: Collection[str], words: Collection[str]) -> bool:
    """Whether a text with such concepts and stems is about a thing: it names it, what it is a kind of, or all its words."""
    return not thing.concepts.isdisjoint(concepts) or any(_share(one, words) == 1.0 for one in thing.words)


def _met_share(thing: Thing, concepts: Collection[str], words: Collection[str]) -> float:
    """How much of a thing a text is about, 0 to 1: OF_KIND where it only names what the thing is a kind of."""
    named = 1.0 if thing.concept in concepts else OF_KIND if not thing.concepts.isdisjoint(concepts) else 0.0
    return max((named, *(_share(one, words) for one in thing.words)))


def _share(wanted: Collection[str], words: Collection[str]) -> float:
    return sum(word in words or (len(word) >= LONG and _begins(word, words)) for word in wanted) / len(wanted)


def _begins(word: str, words: Collection[str]) -> bool:
    return any(len(other) >= LONG and (other.startswith(word) or word.startswith(other)) for other in words)


def _scored(asked: Asked, quote: QuotedSentence, place: int) -> Found | None:
    own = stems(quote.text)
    topic = _topic_fit(asked, quote, own)
    if not topic:
        return None
    about = own | stems(quote.passage.title)
    chapter = frozenset({quote.passage.concept_id} if quote.passage.concept_id else ())
    near = _nearness(asked, quote.concepts, own, quote.concepts | chapter, about)
    if near is None:
        return None
    fits = _of_aspect(asked, quote)
    if not fits:
        return None
    score = fits + near + CHAPTER * topic - 1e-4 * math.log1p(place)
    own_part = asked.aspect is not None and _of_part(asked.aspect, quote)
    return Found(quote.text, (quote.passage.id,), score, quote.concepts, own_part)


def _topic_fit(question: Asked, quote: QuotedSentence, words: Collection[str]) -> float:
    """How far a quote's page is about what is asked, 0 to 1; 1 where the question names nothing.

    1 for a page about the very thing, OF_KIND for one about its kind, else the share of the title that the question names, where
    it names all words of a thing and enough of the title; OF_KIND too where the sentence itself names everything asked, on a page
    whose whole title is asked about (pneumonia, for the pneumonia vaccine) or, of a test's value, on any page; 0 for a page about
    something else, or a narrower thing.
    """
    things = question.things
    asked = [thing for thing in things if thing.must] or list(things)
    if not asked or any(thing.concept in quote.topic for thing in asked):
        return 1.0
    title = stems(page_title(quote.passage))
    kind = OF_KIND if any(not thing.concepts.isdisjoint(quote.topic) for thing in asked) else 0.0
    every = frozenset(word for thing in things for one in thing.words for word in one)
    whole = bool(title) and _share(title, every) == 1.0
    value = question.aspect is not None and question.aspect.name == VALUE
    if (whole or value) and all(meets(thing, quote.concepts, words) for thing in asked):
        kind = OF_KIND
    if not title or not any(_share(one, title) == 1.0 for thing in asked for one in thing.words):
        return kind
    share = _share(title, every)
    enough = share > LEAST_OF_TITLE if quote.topic else share >= LEAST_OF_TITLE
    return max(kind, share if enough else 0.0)


def _nearness(
    question: Asked,
    concepts: Collection[str],
    words: Collection[str],
    around: Collection[str],
    about: Collection[str],
) -> float | None:
    """How much of what is asked a text meets, 0 to 2, what its own sentence names twice; None below the floor."""
    things = question.things
    must = [meets(thing, around, about) for thing in things if thing.must]
    # of what happened to a patient, each has its own warning signs: a fall, and the head that was hit
    either = question.aspect is not None and question.aspect.name == WHEN_TO_CALL
    if must and not (any(must) if either else all(must)):
        return None
    met = [_met_share(thing, around, about) for thing in things]
    beside = [share for thing, share in zip(things, met, strict=True) if not thing.must]
    # a name that the graph does not know stands alone with its words: one syndrome is not another
    least = LEAST_BESIDE if len(beside) < len(things) else LEAST_ALONE
    if sum(beside) < least * len(beside):
        return None
    named = [_met_share(thing, concepts, words) for thing in things]
    return (sum(met) + sum(named)) / len(things) if things else 0.0


def _of_aspect(asked: Asked, quote: QuotedSentence) -> float:
    """How well a sentence fits the aspect asked, 0 for not at all."""
    if asked.aspect is None:
        return 1.0
    cues = _cues(asked, quote)
    best = _one_aspect(asked.aspect, quote, cues)
    more = sum(aspect.name in cues for aspect in asked.more)
    return best and best + CUED * more


def _cues(asked: Asked, quote: QuotedSentence) -> frozenset[str]:
    """The aspects of which a sentence has a cue, with the thing asked about on its side of it."""
    must = [thing for thing in asked.things if thing.must]

    def beside(one: Phrase) -> bool:
        if one.side not in SIDES or not must:
            return True
        start, end = (0, one.start_char) if one.side == BEFORE else (one.end_char, len(quote.text))
        concepts = {c for at, _, c in quote.named if start <= at < end}
        words = stems(quote.text[start:end])
        return any(_met_share(thing, concepts, words) >= LEAST_BESIDE for thing in must)

    return frozenset(one.event for one in phrases(quote.text)[CUE] if beside(one))


def _one_aspect(aspect: Aspect, quote: QuotedSentence, cues: Collection[str]) -> float:
    part = quote.passage.section
    of_part = _of_part(aspect, quote)
    first = bool(aspect.parts) and part == aspect.parts[0]
    if aspect.name == MAY:
        return 1.0 + of_part  # any advice that names everything asked
    if of_part and aspect.own:
        return OWN + first  # in the order of the chapter
    if aspect.name in cues:
        return 1.0 + of_part + CUED * first
    return 0.0


def _of_part(aspect: Aspect, quote: QuotedSentence) -> bool:
    part = quote.passage.section
    return part in aspect.parts or part.lower() in aspect.kinds


def _facts(asked: Asked, facts: Sequence[GraphItem]) -> Iterator[Found]:
    """Facts of the relations asked, those of one head in one sentence."""
    relations = {one for aspect in (asked.aspect, *asked.more) if aspect for one in aspect.relations}
    must = [thing for thing in asked.things if thing.must]
    named = [thing for thing in asked.things if thing.concept]
    groups: dict[tuple[str, str], list[GraphItem]] = {}
    for item in facts:
        if item.relation not in relations or not item.tail_name:
            continue
        lead = item.text.partition(item.tail_name)[0]
        ends = (item.concept_id, item.tail_id or "")
        of_all = len(named) > 1 and all(meets(thing, ends, stems(item.text)) for thing in named)
        of_head = len(must) == 1 and meets(must[0], ends[:1], stems(lead))
        if lead and (of_head or of_all):
            groups.setdefault((item.concept_id, item.relation), []).append(item)
    asked_for = {thing.concept for thing in named}
    for items in groups.values():
        # what joins the very things asked about goes before what joins their kinds
        own = [item for item in items if len(asked_for) > 1 and asked_for <= {item.concept_id, item.tail_id}]
        items = (own or items)[:MOST_FACTS]
        lead = items[0].text.partition(items[0].tail_name)[0]
        tails = [item.text.removeprefix(lead).rstrip(".") for item in items]
        concepts = frozenset(c for item in items for c in (item.concept_id, item.tail_id) if c)
        yield Found(f"{lead}{listed(tails)}.", tuple(item.id for item in items), FACT + 2.0, concepts)
