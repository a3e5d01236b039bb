"""What was retrieved, as it speaks for and against the options of a question: what gives one, what advises against it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from backend.generation.composer.answers.against import Advice, Direction, advice_against, direction_of
from backend.generation.composer.answers.asked import MUST, Asked, Kinds, Thing, stems
from backend.generation.composer.answers.option_sentences import Warned
from backend.generation.composer.answers.relevance import meets
from backend.generation.composer.material import Material
from backend.generation.composer.wording import content_words
from backend.interfaces import Linker
from backend.schemas.drafts.note import Mention
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import LETTERS, Assertion, Category

NEAREST = 3  # texts that count for an option
GIVEN_IN = frozenset({"Treatment", "Medicines", "Diet", "Activity"})
"""Parts of a chapter that tell what is given for its condition."""
ADVISED_AGAINST = "the sources advise against it"
_OTHERS = frozenset({Assertion.FAMILY, Assertion.NEGATED})


class OptionText(NamedTuple):
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


class OptionRead(NamedTuple):
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


class Given(NamedTuple):
    """For what something is to be given.

    Attributes:
        problems: what it is given for, the foremost first.
        classes: medicines of which one is asked for.
        held: what the patient has and takes.
    """

    problems: tuple[Thing, ...]
    classes: frozenset[str]
    held: tuple[Thing, ...]


def options_of(request: DraftRequest, linker: Linker, kinds: Kinds) -> Iterator[OptionRead]:
    """Yield the options as they are read, in order."""
    asked, subjects = content_words(request.question), concepts_of(linker, request.question)
    for letter, option in zip(LETTERS, request.options, strict=False):
        concepts = concepts_of(linker, option)
        above = frozenset(kind for concept in concepts for kind in (concept, *kinds(concept)))
        yield OptionRead(
            letter, option, content_words(option) - asked, stems(option), concepts, concepts - subjects, above
        )


def texts_of(material: Material, by_edge: bool) -> Iterator[OptionText]:
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
        yield OptionText(passage.id, words, about, stems(titled), quote.concepts, around, helps, advice)
    for item in material.evidence.graph:
        concepts = frozenset(c for c in (item.concept_id, item.tail_id) if c)
        words = content_words(item.text)
        yield OptionText(
            item.id, words, words, stems(item.text), concepts, concepts, direction_of(item.relation), fact=True
        )
    for path in material.evidence.paths:
        if path.supported_text and not by_edge:
            concepts, words = frozenset(step.concept_id for step in path.steps), content_words(path.supported_text)
            yield OptionText(
                path.id, words, words, stems(path.supported_text), concepts, concepts, Direction.NEITHER, fact=True
            )
        for head, tail in takewhile(lambda pair: not pair[1].leap, pairwise(path.steps)) if by_edge else ():
            named, concepts = f"{head.name} {tail.name}", frozenset({head.concept_id, tail.concept_id})
            words = content_words(named)
            yield OptionText(
                path.id, words, words, stems(named), concepts, concepts, direction_of(tail.relation), fact=True
            )


def given_for(asked: Asked, material: Material, kinds: Kinds) -> Given:
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
    return Given(tuple(problems), classes, tuple(dict.fromkeys([*held, *noted])))


def warned_of(
    options: Sequence[OptionRead],
    texts: Sequence[OptionText],
    given: Given,
    cautions: Mapping[str, str],
    forbidden: Collection[str],
    helping: Sequence[OptionText] = (),
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


def gives(text: OptionText, option: OptionRead, thing: Thing) -> bool:
    """Whether a text gives an option itself for a thing."""
    if text.direction is not Direction.HELPS or option.concepts.isdisjoint(text.concepts):
        return False
    return text.is_about(thing) and not any(advice.of.meets(option.concepts, ()) for advice in text.advice)


def _speaks_against(
    text: OptionText, option: OptionRead, shared: frozenset[str], texts: Sequence[OptionText], given: Given
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
    return not all(any(gives(other, option, thing) for other in texts) for thing in things)


def _no_substances(things: Sequence[Thing]) -> list[Thing]:
    return [thing for thing in things if thing.category is not Category.SUBSTANCE]


def _noted(mention: Mention, kinds: Kinds) -> Thing:
    concepts = frozenset({mention.concept_id, *kinds(mention.concept_id)})
    return Thing(concepts, (stems(mention.name),), True, mention.category, concept=mention.concept_id)


def concepts_of(linker: Linker, text: str) -> frozenset[str]:
    """The concepts that a text names."""
    return frozenset(mention.concept_id for mention in linker.link(text).note.mentions)
