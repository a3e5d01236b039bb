"""One option of a question, chosen from what was retrieved without a language model.

The score of an option measures overlap, not truth: how much of it, beside how much of the question, the evidence names. Where the options
are things to give, only what helps counts: an option that the safety check forbids or warns of, or that a retrieved text advises against
for what the question is about, is never chosen, nor one that nothing retrieved gives for it. Options that are no content, as yes and no,
cannot be answered so, and are not.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from backend.generation.composer.answers.against import Direction
from backend.generation.composer.answers.asked import Kinds, read_question
from backend.generation.composer.answers.option_evidence import (
    NEAREST,
    Given,
    OptionRead,
    OptionText,
    concepts_of,
    given_for,
    gives,
    options_of,
    texts_of,
    warned_of,
)
from backend.generation.composer.answers.option_sentences import NONE_LEFT, Warned, all_forbidden
from backend.generation.composer.material import Material
from backend.generation.composer.wording import content_words
from backend.interfaces import Linker
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.request import DraftRequest
from backend.verification.safety.medicines.proposed_medicines import asks_for_harm

VERDICTS = content_words("yes no maybe true false none neither both all above below unsure unknown")
UNFIT = "Overlap of words cannot choose among yes, no and bare numbers; that needs a language model."
CLOSE = 0.75  # a runner-up with this share of the score fits almost as well
TOO_CLOSE = 0.95  # where something is to be given, one that fits as well leaves the choice open


class OptionAnswer(NamedTuple):
    """The option chosen, and why no other.

    Attributes:
        letter: empty when none was chosen.
        option: as it was given; empty when none was chosen.
        citations: what names it.
        said: who chose, and how weak that is.
        fell: why no model chose.
        warned: by letter why an option was not looked at, though the safety check does not forbid it, with what says so.
    """

    letter: str
    option: str
    citations: tuple[str, ...]
    said: str
    fell: str = ""
    warned: Mapping[str, Warned] = {}


def answer_option(
    material: Material,
    request: DraftRequest,
    linker: Linker,
    forbidden: Collection[str] = (),
    cautions: Mapping[str, str] | None = None,
    kinds: Kinds = lambda concept: (concept,),
) -> OptionAnswer:
    """The answer from the evidence, with the reason why no model gave it.

    Args:
        material: what was retrieved, and for whom.
        request: the question with its options.
        linker: reads both.
        forbidden: letters of the options that the safety check forbids.
        cautions: by letter what else the safety check has against an option.
        kinds: what a concept is a kind of.
    """
    fell = "answer: no language model is set, so overlap of evidence chose"
    return _by_overlap(material, request, linker, forbidden, cautions or {}, kinds)._replace(fell=fell)


class SpokenAgainst(NamedTuple):
    """The options of a question that something retrieved, or the safety check, speaks against.

    Attributes:
        excluded: by letter those that a retrieved sentence advises against for what the patient has, with why and what says so.
        warned: by letter the others: a fact of the graph or a warning of the safety check speaks against them.
    """

    excluded: Mapping[str, Warned]
    warned: Mapping[str, Warned]


NOTHING_AGAINST = SpokenAgainst({}, {})


def spoken_against(
    material: Material,
    request: DraftRequest,
    linker: Linker,
    forbidden: Collection[str],
    cautions: Mapping[str, str],
    kinds: Kinds,
) -> SpokenAgainst:
    """What is said against the options, for whoever chooses by reasoning; nothing where the question asks for harm or gives nothing.

    One option at least stays open: where sentences advise against all that the safety check leaves, they warn and bar none. See
    `answer_option` for the arguments.
    """
    asked = read_question(request.question, linker, kinds)
    if asks_for_harm(request.question) or not (asked.gives or cautions):
        return NOTHING_AGAINST
    options = list(options_of(request, linker, kinds))
    given, texts = given_for(asked, material, kinds), list(texts_of(material, by_edge=True))
    warned = warned_of(options, texts, given, cautions, forbidden)
    said = warned_of(options, [text for text in texts if text.advice], given, {}, forbidden, texts)
    left = [one.letter for one in options if one.letter not in forbidden]
    excluded = said if any(letter not in said for letter in left) else {}
    return SpokenAgainst(excluded, {letter: why for letter, why in warned.items() if letter not in excluded})


def _by_overlap(
    material: Material,
    request: DraftRequest,
    linker: Linker,
    forbidden: Collection[str],
    cautions: Mapping[str, str],
    kinds: Kinds,
) -> OptionAnswer:
    if all_forbidden(request.options, forbidden):
        return OptionAnswer("", "", (), f"{NONE_LEFT}.")
    if all(content_words(option) <= VERDICTS for option in request.options):
        return OptionAnswer("", "", (), UNFIT)
    asked = read_question(request.question, linker, kinds)
    harm = asks_for_harm(request.question)
    options = list(options_of(request, linker, kinds))
    careful = asked.gives or bool(cautions)
    given = given_for(asked, material, kinds) if careful and not harm else None
    texts = list(texts_of(material, given is not None or harm))
    warned = warned_of(options, texts, given, cautions, forbidden) if given else {}
    open_ones = [one for one in options if one.letter not in forbidden and one.letter not in warned]
    if harm:  # what is advised against, and given for nothing that is asked, is then what is asked for
        of = given_for(asked, material, kinds)
        harming = warned_of(options, texts, of, {}, forbidden)
        helping = [one for one in open_ones if any(gives(text, one, thing) for text in texts for thing in of.held)]
        open_ones = [one for one in open_ones if one.letter in harming and one not in helping] or open_ones
        texts = [text for text in texts if text.direction is not Direction.HELPS]
    near = _nearness(texts, content_words(request.question), concepts_of(linker, request.question), material.conditions)
    if given:
        scores = [_given_score(one, texts, given, near) for one in open_ones]
    else:
        shared = frozenset.intersection(*(one.kinds for one in options))
        scores = [_named_score(one, texts, near, material, shared) for one in open_ones]
    scored = sorted(zip(scores, open_ones, strict=True), key=lambda entry: (-entry[0][0], entry[1].letter))
    which = "permitted options" if forbidden or warned else "options"
    if not scored or scored[0][0][0] <= 0:
        verb, what = ("gives", " for what is asked") if given else ("names", "")
        return OptionAnswer("", "", (), f"Nothing that was retrieved {verb} any of the {which}{what}.", warned=warned)
    ((best, citations), chosen), *rest = scored
    runner_up = rest[0][0][0] if rest else 0.0
    if given and runner_up >= TOO_CLOSE * best:
        return OptionAnswer("", "", (), f"What was retrieved gives several of the {which} alike.", warned=warned)
    ahead = f"the next option has {runner_up / best:.0%} of its score" if runner_up else "no other option is named"
    weak = "so it is little more than a guess" if runner_up > CLOSE * best else "and overlap of words is weak evidence"
    said = f"No language model reasoned here: {ahead}, {weak}."
    return OptionAnswer(chosen.letter, chosen.option, citations, said, warned=warned)


def _given_score(
    option: OptionRead, texts: Sequence[OptionText], given: Given, near: Sequence[float]
) -> tuple[float, tuple[str, ...]]:
    """How much of what is retrieved gives an option for the problems; 0 where nothing does, though much may name it."""
    weights = [1.0 / (1 + place) for place in range(len(given.problems))]
    of_class = bool(given.classes) and not given.classes.isdisjoint(option.kinds)
    gains: list[tuple[float, str]] = []
    helped = of_class
    for text, related in zip(texts, near, strict=True):
        named = 2.0 * len(option.concepts & text.concepts) or float(bool(option.words) and option.words <= text.words)
        spoken = [advice for advice in text.advice if advice.of.meets(option.concepts, option.stems)]
        if not named or text.direction is Direction.HARMS or any(advice.harm is None for advice in spoken):
            continue
        met = [
            weight
            for weight, thing in zip(weights, given.problems, strict=True)
            if not option.is_thing(thing) and text.is_about(thing)
        ]
        concern = sum(met) / sum(weights) if met else 0.0
        helps = text.direction is Direction.HELPS and not spoken
        if not concern and not of_class:
            continue
        helped = helped or (helps and concern > 0)
        gains.append((named * (1.0 if helps else 0.25) * (concern + 0.1) * (1.0 + related), text.id))
    return _top(gains) if helped else (0.0, ())


def _named_score(
    option: OptionRead,
    texts: Sequence[OptionText],
    near: Sequence[float],
    material: Material,
    shared: frozenset[str],
) -> tuple[float, tuple[str, ...]]:
    """How much of an option, beside how much of the question, is named; and its rank among the conditions.

    A fact of what an option is a kind of counts half, where not every option is one (shared).
    """
    weight = _weights([one.words for one in texts])
    above = option.kinds - option.concepts - shared
    gains: list[tuple[float, str]] = []
    for one, related in zip(texts, near, strict=True):
        overlap = sum(weight.get(w, 0.0) for w in option.words & one.words) / (1 + len(option.words))
        named = 2.0 * len(option.asked_for & one.concepts) or float(one.fact and not above.isdisjoint(one.concepts))
        gain = (overlap + named) * related**2
        if gain > 0:
            gains.append((gain, one.id))
    score, citations = _top(gains)
    ranked = [c.score for c in material.conditions if c.concept_id in option.asked_for]
    return score + 4.0 * max(ranked, default=0.0), citations


def _top(gains: Sequence[tuple[float, str]]) -> tuple[float, tuple[str, ...]]:
    """The sum of the nearest, with their ids."""
    best = sorted(gains, key=lambda gain: -gain[0])[:NEAREST]
    return sum(gain for gain, _ in best), tuple(dict.fromkeys(name for _, name in best))


def _nearness(
    texts: Sequence[OptionText], words: frozenset[str], concepts: frozenset[str], conditions: Sequence[Condition]
) -> list[float]:
    """How much of the question each text names, and whether it is of what the question may mean: the tests of an unnamed embolism."""
    weight = _weights([one.words for one in texts])
    sure = {condition.concept_id: condition.score for condition in conditions}
    return [
        (sum(weight.get(w, 0.0) for w in words & one.about) + 2.0 * len(concepts & one.concepts)) / (1 + len(words))
        + max((sure[concept] for concept in one.around if concept in sure), default=0.0)
        for one in texts
    ]


def _weights(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """A word's weight by how few of the texts hold it."""
    counts = Counter(word for words in texts for word in words)
    return {word: math.log(1 + len(texts) / count) for word, count in counts.items()}
