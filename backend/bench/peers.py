"""Run another program on the same input, in a process of its own, and read back its figures.

The peer's script is plain Python that reads one JSON object from standard input and prints one: `times_ms`, `build_s`,
`rss_mb`. It imports nothing of Leapnote, so that any interpreter can run it.
"""

import json
import subprocess
from pathlib import Path
from typing import Any

from backend.bench.measuring import Peer, median, p95

BENCH = Path(__file__).resolve().parent
LIMIT_S = 1_800


def run_peer(name: str, python: str, script: str, task: dict[str, Any]) -> tuple[Peer | None, str]:
    """The peer's figures, or None with the reason why there are none."""
    try:
        done = subprocess.run(
            [python, str(BENCH / script)],
            input=json.dumps(task),
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, f"{name}: {type(error).__name__}"
    if done.returncode == 3:
        return None, f"{name}: not installed"
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        return None, f"{name} failed: {last[0][:200]}"
    found = json.loads(done.stdout.strip().splitlines()[-1])
    times = found["times_ms"]
    peer = Peer(
        name=found.get("name", name),
        n=len(times),
        median_ms=median(times),
        p95_ms=p95(times),
        rss_mb=found["rss_mb"],
        build_s=found["build_s"],
    )
    return peer, ""
