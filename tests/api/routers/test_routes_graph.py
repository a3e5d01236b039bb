"""Looking into the graph over HTTP, on a chain of six concepts."""

from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from backend.api.app import _map_errors
from backend.api.routers.routes_graph import DEEPEST, router
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow

NAMES = ("gout", "gouty arthritis", "podagra of the gout", "swelling", "pain", "rest")
RELATION = RelationRow("leads_to", "comes_from", frozenset(), frozenset(), "leads to", "comes from", "")


@pytest.fixture
def client() -> TestClient:
    """Each concept leads to the next; one stands alone."""
    rows = [ConceptRow(f"c{n}", name, "DISO", "disease") for n, name in enumerate(NAMES)]
    alone = ConceptRow("c9", "alone", "DISO", "disease", synonyms=("Podagra",))
    triples = [TripleRow(f"c{n}", "leads_to", f"c{n + 1}") for n in range(len(NAMES) - 1)]
    app = FastAPI()
    graph = Graph([*rows, alone], triples, {"leads_to": RELATION})
    app.state.container = SimpleNamespace(graph=graph)
    app.include_router(router, prefix="/v1")
    _map_errors(app)
    return TestClient(app, base_url="http://127.0.0.1")


def found(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"/v1/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_whole_name_comes_before_a_beginning_and_that_before_a_part(client: TestClient) -> None:
    assert [row["concept_id"] for row in found(client, "concepts", q=" GOUT ")] == ["c0", "c1", "c2"]
    assert [row["concept_id"] for row in found(client, "concepts", q="podagra")] == ["c9", "c2"]  # by its synonym
    assert [row["concept_id"] for row in found(client, "concepts", q="gout", limit=1)] == ["c0"]
    assert found(client, "concepts", q="zebra") == []


@pytest.mark.parametrize("query", [{"q": ""}, {}, {"q": "a" * 101}, {"q": "a", "limit": 0}, {"q": "a", "limit": 101}])
def test_a_search_that_cannot_be_made_is_refused(client: TestClient, query: dict[str, Any]) -> None:
    assert client.get("/v1/concepts", params=query).status_code == 422


def test_a_concept_comes_with_what_is_one_edge_away_in_either_direction(client: TestClient) -> None:
    seen = found(client, "concepts/c1/neighbours")
    assert seen["concept"]["name"] == "gouty arthritis"
    assert {(row["relation"], row["concept"]["concept_id"]) for row in seen["neighbours"]} == {
        ("leads_to", "c2"),
        ("comes_from", "c0"),
    }
    assert found(client, "concepts/c9/neighbours")["neighbours"] == []


def test_a_way_is_shortest_of_at_most_four_edges_and_begins_without_a_relation(client: TestClient) -> None:
    way = found(client, "paths", **{"from": "c0", "to": "c4"})["steps"]
    assert [(step["relation"], step["concept"]["concept_id"]) for step in way] == [
        ("", "c0"), ("leads_to", "c1"), ("leads_to", "c2"), ("leads_to", "c3"), ("leads_to", "c4"),
    ]  # fmt: skip
    assert len(way) == DEEPEST + 1
    assert found(client, "paths", **{"from": "c0", "to": "c5"})["steps"] == []  # five edges
    assert found(client, "paths", **{"from": "c0", "to": "c9"})["steps"] == []
    assert [
        step["concept"]["concept_id"] for step in found(client, "paths", **{"from": "c3", "to": "c3"})["steps"]
    ] == ["c3"]


@pytest.mark.parametrize("path", ["concepts/c7/neighbours", "paths?from=c7&to=c0", "paths?from=c0&to=c7"])
def test_a_concept_that_is_not_there_is_404_and_says_how_to_find_one(client: TestClient, path: str) -> None:
    answer = client.get(f"/v1/{path}")
    assert answer.status_code == 404
    assert "'c7'" in answer.json()["error"]["message"] and "/v1/concepts" in answer.json()["error"]["message"]
