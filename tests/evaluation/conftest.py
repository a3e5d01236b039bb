"""A graph of seven concepts with vectors that can be reckoned with in the head."""

from typing import NamedTuple

import numpy as np
import pytest

from backend.evaluation.paths.retrievers.concept_retrievers import Knowledge
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow

# index by id: a 0, b 1, c 2, d 3, e 4, f 5, g 6
CONCEPTS = (("a", "DISO"), ("b", "DISO"), ("c", "CHEM"), ("d", "PROC"), ("e", "PROC"), ("f", "ANAT"), ("g", "CHEM"))
TRIPLES = (("a", "c"), ("a", "d"), ("b", "c"), ("c", "f"), ("d", "e"), ("e", "g"))
# two dimensions: the angle of each concept in degrees
ANGLES = (0, 90, 10, 60, 45, 20, 80)


class LinkedPair(NamedTuple):
    pair_id: str
    keywords: np.ndarray
    truth: np.ndarray
    blocked: np.ndarray
    text_vector: np.ndarray


def pair(
    pair_id: str, keywords: list[int], truth: list[int], angle: float = 0.0, blocked: tuple[int, ...] = ()
) -> LinkedPair:
    turned = np.radians(angle)
    vector = np.array([np.cos(turned), np.sin(turned)], dtype=np.float32)
    arrays = [np.array(concepts, dtype=np.int32) for concepts in (keywords, truth, blocked)]
    return LinkedPair(pair_id, *arrays, vector)


@pytest.fixture(scope="session")
def knowledge() -> Knowledge:
    relation = RelationRow("leads_to", "comes_from", frozenset(), frozenset(), "leads to", "comes from", "")
    rows = [ConceptRow(name, name, group, "concept") for name, group in CONCEPTS]
    graph = Graph(rows, [TripleRow(head, "leads_to", tail) for head, tail in TRIPLES], {"leads_to": relation})
    turned = np.radians(np.array(ANGLES, dtype=float))
    return Knowledge(graph, np.stack([np.cos(turned), np.sin(turned)], axis=1).astype(np.float16))
