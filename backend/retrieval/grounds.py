"""The shortest graph path that carries a concept: from a keyword by one edge, or by two through something between.

Takes a graph and the note's keywords; gives edges, or nothing where no such path exists. Among paths of one length it
prefers relations that say why a document would name the end, and what lies on a candidate condition.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from backend.schemas.vocabulary import SemanticGroup
from backend.stores.graph import GROUPS, Edge, Graph

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
    "treats": 0.8,
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
"""How much a relation tells. A path ends in one of these, or it gives no reason to write of its end."""
OTHER = 0.2
LEAST_STANDING = 0.3
"""A disorder that the note does not name lies on a path only as a candidate condition of at least this score."""


class Grounds:
    """The neighbourhood of one note's keywords, looked up for several ends.

    standing: scores of the candidate conditions, by index. In a graph that knows none of the relations of SAYS_WHY any
    relation may end a path.
    """

    def __init__(
        self, graph: Graph, keywords: Sequence[int], allowed: np.ndarray, standing: Mapping[int, float]
    ) -> None:
        self._graph = graph
        self._allowed = allowed
        self._standing = standing
        self._least = 0.5 if SAYS_WHY.keys() & set(graph.relations) else 0.0
        self._near: dict[int, Edge] = {}
        for keyword in keywords:
            for edge in graph.edges(keyword):
                known = self._near.get(edge.tail)
                if allowed[edge.tail] and (known is None or _says(edge) > _says(known)):
                    self._near[edge.tail] = edge
        self._reached = np.array(sorted(self._near), dtype=np.int32)

    def of(self, concept: int) -> list[Edge]:
        """The edges from a keyword to the concept, one or two; empty when no such path exists."""
        direct = self._near.get(concept)
        best: list[Edge] = []
        value = -1.0
        if direct and _says(direct) >= self._least:
            best, value = [direct], _says(direct) + 1.0
        tails = self._graph.tails[self._graph.offsets[concept] : self._graph.offsets[concept + 1]]
        # only what the keywords reach is looked at, so a hub costs no more than its share
        for middle in np.unique(tails[np.isin(tails, self._reached)]).tolist():
            first = self._near[middle]
            if first.head == concept or not self._may_join(middle):
                continue
            last = max(self._graph.joining(middle, concept), key=_says)
            told = 0.5 * (_says(first) + _says(last)) + self._standing.get(middle, 0.0)
            if _says(last) >= self._least and told > value:
                best, value = [first, last], told
        return best

    def _may_join(self, middle: int) -> bool:
        named = self._standing.get(middle, 0.0) >= LEAST_STANDING
        return named or GROUPS[int(self._graph.groups[middle])] != SemanticGroup.DISO


def _says(edge: Edge) -> float:
    return SAYS_WHY.get(edge.relation, OTHER)
