"""A real vLLM behind a bad line, and killed while it writes: what was written stays, what passes is not seen."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from backend.errors import BusyError, EngineError
from backend.schemas.chat import Finish, SamplingParams
from models.llm.engine_openai import OpenAIEngine
from models.llm.engine_setup import EngineLimits, EngineSetup
from models.llm.engines import make_engine
from tests.services.broken_server import BrokenServer, broken_server
from tests.services.engine_suite import LONG, TALK, is_quiet, running

pytestmark = [pytest.mark.services, pytest.mark.timeout(600)]


# the waits are long: the server computes on a processor that others use as well, and a wait cut short is another failure
LIMITS = EngineLimits(first_token_s=60, between_s=5, backoff_s=0.05, retry_after_most_s=2, failures=50)

LONGEST = 3400  # tokens: some twenty seconds of writing


@pytest.fixture(scope="module")
def bad(vllm: str) -> Iterator[BrokenServer]:
    with broken_server(vllm) as made:
        yield made


@pytest.fixture
def behind(bad: BrokenServer, folder: Path) -> Iterator[OpenAIEngine]:
    """An engine behind the bad line, which is good until told otherwise."""
    bad.do("none")
    made = make_engine(f"openai:{bad.url}#{folder}", EngineSetup(limits=LIMITS))
    assert isinstance(made, OpenAIEngine)
    assert bad.asked >= 0
    yield made
    made.close()


def test_a_good_line_changes_nothing(behind: OpenAIEngine) -> None:
    assert behind.abilities.schema
    assert behind.chat(TALK, sampling=SamplingParams(max_tokens=4))[0].finish is Finish.LENGTH


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("drop", "broke off before the reply was whole"),
        ("truncate", "broke off before the reply was whole"),
        ("corrupt", "no chat reply|broke off"),
        ("stall", "stopped writing: nothing came for 5 s"),
    ],
)
def test_a_stream_spoilt_midway_keeps_what_was_written(
    behind: OpenAIEngine, bad: BrokenServer, vllm: str, kind: str, message: str
) -> None:
    bad.do(kind, after=6)
    got: list[str] = []
    with pytest.raises(EngineError, match=message) as spoilt:
        for piece in behind.stream(TALK, sampling=SamplingParams(max_tokens=LONG)):
            got.append(piece.text)
    assert spoilt.value.written == "".join(got) != ""
    assert bad.asked == 1  # not again: the reader has seen its beginning
    assert is_quiet(lambda: running(vllm) == 0)


@pytest.mark.parametrize("kind", ["refuse", "status"])
def test_what_passes_is_tried_again_unseen(behind: OpenAIEngine, bad: BrokenServer, kind: str) -> None:
    bad.do(kind, times=2)
    assert behind.chat(TALK, sampling=SamplingParams(max_tokens=2))[0].finish is Finish.LENGTH
    assert bad.asked == 3


def test_a_server_that_is_slow_to_begin_is_told(behind: OpenAIEngine, bad: BrokenServer, folder: Path) -> None:
    bad.do("delay", seconds=1)
    assert behind.chat(TALK, sampling=SamplingParams(max_tokens=2))[0].finish is Finish.LENGTH
    hurried = make_engine(f"openai:{bad.url}#{folder}", EngineSetup(limits=replace(LIMITS, first_token_s=4)))
    bad.do("delay", seconds=30)
    with pytest.raises(EngineError, match="did not begin to write within 4 s"):
        hurried.chat(TALK, sampling=SamplingParams(max_tokens=2))
    hurried.close()


def test_a_refused_key_and_a_busy_server_are_told(behind: OpenAIEngine, bad: BrokenServer) -> None:
    bad.do("status", status=401)
    with pytest.raises(EngineError, match=r"refuses the key \(401\)"):
        behind.chat(TALK)
    bad.do("status", status=429, retry_after="1", times=1)
    began = time.monotonic()
    assert behind.chat(TALK, sampling=SamplingParams(max_tokens=1))
    assert time.monotonic() - began >= 1
    bad.do("status", status=429, retry_after="60")
    with pytest.raises(BusyError, match="wait 60 s"):
        behind.chat(TALK)


def test_a_server_killed_in_mid_stream_leaves_what_was_written(vllm: str, folder: Path) -> None:
    """The last one: the suite's own vLLM is killed while it writes."""
    limits = EngineLimits(tries=2, backoff_s=0.05, failures=2)
    engine = make_engine(f"openai:{vllm}#{folder}", EngineSetup(limits=limits))
    server, got, died = listener(vllm), [""], None
    try:
        for piece in engine.stream(TALK, sampling=SamplingParams(max_tokens=LONGEST)):
            got.append(piece.text)
            if len(got) == 5:
                os.kill(server, signal.SIGKILL)
    except EngineError as error:
        died = error
    if died is None:  # some machines hold this thread for as long as the server computes
        whole = piece.ended is not None and piece.ended.usage.written == LONGEST
        assert whole, "a reply that broke off was taken as whole"
        pytest.skip("the server had written its whole reply before this thread could kill it")
    assert "broke off" in str(died)
    assert died.written == "".join(got)
    assert len(got) >= 5
    with pytest.raises(EngineError, match="cannot be reached"):
        engine.chat(TALK)
    with pytest.raises(EngineError, match="failed 2 times in a row"):
        engine.chat(TALK)
    engine.close()
    assert "language-model" not in [thread.name for thread in threading.enumerate()]


def listener(url: str) -> int:
    """The id of the process that listens at the url's port."""
    import psutil

    port = int(url.split(":")[2].split("/", maxsplit=1)[0])
    for process in psutil.Process().children(recursive=True):
        if any(one.laddr.port == port and one.status == "LISTEN" for one in process.net_connections("tcp")):
            return int(process.pid)
    raise AssertionError(f"nobody listens at {port}")
