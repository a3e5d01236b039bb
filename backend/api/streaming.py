"""A pipeline's events as server-sent events, or its last one as JSON: heartbeats while a stage takes long, an end when nobody listens.

The pipeline runs in a thread; this side only waits, so a slow model holds up nobody else. When the reader goes away,
the pipeline is told, stops at its next step, and its model with it.
"""

import asyncio
import json
import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from backend.errors import CancelledError, LeapnoteError
from backend.schemas.chat import Cancelled
from backend.schemas.drafts.event import StageEvent

log = logging.getLogger("leapnote")
HEARTBEAT_S = 2.0
HEARTBEAT = ": still at work\n\n"
DEFECT_STATUS = 500
Events = Callable[[Cancelled], Iterator[StageEvent]]


def answered(request: Request, events: Events) -> Response:
    """One JSON answer where that is asked for, else a stream. As JSON it raises what the pipeline raises."""
    if "application/json" in request.headers.get("accept", ""):
        return _Whole(events)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_stream(events), media_type="text/event-stream", headers=headers)


class _Batch(NamedTuple):
    """The events since the last look. over: nothing more comes. error: what ended it, if it did not end well."""

    events: list[StageEvent]
    over: bool
    error: Exception | None


class _Work:
    """A pipeline at work in a thread of its own; made, and read, in an event loop.

    Events that come while nobody looks are taken together, and the loop is woken once for all of them.
    """

    def __init__(self, events: Events) -> None:
        self._events = events
        self._loop = asyncio.get_running_loop()
        self._ready = asyncio.Event()
        self._guard = threading.Lock()
        self._held: list[StageEvent] = []
        self._over = False
        self._error: Exception | None = None
        self._gone = threading.Event()
        threading.Thread(target=self._run, name="draft", daemon=True).start()

    async def batch(self) -> _Batch:
        """What has come; waits until there is something."""
        await self._ready.wait()
        with self._guard:
            self._ready.clear()
            held, self._held = self._held, []
            return _Batch(held, self._over, self._error)

    def leave(self) -> None:
        """Nobody reads any more: the pipeline stops at its next step."""
        self._gone.set()

    def _run(self) -> None:
        error: Exception | None = None
        try:
            for event in self._events(self._gone.is_set):
                if self._gone.is_set():
                    return
                with self._guard:
                    first = not self._held
                    self._held.append(event)
                if first:
                    self._wake()
        except Exception as found:
            error = found
        finally:
            with self._guard:
                self._over, self._error = True, error
            self._wake()

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the service has ended meanwhile
            self._loop.call_soon_threadsafe(self._ready.set)


class _Whole(Response):
    """The last event's data as one JSON answer. A reader who leaves before it is there ends the work."""

    def __init__(self, events: Events) -> None:
        super().__init__()
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        work = _Work(self._events)
        last = asyncio.ensure_future(_last(work))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({last, leaving}, return_when=asyncio.FIRST_COMPLETED)
            # to nobody, where the reader has left; but no answer at all is a defect
            answer = _whole(last.result()) if last.done() else Response(status_code=CancelledError.http_status)
            await answer(scope, receive, send)
        finally:
            work.leave()
            for task in (last, leaving):
                task.cancel()
            await asyncio.gather(last, leaving, return_exceptions=True)


async def _last(work: _Work) -> dict[str, Any] | Exception:
    """The data of the last event, or what ended the work instead."""
    last: StageEvent | None = None
    while True:
        batch = await work.batch()
        last = batch.events[-1] if batch.events else last
        if batch.over:
            return batch.error or (last.data if last is not None else {})


def _whole(found: dict[str, Any] | Exception) -> Response:
    """Raises what the program can name. A defect is not raised: whoever logs it would log its words, which may be a note's."""
    if isinstance(found, LeapnoteError):
        raise found
    if isinstance(found, Exception):
        return JSONResponse({"error": {"kind": "Defect", "message": _defect(found)}}, status_code=DEFECT_STATUS)
    return JSONResponse(found)


def _defect(error: Exception) -> str:
    kind = type(error).__name__
    log.error("defect while streaming: %s", kind)
    return f"Leapnote failed ({kind}). What was found so far stays; try again."


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _stream(events: Events, heartbeat_s: float = HEARTBEAT_S) -> AsyncIterator[str]:
    work = _Work(events)
    try:
        while True:
            try:
                async with asyncio.timeout(heartbeat_s):
                    batch = await work.batch()
            except TimeoutError:
                yield HEARTBEAT
                continue
            if batch.events:
                yield "".join(map(_event, batch.events))
            if batch.over:
                if batch.error is not None:
                    yield _failure(batch.error)
                return
    finally:
        work.leave()


def _event(event: StageEvent) -> str:
    # by hand: its data are JSON values already, and a draft's are large
    row = {"stage": event.stage, "reason": event.reason, "ms": event.ms, "failed": event.failed, "data": event.data}
    return _sse(event.stage, row)


def _failure(error: Exception) -> str:
    """The event of an error; nothing where the reader cancelled."""
    if isinstance(error, CancelledError):
        return ""
    kind, status = "Defect", DEFECT_STATUS
    if isinstance(error, LeapnoteError):
        kind, status, reason = type(error).__name__, error.http_status, str(error)
    else:
        reason = _defect(error)
    return _sse("error", {"stage": "error", "reason": reason, "ms": 0.0, "data": {"kind": kind, "status": status}})


def _sse(event: str, data: dict[str, Any]) -> str:
    return f"event: {event}\ndata: {json.dumps(data, ensure_ascii=True)}\n\n"
