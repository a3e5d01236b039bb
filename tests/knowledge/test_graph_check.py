"""What stands out in a graph from outside."""

from backend.knowledge.graph_check import graph_check
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow


def test_what_cannot_be_named_reached_or_told_apart_is_counted() -> None:
    names = {"T:1": "Gout", "T:2": "gout", "T:3": "Rest", "T:4": " "}
    concepts = [ConceptRow(key, name, "DISO", "disease") for key, name in names.items()]
    triples = [TripleRow("T:1", "near", "T:2"), TripleRow("T:2", "near", "T:2")]
    near = RelationRow("near", "near", frozenset(), frozenset(), "is near", "is near", "")
    found = graph_check(Graph(concepts, triples, {"near": near}))
    # T:3 and T:4 have no edge; T:4 has no name; two are called gout
    assert (found.concepts, found.unnamed, found.alone, found.shared_names) == (4, 1, 2, 1)
    assert found.to_themselves >= 1
    assert found.breached
