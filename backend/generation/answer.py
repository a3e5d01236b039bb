"""A clinical answer from evidence: the passages' sentences that share most with the question; an option by overlap.

The score of an option is the share of its words and concepts that the evidence names, plus its rank among the
conditions. It measures overlap, not truth, and the text says how weak that is.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from backend.generation.material import Material, QuotedSentence
from backend.generation.wording import capital
from backend.interfaces import Linker
from backend.schemas.draft import WrittenSentence
from backend.schemas.request import DraftRequest
from backend.schemas.vocabulary import Basis

ANSWER = "Answer"
MOST_SENTENCES = 5
PLAN_DECAY = 0.25
COMMON = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "has",
        "have",
        "how",
        "in",
        "is",
        "it",
        "its",
        "may",
        "of",
        "on",
        "or",
        "should",
        "that",
        "the",
        "their",
        "they",
        "this",
        "to",
        "was",
        "what",
        "when",
        "which",
        "who",
        "why",
        "will",
        "with",
        "you",
        "your",
        "not",
        "most",
        "likely",
        "following",
        "patient",
    ]
)


class ChosenOption(NamedTuple):
    """score and runner_up are at least 0, comparable within one question only."""

    option: str
    score: float
    runner_up: float
    citations: tuple[str, ...]


def clinical_answer(material: Material, question: str, linker: Linker) -> Iterator[WrittenSentence]:
    """The retrieved sentences nearest the question, as they stand."""
    seen: set[str] = set()
    for quote in nearest_sentences(material, question, linker):
        if quote.text not in seen and len(seen) < MOST_SENTENCES:
            seen.add(quote.text)
            yield WrittenSentence(
                text=capital(quote.text), section=ANSWER, basis=Basis.GENERAL, citations=(quote.passage.id,)
            )


def choose_option(material: Material, request: DraftRequest, linker: Linker) -> ChosenOption:
    """The option the evidence overlaps with most; an empty option when none overlaps at all."""
    quotes = material.all_quotes()
    weight = _idf(quotes)
    asked = content_words(request.question)
    scored: list[tuple[float, int, tuple[str, ...]]] = []
    for place, option in enumerate(request.options):
        concepts = {m.concept_id for m in linker.link(option).note.mentions}
        words = content_words(option) - asked
        score, cites = 0.0, list[str]()
        for quote in quotes:
            overlap = sum(weight.get(w, 0.0) for w in words & content_words(quote.text)) / (1 + len(words))
            shared = 2.0 * len(concepts & quote.concepts)
            related = sum(weight.get(w, 0.0) for w in asked & content_words(quote.text)) / (1 + len(asked))
            # a quote about something else says nothing for an option, however often it names it
            if (overlap + shared) * related > 0:
                score += (overlap + shared) * related
                cites.append(quote.passage.id)
        ranked = [c.score for c in material.conditions if c.concept_id in concepts]
        score += 4.0 * max(ranked, default=0.0)
        scored.append((score, -place, tuple(dict.fromkeys(cites))[:3]))
    best, *rest = sorted(scored, reverse=True)
    if best[0] <= 0:
        return ChosenOption("", 0.0, 0.0, ())
    return ChosenOption(request.options[-best[1]], best[0], rest[0][0] if rest else 0.0, best[2])


def nearest_sentences(material: Material, question: str, linker: Linker) -> list[QuotedSentence]:
    """Passage sentences by shared words (weighted by rarity) and concepts with the question, best first."""
    quotes = material.all_quotes()
    weight = _idf(quotes)
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


def content_words(text: str) -> frozenset[str]:
    """Lower-case words that carry meaning, cut to a crude stem so that `strokes` meets `stroke`."""
    words = re.findall(r"[a-z][a-z0-9-]+", text.lower())
    return frozenset(re.sub(r"(ies|es|s|ing|ed)$", "", w) if len(w) > 4 else w for w in words if w not in COMMON)


def _idf(quotes: list[QuotedSentence]) -> dict[str, float]:
    counts = Counter(word for quote in quotes for word in content_words(quote.text))
    return {word: math.log(1 + len(quotes) / count) for word, count in counts.items()}
