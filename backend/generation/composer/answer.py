"""A clinical answer from evidence: the passages' sentences that share most with the question; an option by overlap.

The score of an option is the share of its words and concepts that the evidence names, plus its rank among the
conditions. It measures overlap, not truth, and the text says how weak that is.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from backend.generation.composer.material import Material, QuotedSentence
from backend.generation.composer.wording import capital, content_words
from backend.interfaces import Linker
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import LETTERS, Basis

ANSWER = "Answer"
MOST_SENTENCES = 5
PLAN_DECAY = 0.25
_CONDITIONS_ASKED = re.compile(
    r"explain|diagnos|differential|\bcaus(?:e|ing)|what (?:is|could be) wrong|likely|which condition"
    r"|what (?:could|might|may|does) (?:this|the) \w+ have",
    re.I,
)
NEAREST = 3  # quotes that count for an option


def asks_for_conditions(question: str) -> bool:
    """Whether a question about a note asks what the patient may have."""
    return bool(_CONDITIONS_ASKED.search(question))


class ChosenOption(NamedTuple):
    """score and runner_up are at least 0, comparable within one question only."""

    option: str
    score: float
    runner_up: float
    citations: tuple[str, ...]


def clinical_answer(
    material: Material, question: str, linker: Linker, of_patient: bool = False
) -> Iterator[WrittenSentence]:
    """The retrieved sentences nearest the question, as they stand.

    of_patient: the question is asked beside a note. Then they are about what the note is about or what the question names, never
    about other people's diseases; where too few words meet, what was retrieved for the question's parts follows.
    """
    seen: set[str] = set()
    nearest = nearest_sentences(material, question, linker)
    if of_patient:
        asked = {m.concept_id for m in linker.link(question).note.mentions} | {c.concept_id for c in material.focus}
        nearest = [*_about(nearest, asked), *_about(material.all_quotes(), asked)]
    for quote in nearest:
        if quote.text not in seen and len(seen) < MOST_SENTENCES:
            seen.add(quote.text)
            yield WrittenSentence(
                text=capital(quote.text), section=ANSWER, basis=Basis.GENERAL, citations=(quote.passage.id,)
            )


def _about(quotes: Sequence[QuotedSentence], concepts: Collection[str]) -> list[QuotedSentence]:
    """The sentences of chapters about the concepts, and of passages that are about no one condition."""
    return [q for q in quotes if not q.passage.concept_id or q.passage.concept_id in concepts]


class _Told(NamedTuple):
    """Something retrieved that may name an option. about: its text with what it stands under."""

    id: str
    text: str
    about: str
    concepts: frozenset[str]


def choose_option(
    material: Material, request: DraftRequest, linker: Linker, forbidden: Collection[str] = ()
) -> ChosenOption:
    """The option that what was retrieved names beside the question: passages, graph facts, and what edges carry.

    A text counts by how much of the option it names, times the square of how much of the question; the nearest three
    count, since a common medicine is named in many that are beside the point. An empty option when none is named.
    forbidden: letters of options that are not looked at.
    """
    told = _told(material, linker)
    words_of = [content_words(one.text) for one in told]
    weight = _weights(words_of)
    asked, subjects = content_words(request.question), _concepts(linker, request.question)
    near = [
        (sum(weight.get(w, 0.0) for w in asked & content_words(one.about)) + 2.0 * len(subjects & one.concepts))
        / (1 + len(asked))
        for one in told
    ]
    scored: list[tuple[float, int, tuple[str, ...]]] = []
    for place, option in enumerate(request.options):
        if LETTERS[place] in forbidden:
            continue
        concepts, words = _concepts(linker, option) - subjects, content_words(option) - asked
        gains: list[tuple[float, str]] = []
        for one, own, related in zip(told, words_of, near, strict=True):
            overlap = sum(weight.get(w, 0.0) for w in words & own) / (1 + len(words))
            gain = (overlap + 2.0 * len(concepts & one.concepts)) * related**2
            if gain > 0:
                gains.append((gain, one.id))
        gains = sorted(gains, key=lambda gain: -gain[0])[:NEAREST]
        ranked = [c.score for c in material.conditions if c.concept_id in concepts]
        score = sum(gain for gain, _ in gains) + 4.0 * max(ranked, default=0.0)
        scored.append((score, -place, tuple(dict.fromkeys(name for _, name in gains))))
    best, *rest = sorted(scored, reverse=True) or [(0.0, 0, ())]
    if best[0] <= 0:
        return ChosenOption("", 0.0, 0.0, ())
    return ChosenOption(request.options[-best[1]], best[0], rest[0][0] if rest else 0.0, best[2])


def _told(material: Material, linker: Linker) -> list[_Told]:
    """Every allowed sentence of the passages, each graph item, and of each path what edges carry."""
    told = [_Told(q.passage.id, q.text, f"{q.passage.title} {q.text}", q.concepts) for q in material.all_quotes()]
    for item in material.evidence.graph:
        concepts = frozenset(c for c in (item.concept_id, item.tail_id) if c) | _concepts(linker, item.text)
        told.append(_Told(item.id, item.text, item.text, concepts))
    for path in material.evidence.paths:
        if path.carried:
            told.append(_Told(path.id, path.carried, path.carried, _concepts(linker, path.carried)))
    return [one for one in told if not one.concepts & material.blocked]


def _concepts(linker: Linker, text: str) -> frozenset[str]:
    return frozenset(mention.concept_id for mention in linker.link(text).note.mentions)


def nearest_sentences(material: Material, question: str, linker: Linker) -> list[QuotedSentence]:
    """Passage sentences by shared words (weighted by rarity) and concepts with the question, best first."""
    quotes = material.all_quotes()
    weight = _weights([content_words(quote.text) for quote in quotes])
    words = content_words(question)
    concepts = {m.concept_id for m in linker.link(question).note.mentions}
    scored = []
    ranks = {passage.id: rank for rank, passage in enumerate(material.evidence.passages)}
    for place, quote in enumerate(quotes):
        overlap = sum(weight.get(word, 0.0) for word in words & content_words(f"{quote.passage.title} {quote.text}"))
        score = overlap + 1.5 * len(concepts & quote.concepts)
        if score > 0:
            # the plan's first sub-queries are nearest to what was asked
            nearness = 1.0 / (1.0 + PLAN_DECAY * ranks[quote.passage.id])
            scored.append((score * nearness * (1.0 + quote.passage.scores.get("fused", 0.0)), -place, quote))
    scored.sort(key=lambda item: (-item[0], -item[1]))
    return [quote for *_, quote in scored]


def _weights(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """A word's weight by how few of the texts hold it."""
    counts = Counter(word for words in texts for word in words)
    return {word: math.log(1 + len(texts) / count) for word, count in counts.items()}
