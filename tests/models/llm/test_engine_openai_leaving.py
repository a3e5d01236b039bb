"""The engine over HTTP: whoever cancels, closes or waits in line leaves nothing at work behind."""

import threading
import time

import pytest

from backend.errors import BusyError, EngineError
from backend.schemas.chat import Completion, Finish, Piece, SamplingParams
from models.llm.engine_openai import OpenAIEngine
from models.llm.engine_setup import EngineLimits
from tests.models.engine_server import Answer, FakeServer
from tests.models.engine_talk import TALK, Make, said
from tests.models.llm.test_engine_queue import until


def test_closing_a_stream_stops_the_server(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(("word ",) * 500, between_s=0.02)]
    stream = engine.stream(TALK)
    assert next(stream).text == "word "
    stream.close()  # type: ignore[attr-defined]
    until(lambda: (server.given_up, server.writing, engine.queue.busy) == (1, 0, 0), "the server writes on")


def test_cancelling_stops_the_server_and_keeps_what_was_read(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(("word ",) * 500, between_s=0.02)]
    got: list[Piece] = []
    for piece in engine.stream(TALK, cancelled=lambda: len(got) >= 3):
        got.append(piece)
    assert got[-1] == Piece("", Completion("word word word ", Finish.CANCELLED))
    until(lambda: (server.given_up, server.writing) == (1, 0), "the server writes on")


def test_cancelling_is_told_as_such_though_the_rest_had_come(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(("one", " two", " three"))]
    got: list[Piece] = []
    for piece in engine.stream(TALK, cancelled=lambda: bool(got)):
        got.append(piece)
        until(lambda: not server.writing, "the server writes on")  # all is on its way before the next look
    assert got == [Piece("one"), Piece("", Completion("one", Finish.CANCELLED))]


def test_cancelling_before_the_first_word_ends_at_once(server: FakeServer, make: Make) -> None:
    server.answers = [Answer(("late",), first_s=60)]
    engine = make(server.url, EngineLimits())
    began = time.monotonic()
    both = engine.chat(TALK, sampling=SamplingParams(n=2), cancelled=lambda: len(server.requests) == 2)
    assert both == (Completion("", Finish.CANCELLED),) * 2
    assert time.monotonic() - began < 20
    until(lambda: (server.given_up, engine.queue.busy) == (2, 0), "the requests were not given up")


def test_a_failed_sample_stops_the_others(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(status=400), Answer(("word ",) * 500, between_s=0.02)]
    began = time.monotonic()
    refusal_of_two = pytest.raises(EngineError, match="refused the request")
    with refusal_of_two:
        engine.chat(TALK, sampling=SamplingParams(n=2))
    assert time.monotonic() - began < 20
    until(lambda: (server.writing, engine.queue.busy) == (0, 0), "one writes on")


def test_so_many_at_a_time_so_many_in_line_and_the_rest_refused(server: FakeServer, make: Make) -> None:
    server.answers = [Answer(("slow",), first_s=60)]
    engine, enough = make(server.url, EngineLimits(concurrent=2, waiting=1)), threading.Event()
    threads = [
        threading.Thread(target=lambda: engine.chat(TALK, cancelled=enough.is_set), daemon=True) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    until(lambda: (engine.queue.length, len(server.requests)) == (1, 2), "nobody waits")
    with pytest.raises(BusyError, match="2 requests are being answered and 1 wait"):
        said(engine)
    enough.set()
    for thread in threads:
        thread.join(20)
    assert (len(server.requests), engine.queue.busy, engine.queue.length) == (2, 0, 0)


def test_it_can_be_closed_and_used_again(server: FakeServer, engine: OpenAIEngine) -> None:
    assert said(engine) == "Hello there"
    engine.close()
    assert "language-model" not in [thread.name for thread in threading.enumerate()]
    assert said(engine) == "Hello there"
