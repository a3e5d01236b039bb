"""What the service is and holds: health, systems, settings, knowledge, demonstration cases."""

import json
from typing import Any

from fastapi import APIRouter, Request
from pydantic import SecretStr

from backend import __version__
from backend.assembly import House
from backend.errors import NotFoundError
from backend.retrieval.gathering import TEXT_SOURCES
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
        "generator": house.models.chosen().generator.model_dump(),
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
    notes = house.sources.refused
    sources = [
        {
            "source": source.value,
            "passages": len(held) if held else 0,
            "documents": held.documents if held else 0,
            "licence": house.passages[0].licence if source == Source.BOOK and house.passages else "",
            "collections": _collections(house, source),
            "refused": notes.get(source, ""),
        }
        for source, held in ((s, house.sources.get(s)) for s in TEXT_SOURCES)
    ]
    return {
        "notice": "Starter knowledge: written for Leapnote, not reviewed by a clinician, not a guideline, adults only.",
        "graph": {"concepts": len(house.graph), "edges": house.graph.edge_count, "name": house.graph_name},
        "sources": sources,
        "encoder": house.encoder.name,
        "policy": house.policy_name,
    }


def _collections(house: House, source: Source) -> list[dict[str, Any]]:
    """The imported collections of a source, each with why it is not searched, if it is not."""
    stored = house.sources.stored
    return [
        {
            "name": meta.name,
            "documents": meta.documents,
            "passages": meta.passages,
            "licence": meta.licence,
            "date": meta.date,
            "encoder": meta.encoder,
            "bytes": meta.bytes,
            "refused": stored.refused.get(meta.name, ""),
        }
        for meta in stored.metas()
        if meta.source == source
    ]


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
