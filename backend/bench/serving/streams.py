"""streams: 16 drafts at once over one model server of fixed times, through the API, against bare httpx to the same server.

What counts is what Leapnote adds: from its evidence to the first words of the draft, over the server's own time to its
first token; and the pace of the words after that. Server, API and reader are three processes.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple

import httpx

from backend.bench.measuring import Measured, Peer, median, p95, rss_mb
from backend.bench.notes.draft_speed import requests
from backend.bench.notes.synthetic_texts import varied
from backend.bench.serving.starting import free_port
from backend.bench.serving.token_server import MODEL, TOKENS, token_server
from backend.container import Container
from backend.errors import MissingError
from backend.schemas.drafts.request import DraftRequest
from backend.settings import ROOT, settings

STREAMS, ROUNDS = 16, 5
FIRST_S, BETWEEN_S = 0.2, 0.03
START_S, READ_S = 120.0, 120.0
POLL_S = 0.1


class Times(NamedTuple):
    """Times of one stream, in milliseconds.

    Attributes:
        evidence: from the request on.
        first: to the first words, from the evidence; for a bare stream from the request.
        pace: tokens a second from the first to the last.
        whole: until all was there, checks included.
    """

    evidence: float
    first: float
    pace: float
    whole: float


def streams(peer_python: str | None) -> Measured:
    """times_ms: from the evidence to the first words; the peer's are the server's own, read by bare httpx in turns with ours."""
    notes = requests(Container(settings()))
    ours: list[Times] = []
    bare: list[Times] = []
    # made before anything is timed: a client reads the system's certificates first
    clients = [httpx.Client(trust_env=False, timeout=READ_S) for _ in range(STREAMS)]
    with token_server(FIRST_S, BETWEEN_S) as url, _api(url) as (api, pid):
        for round_number in range(ROUNDS + 1):
            asked = [_varied(notes[place % len(notes)], round_number * STREAMS + place) for place in range(STREAMS)]
            one_bare = _at_once([partial(_bare, client, url) for client in clients])
            one_ours = _at_once([partial(_draft, *pair, api) for pair in zip(clients, asked, strict=True)])
            if round_number:  # the first imports, connects and reads the handbook
                bare += one_bare
                ours += one_ours
            print(f"\rround {round_number + 1} of {ROUNDS + 1}   ", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        size = rss_mb(pid)
    for client in clients:
        client.close()
    own, reached = median([t.pace for t in bare]), median([t.pace for t in ours])
    about = (
        f"one of {STREAMS} drafts at once, {ROUNDS} times, {TOKENS} tokens, first after {FIRST_S * 1000:g} ms, then one every "
        f"{BETWEEN_S * 1000:g} ms: from the evidence to the first words; evidence: median {median([t.evidence for t in ours])} "
        f"ms; tokens a second: {reached} of the server's {own}, {reached / own - 1:+.1%}; from the last word to the checked "
        f"draft: median {median([t.whole - t.evidence - t.first - (TOKENS - 1) * 1000 / t.pace for t in ours])} ms"
    )
    firsts = [t.first for t in bare]
    peer = Peer(name="bare httpx", n=len(bare), median_ms=median(firsts), p95_ms=p95(firsts), rss_mb=rss_mb())
    return Measured(times_ms=tuple(t.first for t in ours), rss_mb=size, about=about, peer=peer)


def _varied(request: DraftRequest, round_number: int) -> DraftRequest:
    return request.model_copy(
        update={"text": varied(request.text, round_number), "system": "leapnote", "seed": round_number}
    )


def _at_once(reads: Sequence[Callable[[], Times]]) -> list[Times]:
    """Raises MissingError when a stream did not come to its end."""
    found: list[Times] = []

    def run(read: Callable[[], Times]) -> None:
        found.append(read())

    threads = [threading.Thread(target=run, args=(read,)) for read in reads]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(found) < len(reads):
        raise MissingError(f"{len(reads) - len(found)} of {len(reads)} streams did not come to their end.")
    return found


def _bare(client: httpx.Client, url: str) -> Times:
    body = {"model": MODEL, "messages": [{"role": "user", "content": "hello"}], "stream": True}
    began = time.perf_counter()
    seen: list[float] = []
    with _posted(client, f"{url}/chat/completions", body) as lines:
        for line in lines:
            if '"delta"' in line:
                seen.append(time.perf_counter())
    return _times(began, began, seen[0], seen[-1], time.perf_counter())


def _draft(client: httpx.Client, request: DraftRequest, api: str) -> Times:
    asked = request.model_dump(mode="json")
    began = time.perf_counter()
    evidence = first = last = 0.0
    with _posted(client, f"{api}/drafts", asked) as lines:
        for line in lines:
            now = time.perf_counter()
            if line == "event: passages":
                evidence = now
            elif line in ("event: piece", "event: token"):
                first, last = first or now, now
            elif line == "event: error":
                raise MissingError("A draft ended with an error.")
    return _times(began, evidence, first, last, time.perf_counter())


@contextmanager
def _posted(client: httpx.Client, url: str, body: object) -> Iterator[Iterator[str]]:
    """The lines of an answer as they come."""
    with client.stream("POST", url, json=body) as answer:
        yield answer.iter_lines()


def _times(began: float, evidence: float, first: float, last: float, ended: float) -> Times:
    pace = (TOKENS - 1) / (last - first)
    return Times((evidence - began) * 1000, (first - evidence) * 1000, pace, (ended - began) * 1000)


@contextmanager
def _api(model_url: str) -> Iterator[tuple[str, int]]:
    """The API's base url and its process. The planner is none, so that the evidence waits for no model."""
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        own = {
            "LEAPNOTE_DATA": data,
            "LEAPNOTE_HOST": "127.0.0.1",
            "LEAPNOTE_API_PORT": str(port),
            "LEAPNOTE_GENERATOR": f"openai:{model_url}#{MODEL}",
            "LEAPNOTE_PLANNER_MODEL": "composer",
        }
        running = subprocess.Popen([sys.executable, "-m", "backend", "serve"], cwd=ROOT, env={**os.environ, **own})
        try:
            _wait_ready(running, f"http://127.0.0.1:{port}/v1/health")
            yield f"http://127.0.0.1:{port}/v1", running.pid
        finally:
            running.send_signal(signal.SIGINT)
            running.wait(timeout=30)


def _wait_ready(running: "subprocess.Popen[bytes]", address: str) -> None:
    deadline = time.monotonic() + START_S
    while running.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(address, timeout=1.0, trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(POLL_S)
    raise MissingError("The API did not become ready. Run: python -m backend doctor")
