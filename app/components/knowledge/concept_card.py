"""What the page shows of one concept of the graph: names, definition, and everything one edge away.

Takes a client and a concept's id; gives plain JSON values for the workbench. It never raises ApiError: what the API
said instead stands in `error`, and the draft beside it stays.
"""

from typing import Any

from app.clients.api_errors import ApiError
from app.clients.client import Client
from backend.schemas.visible_text import visible

SHOWN = ("concept_id", "name", "group", "category", "definition")


def concept_card(client: Client, concept_id: str) -> dict[str, Any]:
    """concept_id, name, group, category, definition, synonyms, neighbours and error, which is empty when all went well."""
    try:
        found = client.neighbours(concept_id)
    except ApiError as error:
        nothing: dict[str, Any] = {**dict.fromkeys(SHOWN, ""), "synonyms": [], "neighbours": []}
        return {**nothing, "concept_id": concept_id, "error": str(error)}
    concept = found["concept"]
    return {
        **{name: concept[name] for name in SHOWN},
        **{name: visible(concept[name]) for name in ("name", "definition")},
        "synonyms": [visible(name) for name in concept["synonyms"]],
        "neighbours": [neighbour(row) for row in found["neighbours"]],
        "error": "",
    }


def neighbour(row: dict[str, Any]) -> dict[str, str]:
    """One edge, without what the panel shows only of the concept itself."""
    other = row["concept"]
    return {
        "relation": visible(row["relation"]),
        "qualifier": visible(row["qualifier"]),
        "concept_id": other["concept_id"],
        "name": visible(other["name"]),
        "group": other["group"],
    }
