"""Changes to the text sources while the service runs: imports, new encodings and removals of collections.

The process that serves holds the sources, so commands come here. An import runs in a thread, lets drafts go first, says how
far it is, and is cancelled when its caller goes away; requests keep the old collection until the new one is whole.
"""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from backend.api.guard import for_coordinators, for_people
from backend.container import Container
from backend.errors import ConflictError, LeapnoteError
from backend.ingest.documents.cutting import LIMIT
from backend.ingest.documents.import_task import Cancelled, ImportResult, ImportTask
from backend.ingest.documents.importing import EncodeJob, ImportJob
from backend.ingest.importers import text_importer, text_importers
from backend.schemas.base import Frozen
from backend.stores.passages.collection_meta import checked_source
from backend.stores.passages.stored_sources import Sources
from models.encoders.background_encoder import BackgroundEncoder

# an import reads files of the machine that serves
router = APIRouter(dependencies=[for_coordinators("Sources are changed by coordinators.")])
PROGRESS_EVERY_S = 0.25
Job = Callable[[Callable[[int, int, str], None], Callable[[], bool]], ImportResult]


class ImportRequest(Frozen):
    """What to import, from a path on the machine that serves. Empty name, source and licence: as the import makes them."""

    kind: str
    path: str
    source: str = ""
    name: str = ""
    licence: str = ""
    limit: int = Field(default=LIMIT, ge=1, description="Characters of a passage at most")
    batch: int = Field(default=16, ge=1, description="Texts encoded at once")


@router.get("/knowledge/kinds", dependencies=[for_people()])
def kinds() -> list[dict[str, str]]:
    """What can be imported: each kind of input, and the source it usually fills."""
    return [{"name": one.name, "what": one.form, "source": one.source.value} for one in text_importers()]


@router.post("/knowledge/collections")
def add(body: ImportRequest, request: Request) -> StreamingResponse:
    """Import a collection; the events are `progress`, then `done` or `error`."""
    container: Container = request.app.state.container
    importer, sources = text_importer(body.kind), _sources(container)
    source = checked_source(body.source or importer.source.value)
    task = ImportTask(importer.name, source, Path(body.path), body.name, body.licence, body.limit)

    def job(progress: Callable[[int, int, str], None], cancel: Callable[[], bool]) -> ImportResult:
        names = container.shipped.other_names
        encoder = BackgroundEncoder(container.encoder)
        return ImportJob(task, sources, encoder, progress, cancel, at_once=body.batch, other_names=names).run()

    return StreamingResponse(_events(job), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.post("/knowledge/collections/{name}/encoding")
def encode(name: str, request: Request, batch: int = 16) -> StreamingResponse:
    """Encode a collection again with the encoder that is set."""
    container: Container = request.app.state.container
    sources = _sources(container)

    def job(progress: Callable[[int, int, str], None], cancel: Callable[[], bool]) -> ImportResult:
        return EncodeJob(name, sources, BackgroundEncoder(container.encoder), progress, cancel, at_once=batch).run()

    return StreamingResponse(_events(job), media_type="text/event-stream", headers={"Cache-Control": "no-store"})


@router.delete("/knowledge/collections/{name}")
def remove(name: str, request: Request) -> dict[str, str]:
    """Remove a collection with its indexes."""
    container: Container = request.app.state.container
    _sources(container).remove(name)
    return {"removed": name}


def _sources(container: Container) -> Sources:
    """The sources, if this process holds them.

    Raises:
        ConflictError: with who does, else.
    """
    sources = container.sources
    if container.text.read_only_reason:
        raise ConflictError(container.text.read_only_reason)
    return sources.stored


async def _events(job: Job) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
    gone = threading.Event()
    latest: dict[str, Any] = {}

    def put(event: str, data: dict[str, Any]) -> None:
        if not gone.is_set():
            loop.call_soon_threadsafe(queue.put_nowait, (event, data))

    def progress(done: int, total: int, what: str) -> None:
        latest.update(done=done, total=total, what=what)

    def run() -> None:
        try:
            put("done", job(progress, gone.is_set).as_json())
        except Cancelled:
            put("error", {"kind": "Cancelled", "message": "Stopped. The same command goes on where it was."})
        except LeapnoteError as error:
            put("error", {"kind": type(error).__name__, "message": str(error), "status": error.exit_status})
        except Exception as error:
            put("error", {"kind": "Defect", "message": f"The import failed ({type(error).__name__}).", "status": 1})

    threading.Thread(target=run, name="import", daemon=True).start()
    try:
        while True:
            try:
                event, data = await asyncio.wait_for(queue.get(), PROGRESS_EVERY_S)
            except TimeoutError:
                yield _sse("progress", dict(latest)) if latest else ": reading\n\n"
                continue
            yield _sse(event, data)
            return
    finally:
        gone.set()


def _sse(event: str, data: dict[str, Any]) -> str:
    return f"event: {event}\ndata: {json.dumps(data, ensure_ascii=True, default=str)}\n\n"
