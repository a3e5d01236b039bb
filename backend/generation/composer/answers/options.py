"""One option of a question, chosen from what was retrieved without a language model.

The score of an option measures overlap, not truth: how much of it, beside how much of the question, the evidence names. Where the options
are things to give, only what helps counts: an option that the safety check forbids or warns of, or that a retrieved text advises against
for what the question is about, is never chosen, nor one that nothing retrieved gives for it. Options that are no content, as yes and no,
cannot be answered so, and are not.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from backend.generation.composer.answers.against import Advice, Direction, advice_against, direction_of
from backend.generation.composer.answers.asked import MUST, Asked, Kinds, Thing, read_question, stems
from backend.generation.composer.answers.option_sentences import NONE_LEFT, Warned, all_forbidden
from backend.generation.composer.answers.relevance import meets
from backend.generation.composer.material import Material
from backend.generation.composer.wording import content_words
from backend.interfaces import Linker
from backend.schemas.drafts.note import Mention
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import LETTERS, Assertion, Category
from backend.verification.safety.proposed_medicines import asks_for_harm

NEAREST = 3  # texts that count for an option
GIVEN_IN = frozenset({"Treatment", "Medicines", "Diet", "Activity"})
"""Parts of a chapter that tell what is given for its condition."""
VERDICTS = content_words("yes no maybe true false none neither both all above below unsure unknown")
UNFIT = "Overlap of words cannot choose among yes, no and bare numbers; that needs a language model."
ADVISED_AGAINST = "the sources advise against it"
CLOSE = 0.75  # a runner-up with this share of the score fits almost as well
TOO_CLOSE = 0.95  # where something is to be given, one that fits as well leaves the choice open


_OTHERS = frozenset({Assertion.FAMILY, Assertion.NEGATED})


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


class _Text(NamedTuple):
    """Something retrieved that may name an option.

    Attributes:
        id: its citation.
        words, about: its words, and those with what it stands under.
        stems: of the words with what it stands under.
        concepts, around: the concepts that it names, and those with what it stands under.
        direction: whether it says that its things help or harm each other.
        advice: what it advises against.
        fact: whether it is an edge of the graph.
    """

    id: str
    words: frozenset[str]
    about: frozenset[str]
    stems: frozenset[str]
    concepts: frozenset[str]
    around: frozenset[str]
    direction: Direction
    advice: tuple[Advice, ...] = ()
    fact: bool = False

    def is_about(self, thing: Thing) -> bool:
        """Whether it is about a thing; of a substance a fact must have the concept: potassium-rich foods are no potassium."""
        return meets(thing, self.around, () if self.fact and thing.category is Category.SUBSTANCE else self.stems)


class _Option(NamedTuple):
    """An option.

    Attributes:
        letter, option: as it was given.
        words: those that the question does not name itself.
        stems: of all its words.
        concepts: that it names.
        asked_for: those of them that the question does not name itself.
        kinds: its concepts with what they are kinds of.
    """

    letter: str
    option: str
    words: frozenset[str]
    stems: frozenset[str]
    concepts: frozenset[str]
    asked_for: frozenset[str]
    kinds: frozenset[str]

    def is_thing(self, thing: Thing) -> bool:
        """Whether a thing of the question is the option itself."""
        return thing.concept in self.kinds or any(words <= self.stems for words in thing.words)


class _Given(NamedTuple):
    """For what something is to be given.

    Attributes:
        problems: what it is given for, the foremost first.
        classes: medicines of which one is asked for.
        held: what the patient has and takes.
    """

    problems: tuple[Thing, ...]
    classes: frozenset[str]
    held: tuple[Thing, ...]


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
    options = list(_options(request, linker, kinds))
    given, texts = _given(asked, material, kinds), list(_texts(material, by_edge=True))
    warned = _warned(options, texts, given, cautions, forbidden)
    said = _warned(options, [text for text in texts if text.advice], given, {}, forbidden, texts)
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
    options = list(_options(request, linker, kinds))
    careful = asked.gives or bool(cautions)
    given = _given(asked, material, kinds) if careful and not harm else None
    texts = list(_texts(material, given is not None or harm))
    warned = _warned(options, texts, given, cautions, forbidden) if given else {}
    open_ones = [one for one in options if one.letter not in forbidden and one.letter not in warned]
    if harm:  # what is advised against, and given for nothing that is asked, is then what is asked for
        of = _given(asked, material, kinds)
        harming = _warned(options, texts, of, {}, forbidden)
        helping = [one for one in open_ones if any(_gives(text, one, thing) for text in texts for thing in of.held)]
        open_ones = [one for one in open_ones if one.letter in harming and one not in helping] or open_ones
    near = _nearness(texts, content_words(request.question), _concepts(linker, request.question))
    if given:
        scores = [_given_score(one, texts, given, near) for one in open_ones]
    else:
        scores = [_named_score(one, texts, near, material) for one in open_ones]
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


def _options(request: DraftRequest, linker: Linker, kinds: Kinds) -> Iterator[_Option]:
    asked, subjects = content_words(request.question), _concepts(linker, request.question)
    for letter, option in zip(LETTERS, request.options, strict=False):
        concepts = _concepts(linker, option)
        above = frozenset(kind for concept in concepts for kind in (concept, *kinds(concept)))
        yield _Option(
            letter, option, content_words(option) - asked, stems(option), concepts, concepts - subjects, above
        )


def _texts(material: Material, by_edge: bool) -> Iterator[_Text]:
    """Every sentence of the passages, each graph item, and each path or each of its edges; nothing that names an allergen's kin.

    Args:
        material: what was retrieved.
        by_edge: a path counts edge by edge: what helps at its one end helps nothing at the other.

    Yields:
        One text after the other, passages first.
    """
    for quote in material.every_quote():
        if quote.concepts & material.blocked:
            continue
        passage = quote.passage
        titled = f"{passage.title} {quote.text}"
        around = quote.concepts | ({passage.concept_id} if passage.concept_id else set())
        helps = Direction.HELPS if passage.section in GIVEN_IN else Direction.NEITHER
        advice = advice_against(quote.text, quote.named)
        words, about = content_words(quote.text), content_words(titled)
        yield _Text(passage.id, words, about, stems(titled), quote.concepts, around, helps, advice)
    for item in material.evidence.graph:
        concepts = frozenset(c for c in (item.concept_id, item.tail_id) if c)
        words = content_words(item.text)
        yield _Text(item.id, words, words, stems(item.text), concepts, concepts, direction_of(item.relation), fact=True)
    for path in material.evidence.paths:
        if path.supported_text and not by_edge:
            concepts, words = frozenset(step.concept_id for step in path.steps), content_words(path.supported_text)
            yield _Text(
                path.id, words, words, stems(path.supported_text), concepts, concepts, Direction.NEITHER, fact=True
            )
        for head, tail in takewhile(lambda pair: not pair[1].leap, pairwise(path.steps)) if by_edge else ():
            named, concepts = f"{head.name} {tail.name}", frozenset({head.concept_id, tail.concept_id})
            words = content_words(named)
            yield _Text(path.id, words, words, stems(named), concepts, concepts, direction_of(tail.relation), fact=True)


def _given(asked: Asked, material: Material, kinds: Kinds) -> _Given:
    """For what something is to be given: the problems that the asking sentence names, else the question, else the note."""
    must = [thing for thing in asked.things if thing.must and thing.assertion not in _OTHERS]
    stated_first = [thing for thing in must if thing.assertion is not Assertion.HYPOTHETICAL]
    wanted = [thing for thing in must if thing.category is Category.DRUG_CLASS and thing.last]
    classes = frozenset(thing.concept for thing in wanted)
    # "if bleeding is excluded" asks nothing against bleeding; "if I have gout" alone does
    stated = [thing for thing in stated_first or must if thing not in wanted]
    noted = [
        _noted(m, kinds)
        for m in material.linked.note.mentions
        if m.category in MUST and not m.allergen and m.assertion in (Assertion.PRESENT, Assertion.HISTORICAL)
    ]
    focus = [thing for thing in noted if thing.concept in {c.concept_id for c in material.focus}]
    beside = _no_substances(stated) or focus or _no_substances(noted) or stated
    # a symptom beside a disease is not what something is given for
    diseases = [thing for thing in beside if thing.category is Category.DISEASE]
    problems = [thing for thing in beside if thing.last and thing in stated] or diseases or beside
    held = [thing for thing in must if thing not in wanted]
    return _Given(tuple(problems), classes, tuple(dict.fromkeys([*held, *noted])))


def _no_substances(things: Sequence[Thing]) -> list[Thing]:
    return [thing for thing in things if thing.category is not Category.SUBSTANCE]


def _noted(mention: Mention, kinds: Kinds) -> Thing:
    concepts = frozenset({mention.concept_id, *kinds(mention.concept_id)})
    return Thing(concepts, (stems(mention.name),), True, mention.category, concept=mention.concept_id)


def _warned(
    options: Sequence[_Option],
    texts: Sequence[_Text],
    given: _Given,
    cautions: Mapping[str, str],
    forbidden: Collection[str],
    helping: Sequence[_Text] = (),
) -> dict[str, Warned]:
    """The options that the safety check warns of, or that a text about what the patient has advises against, with why and what says so.

    What is said against a whole class says nothing where every option belongs to it, or where a text gives the option itself for
    the same thing. helping: the texts that may give an option, where others than those that speak against it.
    """
    found: dict[str, Warned] = {}
    for one in options:
        if one.letter in forbidden:
            continue
        shared = frozenset.intersection(*(other.kinds for other in options)) - one.concepts
        ids = [text.id for text in texts if _speaks_against(text, one, shared, helping or texts, given)]
        if ids:
            found[one.letter] = (ADVISED_AGAINST, tuple(dict.fromkeys(ids))[:NEAREST])
        elif one.letter in cautions:
            found[one.letter] = (cautions[one.letter].rstrip("."), ())
    return found


def _speaks_against(
    text: _Text, option: _Option, shared: frozenset[str], texts: Sequence[_Text], given: _Given
) -> bool:
    """Whether a text advises against an option for something that the patient has."""
    things = [thing for thing in given.held if not option.is_thing(thing) and text.is_about(thing)]
    if not things:
        return False
    harmed = [one for one in given.held if one.category is not Category.SYMPTOM and not option.is_thing(one)]
    words = () if option.concepts else option.stems
    against = [
        advice
        for advice in text.advice
        if advice.of.meets(option.kinds - shared, words)
        and (advice.harm is None or any(meets(thing, *advice.harm) for thing in harmed))
    ]
    graph = text.direction is Direction.HARMS and not (option.kinds - shared).isdisjoint(text.concepts)
    if not against and not graph:
        return False
    outright = graph and not option.concepts.isdisjoint(text.concepts)
    if outright or any(advice.of.meets(option.concepts, words) for advice in against):
        return True
    return not all(any(_gives(other, option, thing) for other in texts) for thing in things)


def _gives(text: _Text, option: _Option, thing: Thing) -> bool:
    """Whether a text gives an option itself for a thing."""
    if text.direction is not Direction.HELPS or option.concepts.isdisjoint(text.concepts):
        return False
    return text.is_about(thing) and not any(advice.of.meets(option.concepts, ()) for advice in text.advice)


def _given_score(
    option: _Option, texts: Sequence[_Text], given: _Given, near: Sequence[float]
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
    option: _Option, texts: Sequence[_Text], near: Sequence[float], material: Material
) -> tuple[float, tuple[str, ...]]:
    """How much of an option, beside how much of the question, is named; and its rank among the conditions."""
    weight = _weights([one.words for one in texts])
    gains: list[tuple[float, str]] = []
    for one, related in zip(texts, near, strict=True):
        overlap = sum(weight.get(w, 0.0) for w in option.words & one.words) / (1 + len(option.words))
        gain = (overlap + 2.0 * len(option.asked_for & one.concepts)) * related**2
        if gain > 0:
            gains.append((gain, one.id))
    score, citations = _top(gains)
    ranked = [c.score for c in material.conditions if c.concept_id in option.asked_for]
    return score + 4.0 * max(ranked, default=0.0), citations


def _top(gains: Sequence[tuple[float, str]]) -> tuple[float, tuple[str, ...]]:
    """The sum of the nearest, with their ids."""
    best = sorted(gains, key=lambda gain: -gain[0])[:NEAREST]
    return sum(gain for gain, _ in best), tuple(dict.fromkeys(name for _, name in best))


def _nearness(texts: Sequence[_Text], words: frozenset[str], concepts: frozenset[str]) -> list[float]:
    """How much of the question each text names."""
    weight = _weights([one.words for one in texts])
    return [
        (sum(weight.get(w, 0.0) for w in words & one.about) + 2.0 * len(concepts & one.concepts)) / (1 + len(words))
        for one in texts
    ]


def _weights(texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """A word's weight by how few of the texts hold it."""
    counts = Counter(word for words in texts for word in words)
    return {word: math.log(1 + len(texts) / count) for word, count in counts.items()}


def _concepts(linker: Linker, text: str) -> frozenset[str]:
    return frozenset(mention.concept_id for mention in linker.link(text).note.mentions)
