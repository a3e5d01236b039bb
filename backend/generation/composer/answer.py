"""A clinical answer from evidence: the passages' sentences that share most with the question; an option by overlap.

The score of an option is the share of its words and concepts that the evidence names, plus its rank among the conditions. It
measures overlap, not truth: a passage that rules an option out counts for it. The text says how weak that is. Options that
are no content, as yes and no, cannot be answered so, and are not.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from backend.generation.composer.material import Material, QuotedSentence
from backend.generation.composer.wording import capital, content_words
from backend.interfaces import Linker
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.headings import ANSWER
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import LETTERS, Basis

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
    """The option with the most evidence. score and runner_up are at least 0, comparable within one question only."""

    option: str
    score: float
    runner_up: float
    citations: tuple[str, ...]


def clinical_answer(
    material: Material, question: str, linker: Linker, of_patient: bool = False
) -> Iterator[WrittenSentence]:
    """Yield the retrieved sentences nearest the question, as they stand.

    Args:
        material: what may be quoted.
        question: what is asked.
        linker: reads the question.
        of_patient: the question is asked beside a note. Then the sentences are about what the note is about or what the question
            names, never about other people's diseases; where too few words meet, what was retrieved for the question's parts
            follows.
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


class _Retrieved(NamedTuple):
    """Something retrieved that may name an option. about: its text with what it stands under."""

    id: str
    text: str
    about: str
    concepts: frozenset[str]


def choose_option(
    material: Material, request: DraftRequest, linker: Linker, forbidden: Collection[str] = ()
) -> ChosenOption:
    """The option that what was retrieved names beside the question: passages, graph facts, and what edges of paths state.

    A text counts by how much of the option it names, times the square of how much of the question; the nearest three count, since
    a common medicine is named in many that are beside the point. The option is empty where none is named; those whose letters
    are forbidden are not looked at.
    """
    retrieved = _retrieved(material, linker)
    words_of = [content_words(one.text) for one in retrieved]
    weight = _weights(words_of)
    asked, subjects = content_words(request.question), _concepts(linker, request.question)
    near = [
        (sum(weight.get(w, 0.0) for w in asked & content_words(one.about)) + 2.0 * len(subjects & one.concepts))
        / (1 + len(asked))
        for one in retrieved
    ]
    scored: list[tuple[float, int, tuple[str, ...]]] = []
    for place, option in enumerate(request.options):
        if LETTERS[place] in forbidden:
            continue
        concepts, words = _concepts(linker, option) - subjects, content_words(option) - asked
        gains: list[tuple[float, str]] = []
        for one, own, related in zip(retrieved, words_of, near, strict=True):
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


def _retrieved(material: Material, linker: Linker) -> list[_Retrieved]:
    """Every allowed sentence of the passages, each graph item, and of each path what its edges state."""
    retrieved = [
        _Retrieved(q.passage.id, q.text, f"{q.passage.title} {q.text}", q.concepts) for q in material.all_quotes()
    ]
    for item in material.evidence.graph:
        concepts = frozenset(c for c in (item.concept_id, item.tail_id) if c) | _concepts(linker, item.text)
        retrieved.append(_Retrieved(item.id, item.text, item.text, concepts))
    for path in material.evidence.paths:
        if path.supported_text:
            retrieved.append(
                _Retrieved(path.id, path.supported_text, path.supported_text, _concepts(linker, path.supported_text))
            )
    return [one for one in retrieved if not one.concepts & material.blocked]


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


VERDICTS = content_words("yes no maybe true false none neither both all above below unsure unknown")
UNFIT = "Overlap of words cannot choose among yes, no and bare numbers; that needs a language model."
NONE_LEFT = "No option was chosen: the safety check forbids each of them for this patient"
CLOSE = 0.75  # a runner-up with this share of the score fits almost as well


class OptionAnswer(NamedTuple):
    """letter and option: empty when none was chosen. said: who chose, and how weak. fell: why no model did."""

    letter: str
    option: str
    citations: tuple[str, ...]
    said: str
    fell: str = ""


def answer_option(
    material: Material, request: DraftRequest, linker: Linker, forbidden: Collection[str] = ()
) -> OptionAnswer:
    """The answer by overlap, with the reason why no model gave it. forbidden: letters of options never chosen."""
    fell = "answer: no language model is set, so overlap of evidence chose"
    return by_overlap(material, request, linker, forbidden)._replace(fell=fell)


def by_overlap(
    material: Material, request: DraftRequest, linker: Linker, forbidden: Collection[str] = ()
) -> OptionAnswer:
    """The permitted option that the evidence names most, with how far it is ahead; none where none of them is named at all."""
    if all_forbidden(request.options, forbidden):
        return OptionAnswer("", "", (), f"{NONE_LEFT}.")
    if all(content_words(option) <= VERDICTS for option in request.options):
        return OptionAnswer("", "", (), UNFIT)
    chosen = choose_option(material, request, linker, forbidden)
    if not chosen.option:
        which = "permitted options" if forbidden else "options"
        return OptionAnswer("", "", (), f"Nothing that was retrieved names any of the {which}.")
    letter = LETTERS[request.options.index(chosen.option)]
    share = chosen.runner_up / chosen.score
    ahead = f"the next option has {share:.0%} of its score" if chosen.runner_up else "no other option is named"
    weak = "so it is little more than a guess" if share > CLOSE else "and overlap of words is weak evidence"
    said = f"No language model reasoned here: {ahead}, {weak}."
    return OptionAnswer(letter, chosen.option, chosen.citations, said)


def all_forbidden(options: Sequence[str], forbidden: Collection[str]) -> bool:
    """Whether there are options and none of them may be chosen."""
    return bool(options) and all(letter in forbidden for letter in LETTERS[: len(options)])


def forbidden_sentences(options: Sequence[str], forbidden: Mapping[str, str]) -> Iterator[WrittenSentence]:
    """A sentence for each option that was not chosen since the safety check forbids it. forbidden: reasons by letter."""
    for letter, option in zip(LETTERS, options, strict=False):
        if letter in forbidden:
            text = f"[{letter}: “{option}” must not be used and was not chosen: {forbidden[letter].rstrip('.')}.]"
            yield WrittenSentence(text=text, section=ANSWER, basis=Basis.GENERAL)


def option_sentences(answer: OptionAnswer) -> Iterator[WrittenSentence]:
    """The answer as the draft tells it: the option, and in brackets who chose it and how weak that is."""
    if answer.option:
        text = f"The retrieved evidence overlaps most with {answer.letter}: “{answer.option}”."
        yield WrittenSentence(text=text, section=ANSWER, basis=Basis.GENERAL, citations=answer.citations)
    remark = " ".join(part if part.endswith(".") else f"{part}." for part in (answer.said, answer.fell) if part)
    yield WrittenSentence(text=f"[{remark}]", section=ANSWER, basis=Basis.GENERAL)
