"""start: from `python -m backend up` to both ports ready. cold: `python -m backend draft NOTE`, the process and all it loads.

Both with an empty data folder and the program's bytecode written, as an installation has it.
"""

import compileall
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from backend.bench.measuring import Measured, rss_mb
from backend.errors import MissingError
from backend.settings import ROOT

STARTS, DRAFTS = 3, 5
PROGRAM = ("app", "backend", "models")
LIMIT_S = 120.0
POLL_S = 0.02
QUIET_S = 1.0
NOTE = """ALLERGIES: penicillin (rash).
CHIEF COMPLAINT: shortness of breath.
HPI: 64 year old man with hypertension, type 2 diabetes and heart failure who presents with three days of worsening shortness
of breath and leg swelling. He takes metformin 500 mg twice daily, lisinopril 10 mg daily and furosemide 20 mg daily. He denies
chest pain and fever. He received furosemide 40 mg IV in the emergency department.
"""


def start(peer_python: str | None) -> Measured:
    """rss_mb: API and page together, with the process that watches them, a second after both are ready."""
    _write_bytecode()
    found = [_once() for _ in range(STARTS)]
    sizes = [size for _, size in found if size is not None]
    return Measured(
        times_ms=tuple(ms for ms, _ in found),
        rss_mb=max(sizes) if sizes else None,
        about="one start on free ports; files of the program are in the system's cache after the first",
        peer_reason="there is no other program to start",
    )


def cold(peer_python: str | None) -> Measured:
    """One process a draft, which loads everything it needs and is gone after it."""
    _write_bytecode()
    with tempfile.TemporaryDirectory() as data:
        environment = {**os.environ, "LEAPNOTE_DATA": data}
        command = [sys.executable, "-m", "backend", "draft", "-"]
        times = []
        for _ in range(DRAFTS):
            began = time.perf_counter()
            subprocess.run(
                command, cwd=ROOT, env=environment, input=NOTE, text=True, check=True, stdout=subprocess.DEVNULL
            )
            times.append((time.perf_counter() - began) * 1000)
    return Measured(
        times_ms=tuple(times),
        rss_mb=None,
        about="one draft of a short note by a process of its own",
        peer_reason="there is no other program to start",
    )


def _write_bytecode() -> None:
    """Compile what is not yet compiled: a start should not measure the compiler."""
    for folder in PROGRAM:
        compileall.compile_dir(str(ROOT / folder), quiet=2)


def free_port() -> int:
    """A port of the loopback address that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _once() -> tuple[float, float | None]:
    api, page = free_port(), free_port()
    with tempfile.TemporaryDirectory() as data:
        environment = {
            **os.environ,
            "LEAPNOTE_DATA": data,
            "LEAPNOTE_HOST": "127.0.0.1",
            "LEAPNOTE_API_PORT": str(api),
            "LEAPNOTE_PAGE_PORT": str(page),
        }
        began = time.perf_counter()
        running = subprocess.Popen(
            [sys.executable, "-m", "backend", "up"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
        )
        try:
            waiting = [f"http://127.0.0.1:{api}/v1/health", f"http://127.0.0.1:{page}/_stcore/health"]
            while waiting:
                if running.poll() is not None or time.perf_counter() - began > LIMIT_S:
                    raise MissingError("`up` did not become ready. Run: python -m backend doctor")
                waiting = [address for address in waiting if not ready(address)]
                time.sleep(POLL_S)
            ms = (time.perf_counter() - began) * 1000
            time.sleep(QUIET_S)
            return ms, _tree_mb(running.pid)
        finally:
            running.send_signal(signal.SIGTERM)
            running.wait(timeout=30)


def ready(address: str) -> bool:
    """Whether an address answers as it should."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=1) as answer:
            return int(answer.status) == 200
    except (urllib.error.URLError, OSError):
        return False


def _tree_mb(root: int) -> float | None:
    """Resident memory of a process and all below it; pages that they share count for each."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError, ValueError):
            continue
    tree = {root}
    while True:
        grown = tree | {pid for pid, parent in parents.items() if parent in tree}
        if grown == tree:
            break
        tree = grown
    sizes = [size for size in map(rss_mb, tree) if size is not None]
    return round(sum(sizes), 1) if sizes else None
