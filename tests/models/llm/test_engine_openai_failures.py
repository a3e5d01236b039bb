"""The engine over HTTP, against a server that fails in each way there is."""

import time

import pytest

from backend.errors import BusyError, EngineError
from models.llm.engine_openai import OpenAIEngine
from models.llm.engine_setup import EngineLimits
from tests.models.engine_server import Answer, FakeServer
from tests.models.engine_talk import HASTY, QUICK, TALK, Make, refusal, said
from tests.models.llm.test_engine_queue import until


def test_a_refused_connection_is_tried_again_and_told(make: Make) -> None:
    began = time.monotonic()
    engine = make("http://127.0.0.1:9/v1")
    assert "127.0.0.1:9 cannot be reached. Check that it runs" in str(refusal(engine))
    assert time.monotonic() - began >= 0.005 + 0.01  # two pauses, of half their length at least


def test_a_failure_that_passes_is_not_seen(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(status=503), Answer(reset=True), Answer(("well",))]
    assert said(engine) == "well"
    assert len(server.requests) == 3


def test_a_failure_that_stays_is_told_after_so_many_tries(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(status=503, error="Mr Secret")]
    assert "failed (503)" in str(refusal(engine))
    assert len(server.requests) == QUICK.tries


def test_too_many_requests_waits_as_long_as_the_server_says(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(status=429, headers={"Retry-After": "0.15"}), Answer(("well",))]
    began = time.monotonic()
    assert said(engine) == "well"
    assert time.monotonic() - began >= 0.15


def test_a_server_that_says_to_wait_too_long_is_told_at_once(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(status=429, headers={"Retry-After": "30"})]
    error = refusal(engine)
    assert isinstance(error, BusyError)
    assert "too much to do (429); it says to wait 30 s" in str(error)
    assert len(server.requests) == 1


def test_an_unknown_model_is_told_with_those_there_are(server: FakeServer, make: Make) -> None:
    server.models = [{"id": "one"}, {"id": "two"}]
    engine = make(server.url, model="three")
    assert str(refusal(engine)).endswith("knows no model 'three'. It serves: one, two.")
    assert len(server.requests) == 1


def test_a_prompt_that_is_too_long_is_told_with_the_limit(server: FakeServer, engine: OpenAIEngine) -> None:
    said = "This model's maximum context length is 4096 tokens. However, your prompt 'Mr Secret' has 9000."
    server.answers = [Answer(status=400, error=said)]
    assert "too long" in str(error := refusal(engine))
    assert "4,096 tokens" in str(error)
    assert len(server.requests) == 1


def test_another_refusal_is_told_by_its_number_and_not_quoted(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(status=400, error="Mr Secret is not allowed")]
    assert "refused the request (400)" in str(refusal(engine))


def test_a_redirect_is_not_followed(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(status=307, headers={"Location": "http://127.0.0.1:9/"})]
    assert "points elsewhere (307)" in str(refusal(engine))


def test_no_word_in_time_is_told(server: FakeServer, make: Make) -> None:
    engine = make(server.url, HASTY)
    server.answers = [Answer(("late",), first_s=60)]
    assert "did not begin to write within 0.3 s" in str(refusal(engine))
    assert len(server.requests) == 1  # to ask again would double its load
    until(lambda: server.given_up == 1, "the request was not given up")


def test_a_stall_is_told_and_keeps_what_was_written(server: FakeServer, make: Make) -> None:
    engine = make(server.url, HASTY)
    server.answers = [Answer(("Call ", "your ", "doctor"), stall_after=2)]
    error = refusal(engine)
    assert "stopped writing: nothing came for 0.3 s" in str(error)
    assert error.written == "Call your "


@pytest.mark.parametrize("cut", [1, 2])
def test_a_broken_stream_keeps_what_was_written_and_is_not_asked_again(
    server: FakeServer, engine: OpenAIEngine, cut: int
) -> None:
    server.answers = [Answer(("Call ", "your"), cut_after=cut)]
    got: list[str] = []
    with pytest.raises(EngineError, match="broke off before the reply was whole") as broken:
        got += [piece.text for piece in engine.stream(TALK)]
    assert broken.value.written == "Call your"[: 5 * cut]
    assert len(server.requests) == 1


def test_a_stream_that_ends_without_saying_why_is_no_whole_reply(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(("Call",), finish=None)]
    assert refusal(engine).written == "Call"


def test_a_server_that_aborts_is_no_whole_reply(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(("Call",), finish="abort")]
    assert "broke off (abort)" in str(refusal(engine))


@pytest.mark.parametrize(
    "answer",
    [
        Answer(raw=b"\x00\xff\x13garbage\r\n\r\n"),
        Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n<html></html"),
        Answer(said=b"data: {not json\n\n"),
        Answer(said=b"data: \xff\xfe\xfa\n\n"),
        Answer(said=b"data: 17\n\n"),
        Answer(said=b'data: {"choices": 5}\n\n'),
        Answer(said=b'data: {"choices": [{"delta": {"content": 3}}]}\n\n'),
        Answer(said=b"hello\n\n"),
        Answer(said=b""),
    ],
    ids=["no http", "a page", "no json", "no utf-8", "a number", "no list", "no text", "no event", "nothing"],
)
def test_garbage_is_told_as_such(server: FakeServer, engine: OpenAIEngine, answer: Answer) -> None:
    server.answers = [answer]
    assert "sent something that is no chat reply" in str(refusal(engine))
    assert len(server.requests) == 1


def test_an_error_within_the_stream_is_told_by_its_number(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(said=b'data: {"error": {"message": "Mr Secret", "code": 422}}\n\n')]
    assert "reported an error (422) while it wrote" in str(refusal(engine))


def test_after_failures_in_a_row_none_is_sent_until_one_may_try(server: FakeServer, make: Make) -> None:
    now = [100.0]
    limits = EngineLimits(tries=1, failures=2, rest_s=10)
    engine = make(server.url, limits, clock=lambda: now[0])
    server.answers = [Answer(status=503), Answer(status=503), Answer(("well",))]
    for _ in range(2):
        assert "failed (503)" in str(refusal(engine))
    assert "failed 2 times in a row; the next try is in 10 s" in str(refusal(engine))
    assert len(server.requests) == 2
    now[0] += 10
    assert said(engine) == said(engine) == "well"


def test_refusals_do_not_open_the_breaker(server: FakeServer, make: Make) -> None:
    engine = make(server.url, EngineLimits(tries=1, failures=1))
    server.answers = [Answer(status=400), Answer(status=429), Answer(("well",))]
    for words in ("refused", "too much to do"):
        assert words in str(refusal(engine))
    assert said(engine) == "well"
