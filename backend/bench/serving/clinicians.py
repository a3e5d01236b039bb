"""load: 20 clinicians at one API, each asking for a draft and then thinking for 20 s in the mean, over HTTP.

Takes the demonstration cases in turn; each clinician begins at a time of its own and waits an exponential time between a
draft and the next, by seed. The run is bounded in time and in requests, and any failed draft ends it.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx

from backend.bench.measuring import Measured
from backend.bench.serving.starting import free_port
from backend.errors import LeapnoteError, MissingError
from backend.settings import ROOT

CLINICIANS = 20
THINK_S = 20.0
FOR_S = 120.0
MOST = 40  # drafts of one clinician
START_S = 120.0


def clinicians(peer_python: str | None) -> Measured:
    """times_ms: from sending a request to the whole draft, as the clinician waits for it."""
    notes = [json.loads(path.read_text())["text"] for path in sorted((ROOT / "assets" / "cases").glob("*.json"))]
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        environment = {
            **os.environ,
            "LEAPNOTE_DATA": data,
            "LEAPNOTE_API_PORT": str(port),
            "LEAPNOTE_GENERATOR": "composer",
        }
        running = subprocess.Popen([sys.executable, "-m", "backend", "serve"], cwd=ROOT, env=environment)
        try:
            _ready(port, running)
            times, failed = _asked(port, notes)
            rss = _rss_mb(running.pid)
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait(timeout=30)
    if failed:
        raise LeapnoteError(f"{len(failed)} of {len(times) + len(failed)} drafts failed, the first with {failed[0]}.")
    return Measured(
        times_ms=tuple(times),
        rss_mb=rss,
        about=f"a draft by HTTP; {CLINICIANS} clinicians, {THINK_S:.0f} s mean think time, {FOR_S:.0f} s, no error",
        peer_reason="there is no other program that writes such a draft",
    )


def _asked(port: int, notes: list[str]) -> tuple[list[float], list[str]]:
    times: list[float] = []
    failed: list[str] = []
    until = time.monotonic() + FOR_S

    def clinician(number: int) -> None:
        drawn = random.Random(number)
        with httpx.Client(base_url=f"http://127.0.0.1:{port}/v1", timeout=60, trust_env=False) as client:
            time.sleep(drawn.uniform(0, THINK_S))
            for round_number in range(MOST):
                if time.monotonic() > until or failed:
                    return
                note = notes[(number + round_number * CLINICIANS) % len(notes)]
                began = time.perf_counter()
                answer = client.post("/drafts", json={"text": note}, headers={"Accept": "application/json"})
                if answer.status_code != 200 or answer.json()["status"] != "complete":
                    failed.append(f"HTTP {answer.status_code}")
                    return
                times.append((time.perf_counter() - began) * 1000)
                time.sleep(drawn.expovariate(1 / THINK_S))

    threads = [threading.Thread(target=clinician, args=(number,)) for number in range(CLINICIANS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, failed


def _ready(port: int, running: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until and running.poll() is None:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/v1/health", timeout=1, trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise MissingError("The API did not become ready. Run: python -m backend doctor")


def _rss_mb(pid: int) -> float | None:
    try:
        return round(int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * 4096 / 1e6, 1)
    except (OSError, ValueError):
        return None
