"""The engine over HTTP, against a server that fails in each way there is."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from backend.errors import BusyError, EngineError
from backend.interfaces import LanguageModel
from backend.schemas.chat import Abilities, Completion, Finish, Message, Piece, Usage
from models.engine_client import Address
from models.engine_limits import EngineLimits
from models.engine_openai import OpenAIEngine
from tests.models.engine_server import MODEL, PROMPT_TOKENS, Answer, FakeServer, fake_server
from tests.models.test_engine_queue import until

TALK = (Message("system", "You help."), Message("user", "Mr Secret has chest pain"))
QUICK = EngineLimits(first_token_s=10, between_s=10, backoff_s=0.01, backoff_most_s=0.02, retry_after_most_s=0.2)
HASTY = EngineLimits(first_token_s=0.3, between_s=0.3)
Make = Callable[..., OpenAIEngine]
SHAPE = {"type": "object", "properties": {"answer": {"type": "string", "enum": ["yes"]}}, "required": ["answer"]}


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with fake_server() as served:
        yield served


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes an engine for a url; all are closed at the end."""
    made: list[OpenAIEngine] = []

    def one(url: str, limits: EngineLimits = QUICK, model: str = MODEL, key: str = "", **more: Any) -> OpenAIEngine:
        made.append(OpenAIEngine(Address(url, model, SecretStr(key)), limits, **more))
        return made[-1]

    yield one
    for engine in made:
        engine.close()


@pytest.fixture
def engine(server: FakeServer, make: Make) -> OpenAIEngine:
    return make(server.url)


def said(engine: LanguageModel) -> str:
    return engine.chat(TALK)[0].text


def refusal(engine: OpenAIEngine) -> EngineError:
    """The error of a chat, which holds no word of the talk or of the server's reply, here or behind it."""
    with pytest.raises(EngineError) as refused:
        engine.chat(TALK)
    error = refused.value
    assert error.__cause__ is None
    assert error.__context__ is None
    assert "Secret" not in str(error) + repr(error)
    return error


def test_a_stream_gives_pieces_and_ends_with_the_whole(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(("Hello", "", " there 😀"), cached=5)]
    pieces = list(engine.stream(TALK))
    whole = Completion("Hello there 😀", Finish.STOP, (), Usage(PROMPT_TOKENS, 3, 5))
    assert pieces == [Piece("Hello"), Piece(" there 😀"), Piece("", whole)]


def test_pieces_come_when_they_are_written_and_not_at_the_end(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(("one", " two"), between_s=0.25)]
    began = time.monotonic()
    times = [time.monotonic() - began for _ in engine.stream(TALK)]
    assert times[1] - times[0] >= 0.2  # the server waits for 0.25 s between the two


def test_what_is_asked_goes_over_the_line_and_nothing_more(
    server: FakeServer, engine: OpenAIEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "stolen")
    monkeypatch.setenv("OPENAI_ORG_ID", "stolen")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Custom: stolen\nAuthorization: Bearer stolen")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    list(engine.stream(TALK, temperature=0.7, top_p=0.9, seed=3, max_tokens=50))
    assert server.requests == [
        {
            "model": MODEL,
            "messages": [
                {"role": "system", "content": "You help."},
                {"role": "user", "content": "Mr Secret has chest pain"},
            ],
            "temperature": 0.7,
            "top_p": 0.9,
            "seed": 3,
            "max_tokens": 50,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]
    headers = server.headers[0]
    assert "stolen" not in str(headers)
    assert not {"authorization", "x-custom"} & set(headers)
    assert not [name for name in headers if name.startswith(("openai", "x-stainless"))]


def test_the_key_is_sent_and_a_wrong_one_refused_without_showing_it(server: FakeServer, make: Make) -> None:
    server.key = "right"
    good = make(server.url, key="right")
    assert said(good) == "Hello there"
    bad = make(server.url, key="wrong-one")
    message = str(refusal(bad))
    assert "refuses the key (401)" in message
    assert "LEAPNOTE_LLM_KEY" in message
    assert "wrong-one" not in message + repr(bad.address)


def test_n_replies_are_n_requests_with_a_seed_each_in_order(server: FakeServer, engine: OpenAIEngine) -> None:
    replies = engine.chat(TALK, n=3, temperature=1.0, seed=40)
    assert [reply.text for reply in replies] == ["seed 40", "seed 41", "seed 42"]
    assert sorted(request["seed"] for request in server.requests) == [40, 41, 42]


def test_the_server_is_tried_out_once_and_the_result_is_told(server: FakeServer, engine: OpenAIEngine) -> None:
    assert engine.abilities == Abilities(schema=True, scores=True, counts_tokens=True)
    assert engine.context == 2048
    told = engine.examine().told
    assert (
        "serves small with 2,048 tokens; JSON schemas are followed, as a trial showed; log-probabilities come" in told
    )
    assert len(server.requests) == 1  # schema and log-probabilities in one trial


def test_a_stream_needs_no_trial(server: FakeServer, engine: OpenAIEngine) -> None:
    list(engine.stream(TALK))
    assert len(server.requests) == 1


def test_a_schema_that_is_ignored_is_found_out_and_left_out(server: FakeServer, engine: OpenAIEngine) -> None:
    server.schemas = server.scores = server.counts = False
    server.models = [{"id": MODEL}]
    assert engine.chat(TALK, schema=SHAPE, scored=True)[0] == Completion("Hello there", usage=Usage(PROMPT_TOKENS, 2))
    assert "response_format" not in server.requests[-1]
    assert "logprobs" not in server.requests[-1]
    assert engine.abilities == Abilities(schema=False, scores=False, counts_tokens=False)
    told = engine.examine().told
    assert "4,096 tokens, which is assumed since the server does not tell" in told
    assert "JSON schemas are ignored" in told


def test_a_refused_log_probability_does_not_cost_the_schema(server: FakeServer, engine: OpenAIEngine) -> None:
    server.refuses_scores = True
    assert engine.abilities == Abilities(schema=True, scores=False, counts_tokens=True)


def test_a_schema_goes_over_the_line_strictly(server: FakeServer, engine: OpenAIEngine) -> None:
    reply = engine.chat(TALK, schema=SHAPE, scored=True)[0]
    assert reply.text == '{"answer": "yes"}'
    assert [score.text for score in reply.scores] == ['{"answer": ', '"yes"', "}"]
    assert {score.log_probability for score in reply.scores} == {-0.5}
    form = {"name": "reply", "strict": True, "schema": SHAPE}
    assert server.requests[-1]["response_format"] == {"type": "json_schema", "json_schema": form}


def test_tokens_are_counted_by_the_server_else_never_too_few(
    server: FakeServer, engine: OpenAIEngine, make: Make
) -> None:
    assert engine.count_tokens(TALK) == 2 + 2 + 5 + 2 + 1  # the fake server's count: words, 2 a message, 1
    server.counts = False
    blind = make(server.url)
    assert blind.count_tokens(TALK) >= sum(len(message.content) for message in TALK)


def test_a_given_context_is_taken_as_it_is(server: FakeServer, make: Make) -> None:
    assert make(server.url, context=1000).context == 1000
    assert server.headers == []


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


def test_a_reply_at_the_limit_of_tokens_says_so(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(("cut",), finish="length", usage=False)]
    assert engine.chat(TALK)[0] == Completion("cut", Finish.LENGTH)


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
    began, cancelled = time.monotonic(), threading.Event()
    threading.Timer(0.1, cancelled.set).start()
    assert engine.chat(TALK, n=2, cancelled=cancelled.is_set) == (Completion("", Finish.CANCELLED),) * 2
    assert time.monotonic() - began < 20
    until(lambda: (server.given_up, engine.queue.busy) == (2, 0), "the requests were not given up")


def test_a_failed_sample_stops_the_others(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(status=400), Answer(("word ",) * 500, between_s=0.02)]
    began = time.monotonic()
    refusal_of_two = pytest.raises(EngineError, match="refused the request")
    with refusal_of_two:
        engine.chat(TALK, n=2)
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
    for told in ("refused", "too much to do"):
        assert told in str(refusal(engine))
    assert said(engine) == "well"


def test_a_dead_connection_of_the_pool_is_replaced(engine: OpenAIEngine, server: FakeServer) -> None:
    """The server closes connections after each stream; the second chat must not notice."""
    assert said(engine) == said(engine) == "Hello there"


def test_no_log_holds_a_word_of_the_talk(
    server: FakeServer, engine: OpenAIEngine, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers = [Answer(("Mr Secret ", "again")), Answer(status=400, error="Mr Secret")]
    with caplog.at_level(logging.DEBUG):
        said(engine)
        refusal(engine)
    assert "Secret" not in caplog.text
    assert "Secret" not in str([record.args for record in caplog.records])


def test_it_can_be_closed_and_used_again(server: FakeServer, engine: OpenAIEngine) -> None:
    assert said(engine) == "Hello there"
    engine.close()
    assert "language-model" not in [thread.name for thread in threading.enumerate()]
    assert said(engine) == "Hello there"


@pytest.mark.parametrize("rest", [b"", b"data: {garbage\n\n", b"data: [DONE]\n\n"], ids=["nothing", "garbage", "done"])
def test_a_whole_reply_counts_whatever_comes_after_it(server: FakeServer, engine: OpenAIEngine, rest: bytes) -> None:
    whole = b'data: {"choices": [{"delta": {"content": "well"}, "finish_reason": "stop"}]}\n\n'
    server.answers = [Answer(said=whole + rest)]
    assert engine.chat(TALK) == (Completion("well"),)


def test_a_hidden_thought_is_no_silence_and_no_text(server: FakeServer, make: Make) -> None:
    """Thinking for longer than the first word may take: it is the server's work, seen but not shown."""
    thought = b'data: {"choices": [{"delta": {"reasoning_content": "Mr Secret"}, "finish_reason": null}]}\n\n'
    end = b'data: {"choices": [{"delta": {"content": "well"}, "finish_reason": "stop"}]}\n\n'
    server.answers = [Answer(said=thought * 3 + end)]
    assert list(make(server.url).stream(TALK)) == [Piece("well"), Piece("", Completion("well"))]
    server.answers = [Answer(said=thought)]
    error = refusal(make(server.url))
    assert "broke off" in str(error)
    assert error.written == ""
    assert len(server.requests) == 2  # it had begun: not asked again
