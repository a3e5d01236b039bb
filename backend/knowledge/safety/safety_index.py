"""The safety rows by concept: what speaks against a medicine, and what two medicines do together.

The starter's rows are asked as they stand. An imported graph has facts without grades: each counts as
`avoid`, and its qualifier is told. Made
once; what one medicine is asked is kept.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from backend.knowledge.safety.rows.grades import Grade, gravest_first
from backend.knowledge.safety.rows.implied import ImpliedRow
from backend.knowledge.safety.rows.route_rows import RouteRow
from backend.knowledge.safety.rows.safety_facts import CONTRAINDICATED, INTERACTS, NEVER
from backend.knowledge.safety.rows.safety_rows import ContraindicationRow, InteractionRow, MonitoringRow, SafetyRows
from backend.stores.graph.graph import Graph

ABOVE = ("has_class", "has_ingredient", "subclass_of", "isa")
BELOW = ("class_of", "has_subclass", "inverse_isa", "ingredient_of")
LOCAL = "LN:local-treatment"
"""The class of products that act where they are put: what they hold, and the classes of that, count for allergies alone."""
_KEPT = 8192


class SafetyIndex:
    """Build one a graph.

    Args:
        graph: whose concepts are asked; its kinds and ingredients say what a row of a class reaches.
        rows: the starter's rows, where the graph is the starter's; None for a graph whose own facts are asked.
        implied: what values, procedures and habits mean.
    """

    def __init__(self, graph: Graph, rows: SafetyRows | None = None, implied: Sequence[ImpliedRow] = ()) -> None:
        self.graph = graph
        self.implied = tuple(implied)
        self._typed = rows is not None
        self.untreated = rows.untreated if rows else ()
        self._against: dict[str, list[ContraindicationRow]] = {}
        self._conditions: dict[str, list[ContraindicationRow]] = {}
        self._pairs: dict[str, dict[str, list[InteractionRow]]] = {}
        self._needed: dict[str, list[MonitoringRow]] = {}
        for row in rows.contraindications if rows else ():
            self._against.setdefault(row.medicine, []).append(row)
            self._conditions.setdefault(row.condition, []).append(row)
        for pair in rows.interactions if rows else ():
            self._pairs.setdefault(pair.one, {}).setdefault(pair.other, []).append(pair)
            if pair.one != pair.other:
                self._pairs.setdefault(pair.other, {}).setdefault(pair.one, []).append(pair)
        for need in rows.monitoring if rows else ():
            self._needed.setdefault(need.medicine, []).append(need)
        self._ways: dict[str, list[RouteRow]] = {}
        for way in rows.routes if rows else ():
            self._ways.setdefault(way.medicine, []).append(way)
        self.kinds: Callable[[str], tuple[str, ...]] = lru_cache(maxsize=_KEPT)(self._kinds)
        self.members: Callable[[str], tuple[str, ...]] = lru_cache(maxsize=_KEPT)(self._members)
        self.against: Callable[[str], tuple[ContraindicationRow, ...]] = lru_cache(maxsize=_KEPT)(self._rows_against)
        self._partners: Callable[[str], dict[str, tuple[InteractionRow, ...]]] = lru_cache(maxsize=_KEPT)(
            self._partners_of
        )

    def against_in(self, condition: str) -> Iterable[ContraindicationRow]:
        """The rows whose condition this is, of whatever medicine or class."""
        if self._typed:
            return self._conditions.get(condition, ())
        return [
            self._of_fact(self.graph.ids[edge.tail], condition, edge.qualifier)
            for edge in self.graph.edges(condition, ("contraindication_of",))
        ]

    def together(self, one: str, other: str) -> list[InteractionRow]:
        """The rows of two medicines, their classes and their ingredients, the gravest first, each once."""
        partners = self._partners(one)
        found = [row for kind in self.kinds(other) for row in partners.get(kind, ())]
        return sorted(dict.fromkeys(found), key=lambda row: gravest_first(row.grade))

    def interacting(self, medicine: str) -> Iterable[tuple[str, InteractionRow]]:
        """What a medicine interacts with, as rows name it, and the rows."""
        return ((other, row) for other, rows in self._partners(medicine).items() for row in rows)

    def needed(self, medicine: str) -> list[MonitoringRow]:
        """What a medicine needs to be watched by, by its own rows and those of its classes."""
        return [row for kind in self.kinds(medicine) for row in self._needed.get(kind, ())]

    def wrong_ways(self, medicine: str) -> list[RouteRow]:
        """By which ways a medicine must not be given, by its own rows and those of its classes, the gravest first."""
        found = [row for kind in self.kinds(medicine) for row in self._ways.get(kind, ())]
        return sorted(found, key=lambda row: gravest_first(row.grade))

    def _kinds(self, concept: str) -> tuple[str, ...]:
        """A concept with its ingredients and all classes above them; itself alone where the graph does not know it.

        Of a product that acts where it is put, it and the classes that a local treatment alone can have: eye drops with an
        antibiotic meet no medicine that is swallowed.
        """
        found = _reachable(self.graph, concept, ABOVE)
        if not self._is_local(concept):
            return found
        return tuple(one for one in found if one == concept or LOCAL in (one, *self.graph.related(one, "subclass_of")))

    def _is_local(self, concept: str) -> bool:
        return concept in self.graph.index and LOCAL in self.graph.related(concept, "has_class")

    def _members(self, concept: str) -> tuple[str, ...]:
        """Everything below a class, at any depth, and what contains it."""
        below = _reachable(self.graph, concept, BELOW)[1:]
        return tuple(one for one in below if not self._is_local(one) or concept in self.kinds(one))

    def _rows_against(self, medicine: str) -> tuple[ContraindicationRow, ...]:
        """The rows of a medicine and those of its kinds. A row of the nearest kind takes the place of those further up for the same condition.

        So a row of aspirin is an exception to those of its class, whatever its own conditions are.
        """
        found: dict[str, tuple[int, list[ContraindicationRow]]] = {}
        for distance, kinds in enumerate(self._levels(medicine)):
            for kind in kinds:
                for row in self._own_rows(kind):
                    known = found.setdefault(row.condition, (distance, []))
                    if known[0] == distance:
                        known[1].append(row)
        return tuple(row for _, rows in found.values() for row in rows)

    def _levels(self, medicine: str) -> list[list[str]]:
        """A medicine and its ingredients; then what those belong to, and so on."""
        graph, seen = self.graph, {medicine}
        if medicine not in graph.index:
            return [[medicine]]
        kinds = frozenset(self.kinds(medicine))
        parts = [one for one in graph.related(medicine, "has_ingredient") if one in kinds and one not in seen]
        levels = [[medicine, *parts]]
        seen.update(parts)
        while True:
            above = dict.fromkeys(c for known in levels[-1] for c in graph.related(known, *ABOVE) if c in kinds - seen)
            if not above:
                return levels
            seen.update(above)
            levels.append(list(above))

    def _own_rows(self, concept: str) -> Iterable[ContraindicationRow]:
        if self._typed and concept in self._against:
            return self._against[concept]
        if concept not in self.graph.index or (
            self._typed and self.graph.row(concept).category in ("drug", "drug_class")
        ):
            return ()
        return [
            self._of_fact(concept, self.graph.ids[edge.tail], edge.qualifier)
            for edge in self.graph.edges(concept, (CONTRAINDICATED,))
        ]

    @staticmethod
    def _of_fact(medicine: str, condition: str, qualifier: str) -> ContraindicationRow:
        return ContraindicationRow(medicine, condition, Grade.AVOID, f"when {qualifier}" if qualifier else "")

    def _partners_of(self, medicine: str) -> dict[str, tuple[InteractionRow, ...]]:
        found: dict[str, list[InteractionRow]] = {}
        for kind in self.kinds(medicine):
            for other, rows in self._own_pairs(kind).items():
                found.setdefault(other, []).extend(rows)
        return {other: tuple(dict.fromkeys(rows)) for other, rows in found.items()}

    def _own_pairs(self, concept: str) -> dict[str, list[InteractionRow]]:
        if self._typed:
            return self._pairs.get(concept, {})
        if concept not in self.graph.index:
            return {}
        found: dict[str, list[InteractionRow]] = {}
        for edge in self.graph.edges(concept, (INTERACTS,)):
            other = self.graph.ids[edge.tail]
            found.setdefault(other, []).append(_of_pair(concept, other, edge.qualifier))
        return found


def _of_pair(one: str, other: str, qualifier: str) -> InteractionRow:
    """A fact of an imported graph as a row. Only one whose words are those of an exported `never` is more than `avoid`."""
    never = qualifier == NEVER or qualifier.endswith(f", {NEVER}")
    effect = qualifier.removesuffix(NEVER).rstrip(", ") if never else qualifier
    return InteractionRow(one, other, Grade.NEVER if never else Grade.AVOID, effect)


def _reachable(graph: Graph, concept: str, relations: tuple[str, ...]) -> tuple[str, ...]:
    found = dict.fromkeys([concept])
    if concept not in graph.index:
        return (concept,)
    frontier = [concept]
    while frontier:
        frontier = list(
            dict.fromkeys(c for known in frontier for c in graph.related(known, *relations) if c not in found)
        )
        found.update(dict.fromkeys(frontier))
    return tuple(found)
