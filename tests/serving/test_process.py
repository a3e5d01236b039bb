"""A server's processes end with it, with the one who started it, and with the whole of their group."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from backend.serving import process as process_module
from backend.serving.process import ServerProcess, ended_with_us
from backend.settings import ROOT
from tests.serving import stand_in

T = TypeVar("T")
WAIT_S = 10.0
linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems promise nothing when a parent is killed")


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    program = stand_in.install(tmp_path / "venv") / "bin" / "vllm"
    started: list[ServerProcess] = []

    def begin(**variables: str) -> ServerProcess:
        command = [str(program), "--port", "0"]
        started.append(ServerProcess(command, os.environ | variables, tmp_path, tmp_path / "logs" / "vllm.log"))
        return started[-1]

    yield begin
    for one in started:
        one.stop()


def pids_of(server: ServerProcess) -> list[int]:
    """Those that the stand-in printed: its own and its child's."""
    return wait_until(lambda: printed_pids(server.last_words()))


def printed_pids(log: str) -> list[int]:
    """None yet while the line is not whole."""
    line, end, _ = log.partition("pids ")[2].partition("\n")
    return [int(word) for word in line.split()] if end else []


def wait_until(condition: Callable[[], T], wait_s: float = WAIT_S) -> T:
    deadline = time.monotonic() + wait_s
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
    return found


def alive(pid: int) -> bool:
    """Whether it runs; one that has ended and waits to be collected does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    try:
        return not stat.parent.parent.is_dir() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_server_that_is_stopped_takes_its_engine_with_it(start: Callable[..., ServerProcess]) -> None:
    server = start()
    pids = pids_of(server)
    assert server.ended() is None
    server.stop()
    assert server.ended() == -signal.SIGTERM
    wait_until(lambda: not any(alive(pid) for pid in pids))


def test_one_that_does_not_heed_is_killed_after_a_while(
    start: Callable[..., ServerProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_module, "GRACE_S", 0.3)
    server = start(STAND_IN_DEAF="1")
    pids = pids_of(server)
    server.stop()
    assert server.ended() == -signal.SIGKILL
    wait_until(lambda: not any(alive(pid) for pid in pids))


def test_when_the_server_is_killed_its_engine_ends_too(start: Callable[..., ServerProcess]) -> None:
    server = start()
    main, engine = pids_of(server)
    os.kill(main, signal.SIGKILL)
    assert wait_until(server.ended) == -signal.SIGKILL
    wait_until(lambda: not alive(engine))


@linux
def test_when_its_keeper_is_killed_the_server_ends_too(start: Callable[..., ServerProcess]) -> None:
    server = start()
    pids = pids_of(server)
    os.kill(server.group, signal.SIGKILL)  # the one who keeps watch leads the group
    assert wait_until(server.ended) == -signal.SIGKILL
    wait_until(lambda: not any(alive(pid) for pid in pids))


@linux
@pytest.mark.parametrize("deaf", ["", "1"])
def test_when_the_one_who_started_it_is_killed_nothing_is_left(tmp_path: Path, deaf: str) -> None:
    program = stand_in.install(tmp_path / "venv") / "bin" / "vllm"
    code = (
        "import os, sys, time; from pathlib import Path; from backend.serving import process as p; p.GRACE_S = 0.3\n"
        f"s = p.ServerProcess([{str(program)!r}, '--port', '0'], os.environ, Path('.'), Path({str(tmp_path / 'l')!r}))\n"
        "print(s.group, flush=True); time.sleep(60)"
    )
    owner = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"STAND_IN_DEAF": deaf},
    )
    assert owner.stdout is not None
    with owner:
        group = int(owner.stdout.readline())
        pids = [group, *wait_until(lambda: printed_pids((tmp_path / "l").read_text()))]
        assert all(alive(pid) for pid in pids)
        owner.kill()
        owner.wait()
        wait_until(lambda: not any(alive(pid) for pid in pids))


@linux
def test_a_single_program_ends_with_the_one_who_started_it() -> None:
    code = (
        "import subprocess, sys, time; from backend.serving.process import ended_with_us\n"
        "p = subprocess.Popen(ended_with_us([sys.executable, '-S', '-c', 'import time; time.sleep(60)']))\n"
        "print(p.pid, flush=True); time.sleep(60)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    with owner:
        pid = int(owner.stdout.readline())
        wait_until(lambda: b"sleep" in Path(f"/proc/{pid}/cmdline").read_bytes())
        owner.kill()
        owner.wait()
        wait_until(lambda: not alive(pid))


def test_a_program_that_ends_gives_its_own_status() -> None:
    done = subprocess.run(ended_with_us([sys.executable, "-c", "raise SystemExit(5)"], 1.0), check=False)
    assert done.returncode == 5


@pytest.mark.parametrize("grace_s", [0.0, 1.0])
def test_a_program_that_is_not_there_gives_127(grace_s: float) -> None:
    done = subprocess.run(ended_with_us(["/no/such"], grace_s), capture_output=True, text=True, check=False)
    assert done.returncode == 127
    assert "No such file" in done.stderr


def test_the_log_is_its_owners_and_the_one_before_is_kept(start: Callable[..., ServerProcess], tmp_path: Path) -> None:
    first = start()
    before = pids_of(first)
    first.stop()
    second = start()
    after = pids_of(second)
    log = tmp_path / "logs" / "vllm.log"
    assert log.stat().st_mode & 0o777 == 0o600
    assert str(before[0]) in log.with_name("vllm.log.1").read_text()
    assert str(after[0]) in log.read_text()
