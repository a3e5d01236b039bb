"""Look into the graph: search concepts, neighbours of one, shortest paths between two."""

from collections import deque
from typing import Any

from fastapi import APIRouter, Query, Request

from backend.api.guard import for_people
from backend.container import Container
from backend.errors import NotFoundError
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow

router = APIRouter(dependencies=[for_people()])
DEEPEST = 4


@router.get("/concepts")
def concepts(
    request: Request, q: str = Query(min_length=1, max_length=100), limit: int = Query(20, ge=1, le=100)
) -> list[dict[str, Any]]:
    """Concepts whose name or synonym begins with or contains the words, exact names first."""
    graph = _graph(request)
    return [as_json(graph.concepts[place]) for place in graph.search.find(q, limit)]


@router.get("/concepts/{concept_id}/neighbours")
def neighbours(concept_id: str, request: Request) -> dict[str, Any]:
    """A concept with everything one edge away."""
    graph = _graph(request)
    row = _row(graph, concept_id)
    edges = [
        {"relation": e.relation, "qualifier": e.qualifier, "concept": as_json(graph.concepts[e.tail])}
        for e in graph.edges(concept_id)
    ]
    return {"concept": as_json(row), "neighbours": edges}


@router.get("/paths")
def paths(request: Request, start: str = Query(alias="from"), end: str = Query(alias="to")) -> dict[str, Any]:
    """One shortest path between two concepts, of at most four edges; an empty list when there is none."""
    graph = _graph(request)
    first, last = graph.index[_row(graph, start).concept_id], graph.index[_row(graph, end).concept_id]
    before: dict[int, tuple[int, str]] = {first: (-1, "")}
    queue = deque([(first, 0)])
    while queue and last not in before:
        concept, depth = queue.popleft()
        if depth < DEEPEST:
            for edge in graph.edges(concept):
                if edge.tail not in before:
                    before[edge.tail] = (concept, edge.relation)
                    queue.append((edge.tail, depth + 1))
    steps: list[dict[str, Any]] = []
    here = last
    while here in before and here >= 0:
        previous, relation = before[here]
        steps.append({"relation": relation, "concept": as_json(graph.concepts[here])})
        here = previous
    return {"steps": steps[::-1]}


def as_json(row: ConceptRow) -> dict[str, Any]:
    """A concept with its names and definition."""
    return {
        "concept_id": row.concept_id,
        "name": row.name,
        "group": row.group,
        "category": row.category,
        "synonyms": list(row.synonyms),
        "definition": row.definition,
    }


def _graph(request: Request) -> Graph:
    container: Container = request.app.state.container
    return container.graph


def _row(graph: Graph, concept_id: str) -> ConceptRow:
    if concept_id not in graph.index:
        raise NotFoundError(f"The graph holds no concept {concept_id!r}. Search with GET /v1/concepts?q=…")
    return graph.row(concept_id)
