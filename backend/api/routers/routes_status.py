"""How the service is: what is up, which versions run, how full the disk is, which models are loaded."""

import platform
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from fastapi import APIRouter, Request
from sqlalchemy import text

from backend import __version__
from backend.api.guard import for_coordinators
from backend.api.routers.routes_info import writers
from backend.container import Container
from backend.errors import LeapnoteError
from backend.schemas.service_status import Disk, Part, ServiceStatus
from backend.serving.status import read_status
from backend.stores.database.database import Database

router = APIRouter(dependencies=[for_coordinators("How the service runs is for those who look after it.")])
PACKAGES = ("streamlit", "fastapi", "torch", "onnxruntime", "SQLAlchemy", "chromadb")
STARTED = datetime.now(UTC)
LOW_FREE_BYTES = 1_000_000_000
"""Free bytes below which the disk is told to be full: a backup and an import of a small collection still fit."""


@router.get("/status")
def status(request: Request) -> ServiceStatus:
    """Each part with whether it is in order and what was found; versions; the disk of the data folder."""
    container: Container = request.app.state.container
    checks: tuple[tuple[str, Callable[[Container], str]], ...] = (
        ("database", _database),
        ("knowledge", _knowledge),
        ("encoder", lambda held: held.encoder.name),
        ("policy", lambda held: held.policy_name),
        ("writer", _writer),
        ("model_server", _model_server),
        ("sources", _sources),
    )
    data = container.settings.data
    disk = _disk(data)
    room = Part(name="disk", ok=disk.free_bytes >= LOW_FREE_BYTES, found=f"{disk.free_bytes / 1e9:.1f} GB free")
    return ServiceStatus(
        version=__version__,
        python=platform.python_version(),
        started_at=STARTED,
        packages={name: version(name) for name in PACKAGES},
        parts=(*(_part(name, check, container) for name, check in checks), room),
        disk=disk,
        retention_days=container.settings.retention_days,
    )


def _part(name: str, check: Callable[[Container], str], container: Container) -> Part:
    try:
        return Part(name=name, ok=True, found=check(container))
    except LeapnoteError as error:
        return Part(name=name, ok=False, found=str(error))


def _database(container: Container) -> str:
    database = Database.of(container.settings)
    database.prepare()
    with database.reading() as session:
        session.execute(text("SELECT 1"))
    return "answers"


def _knowledge(container: Container) -> str:
    return f"{container.graph_name}: {len(container.graph):,} concepts, {len(container.passages):,} passages of the handbook"


def _writer(container: Container) -> str:
    now = writers(container)[0]
    return f"{now['name']} ({now['reason']})"


def _model_server(container: Container) -> str:
    chosen = container.settings
    found = read_status(Path(chosen.llm_status)) if chosen.llm_status else None
    if found is not None:
        return found.message(time.time())
    return "set by its address" if chosen.llm_url else "none is set"


def _sources(container: Container) -> str:
    held = [f"{source.value}: {len(found):,} passages" for source, found in container.sources.items() if found]
    refused = [f"{source.value} is not searched: {why}" for source, why in container.sources.refused.items()]
    return "; ".join([*held, *refused]) or "empty"


def _disk(data: Path) -> Disk:
    """The disk that holds the data folder, or where it will be."""
    held = data if data.exists() else next(parent for parent in data.absolute().parents if parent.exists())
    usage = shutil.disk_usage(held)
    used = sum(file.stat().st_size for file in data.rglob("*") if file.is_file()) if data.is_dir() else 0
    return Disk(folder=str(data), data_bytes=used, free_bytes=usage.free, total_bytes=usage.total)
