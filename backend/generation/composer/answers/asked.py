"""What a question asks: of which things, and which aspect of them.

Things are the concepts that it names, and words that no concept holds. A disease, a medicine, a finding or a procedure must be met by
whatever answers; of the rest (an organ, a test, a plain word) at least half.
"""

import re
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from backend.generation.composer.answers.aspects import (
    ASKED,
    CONDITIONS,
    GIVE,
    OUTSIDE,
    SIDE_EFFECT,
    TESTS,
    WHAT_IS,
    Aspect,
    Phrase,
    aspects,
    phrases,
)
from backend.interfaces import Linker
from backend.nlp.document import sentences
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion, Category

Kinds = Callable[[str], Collection[str]]
"""A concept with everything that it is a kind of: ibuprofen, NSAID."""
MUST = frozenset(
    {
        Category.DISEASE,
        Category.SYMPTOM,
        Category.FINDING,
        Category.DRUG,
        Category.DRUG_CLASS,
        Category.SUBSTANCE,
        Category.ALLERGEN,
        Category.ORGANISM,
        Category.PROCEDURE,
        Category.DEVICE,
    }
)
_WORD = re.compile(r"[a-z0-9][a-z0-9'’-]*[a-z0-9]|[a-z0-9]")
_LETTERS = re.compile(r"[A-Za-z]+")
_PART = re.compile(r"[a-z0-9]+")
_ENDING = re.compile(r"(?:ies|ing|ed|es|s|e|y)$")
_LONG = 4  # letters beyond which an ending is cut


class Thing(NamedTuple):
    """A thing that a question names.

    Attributes:
        concepts: those that its words may mean; empty for plain words.
        words: its stems; of a concept those of its name, or those as asked.
        must: whether an answer must be about it.
        category: of its concept; None for plain words.
        last: whether the last sentence, which asks, names it.
        concept: what its words name themselves; empty for plain words.
        assertion: what the question says of it.
    """

    concepts: frozenset[str]
    words: tuple[frozenset[str], ...]
    must: bool
    category: Category | None = None
    last: bool = True
    concept: str = ""
    assertion: Assertion = Assertion.PRESENT


class Asked(NamedTuple):
    """A question as it was read.

    Attributes:
        aspect: the foremost one asked, None where none is recognised.
        more: the other ones.
        things: what is asked about.
        gives: it asks what to give to a patient, or what to do.
        conditions: it asks what a patient may have.
        of_patient: it speaks of a patient: "she", "my".
        of_child: it names a child.
        without: parts of chapters that it leaves out: "without medicine".
    """

    aspect: Aspect | None
    more: tuple[Aspect, ...]
    things: tuple[Thing, ...]
    gives: bool
    conditions: bool = False
    of_patient: bool = False
    of_child: bool = False
    without: frozenset[str] = frozenset()

    @property
    def outside(self) -> bool:
        """Whether it asks what no source of this kind tells: where to buy, what it costs."""
        return self.aspect is not None and self.aspect.name == OUTSIDE

    @property
    def concepts(self) -> frozenset[str]:
        """Everything that it names and that an answer must be about."""
        return frozenset(c for thing in self.things if thing.must for c in thing.concepts)


def read_question(question: str, linker: Linker, kinds: Kinds = lambda concept: (concept,)) -> Asked:
    """Read a question.

    Args:
        question: as it was asked; the aspect is that of its last sentence, the things are those of all.
        linker: reads the names.
        kinds: what a concept is a kind of.
    """
    question = _in_full(question)
    mentions = list(linker.link(question).note.mentions)
    cut = sentences(question)
    last = cut[-1][0] if cut else 0
    found = phrases(question)
    # a word of a name asks for nothing: "infectious arthritis"
    asking = [
        p
        for p in found[ASKED]
        if not any(m.start_char <= p.start_char and p.end_char <= m.end_char for m in mentions if m.category in MUST)
    ]
    left_out = {one.event for one in asking if _word_before(question, one.start_char) in _words_asked("left_out")}
    asking = [one for one in asking if one.event not in left_out and not _of_person(question, one)]
    events = [one.event for one in asking if one.start_char >= last]
    asked = [aspect for name, aspect in aspects().items() if name in events and name != CONDITIONS]
    spans = [(m.start_char, m.end_char) for m in mentions]
    spans += [span for one in asking for span in _own_words(question, one)]
    rest = _blanked(question, spans) & stems(question)
    words = [(one.start_char, one.end_char) for one in asking]
    named = [
        m for m in mentions if m.category in MUST or not any(a < m.end_char and m.start_char < b for a, b in words)
    ]
    things = [_thing(mention, kinds, mention.start_char >= last) for mention in named]
    things += [Thing(frozenset(), (frozenset({word}),), False) for word in sorted(rest)]
    plain = asked if len(asked) < 2 else [one for one in asked if one.name != WHAT_IS]
    # a test that is used or chosen is not given to anybody
    gives = any(one.start_char >= last for one in found[GIVE]) and not (plain and plain[0].name == TESTS)
    spoken = frozenset(_WORD.findall(question.lower()))
    return Asked(
        plain[0] if plain else None,
        tuple(plain[1:]),
        tuple(dict.fromkeys(things)),
        gives,
        conditions=CONDITIONS in events,
        of_patient=not _words_asked("patient").isdisjoint(spoken),
        of_child=not _words_asked("child").isdisjoint(spoken),
        without=frozenset(aspects()[name].parts[0] for name in left_out if aspects()[name].parts),
    )


def of_child(text: str) -> bool:
    """Whether a sentence tells a parent what holds for "your child"."""
    words = _WORD.findall(text.lower())
    return any(a == "your" and b in _words_asked("child") for a, b in pairwise(words))


def stems(text: str) -> frozenset[str]:
    """The words of a text that name something, cut so that `driving` meets `drive`."""
    common = word_lists("answers/words_asked")["common"]
    words = (word.split("'")[0].split("’")[0] for word in _WORD.findall(text.lower()))
    return frozenset(stem(word) for word in words if (len(word) > 1 or word.isdigit()) and word not in common)


def stem(word: str) -> str:
    """A word without its ending: `drive` and `driving` meet."""
    return _ENDING.sub("", word) if len(word) > _LONG else word


def _in_full(question: str) -> str:
    """The question with "what is" for "whats": a word that asks, written without its apostrophe."""
    contracted = _words_asked("contracted")
    return _LETTERS.sub(lambda one: f"{one[0][:-1]} is" if one[0].lower() in contracted else one[0], question)


def _words_asked(name: str) -> frozenset[str]:
    return word_lists("answers/words_asked")[name]


def _own_words(question: str, phrase: Phrase) -> list[tuple[int, int]]:
    """The places of the words in an asking phrase that its row names."""
    within = question[phrase.start_char : phrase.end_char].lower()
    places = [
        (phrase.start_char + one.start(), phrase.start_char + one.end(), one[0]) for one in _PART.finditer(within)
    ]
    return [(start, end) for start, end, word in places if word in phrase.words]


def _of_person(question: str, phrase: Phrase) -> bool:
    """Whether it asks what a person does, who has no side effects: "can I lower"."""
    within = _PART.findall(question[phrase.start_char : phrase.end_char].lower())
    others = [word for word in within if word not in phrase.words]
    return phrase.event == SIDE_EFFECT and bool(others) and _words_asked("person").issuperset(others)


def _word_before(question: str, place: int) -> str:
    return next(iter(_PART.findall(question[:place].lower())[::-1]), "")


def _blanked(text: str, spans: Sequence[tuple[int, int]]) -> frozenset[str]:
    letters = list(text)
    for start, end in spans:
        letters[start:end] = " " * (end - start)
    return stems("".join(letters))


def _thing(mention: Mention, kinds: Kinds, last: bool) -> Thing:
    wordings = tuple(dict.fromkeys(one for one in (stems(mention.text), stems(mention.name)) if one))
    concepts = frozenset({mention.concept_id, *kinds(mention.concept_id)})
    return Thing(
        concepts,
        wordings,
        mention.category in MUST,
        mention.category,
        last,
        mention.concept_id,
        mention.assertion,
    )
