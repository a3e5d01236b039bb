"""What an allergy reaches: the same substance, members of its family, products that contain it, what cross-reacts.

Families are those of assets/rules/allergies/families.tsv: a class counts only where an allergy to one member is taken to
mean the others until someone has looked ("penicillins", but not "antihypertensives").
"""

from collections.abc import Iterable
from typing import NamedTuple

from backend.stores.graph.graph import Graph

NARROW = 20  # members of a class that an allergy to one of them still tells something of


class Reach(NamedTuple):
    """Why a concept is reached. how is one of same, contains, family, cross_reaction."""

    how: str
    through: str
    qualifier: str = ""


class AllergyReach:
    """families: names of drug classes, as the rule file lists them; names the graph does not know are ignored."""

    def __init__(self, graph: Graph, families: Iterable[str]) -> None:
        self._graph = graph
        wanted = {name.lower() for name in families}
        self.families = frozenset(row.concept_id for row in graph.concepts if row.name.lower() in wanted)

    def reached(self, allergen: str) -> dict[str, Reach]:
        """Every concept an allergy to this one reaches, with the reason; the nearest reason wins."""
        graph = self._graph
        if allergen not in graph.index:
            return {}
        found = {allergen: Reach("same", allergen)}
        above = self._above(allergen)
        for ingredient in graph.related(allergen, "has_ingredient"):
            above |= self._above(ingredient)
            found.setdefault(ingredient, Reach("contains", allergen))
        family = above & self.families
        # a class between the allergen and its family ("aminopenicillin") belongs to the family as well
        inner = {c for c in above if family & self._above(c)}
        for child in self._members(allergen):
            found.setdefault(child, Reach("family", allergen))
        for parent in sorted(family):
            found.setdefault(parent, Reach("family", parent))
            for member in self._members(parent):
                found.setdefault(member, Reach("family", parent))
        for concept in list(found):
            for product in graph.related(concept, "ingredient_of"):
                found.setdefault(product, Reach("contains", concept))
        for concept in (allergen, *sorted(family | inner)):
            for edge in graph.edges(concept, ("cross_reacts_with",)):
                other = graph.concepts[edge.tail].concept_id
                for reached in (other, *self._members(other)):
                    found.setdefault(reached, Reach("cross_reaction", other, edge.qualifier))
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
        """What should not be proposed to somebody with this allergy: all it reaches, but for very low cross-reactions."""
        reached = self.reached(allergen).items()
        return frozenset(
            concept
            for concept, reach in reached
            if not (reach.how == "cross_reaction" and reach.qualifier.startswith("very low"))
        )

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
