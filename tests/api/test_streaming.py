"""How events reach a reader: at once, together where they came together, with heartbeats, and nobody works for nobody."""

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from backend.api.app import _map_errors
from backend.api.streaming import HEARTBEAT, _stream, _Whole, answered
from backend.errors import CancelledError, FullError, TooLongError
from backend.schemas.chat import Cancelled
from backend.schemas.drafts.event import StageEvent

JSON = {"accept": "application/json"}
SECRET = "quillfeather"
WAIT_S = 5.0


def event(stage: str, **data: Any) -> StageEvent:
    return StageEvent(stage=stage, reason="so", ms=1.5, data=data)


def events_of(*given: StageEvent | Exception) -> Callable[[Cancelled], Iterator[StageEvent]]:
    def run(cancelled: Cancelled) -> Iterator[StageEvent]:
        for one in given:
            if isinstance(one, Exception):
                raise one
            yield one

    return run


def client_of(run: Callable[[Cancelled], Iterator[StageEvent]]) -> TestClient:
    app = FastAPI()
    _map_errors(app)

    @app.post("/drafts")
    def drafts(request: Request) -> Any:
        return answered(request, run)

    return TestClient(app, base_url="http://127.0.0.1")  # which raises what would reach the server's own log


def read(text: str) -> list[tuple[str, dict[str, Any]]]:
    blocks = [block.split("\n", 1) for block in text.strip().split("\n\n") if not block.startswith(":")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


class Waits:
    """A pipeline that gives one event and then waits until nobody listens."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.ended = threading.Event()

    def __call__(self, cancelled: Cancelled) -> Iterator[StageEvent]:
        try:
            yield event("link")
            self.began.set()
            pause = threading.Event()
            while not cancelled():
                pause.wait(0.01)
            yield event("draft")
        finally:
            self.ended.set()


def test_every_event_comes_once_and_in_order_with_its_fields() -> None:
    given = [event("piece", text=f"piece {number} \u2028 é") for number in range(500)]
    found = read(client_of(events_of(*given)).post("/drafts").text)
    assert found == [("piece", one.model_dump(mode="json")) for one in given]


def test_json_is_the_data_of_the_last_event_alone() -> None:
    answer = client_of(events_of(event("link"), event("draft", text="whole"))).post("/drafts", headers=JSON)
    assert (answer.status_code, answer.json()) == (200, {"text": "whole"})


@pytest.mark.parametrize(
    ("error", "status"), [(FullError("The language model is busy."), 429), (TooLongError("Too long."), 413)]
)
def test_an_error_after_events_is_an_event_and_as_json_its_status(error: Exception, status: int) -> None:
    client = client_of(events_of(event("link"), error))
    *_, (name, last) = read(client.post("/drafts").text)
    assert name == "error"
    assert last == {
        "stage": "error",
        "reason": str(error),
        "ms": 0.0,
        "data": {"kind": type(error).__name__, "status": status},
    }
    answer = client.post("/drafts", headers=JSON)
    assert (answer.status_code, answer.json()["error"]["message"]) == (status, str(error))


def test_a_defect_is_told_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        client = client_of(events_of(event("link"), ValueError(f"in the note: {SECRET}")))
        streamed, whole = client.post("/drafts"), client.post("/drafts", headers=JSON)
    assert read(streamed.text)[-1][1]["data"] == {"kind": "Defect", "status": 500}
    assert whole.status_code == 500
    assert SECRET not in streamed.text + whole.text + caplog.text
    assert "defect while streaming: ValueError" in caplog.text


def test_a_pipeline_that_was_cancelled_ends_without_an_error() -> None:
    found = read(client_of(events_of(event("link"), CancelledError("Cancelled."))).post("/drafts").text)
    assert [name for name, _ in found] == ["link"]


def test_a_silent_stage_is_bridged_by_heartbeats_and_leaving_ends_it() -> None:
    waits = Waits()

    async def read_some() -> list[str]:
        stream = _stream(waits, heartbeat_s=0.02)
        found = [await anext(stream) for _ in range(4)]
        await stream.aclose()  # type: ignore[attr-defined]
        return found

    first, *rest = asyncio.run(read_some())
    assert first.startswith("event: link\n")
    assert rest == [HEARTBEAT] * 3
    assert waits.ended.wait(WAIT_S)


def test_events_that_come_while_nobody_looks_go_out_together() -> None:
    written = threading.Event()

    def run(cancelled: Cancelled) -> Iterator[StageEvent]:
        yield from (event("piece", text=str(number)) for number in range(50))
        written.set()

    async def read_late() -> list[str]:
        stream = _stream(run)
        first = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)  # the pipeline has begun
        assert written.wait(WAIT_S)  # the loop stands still meanwhile
        return [await first, *[text async for text in stream]]

    texts = asyncio.run(read_late())
    assert len(texts) == 1
    assert [data["data"]["text"] for _, data in read(texts[0])] == [str(number) for number in range(50)]


def test_a_reader_of_json_who_leaves_ends_the_work() -> None:
    waits, sent = Waits(), []

    async def leave() -> None:
        async def receive() -> dict[str, str]:
            await asyncio.to_thread(waits.began.wait, WAIT_S)
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await _Whole(waits)({"type": "http"}, receive, send)

    asyncio.run(leave())
    assert waits.ended.wait(WAIT_S)
    assert sent[0]["status"] == 499  # an answer to nobody; none at all would be a defect to what wraps this one


def test_a_service_that_ends_while_a_pipeline_works_leaves_no_traceback() -> None:
    raised: list[object] = []
    held, threading.excepthook = threading.excepthook, raised.append
    waits = Waits()
    try:

        async def begin() -> None:
            stream = _stream(waits)
            await anext(stream)
            await stream.aclose()  # type: ignore[attr-defined]

        asyncio.run(begin())  # the loop is closed when the thread says that it is over
        assert waits.ended.wait(WAIT_S)
        for thread in threading.enumerate():
            if thread.name == "draft":
                thread.join(WAIT_S)
    finally:
        threading.excepthook = held
    assert not raised
