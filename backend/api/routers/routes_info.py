"""What the service is and holds: health, systems and who writes, settings, prompts, knowledge, demonstration cases."""

import json
import time
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request

from backend import __version__
from backend.api.guard import for_people, open_to_all
from backend.container import Container
from backend.errors import NotFoundError
from backend.prompts.draft_prompts import WritingPrompt
from backend.prompts.prompt_registry import PROMPTS
from backend.registry import seam_list
from backend.retrieval.strategies.strategy import TEXT_SOURCES
from backend.schemas.drafts.event import STAGES
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.seams import Seam
from backend.schemas.vocabulary import Document, Source
from backend.serving.status import ServerState, read_status
from backend.settings import ROOT, Settings
from backend.settings.process_settings import listed
from backend.systems import DEFAULT_SYSTEM, all_systems
from models.llm.engine_choice import COMPOSER
from models.llm.engine_setup import EngineSetup
from models.llm.engines import Role, read_setting, where_text_goes

router = APIRouter(dependencies=[for_people()])
CASES = ROOT / "assets" / "cases"


@router.get("/health", dependencies=[open_to_all()])
def health() -> dict[str, str]:
    """Answers only once everything is loaded."""
    return {"status": "ready", "version": __version__}


@router.get("/systems")
def systems(request: Request) -> dict[str, Any]:
    """The systems by name, the documents, the stages of a draft, who writes and where the text goes."""
    container: Container = request.app.state.container
    generators = writers(container)
    return {
        "default": DEFAULT_SYSTEM,
        "systems": [{"name": s.name, "origin": s.origin, "what": s.what} for s in all_systems()],
        "documents": [document.value for document in Document],
        "stages": [stage.model_dump() for stage in STAGES],
        "generator": {key: value for key, value in generators[0].items() if key != "setting"},
        "generators": generators,
        "roles": other_models(container.settings),
        "waiting": waited_for(container.settings, generators[0]["name"]),
    }


def writers(container: Container) -> list[dict[str, str]]:
    """Who may write: first the one that is set (an empty setting in a request), then the composer where that is another.

    One entry alone says that there is nothing to choose: no model is set.
    """
    now = container.models.chosen().generator
    found = [{"setting": "", **now.model_dump()}]
    if read_setting(container.settings.generator).asks_model(container.models.setup):
        found.append({"setting": COMPOSER, **container.models.chosen(COMPOSER).generator.model_dump()})
    return found


def other_models(settings: Settings) -> list[dict[str, str]]:
    """The roles that have a model of their own: it reads the note whoever writes. Name, and where the text goes."""
    own = {
        Role.PLANNER: settings.planner_model,
        Role.JUDGE: settings.judge_model,
        Role.EXTRACTOR: settings.extractor_model,
    }
    setup = EngineSetup(llm_url=settings.llm_url)
    return [
        {"role": role.value, "name": name, "where": where_text_goes(name, setup)}
        for role, name in own.items()
        if name and name != COMPOSER
    ]


def waited_for(settings: Settings, writer: str) -> str:
    """How the server of the model that is set is, while the composer writes in its place and it may still come; else empty."""
    if writer != COMPOSER or not settings.llm_status or not read_setting(settings.generator).own_server:
        return ""
    status = read_status(Path(settings.llm_status))
    coming = (ServerState.STARTING, ServerState.WAITING, ServerState.READY)  # ready: not looked at since
    return status.message(time.time()) if status is not None and status.state in coming else ""


@router.get("/seams")
def seams() -> tuple[Seam, ...]:
    """What can be added, and what is registered in each: names, labels and one line each."""
    return seam_list()


@router.get("/prompts")
def prompts() -> list[dict[str, Any]]:
    """Every prompt: name, version, hash, what it is for, what it reads, its instructions, and what is said after the data."""
    return [
        {
            "name": prompt.name,
            "version": prompt.version,
            "hash": prompt.hash,
            "what": prompt.what,
            "data": list(prompt.data),
            "instructions": prompt.instructions,
            "ending": prompt.ending if isinstance(prompt, WritingPrompt) else "",
        }
        for prompt in PROMPTS.values()
    ]


@router.get("/settings")
def settings(request: Request) -> list[dict[str, str]]:
    """Every setting with its value and meaning; secrets are shown only as set or not set."""
    return listed(request.app.state.container.settings)


@router.get("/knowledge")
def knowledge(request: Request) -> dict[str, Any]:
    """What is loaded: the graph, and each source with its passages."""
    container: Container = request.app.state.container
    notes = container.sources.refused
    sources = [
        {
            "source": source.value,
            "passages": len(held) if held else 0,
            "documents": held.documents if held else 0,
            "licence": container.passages[0].licence if source == Source.BOOK and container.passages else "",
            "collections": _collections(container, source),
            "refused": notes.get(source, ""),
        }
        for source, held in ((s, container.sources.get(s)) for s in TEXT_SOURCES)
    ]
    return {
        "notice": f"Starter knowledge: written for Leapnote, {container.shipped.review_words}, not a guideline, adults only.",
        "graph": {"concepts": len(container.graph), "edges": container.graph.edge_count, "name": container.graph_name},
        "sources": sources,
        "encoder": container.encoder.name,
        "policy": container.policy_name,
        "entities": container.entity_collections.reading,
    }


def _collections(container: Container, source: Source) -> list[dict[str, Any]]:
    """The imported collections of a source, each with why it is not searched, if it is not."""
    stored = container.sources.stored
    return [
        {
            "name": meta.name,
            "kind": meta.importer,
            "from": meta.origin,
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
    """One of them by its name.

    Raises:
        NotFoundError: there is none of that name.
    """
    for entry in cases():
        if entry.name == name:
            return entry
    raise NotFoundError(f"There is no demonstration case {name!r}. GET /v1/cases/demonstration lists them.")
