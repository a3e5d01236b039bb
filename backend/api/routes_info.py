"""What the service is and holds: health, systems, settings, knowledge, demonstration cases."""

import json
from typing import Any

from fastapi import APIRouter, Request
from pydantic import SecretStr

from backend import __version__
from backend.assembly import House, chosen_generator
from backend.errors import NotFoundError
from backend.schemas.case import DemonstrationCase
from backend.schemas.vocabulary import Document, Source
from backend.settings import ROOT
from backend.systems import DEFAULT_SYSTEM, SYSTEMS

router = APIRouter()
CASES = ROOT / "assets" / "cases"


@router.get("/health")
def health() -> dict[str, str]:
    """Answers only once everything is loaded."""
    return {"status": "ready", "version": __version__}


@router.get("/systems")
def systems(request: Request) -> dict[str, Any]:
    """The systems by name, the documents, and who writes."""
    house: House = request.app.state.house
    return {
        "default": DEFAULT_SYSTEM,
        "systems": [{"name": s.name, "origin": s.origin, "what": s.what} for s in SYSTEMS],
        "documents": [document.value for document in Document],
        "generator": chosen_generator(house.settings.generator, house.settings.llm_url).model_dump(),
    }


@router.get("/settings")
def settings(request: Request) -> list[dict[str, Any]]:
    """Every setting with its value and meaning; secrets are shown only as set or not set."""
    values = request.app.state.house.settings
    rows = []
    for name, field in type(values).model_fields.items():
        value = getattr(values, name)
        hidden = "token" in name or isinstance(value, SecretStr)
        shown = ("set" if bare(value) else "not set") if hidden else str(value)
        rows.append({"name": f"LEAPNOTE_{name.upper()}", "value": shown, "meaning": field.description})
    return rows


def bare(value: Any) -> Any:
    """A setting's value, out of its wrapping when it is a secret."""
    return value.get_secret_value() if isinstance(value, SecretStr) else value


@router.get("/knowledge")
def knowledge(request: Request) -> dict[str, Any]:
    """What is loaded: the graph, and each source with its passages."""
    house: House = request.app.state.house
    sources = [
        {
            "source": source.value,
            "passages": len(house.indexes[source].rows) if source in house.indexes else 0,
            "documents": len({row.document_id for row in house.indexes[source].rows}) if source in house.indexes else 0,
            "licence": house.indexes[source].rows[0].licence if source in house.indexes else "",
        }
        for source in Source
        if source != Source.GRAPH
    ]
    return {
        "notice": "Starter knowledge: written for Leapnote, not reviewed by a clinician, not a guideline, adults only.",
        "graph": {"concepts": len(house.graph), "edges": house.graph.edge_count, "name": house.graph_name},
        "sources": sources,
        "encoder": house.encoder.name,
        "policy": house.policy_name,
    }


@router.get("/cases/demonstration")
def cases() -> list[DemonstrationCase]:
    """The synthetic cases that ship, in the order of their names."""
    return [DemonstrationCase.model_validate(json.loads(path.read_text())) for path in sorted(CASES.glob("*.json"))]


@router.get("/cases/demonstration/{name}")
def case(name: str) -> DemonstrationCase:
    for entry in cases():
        if entry.name == name:
            return entry
    raise NotFoundError(f"There is no demonstration case {name!r}. GET /v1/cases/demonstration lists them.")
