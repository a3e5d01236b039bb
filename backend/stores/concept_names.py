"""The names of a graph's concepts, by id."""

from collections.abc import Iterator, Mapping

from backend.stores.graph import Graph


class ConceptNames(Mapping[str, str]):
    """The name of each concept by its id, read from the graph when it is asked for."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __getitem__(self, concept_id: str) -> str:
        return self._graph.names[self._graph.index[concept_id]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._graph.index)

    def __len__(self) -> int:
        return len(self._graph)
