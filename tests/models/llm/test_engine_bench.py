"""What the engine adds to a server's own times: 16 streams at once against the same fake server, read barely and by the engine, in turns."""

import multiprocessing
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from multiprocessing.connection import Connection

import httpx
import pytest

from backend.schemas.chat import Message
from models.llm.engine_client import Address
from models.llm.engine_openai import OpenAIEngine
from tests.models.engine_server import MODEL, Answer, FakeServer

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

STREAMS, ROUNDS, TOKENS = 16, 10, 60
FIRST_S, BETWEEN_S, APART_S = 0.2, 0.02, 0.02
MOST = 1.05
Read = Callable[[], Iterator[object]]


def serve(pipe: Connection) -> None:
    """In a process of its own, so that it does not share the readers' interpreter."""
    server = FakeServer([Answer(("word ",) * TOKENS, first_s=FIRST_S, between_s=BETWEEN_S)])
    server.start()
    pipe.send(server.url)
    pipe.recv()


@pytest.fixture
def url() -> Iterator[str]:
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    yield ours.recv()
    process.kill()
    process.join()


def all_at_once(read: Read) -> tuple[list[float], list[float]]:
    """Seconds to each stream's first token, and between any two of one stream; the streams start APART_S apart."""
    firsts, gaps, guard = [], [], threading.Lock()

    def one() -> None:
        times = [time.perf_counter()]
        for _ in read():
            times.append(time.perf_counter())
        with guard:
            firsts.append(times[1] - times[0])
            gaps.extend(after - before for before, after in pairwise(times[1:]))

    threads = [threading.Thread(target=one) for _ in range(STREAMS)]
    for thread in threads:
        thread.start()
        time.sleep(APART_S)
    for thread in threads:
        thread.join()
    return firsts, gaps


def test_the_engine_adds_at_most_a_twentieth_to_the_servers_own_times(url: str) -> None:
    engine = OpenAIEngine(Address(url, MODEL))
    client = httpx.Client(trust_env=False)
    talk = (Message("user", "hello"),)
    body = {"model": MODEL, "messages": [talk[0]._asdict()], "temperature": 0, "seed": 0, "stream": True}

    def bare() -> Iterator[object]:
        with client.stream("POST", f"{url}/chat/completions", json=body) as answer:
            yield from (line for line in answer.iter_lines() if '"content": "word' in line)

    def ours() -> Iterator[object]:
        yield from (piece for piece in engine.stream(talk) if piece.text)

    measured: dict[str, tuple[list[float], list[float]]] = {"bare": ([], []), "engine": ([], [])}
    for number in range(ROUNDS + 1):
        for name, read in (("bare", bare), ("engine", ours)):
            found = all_at_once(read)
            assert len(found[1]) == STREAMS * (TOKENS - 1)
            if number:  # the first round imports and connects
                for kept, new in zip(measured[name], found, strict=True):
                    kept += new
    engine.close()
    ratios = []
    for number, what in enumerate(("first token", "between tokens")):
        base, with_engine = (statistics.median(measured[name][number]) * 1000 for name in ("bare", "engine"))
        ratios.append(with_engine / base)
        print(
            f"{what}: bare {base:.2f} ms, engine {with_engine:.2f} ms, added {with_engine - base:.2f} ms ({ratios[-1] - 1:.1%})"
        )
    assert max(ratios) <= MOST
