"""Classes of warning signs, each with the one level that its signs have wherever they stand.

Takes assets/knowledge/red_flags/level_triggers.tsv; gives the classes of a sign, the level that they ask for, and what speaks against
a row: another level than its class has, or two levels joined by "or", of which a reader would take one for the other.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.advice.needs import NAMED, Needs
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows

FILE, FAMILY = "level_triggers.tsv", "level"
COLUMNS = ("chapters", "unless", "opening", "alone")
ANY, NONE, CHOICE = "any", "-", "|"
_UNLESS = "unless/"
_JOINS = frozenset({"or", ","})
_TIES = frozenset({"and", "with", "while"})
YES = "yes"


class Level(StrEnum):
    """How soon a sign asks for help, the most urgent first."""

    CALL_AMBULANCE = "call_ambulance"
    EMERGENCY_DEPARTMENT = "emergency_department"
    CALL_TODAY = "call_today"
    NEXT_VISIT = "next_visit"

    @property
    def rank(self) -> int:
        """0 for the most urgent."""
        return tuple(Level).index(self)


class SignClass(NamedTuple):
    """One class.

    Attributes:
        row: the words of its signs, with examples.
        level: of all its signs.
        chapters: whose signs belong to it: names of chapters, or of what a sign's needs name; empty for all.
        opening: how its sentences open instead of as their level does; empty for that.
        alone: it is an emergency whatever comes with it: a chapter that ties it to another sign has it by itself as well.
    """

    row: TriggerRow
    level: Level
    chapters: frozenset[str]
    opening: str
    alone: bool


class FoundClass(NamedTuple):
    """A class in a sign, over its words first to last, last left out."""

    first: int
    last: int
    of: SignClass


class SignClasses:
    """The classes, asked by sign. Safe to share between threads.

    Args:
        rows: as trigger_rows gives them.

    Raises:
        KnowledgeError: a row lacks a column, or its level is none.
    """

    def __init__(self, rows: Iterable[TriggerRow] = ()) -> None:
        self._classes: dict[str, SignClass] = {}
        triggers: list[TriggerRow] = []
        for row in rows:
            self._classes[row.id] = _class(row)
            triggers.append(replace(row, family=row.id))
            if row.cells["unless"] != NONE:
                triggers.append(replace(row, family=f"{_UNLESS}{row.id}", phrase=row.cells["unless"]))
        self._automaton = TriggerAutomaton(triggers)

    def __len__(self) -> int:
        """How many classes there are."""
        return len(self._classes)

    def all(self) -> tuple[SignClass, ...]:
        """The classes in their order."""
        return tuple(self._classes.values())

    def named(self, sign: str) -> list[FoundClass]:
        """The classes that a sign's words name, whatever its chapter, in the sign's order.

        Args:
            sign: the words behind "if".
        """
        found = self._automaton.find(_words(sign))
        held = [
            FoundClass(t.first, t.last, one)
            for key, one in self._classes.items()
            if not found.get(f"{_UNLESS}{key}")
            for t in found[key]
        ]
        return sorted(held, key=lambda one: (one.first, one.last))

    def of(self, concept: str, sign: str, needs: Needs) -> list[FoundClass]:
        """The classes of a row: those of its chapter or its needs where there are any, else those of all chapters.

        Args:
            concept: whose chapter it stands in.
            sign: the words behind "if".
            needs: for whom it holds.
        """
        about = {concept.lower(), *_named(needs)}
        held = [one for one in self.named(sign) if not one.of.chapters or not about.isdisjoint(one.of.chapters)]
        narrow = [one for one in held if one.of.chapters]
        return [
            one for one in held if one.of.chapters or not any(n.first < one.last and one.first < n.last for n in narrow)
        ]

    def tied(self, concept: str, sign: str, needs: Needs) -> dict[str, bool]:
        """The classes of a row that are an emergency alone, by id, and whether the sign ties each to another: "a fever and confusion".

        Args:
            concept: whose chapter it stands in.
            sign: the words behind "if".
            needs: for whom it holds.
        """
        words = _words(sign)
        joins = [-1, *(place for place, word in enumerate(words) if word in _JOINS), len(words)]
        found: dict[str, bool] = {}
        for one in self.of(concept, sign, needs):
            if one.of.alone:
                first = max(place for place in joins if place <= one.first) + 1
                last = min(place for place in joins if place >= one.last)
                beside = {*words[first : one.first], *words[one.last : last]}
                found[one.of.row.id] = found.get(one.of.row.id, True) and not _TIES.isdisjoint(beside)
        return found

    def opening(self, concept: str, sign: str, needs: Needs, level: Level) -> str:
        """How a sentence opens because of a class of its level; empty where no class says."""
        held = (one.of for one in self.of(concept, sign, needs))
        return next((one.opening for one in held if one.opening and one.level is level), "")

    def against(self, concept: str, sign: str, needs: Needs, level: Level) -> Iterator[str]:
        """What speaks against a row's level.

        Args:
            concept: whose chapter it stands in.
            sign: the words behind "if".
            needs: for whom it holds.
            level: as the row has it.

        Yields:
            One line for a level that its classes do not have, and one for two levels joined in one sign.
        """
        held = self.of(concept, sign, needs)
        if not held:
            return
        most = min(held, key=lambda one: one.of.level.rank)
        if most.of.level is not level:
            yield f"{concept}: '{sign[:70]}' is {level}, its class {most.of.row.id} is {most.of.level}"
        words = _words(sign)
        for one, other in pairwise(held):
            between = words[one.last : other.first]
            if one.of.level is not other.of.level and not _JOINS.isdisjoint(between):
                yield f"{concept}: '{sign[:70]}' joins {one.of.row.id} and {other.of.row.id} of two levels; write two rows"


def sign_classes(folder: Path) -> SignClasses:
    """The classes of a knowledge folder's folder of red flags; none where it has no table of them.

    A row of the wrong shape, and one with an unknown level, is a KnowledgeError.
    """
    return _read(folder) if (folder / FILE).is_file() else SignClasses()


@lru_cache(maxsize=4)
def _read(folder: Path) -> SignClasses:
    return SignClasses(trigger_rows(FAMILY, folder))


def _class(row: TriggerRow) -> SignClass:
    if missing := [name for name in COLUMNS if not row.cells.get(name)]:
        raise KnowledgeError(f"{FILE}: the class {row.id} has no {', '.join(missing)}; write - for none.")
    if row.event not in set(Level):
        raise KnowledgeError(f"{FILE}: the level {row.event!r} of {row.id} is none of {', '.join(Level)}.")
    chapters = row.cells["chapters"]
    opening = row.cells["opening"]
    names = frozenset() if chapters == ANY else frozenset(name.strip().lower() for name in chapters.split(CHOICE))
    return SignClass(row, Level(row.event), names, "" if opening == NONE else f"{opening} ", row.cells["alone"] == YES)


def _named(needs: Needs) -> Iterator[str]:
    for group in needs.all_of:
        for need in group:
            yield (need.name if need.kind in NAMED else need.kind).lower()


def _words(sign: str) -> Sequence[str]:
    return plain_marks(tokens(sign).words)
