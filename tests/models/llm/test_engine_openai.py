"""The engine over HTTP: what it sends, what it gives, and what it finds out of its server."""

import logging
import time

import pytest

from backend.schemas.chat import Abilities, Completion, Finish, Piece, SamplingParams, Usage
from models.llm.engine_openai import OpenAIEngine
from tests.models.engine_server import MODEL, PROMPT_TOKENS, Answer, FakeServer
from tests.models.engine_talk import SHAPE, TALK, Make, refusal, said


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
    list(engine.stream(TALK, sampling=SamplingParams(temperature=0.7, top_p=0.9, seed=3, max_tokens=50)))
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
    replies = engine.chat(TALK, sampling=SamplingParams(n=3, temperature=1.0, seed=40))
    assert [reply.text for reply in replies] == ["seed 40", "seed 41", "seed 42"]
    assert sorted(request["seed"] for request in server.requests) == [40, 41, 42]


def test_the_server_is_tried_out_once_and_the_result_is_told(server: FakeServer, engine: OpenAIEngine) -> None:
    assert engine.abilities == Abilities(schema=True, scores=True, counts_tokens=True)
    assert engine.context == 2048
    summary = engine.examine().summary
    assert (
        "serves small with 2,048 tokens; JSON schemas are followed, as a trial showed; log-probabilities come"
        in summary
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
    summary = engine.examine().summary
    assert "4,096 tokens, which is assumed since the server does not tell" in summary
    assert "JSON schemas are ignored" in summary


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


def test_a_reply_at_the_limit_of_tokens_says_so(server: FakeServer, engine: OpenAIEngine) -> None:
    server.answers = [Answer(("cut",), finish="length", usage=False)]
    assert engine.chat(TALK)[0] == Completion("cut", Finish.LENGTH)


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
