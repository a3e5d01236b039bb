"""What an allergy reaches: the same substance, members of its family, products that contain it, what cross-reacts.

Families are those of assets/rules/allergies/families.tsv: a class counts only where an allergy to one member is taken to
mean the others until someone has looked ("penicillins", but not "antihypertensives"). Each family says how much that is to be
feared, and a fact about one pair says more than the family of both.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES, rule_rows
from backend.stores.graph.graph import Graph

NARROW = 20  # members of a class that an allergy to one of them still tells something of


class Risk(StrEnum):
    """How far a reaction is to be feared, the gravest first.

    Possible: some patients react, so that it depends on how grave the known reaction was, or on the form that is given.
    """

    HIGH = "high"
    POSSIBLE = "possible"
    LOW = "low"
    VERY_LOW = "very low"


_BEGINS = {
    "high": Risk.HIGH,
    "very low": Risk.VERY_LOW,
    "traces": Risk.VERY_LOW,
    "low": Risk.LOW,
    "possible": Risk.POSSIBLE,
    "partial": Risk.POSSIBLE,
}
"""How the qualifier of a fact about allergies begins, by the risk it tells of."""


class Reach(NamedTuple):
    """Why a concept is reached. how is one of same, contains, family, cross_reaction; qualifier is the fact's or the family's."""

    how: str
    through: str
    qualifier: str = ""

    @property
    def risk(self) -> Risk:
        """How far it is to be feared. What a product contains under a condition, it may not contain in the form that is given."""
        held = next((risk for words, risk in _BEGINS.items() if self.qualifier.startswith(words)), None)
        return held or (Risk.POSSIBLE if self.how == "contains" and self.qualifier else Risk.HIGH)


def allergy_families(path: Path = RULES / "allergies" / "families.tsv") -> dict[str, Risk]:
    """The classes that are allergy families, by name, and what an allergy to one member tells of the others.

    Raises:
        KnowledgeError: a risk that is none.
    """
    found: dict[str, Risk] = {}
    for name, risk in rule_rows(path, 2):
        if risk not in set(Risk):
            raise KnowledgeError(f"{path.name}: {name} has the risk {risk!r}; use one of {', '.join(Risk)}.")
        found[name] = Risk(risk)
    return found


class AllergyReach:
    """families: names of drug classes and their risk, as the rule file has them; names the graph does not know are ignored."""

    def __init__(self, graph: Graph, families: Mapping[str, Risk]) -> None:
        self._graph = graph
        wanted = {name.lower(): risk for name, risk in families.items()}
        self._risks = {row.concept_id: wanted[row.name.lower()] for row in graph.concepts if row.name.lower() in wanted}
        self.families = frozenset(self._risks)

    def reached(self, allergen: str) -> dict[str, Reach]:
        """Every concept an allergy to this one reaches, with the reason; the nearest reason wins.

        Nearest is the substance itself, then what it contains and what contains it, then a fact about the pair, then one about a
        class of the medicine within the family, then the family, then what contains any of these, then facts about other classes.
        """
        graph = self._graph
        if allergen not in graph.index:
            return {}
        found = {allergen: Reach("same", allergen)}
        above = self._above(allergen)
        for edge in graph.edges(allergen, ("has_ingredient",)):
            ingredient = graph.concepts[edge.tail].concept_id
            above |= self._above(ingredient)
            found.setdefault(ingredient, Reach("contains", allergen, edge.qualifier))
        for edge in graph.edges(allergen, ("ingredient_of",)):
            found.setdefault(graph.concepts[edge.tail].concept_id, Reach("contains", allergen, edge.qualifier))
        family = above & self.families
        # a class between the allergen and its family ("aminopenicillin") belongs to the family as well
        inner = {c for c in above if family & self._above(c)}
        below = self._members(allergen)
        members = {parent: self._members(parent) for parent in sorted(family)}
        crossing = self._crossing((allergen, *sorted(family | inner)))
        kin = frozenset(below).union(family, *members.values())
        found = self._nearer(crossing, kin) | found
        for child in below:
            found.setdefault(child, Reach("family", allergen))
        for parent in sorted(family):
            risk = self._risks[parent]
            qualifier = "" if risk is Risk.HIGH else risk.value
            for member in (parent, *members[parent]):
                found.setdefault(member, Reach("family", parent, qualifier))
        for concept in list(found):
            for edge in graph.edges(concept, ("ingredient_of",)):
                qualifier = edge.qualifier or found[concept].qualifier
                found.setdefault(graph.concepts[edge.tail].concept_id, Reach("contains", concept, qualifier))
        for reach, reached in crossing:
            found.setdefault(reached, reach)
        return found

    def _crossing(self, concepts: Iterable[str]) -> list[tuple[Reach, str]]:
        """What cross-reacts with any of these concepts: what the facts name, then the members of the classes they name."""
        named: list[tuple[Reach, str]] = []
        for concept in concepts:
            for edge in self._graph.edges(concept, ("cross_reacts_with",)):
                other = self._graph.concepts[edge.tail].concept_id
                named.append((Reach("cross_reaction", other, edge.qualifier), other))
        return named + [(reach, member) for reach, other in named for member in self._members(other)]

    @staticmethod
    def _nearer(crossing: list[tuple[Reach, str]], kin: frozenset[str]) -> dict[str, Reach]:
        """Of what cross-reacts, what is of the family all the same: the fact tells of it more than the family does."""
        found: dict[str, Reach] = {}
        for reach, reached in crossing:
            if reached in kin and reach.through in kin:
                found.setdefault(reached, reach)
        return found

    def classes(self, concept: str) -> frozenset[str]:
        """All classes above a medicine and its ingredients; of none that the graph does not know."""
        if concept not in self._graph.index:
            return frozenset()
        parts = (concept, *self._graph.related(concept, "has_ingredient"))
        return frozenset(found for one in parts for found in self._above(one))

    def _above(self, concept: str) -> set[str]:
        """All classes above a concept, at any depth."""
        above: set[str] = set()
        frontier = {concept}
        while frontier:
            parents = {c for known in frontier for c in self._graph.related(known, "has_class", "subclass_of", "isa")}
            frontier = parents - above - {concept}
            above |= frontier
        return above

    def avoided(self, allergen: str) -> frozenset[str]:
        """What should not be proposed to somebody with this allergy: all it reaches, but at a very low risk."""
        reached = self.reached(allergen).items()
        return frozenset(concept for concept, reach in reached if reach.risk is not Risk.VERY_LOW)

    def narrow_classes(self, allergen: str) -> frozenset[str]:
        """The classes that name little else than the allergen: whoever reacts to prednisone is offered no "steroid tablets".

        A class with kinds of its own, or with many members, leaves enough to offer.
        """
        own = self._graph.related(allergen, "has_class")
        return frozenset(
            c
            for c in own
            if not self._graph.related(c, "has_subclass") and len(self._graph.related(c, "class_of")) <= NARROW
        )

    def _members(self, concept: str) -> list[str]:
        """All concepts below a class, at any depth."""
        below: dict[str, None] = {}
        frontier = [concept]
        while frontier:
            children = [
                child
                for known in frontier
                for child in self._graph.related(known, "class_of", "has_subclass", "inverse_isa")
                if child not in below and child != concept
            ]
            below.update(dict.fromkeys(children))
            frontier = list(dict.fromkeys(children))
        return list(below)
