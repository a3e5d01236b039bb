"""`up` with a real vLLM server, on the processor: it starts, answers, is killed, comes back, and leaves nothing behind.

The model is tiny and of random weights, so what it writes means nothing; that its replies follow a schema does.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from backend.serving.process import ended_with_us
from backend.serving.server import STATUS_FILE
from backend.serving.status import ServerState, ServerStatus, read_status
from backend.settings import ROOT
from tests.services.llm_servers import CONTEXT, free_port, quiet_variables, server_environment, tiny_llama

pytestmark = [
    pytest.mark.services,
    pytest.mark.timeout(900),  # the first run installs vLLM
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes and sockets as Linux shows them"),
]
T = TypeVar("T")
KEY = "a-key-of-the-test"
WORD = "Xyzzyplugh"  # stands in every request and nowhere else
START_S = 300.0
# no text of a model falls into this by chance
SCHEMA = {
    "type": "object",
    "properties": {
        "verdict": {"enum": ["supported-7731", "unsupported-7731"]},
        "quotes": {"type": "array", "items": {"type": "string", "maxLength": 12}, "minItems": 2, "maxItems": 3},
    },
    "required": ["verdict", "quotes"],
    "additionalProperties": False,
}


class Up:
    """A running `up`."""

    def __init__(self, folder: Path, model: Path) -> None:
        self.data = folder / "data"
        self.model = str(model)
        self.api, self.page = free_port(), free_port()
        settings = {
            "LEAPNOTE_DATA": str(self.data),
            "LEAPNOTE_API_PORT": str(self.api),
            "LEAPNOTE_PAGE_PORT": str(self.page),
            "LEAPNOTE_LLM_KEY": KEY,
            "LEAPNOTE_VLLM_VENV": str(server_environment()),
            "LEAPNOTE_VLLM_DEVICE": "cpu",
            "LEAPNOTE_VLLM_MAX_MODEL_LEN": str(CONTEXT),
            "LEAPNOTE_VLLM_ARGS": "--dtype float32 --enforce-eager",
        }
        self.process = subprocess.Popen(
            ended_with_us([sys.executable, "-m", "backend", "up", "--generator", f"vllm:{model}"]),
            cwd=ROOT,
            env=quiet_variables() | settings,
        )

    @property
    def status(self) -> ServerStatus | None:
        return read_status(self.data / STATUS_FILE)

    def is_in(self, state: ServerState) -> bool:
        assert self.process.poll() is None, "up ended"
        return (status := self.status) is not None and status.state == state

    def answers(self, port: int, path: str) -> bool:
        assert self.process.poll() is None, "up ended"
        try:
            return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=1.0, trust_env=False).status_code == 200
        except httpx.HTTPError:
            return False

    def ask(self, key: str = KEY, **more: Any) -> httpx.Response:
        body = {"model": self.model, "messages": [{"role": "user", "content": f"{WORD} chest pain"}], "max_tokens": 200}
        assert self.status is not None
        return httpx.post(
            f"{self.status.url}/chat/completions",
            json=body | more,
            headers={"Authorization": f"Bearer {key}"},
            timeout=120,
            trust_env=False,
        )

    def processes(self) -> dict[int, str]:
        """All that descend from it: pid to command line."""
        return {pid: line for pid, line in _running().items() if self.process.pid in _ancestors(pid)}

    def server(self) -> int:
        """vLLM's own first process."""
        (found,) = [pid for pid, line in self.processes().items() if "vllm serve" in line and "launch.py" not in line]
        return found


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_llama(tmp_path_factory.mktemp("llama") / "tiny")


@pytest.fixture
def up(tmp_path: Path, model: Path) -> Iterator[Up]:
    running = Up(tmp_path, model)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.send_signal(signal.SIGTERM)
            running.process.wait(timeout=60)


def test_up_starts_serves_restarts_and_ends_vllm(up: Up) -> None:
    # the page and the API are there while the model loads
    wait_until(lambda: up.answers(up.page, "/_stcore/health") and up.answers(up.api, "/v1/health"))
    assert up.is_in(ServerState.STARTING)
    wait_until(lambda: up.is_in(ServerState.READY))

    assert up.ask(key="another").status_code == 401
    free = up.ask(temperature=0.0).json()["choices"][0]["message"]["content"]
    assert not follows(free)
    asked = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": SCHEMA, "strict": True}}
    verdicts = set()
    for seed in range(8):
        choice = up.ask(temperature=1.0, seed=seed, response_format=asked).json()["choices"][0]
        assert choice["finish_reason"] == "stop"
        assert follows(choice["message"]["content"]), choice
        verdicts.add(json.loads(choice["message"]["content"])["verdict"])
    assert verdicts == {"supported-7731", "unsupported-7731"}  # it still chooses: 1 in 128 that 8 agree by chance

    # a prompt that it has read before is not read again: 500 words are far more than its block of 128 tokens
    long = [{"role": "user", "content": f"{WORD} " + "heart failure " * 250}]
    up.ask(messages=long, max_tokens=1)
    usage = up.ask(messages=long, max_tokens=1).json()["usage"]
    assert usage["prompt_tokens_details"]["cached_tokens"] > usage["prompt_tokens"] / 2

    # requests that are refused are the likeliest to be repeated in a log
    assert up.ask(messages=[{"role": "user", "content": f"{WORD} " * 9000}]).status_code == 400
    assert up.ask(messages=[{"role": "user", "content": [WORD]}]).status_code == 400
    assert up.ask(response_format={"type": WORD}).status_code == 400
    logs = list((up.data / "logs").iterdir())
    assert logs
    assert not [log.name for log in logs if WORD in log.read_text(errors="replace")]

    listening = listening_addresses(list(up.processes()))
    assert listening
    assert set(listening) <= {"127.0.0.1", "::1"}
    commands = " ".join(up.processes().values())
    assert KEY not in commands

    # killed, it comes back at the same address
    url, before = up.status and up.status.url, up.processes()
    os.kill(up.server(), signal.SIGKILL)
    wait_until(lambda: up.status is not None and up.status.deaths == 1)
    wait_until(lambda: up.is_in(ServerState.READY))
    assert up.status is not None
    assert up.status.url == url
    assert up.ask(temperature=0.0).json()["choices"][0]["message"]["content"] == free
    assert not [line for pid, line in _running().items() if pid in before and "VLLM" in line]

    # Ctrl-C
    everything = up.processes()
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(timeout=60) == 0
    wait_until(lambda: not set(everything) & set(_running()), 15)
    assert up.status.state == ServerState.STOPPED


def test_up_that_is_killed_while_the_model_loads_leaves_nothing(up: Up) -> None:
    # when its engine is being started, vLLM does not heed SIGTERM for as long as that takes
    wait_until(lambda: any("multiprocessing" in line or "VLLM" in line for line in up.processes().values()))
    everything = up.processes()
    assert len(everything) >= 5  # API, page, the keeper, vLLM, and what it has started so far
    up.process.kill()
    up.process.wait()
    wait_until(lambda: not set(everything) & set(_running()), 30)


def follows(text: str) -> bool:
    """Whether a text is what SCHEMA says, checked by hand."""
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return (
        isinstance(value, dict)
        and set(value) == {"verdict", "quotes"}
        and value["verdict"] in ("supported-7731", "unsupported-7731")
        and 2 <= len(value["quotes"]) <= 3
        and all(isinstance(quote, str) and len(quote) <= 12 for quote in value["quotes"])
    )


def wait_until(condition: Callable[[], T], seconds: float = START_S) -> T:
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"it did not happen within {seconds:.0f} s"
        time.sleep(0.2)
    return found


def _running() -> dict[int, str]:
    """Command lines by pid, of all that runs; what has ended and waits to be collected has an empty one."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            except OSError:
                continue
            if line:
                found[int(folder.name)] = line
    return found


def _ancestors(pid: int) -> set[int]:
    found: set[int] = set()
    while pid > 1:
        try:
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            break
        found.add(pid)
    return found


def listening_addresses(pids: list[int]) -> list[str]:
    """The addresses at which these processes take connections."""
    sockets = set()
    for pid in pids:
        try:
            for link in Path(f"/proc/{pid}/fd").iterdir():
                target = str(link.readlink())
                if target.startswith("socket:["):
                    sockets.add(target[8:-1])
        except OSError:
            continue
    found = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in sockets:  # 0A is LISTEN
                host = fields[1].split(":")[0]
                found.append(
                    "127.0.0.1" if host in ("0100007F", "0000000000000000FFFF00000100007F") else _address(host)
                )
    return found


def _address(host: str) -> str:
    return "::1" if host == "00000000000000000000000001000000" else host
