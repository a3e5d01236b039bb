"""The shortest graph path that carries a concept: from a keyword by one edge, or by two through something between.

Takes a graph and the note's keywords; gives edges, or nothing where no such path exists. Among paths of one length it
prefers relations that say why a document would name the end, and what lies on a candidate condition.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from backend.schemas.vocabulary import SemanticGroup
from backend.stores.graph.graph import GROUPS, Edge, Graph

SAYS_WHY = {
    "has_warning_sign": 1.0,
    "has_precaution": 1.0,
    "has_diet_advice": 1.0,
    "has_activity_advice": 1.0,
    "has_follow_up": 1.0,
    "treated_by": 1.0,
    "managed_by": 0.9,
    "diagnosed_by": 0.9,
    "monitored_by": 0.9,
    "treats": 0.5,  # a medicine that was given fits many disorders: any finding says more of which
    "has_finding": 0.7,
    "may_have_finding": 0.6,
    "finding_of": 0.7,
    "possible_finding_of": 0.6,
    "warning_sign_of": 0.6,
    "has_complication": 0.6,
    "risk_factor_of": 0.5,
    "cause_of": 0.5,
    "has_side_effect": 0.5,
}
"""How much a relation tells, away from the keyword. An edge of less than LEAST gives no reason to write of its end."""
OTHER = 0.2
LEAST = 0.5
LEAST_STANDING = 0.3
"""A disorder that the note does not name lies on a path only as a candidate condition of at least this score."""


class Standing(NamedTuple):
    """A candidate condition: its score, and the keywords that speak for it, the one that says most first."""

    score: float
    spoken: tuple[int, ...]


class ConnectingPaths:
    """The neighbourhood of one note's keywords, looked up for several ends.

    standing: the candidate conditions, by index. In a graph that knows none of the relations of SAYS_WHY any relation
    will do.
    """

    def __init__(
        self, graph: Graph, keywords: Sequence[int], allowed: np.ndarray, standing: Mapping[int, Standing]
    ) -> None:
        self._graph = graph
        self._standing = standing
        self._least = LEAST if SAYS_WHY.keys() & set(graph.relations) else 0.0
        # of each concept next to a keyword the edges that lead there, one a keyword, the one that says most first
        self._near: dict[int, list[Edge]] = {}
        for keyword in keywords:
            best: dict[int, Edge] = {}
            for edge in graph.edges(keyword):
                if allowed[edge.tail] and _says(edge) >= self._least and self._speaks(edge):
                    known = best.get(edge.tail)
                    if known is None or self._worth(edge) > self._worth(known):
                        best[edge.tail] = edge
            for tail, edge in best.items():
                self._near.setdefault(tail, []).append(edge)
        for edges in self._near.values():
            edges.sort(key=self._worth, reverse=True)
        self._reached = np.array(sorted(self._near), dtype=np.int32)

    def of(self, concept: int) -> list[Edge]:
        """The edges from a keyword to the concept, one or two; empty when no such path exists."""
        direct = self._near.get(concept)
        best: list[Edge] = []
        value = -1.0
        if direct:
            best, value = [direct[0]], _says(direct[0]) + 1.0
        tails = self._graph.tails[self._graph.offsets[concept] : self._graph.offsets[concept + 1]]
        # only what the keywords reach is looked at, so a hub costs no more than its share
        for middle in np.unique(tails[np.isin(tails, self._reached)]).tolist():
            first = self._near[middle][0]
            if first.head == concept or not self._may_join(middle):
                continue
            last = max(self._graph.joining(middle, concept), key=_says)
            score = 0.5 * (_says(first) + _says(last)) + self._score(middle)
            if _says(last) >= self._least and score > value:
                best, value = [first, last], score
        return best

    def starts(self, first: Edge) -> list[Edge]:
        """The first edge of a path, and those of other keywords that say as much of the same concept.

        They may start it as well. A possible sign may stand in for a common one.
        """
        least = _says(first)
        if first.relation == "finding_of":
            least = SAYS_WHY["possible_finding_of"]
        return [first, *(e for e in self._near[first.tail] if e.head != first.head and _says(e) >= least)]

    def _may_join(self, middle: int) -> bool:
        if self._score(middle) >= LEAST_STANDING:
            return True
        disorder = GROUPS[int(self._graph.groups[middle])] == SemanticGroup.DISO
        return not disorder and not self._graph.concepts[middle].condition

    def _worth(self, edge: Edge) -> tuple[float, int]:
        """What a first edge says, and among edges that say the same how much its keyword speaks for the condition."""
        found = self._standing.get(edge.tail)
        return _says(edge), -found.spoken.index(edge.head) if found else 0

    def _speaks(self, edge: Edge) -> bool:
        """Whether a keyword may lead to a concept: to a candidate condition only if it speaks for it."""
        found = self._standing.get(edge.tail)
        return found is None or edge.head in found.spoken

    def standing(self, edges: Sequence[Edge]) -> float:
        """The score of the best candidate condition that the edges pass by; 0 without one."""
        return max((self._score(concept) for edge in edges for concept in (edge.head, edge.tail)), default=0.0)

    def _score(self, concept: int) -> float:
        found = self._standing.get(concept)
        return found.score if found else 0.0


def _says(edge: Edge) -> float:
    return SAYS_WHY.get(edge.relation, OTHER)
