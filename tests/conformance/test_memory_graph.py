"""The graph in memory, held to what any graph for walks must do."""

import pytest

from backend.stores.graph.graph import Graph
from tests.conformance.path_graph import GraphOf, PathGraphConformance


class TestMemoryGraph(PathGraphConformance):
    @pytest.fixture
    def graph_of(self) -> GraphOf:
        return Graph
