"""Draw one synthetic patient: age, sex, tags, and the voice that says blocks about that patient.

Everything random comes from the generator that is passed in.
"""

import random
import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from backend.training.synthetic.phrases import Block, Filler, Option
from backend.training.synthetic.scenario_library import Allergy, Comorbidity, Fact, Library, Scenario

# A sentence with one of these speaks against a medicine, or tells of one that harmed.
_AGAINST = re.compile(
    r"\b(avoid\w*|do not|don't|not to|no longer|stop\w*|hold|held|holding|never|instead|rather than|without|allerg\w*|reaction|caused by|off)\b",
    re.I,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")


class Patient(NamedTuple):
    """tags: everything true. allergies and comorbidities in the order drawn."""

    scenario: Scenario
    age: int
    female: bool
    tags: frozenset[str]
    allergies: tuple[Allergy, ...]
    comorbidities: tuple[Comorbidity, ...]


def draw_patient(library: Library, scenario: Scenario, rng: random.Random) -> Patient:
    """The scenario's patient, in the order the README gives: age, sex, allergies, comorbidities, facts."""
    age = rng.randint(*scenario.ages)
    female = rng.random() < scenario.female
    tags = set(scenario.tags) | always(age, female)
    allergies = tuple(item for item in library.allergies if rng.random() < item.chance and item.when.holds(tags))
    tags |= {allergy.id for allergy in allergies}
    own = {fact.label for fact in scenario.facts}
    comorbidities = []
    for comorbidity in library.comorbidities:
        chance = scenario.comorbidities.get(comorbidity.id, comorbidity.chance[0 if age < 50 else 1 if age < 75 else 2])
        if rng.random() < chance and comorbidity.when.holds(tags):
            comorbidities.append(comorbidity)
            tags.add(comorbidity.id)
            _draw_facts((fact for fact in comorbidity.facts if fact.label not in own), tags, rng)
    _draw_facts(scenario.facts, tags, rng)
    return Patient(scenario, age, female, frozenset(tags), allergies, tuple(comorbidities))


def always(age: int, female: bool) -> set[str]:
    """The tags that follow from age in years and sex."""
    tags = {"female" if female else "male"}
    tags |= {f"over-{limit}" for limit in (65, 75, 85) if age >= limit}
    if age < 50:
        tags |= {"under-50", "fertile"} if female else {"under-50"}
    return tags


def _draw_facts(facts: Iterable[Fact], tags: set[str], rng: random.Random) -> None:
    for fact in facts:
        if rng.random() < fact.p and fact.when.holds(tags):
            names, weights = zip(*fact.choices, strict=True)
            tags.add(rng.choices(names, weights)[0])


class Voice:
    """Says blocks about one patient: drawn, filled, and with nothing that is excluded.

    In the letter everything that excludes a drug counts; in the note only allergies do, since a history may tell of a
    medicine that is wrong for the patient.
    """

    def __init__(self, library: Library, patient: Patient, words: dict[str, str], rng: random.Random) -> None:
        self.tags, self.rng = patient.tags, rng
        exclusions = [names for tag, names in library.excluded_drugs.items() if tag in patient.tags] + [
            patient.scenario.excluded_drugs
        ]
        allergies = {allergy.id for allergy in patient.allergies}
        self._letter = _pattern(library, tuple(name for names in exclusions for name in names))
        self._note = _pattern(
            library, tuple(name for tag in sorted(allergies) for name in library.excluded_drugs.get(tag, ()))
        )
        pools = {**library.pools, **library.frames.texts, **patient.scenario.pools}
        self._filler = Filler(words, pools, patient.tags, rng, lambda text: names_excluded_drug(text, self._letter))

    def pick(self, options: Iterable[Option], **words: str) -> str:
        """One of the options that fit, filled, excluded or not: for frames, and for what names the allergen itself."""
        return self._filler.fill(self.rng.choice(self._eligible(options)), words)

    def one(self, options: Iterable[Option], letter: bool = False) -> str:
        """One of the options that fit and name nothing excluded, filled; empty where none is left."""
        eligible = self._eligible(options)
        self.rng.shuffle(eligible)
        for text in eligible:
            filled = self._filler.fill(text)
            if not self.excludes(filled, letter):
                return filled
        return ""

    def some(self, options: Iterable[Option], least: int, most: int, letter: bool = False) -> list[str]:
        """Between least and most different options, fewer where fewer fit, in random order."""
        eligible = self._eligible(options)
        chosen = self.rng.sample(eligible, min(len(eligible), self.rng.randint(least, most)))
        filled = (self._filler.fill(text) for text in chosen)
        return [text for text in dict.fromkeys(filled) if not self.excludes(text, letter)]

    def say(self, block: Block, letter: bool = False) -> str:
        """What the block says this time; empty if nothing."""
        if self.rng.random() >= block.p or not block.when.holds(self.tags):
            return ""
        return self.one(block.options, letter)

    def say_all(self, blocks: Iterable[Block], letter: bool = False) -> list[str]:
        """The sentences of some blocks, each with a capital."""
        return [capital(text) for block in blocks if (text := self.say(block, letter))]

    def _eligible(self, options: Iterable[Option]) -> list[str]:
        return [option.text for option in options if option.when.holds(self.tags)]

    def excludes(self, text: str, letter: bool) -> bool:
        """Whether the note, or the letter, may not name what the text names."""
        return names_excluded_drug(text, self._letter if letter else self._note)


def names_excluded_drug(text: str, pattern: "re.Pattern[str] | None") -> bool:
    """Whether a sentence of the text names an excluded drug without speaking against it."""
    if pattern is None:
        return False
    return any(pattern.search(part) and not _AGAINST.search(part) for part in _SENTENCE_END.split(text))


def capital(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def _pattern(library: Library, names: tuple[str, ...]) -> "re.Pattern[str] | None":
    drugs = {drug for name in names for drug in (name, *library.classes.get(name, ()))}
    return _compiled(frozenset(drugs)) if drugs else None


@cache
def _compiled(drugs: frozenset[str]) -> "re.Pattern[str]":
    # A hyphen is no word end: amoxicillin must not be found inside amoxicillin-clavulanate unless both are excluded.
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(drugs)))})s?(?![\w-])", re.I)
