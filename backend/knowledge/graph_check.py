"""What stands out in any graph, whoever made it: what cannot be found by a name, reached by an edge, or told from another.

The rules of the starter knowledge (starter_check.py) ask for more; a graph from outside is only counted.
"""

from collections import Counter
from typing import NamedTuple

import numpy as np

from backend.stores.graph.graph import Graph


class GraphCheck(NamedTuple):
    """Counts over a graph. A name in small letters counts as shared where several concepts have it as their preferred one.

    Attributes:
        concepts: all.
        edges: directed ones, inverse ones included.
        unnamed: concepts without a name.
        alone: concepts that no edge leaves.
        shared_names: names of several concepts.
        to_themselves: edges from a concept to itself.
    """

    concepts: int
    edges: int
    unnamed: int
    alone: int
    shared_names: int
    to_themselves: int

    @property
    def breached(self) -> bool:
        """Whether something is there that no graph may have."""
        return bool(self.unnamed or self.to_themselves)

    def as_text(self) -> str:
        """In one line, for a terminal."""
        return (
            f"{self.concepts:,} concepts, {self.edges:,} directed edges; {self.unnamed:,} concepts without a name, {self.alone:,} "
            f"without an edge, {self.shared_names:,} names of several concepts, {self.to_themselves:,} edges from a concept to itself"
        )


def graph_check(graph: Graph) -> GraphCheck:
    """Count what stands out in a graph."""
    degrees = np.diff(graph.offsets)
    heads = np.repeat(np.arange(len(degrees)), degrees)
    names = Counter(name.strip().lower() for name in graph.names)
    unnamed = names.pop("", 0)
    return GraphCheck(
        len(graph),
        graph.edge_count,
        unnamed,
        int((degrees == 0).sum()),
        sum(count > 1 for count in names.values()),
        int((heads == np.asarray(graph.tails)).sum()),
    )
