"""A pipeline's events as server-sent events: heartbeats while a stage takes long, and an end when nobody listens.

The pipeline runs in a thread; this side only waits, so a slow model holds up nobody else. When the reader goes away,
the pipeline is told, stops at its next step, and its model with it.
"""

import asyncio
import json
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from backend.errors import CancelledError, LeapnoteError
from backend.schemas.chat import Cancelled
from backend.schemas.event import StageEvent

log = logging.getLogger("leapnote")
HEARTBEAT_S = 2.0
Events = Callable[[Cancelled], Iterator[StageEvent]]


def answered(request: Request, events: Events) -> Response:
    """One JSON answer where that is asked for, else a stream. Raises what the pipeline raises before its first event."""
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse(_last(events))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(events), media_type="text/event-stream", headers=headers)


def _last(events: Events) -> dict[str, Any]:
    *_, last = events(lambda: False)
    return last.data


async def _stream(events: Events, heartbeat_s: float = HEARTBEAT_S) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    gone = threading.Event()

    def put(text: str | None) -> None:
        if not gone.is_set():
            loop.call_soon_threadsafe(queue.put_nowait, text)

    def run() -> None:
        try:
            for event in events(gone.is_set):
                put(_sse(event.stage, event.model_dump(mode="json")))
                if gone.is_set():
                    return
        except CancelledError:
            return
        except LeapnoteError as error:
            put(_failure(str(error), type(error).__name__))
        except Exception as error:
            log.error("defect while streaming: %s", type(error).__name__)
            put(
                _failure(f"Leapnote failed ({type(error).__name__}). What was found so far stays; try again.", "Defect")
            )
        finally:
            put(None)

    worker = threading.Thread(target=run, name="draft", daemon=True)
    worker.start()
    try:
        while True:
            try:
                text = await asyncio.wait_for(queue.get(), heartbeat_s)
            except TimeoutError:
                yield ": still at work\n\n"
                continue
            if text is None:
                return
            yield text
    finally:
        gone.set()


def _failure(reason: str, kind: str) -> str:
    return _sse("error", {"stage": "error", "reason": reason, "ms": 0.0, "data": {"kind": kind}})


def _sse(event: str, data: dict[str, Any]) -> str:
    return f"event: {event}\ndata: {json.dumps(data, ensure_ascii=True)}\n\n"
