"""One suite over real engines: vLLM on the processor, `transformers serve`, and transformers in this process.

The model has random weights, so that replies mean nothing; but tokens, seeds, schemas, limits and crashes are real.
"""

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from backend.errors import BusyError, EngineError
from backend.schemas.chat import Finish, Message, Piece
from models.engine_limits import EngineLimits
from models.engine_openai import OpenAIEngine
from models.engine_transformers import TransformersEngine
from models.engines import make_engine, settle
from tests.services.broken_server import BrokenServer, broken_server
from tests.services.llm_servers import CONTEXT, serve_transformers, serve_vllm, tiny_llama

pytestmark = [pytest.mark.services, pytest.mark.timeout(600)]

Engine = OpenAIEngine | TransformersEngine
TALK = (Message("system", "You help the team."), Message("user", "Mr Secret has shortness of breath."))
LIMITS = EngineLimits(first_token_s=60, between_s=20, backoff_s=0.05, backoff_most_s=0.1)
SHAPE = {
    "type": "object",
    "properties": {"source": {"type": "string", "enum": ["book", "guideline"]}, "number": {"type": "integer"}},
    "required": ["source", "number"],
    "additionalProperties": False,
}
LAYERS = 24
LONG = 800
"""Tokens of a greedy reply, which is left before its end."""
KINDS = ("vllm", "transformers serve", "transformers in process")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A slower model than the tiny one, which at times has vLLM write a whole reply before it sends the first token."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    made = tiny_llama(tmp_path_factory.mktemp("models") / "tiny")
    config = LlamaConfig.from_pretrained(made)
    config.num_hidden_layers = LAYERS
    torch.manual_seed(0)
    model = LlamaForCausalLM(config)
    with torch.no_grad():  # the sign that ends a reply gets a score of 0, never the greatest: greedy replies are long
        model.get_output_embeddings().weight[config.eos_token_id] = 0
    model.save_pretrained(made)
    # `transformers serve` draws only where the model's makers say so
    told = made / "generation_config.json"
    told.write_text(json.dumps(json.loads(told.read_text()) | {"do_sample": True}))
    return made


@pytest.fixture(scope="module")
def vllm(folder: Path) -> Iterator[str]:
    with serve_vllm(folder, "--enable-prompt-tokens-details") as url:
        yield url


@pytest.fixture(scope="module", params=KINDS)
def engine(request: pytest.FixtureRequest, folder: Path) -> Iterator[Engine]:
    """Each engine there is, for the whole suite."""
    if request.param == "transformers in process":
        local = make_engine(f"transformers:{folder}", limits=LIMITS, device="cpu")
        yield local
        local.close()
        return
    if request.param == "vllm":
        url = request.getfixturevalue("vllm")
        served = make_engine(f"openai:{url}#{folder}", limits=LIMITS)
        yield served
        served.close()
        return
    with serve_transformers(folder) as url:
        # it draws from one generator for all: seeds hold only while one request is served at a time
        served = make_engine(f"openai:{url}#{folder}", limits=replace(LIMITS, concurrent=1))
        yield served
        served.close()


def kind(engine: Engine) -> str:
    if isinstance(engine, TransformersEngine):
        return KINDS[2]
    return KINDS[0] if engine.abilities.counts_tokens else KINDS[1]


def is_quiet(idle: Callable[[], bool], within_s: float = 10.0) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if idle():
            return True
        time.sleep(0.05)
    return False


def told(url: str, *names: str) -> float:
    """The sum of these figures that vLLM keeps of itself."""
    text = httpx.get(url.removesuffix("/v1") + "/metrics", trust_env=False).text
    return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.split("{")[0] in names)


def running(url: str) -> float:
    """Requests that vLLM is working on."""
    return told(url, "vllm:num_requests_running", "vllm:num_requests_waiting")


def is_stopped(leave: Callable[[], None], whole: int, url: str) -> bool:
    """After leave(), which asks and goes away, vLLM falls idle before it has written the whole reply.

    On a busy machine it may be done before anyone gets away, so there are three tries.
    """
    for _ in range(3):
        before = told(url, "vllm:generation_tokens_total")
        leave()
        assert is_quiet(lambda: running(url) == 0)
        if told(url, "vllm:generation_tokens_total") - before < whole:
            return True
    return False


def test_what_it_can_is_found_out(engine: Engine) -> None:
    wanted = {"vllm": (True, True, True), "transformers serve": (False, False, False)}
    assert engine.abilities == wanted.get(kind(engine), (False, True, True))
    assert engine.context == CONTEXT
    if isinstance(engine, OpenAIEngine):
        told = engine.examine().told
        assert ("JSON schemas are followed" in told) == engine.abilities.schema
        assert ("which is assumed" in told) != engine.abilities.counts_tokens


def test_a_stream_comes_in_pieces_and_tells_its_tokens(engine: Engine) -> None:
    pieces = list(engine.stream(TALK, temperature=1.0, seed=3, max_tokens=16))
    ended = pieces[-1].ended
    assert len(pieces) > 3
    assert ended is not None
    assert ended.text == "".join(piece.text for piece in pieces)
    assert ended.finish is Finish.LENGTH
    assert ended.usage is not None
    assert ended.usage.written == 16
    assert ended == engine.chat(TALK, temperature=1.0, seed=3, max_tokens=16)[0]._replace(usage=ended.usage)


def test_the_count_of_tokens_is_that_of_the_reply_or_above(engine: Engine) -> None:
    usage = engine.chat(TALK, max_tokens=1)[0].usage
    assert usage is not None
    counted = engine.count_tokens(TALK)
    assert counted == usage.prompt if engine.abilities.counts_tokens else counted > usage.prompt


def test_samples_differ_by_seed_and_are_equal_for_the_same(engine: Engine) -> None:
    several = engine.chat(TALK, n=3, temperature=1.0, seed=11, max_tokens=12)
    assert len({reply.text for reply in several}) == 3
    assert engine.chat(TALK, temperature=1.0, seed=12, max_tokens=12)[0].text == several[1].text


def test_the_greatest_is_taken_without_temperature(engine: Engine) -> None:
    """Parity with transformers' own greedy decoding. Half a character at the end is told in more than one way."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    place = str(engine.address.model if isinstance(engine, OpenAIEngine) else engine._place)
    tokenizer, model = AutoTokenizer.from_pretrained(place), AutoModelForCausalLM.from_pretrained(place)
    said = [{"role": message.role, "content": message.content} for message in TALK]
    prompt = tokenizer.apply_chat_template(said, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    tokens = model.generate(**prompt, max_new_tokens=8, do_sample=False)[0, prompt["input_ids"].shape[1] :]
    wanted = tokenizer.decode(tokens, skip_special_tokens=True)
    assert engine.chat(TALK, max_tokens=8)[0].text.rstrip("\ufffd") == wanted.rstrip("\ufffd") != ""


def test_log_probabilities_come_or_are_said_not_to(engine: Engine) -> None:
    reply = engine.chat(TALK, max_tokens=6, scored=True)[0]
    if not engine.abilities.scores:
        assert reply.scores == ()
        return
    assert len(reply.scores) == 6
    assert all(-20 < score.log_probability <= 0 for score in reply.scores)


def test_a_schema_bites_or_is_said_not_to(engine: Engine) -> None:
    most = 200 if engine.abilities.schema else 20
    replies = engine.chat(TALK, schema=SHAPE, n=2, temperature=1.0, max_tokens=most)
    if not engine.abilities.schema:
        assert all("guideline" not in reply.text for reply in replies)
        return
    for reply in replies:
        found = json.loads(reply.text)
        assert set(found) == {"source", "number"}
        assert found["source"] in ("book", "guideline")
        assert isinstance(found["number"], int)


def test_a_prompt_that_is_too_long_is_told_with_the_limit(engine: Engine) -> None:
    if kind(engine) == "transformers serve":
        pytest.skip("transformers serve takes prompts of any length, and writes on beyond the model's context")
    with pytest.raises(EngineError, match=r"too long.*4,096 tokens") as told:
        list(engine.stream((Message("user", "Mr Secret " * 3000),)))
    assert "Secret" not in str(told.value)
    assert engine.chat(TALK, max_tokens=1)  # that was no failure of the engine


@pytest.mark.parametrize("how", ["cancelling", "closing"])
def test_going_away_stops_the_engine(engine: Engine, request: pytest.FixtureRequest, how: str) -> None:
    def cancel() -> None:
        got: list[Piece] = []
        for piece in engine.stream(TALK, max_tokens=LONG, cancelled=lambda: len(got) >= 3):
            got.append(piece)
        ended = got[-1].ended
        assert ended is not None
        assert ended.finish is Finish.CANCELLED
        assert ended.text == "".join(piece.text for piece in got)

    def close() -> None:
        stream = engine.stream(TALK, max_tokens=LONG)
        next(stream)
        stream.close()  # type: ignore[attr-defined]

    leave = cancel if how == "cancelling" else close
    if kind(engine) == "vllm":
        assert engine.chat(TALK, max_tokens=LONG)[0].finish is Finish.LENGTH  # it does not end by itself
        assert is_stopped(leave, LONG, request.getfixturevalue("vllm"))
    else:
        leave()
    assert engine.queue.busy == 0
    assert engine.chat(TALK, max_tokens=1)


def test_a_prompt_that_shares_its_beginning_is_read_once(engine: Engine) -> None:
    if kind(engine) != "vllm":
        pytest.skip(f"{kind(engine)} keeps no prompts")
    shared = Message("system", "The team reads the note and asks for what it needs. " * 20)
    engine.chat((shared, Message("user", "First question")), max_tokens=1)
    usage = engine.chat((shared, Message("user", "Second question")), max_tokens=1)[0].usage
    assert usage is not None
    assert usage.prompt * 0.5 < usage.cached < usage.prompt


def test_auto_finds_the_server(vllm: str, folder: Path) -> None:
    assert settle("auto", vllm)[0] == f"openai:{vllm}#{folder}"


@pytest.fixture(scope="module")
def bad(vllm: str) -> Iterator[BrokenServer]:
    with broken_server(vllm) as made:
        yield made


@pytest.fixture
def behind(bad: BrokenServer, folder: Path) -> Iterator[OpenAIEngine]:
    """An engine behind the bad line, which is good until told otherwise."""
    bad.do("none")
    limits = EngineLimits(first_token_s=4, between_s=1.5, backoff_s=0.05, retry_after_most_s=2, failures=50)
    made = make_engine(f"openai:{bad.url}#{folder}", limits=limits)
    assert isinstance(made, OpenAIEngine)
    assert bad.asked >= 0
    yield made
    made.close()


def test_a_good_line_changes_nothing(behind: OpenAIEngine) -> None:
    assert behind.abilities.schema
    assert behind.chat(TALK, max_tokens=4)[0].finish is Finish.LENGTH


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("drop", "broke off before the reply was whole"),
        ("truncate", "broke off before the reply was whole"),
        ("corrupt", "no chat reply|broke off"),
        ("stall", "stopped writing: nothing came for 1.5 s"),
    ],
)
def test_a_stream_spoilt_midway_keeps_what_was_written(
    behind: OpenAIEngine, bad: BrokenServer, vllm: str, kind: str, told: str
) -> None:
    bad.do(kind, after=6)
    got: list[str] = []
    with pytest.raises(EngineError, match=told) as spoilt:
        for piece in behind.stream(TALK, max_tokens=LONG):
            got.append(piece.text)
    assert spoilt.value.written == "".join(got) != ""
    assert bad.asked == 1  # not again: the reader has seen its beginning
    assert is_quiet(lambda: running(vllm) == 0)


@pytest.mark.parametrize("kind", ["refuse", "status"])
def test_what_passes_is_tried_again_unseen(behind: OpenAIEngine, bad: BrokenServer, kind: str) -> None:
    bad.do(kind, times=2)
    assert behind.chat(TALK, max_tokens=2)[0].finish is Finish.LENGTH
    assert bad.asked == 3


def test_a_server_that_is_slow_to_begin_is_told(behind: OpenAIEngine, bad: BrokenServer) -> None:
    bad.do("delay", seconds=1)
    assert behind.chat(TALK, max_tokens=2)[0].finish is Finish.LENGTH
    bad.do("delay", seconds=30)
    with pytest.raises(EngineError, match="did not begin to write within 4 s"):
        behind.chat(TALK, max_tokens=2)


def test_a_refused_key_and_a_busy_server_are_told(behind: OpenAIEngine, bad: BrokenServer) -> None:
    bad.do("status", status=401)
    with pytest.raises(EngineError, match=r"refuses the key \(401\)"):
        behind.chat(TALK)
    bad.do("status", status=429, retry_after="1", times=1)
    began = time.monotonic()
    assert behind.chat(TALK, max_tokens=1)
    assert time.monotonic() - began >= 1
    bad.do("status", status=429, retry_after="60")
    with pytest.raises(BusyError, match="wait 60 s"):
        behind.chat(TALK)


def test_a_server_killed_in_mid_stream_leaves_what_was_written(vllm: str, folder: Path) -> None:
    """The last one: the suite's own vLLM is killed while it writes."""
    limits = EngineLimits(tries=2, backoff_s=0.05, failures=2)
    engine = make_engine(f"openai:{vllm}#{folder}", limits=limits)
    got: list[str] = []
    with pytest.raises(EngineError, match="broke off") as died:
        for piece in engine.stream(TALK, max_tokens=LONG):
            got.append(piece.text)
            if len(got) == 5:
                kill_listener(vllm)
    assert died.value.written == "".join(got)
    assert len(got) >= 5
    with pytest.raises(EngineError, match="cannot be reached"):
        engine.chat(TALK)
    with pytest.raises(EngineError, match="failed 2 times in a row"):
        engine.chat(TALK)
    engine.close()
    assert "language-model" not in [thread.name for thread in threading.enumerate()]


def kill_listener(url: str) -> None:
    """Kills the process that listens at the url's port, as one would by hand."""
    import psutil

    port = int(url.split(":")[2].split("/", maxsplit=1)[0])
    for process in psutil.Process().children(recursive=True):
        if any(one.laddr.port == port and one.status == "LISTEN" for one in process.net_connections("tcp")):
            os.kill(process.pid, signal.SIGKILL)
            return
    raise AssertionError(f"nobody listens at {port}")
