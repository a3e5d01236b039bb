"""Small worlds that a walk can be followed through by hand."""

from collections.abc import Sequence

import numpy as np

from backend.knowledge.starter import read_relations
from backend.settings import ROOT
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, TripleRow

RELATIONS = read_relations(ROOT / "assets" / "knowledge" / "relations.tsv")
ANAT, CHEM, DISO, PROC = 1, 2, 5, 14


def world(concepts: dict[str, str], edges: Sequence[tuple[str, str]]) -> Graph:
    """Concepts name -> group, sorted by name, and `associated_with` edges, which hold in both directions."""
    rows = [ConceptRow(name, name, group, "concept") for name, group in concepts.items()]
    return Graph(rows, [TripleRow(head, "associated_with", tail) for head, tail in edges], RELATIONS)


def axes(graph: Graph, **rows: Sequence[float]) -> np.ndarray:
    """(n, d) float32 unit rows by concept name."""
    table = np.array([rows[row.concept_id] for row in graph.concepts], dtype=np.float32)
    return np.asarray(table / np.linalg.norm(table, axis=1, keepdims=True), dtype=np.float32)


def random_world(seed: int, concepts: int = 120, edges: int = 700, dimension: int = 8) -> tuple[Graph, np.ndarray]:
    """A seeded graph over four groups, and unit vectors."""
    rng = np.random.default_rng(seed)
    groups = ("ANAT", "CHEM", "DISO", "PROC")
    names = {f"c{i:03d}": groups[int(rng.integers(4))] for i in range(concepts)}
    heads, tails = rng.integers(concepts, size=(2, edges))
    joined = [(f"c{h:03d}", f"c{t:03d}") for h, t in zip(heads, tails, strict=True) if h != t]
    vectors = rng.normal(size=(concepts, dimension)).astype(np.float32)
    return world(names, joined), vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
