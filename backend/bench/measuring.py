"""What a benchmark reports, and how it is measured: times, memory, machine.

Takes a callable and its inputs; gives milliseconds. It does not know what it measures.
"""

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import Field

from backend.schemas.base import Frozen
from backend.settings import ROOT

PAGE_BYTES = 4096
Input = TypeVar("Input")


class Peer(Frozen):
    """Another program's figures on the same input, from the same run."""

    name: str
    n: int
    median_ms: float
    p95_ms: float
    rss_mb: float | None
    build_s: float | None = None


class BenchRow(Frozen):
    """One line of `bench --json`. Times are wall-clock milliseconds for one input, warm unless the row says otherwise."""

    name: str
    n: int = Field(description="How many inputs were timed, each once")
    median_ms: float
    p95_ms: float
    rss_mb: float | None = Field(description="Resident memory after the run; None where the system does not tell")
    target_ms: float = Field(description="The median to reach")
    cpu_ms: float | None = Field(default=None, description="Median processor time of this process, all threads")
    peer: Peer | None = None
    peer_reason: str = Field(default="", description="Why there is no peer")
    build_s: float | None = Field(default=None, description="Seconds to build what is searched")
    about: str = Field(default="", description="What one input is")
    stages_ms: dict[str, float] = Field(default_factory=dict, description="Mean processor time of each stage")
    counts: dict[str, int] = Field(
        default_factory=dict, description="What is counted beside the time, the most of any run"
    )
    machine: str = ""
    load: float | None = Field(default=None, description="One-minute load average when the row began")


class Measured(Frozen):
    """What a row's function gives; the command adds name, target, machine and load."""

    times_ms: tuple[float, ...]
    rss_mb: float | None
    about: str
    cpu_ms: tuple[float, ...] = ()
    build_s: float | None = None
    peer: Peer | None = None
    peer_reason: str = ""
    stages_ms: dict[str, float] = Field(default_factory=dict)
    counts: dict[str, int] = Field(default_factory=dict)


class Times(NamedTuple):
    """Milliseconds of each call, in order: on the clock, and on the processor (all threads of this process)."""

    wall: tuple[float, ...]
    cpu: tuple[float, ...]


def timed(run: Callable[[Input], object], inputs: Iterable[Input]) -> Times:
    """Each input once. On a busy machine the processor time is the steadier figure."""
    wall, cpu = [], []
    for item in inputs:
        start, start_cpu = time.perf_counter(), time.process_time()
        run(item)
        cpu.append((time.process_time() - start_cpu) * 1000)
        wall.append((time.perf_counter() - start) * 1000)
    return Times(tuple(wall), tuple(cpu))


def median(times: Sequence[float]) -> float:
    """The median, to three places."""
    return round(statistics.median(times), 3)


def p95(times: Sequence[float]) -> float:
    """The 95th percentile by nearest rank: the smallest time that at least 95 % of the times do not exceed."""
    ordered = sorted(times)
    return round(ordered[max(0, -(-len(ordered) * 95 // 100) - 1)], 3)


def rss_mb(pid: int | None = None) -> float | None:
    """Resident memory of a process (this one by default) in MB of 2**20 bytes; None where /proc does not tell."""
    try:
        pages = int(Path(f"/proc/{pid or os.getpid()}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return None
    return round(pages * PAGE_BYTES / 2**20, 1)


def machine() -> str:
    """Cores, processor, memory, system and Python, without the machine's name."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{cores} cores, {_processor()}, {_memory()}, {platform.system()}, "
        f"Python {'.'.join(map(str, sys.version_info[:3]))}, no GPU used"
    )


def load() -> float | None:
    """The machine's load over the last minute; None where it has none."""
    try:
        return round(os.getloadavg()[0], 2)
    except OSError:
        return None


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _memory() -> str:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return "memory not told"
    return f"{total / 2**30:.0f} GB"


def data_folder() -> Path:
    """The folder of public data: LEAPNOTE_TEST_DATA, else shared/data beside the project."""
    return Path(os.environ.get("LEAPNOTE_TEST_DATA") or ROOT.parent / "shared" / "data")
