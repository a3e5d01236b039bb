"""The starter's concepts before imported ones, wherever one name could mean either.

The rules and the safety facts that ship speak of starter concepts; an imported concept of the same name carries none of them.
"""

from collections.abc import Iterable, Iterator

from backend.stores.graph import Graph
from backend.stores.rows import ConceptRow

STARTER_PREFIX = "LN:"


def is_starter(concept_id: str) -> bool:
    """Whether an id is of the starter knowledge."""
    return concept_id.startswith(STARTER_PREFIX)


def starter_first(rows: Iterable[ConceptRow]) -> Iterator[ConceptRow]:
    """The starter's rows as they come, then the others as they came."""
    others = []
    for row in rows:
        if is_starter(row.concept_id):
            yield row
        else:
            others.append(row)
    yield from others


def ids_by_name(graph: Graph) -> dict[str, str]:
    """The id of each preferred name: the starter's where it has one, else the last of the graph's order."""
    found = dict(zip(graph.names, graph.ids, strict=True))
    found.update((name, one) for name, one in zip(graph.names, graph.ids, strict=True) if is_starter(one))
    return found
