"""`up --generator vllm:…` and `llm`: what they print and their exit status. A stand-in serves; no model is loaded."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from backend.__main__ import main
from backend.cli.operations import up
from backend.serving.process import ended_with_us
from backend.serving.status import ServerState, read_status
from backend.settings import ROOT, Settings
from tests.services.llm_servers import free_port
from tests.serving import stand_in
from tests.serving.test_process import alive, linux, printed_pids, wait_until

STARTED_S = 60.0  # a loaded machine takes its time to import


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    return folder


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """Of a command whose vLLM is the stand-in."""
    stand_in.install(tmp_path / "venv")
    return os.environ | {
        "LEAPNOTE_DATA": str(tmp_path / "data"),
        "LEAPNOTE_VLLM_VENV": str(tmp_path / "venv"),
        "LEAPNOTE_VLLM_DEVICE": "cpu",
    }


@pytest.fixture
def served(model: Path, variables: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """`llm serve` on a free port."""
    with subprocess.Popen(
        ended_with_us([sys.executable, "-m", "backend", "llm", "serve", str(model), "--port", "0"]),
        cwd=ROOT,
        env=variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        yield process
        process.kill()


def test_a_server_says_when_it_is_ready_and_ends_with_ctrl_c(served: "subprocess.Popen[str]", tmp_path: Path) -> None:
    assert served.stdout is not None
    lines = [served.stdout.readline() for _ in range(3)]
    assert "is starting on the processor, at http://127.0.0.1:" in lines[0]
    assert "is ready after" in lines[1]
    status = read_status(tmp_path / "data" / "llm" / "llm-status.json")
    assert status is not None
    assert status.state == ServerState.READY
    assert f"LEAPNOTE_LLM_URL={status.url} " in lines[2]
    pids = printed_pids((tmp_path / "data" / "logs" / "llm.log").read_text())
    assert len(pids) == 2
    served.send_signal(signal.SIGINT)
    assert served.wait(timeout=20) == 0
    wait_until(lambda: not any(alive(pid) for pid in pids))


@linux
def test_a_server_ends_when_the_tests_that_started_it_are_killed(
    model: Path, variables: dict[str, str], tmp_path: Path
) -> None:
    """As the fixture `served` starts it: else a run of tests that is killed would leave it and its model server for ever."""
    code = (
        "import subprocess, sys, time; from backend.serving.process import ended_with_us\n"
        f"p = subprocess.Popen(ended_with_us([sys.executable, '-m', 'backend', 'llm', 'serve', {str(model)!r}, '--port', '0']))\n"
        "print(p.pid, flush=True); time.sleep(120)"
    )
    log = tmp_path / "data" / "logs" / "llm.log"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, env=variables, stdout=subprocess.PIPE, text=True
    ) as tests:
        try:
            assert tests.stdout is not None
            pids = [int(tests.stdout.readline())]
            pids += wait_until(lambda: printed_pids(log.read_text()) if log.is_file() else [], STARTED_S)
            assert all(alive(pid) for pid in pids)
        finally:
            tests.kill()
            tests.wait()
    wait_until(lambda: not any(alive(pid) for pid in pids), STARTED_S)


def test_a_server_that_cannot_run_ends_the_command_with_3(
    model: Path, variables: dict[str, str], tmp_path: Path
) -> None:
    program = tmp_path / "venv" / "bin" / "vllm"
    program.write_text("#!/bin/sh\necho 'torch.OutOfMemoryError: CUDA out of memory.'\nexit 1\n")
    done = subprocess.run(
        [sys.executable, "-m", "backend", "llm", "serve", str(model), "--port", "0"],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 3
    assert "memory ran out" in done.stderr
    assert str(tmp_path / "data" / "logs" / "llm.log") in done.stderr


def test_up_refuses_before_it_starts_anything_when_vllm_is_not_installed(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEAPNOTE_VLLM_VENV", str(tmp_path / "nothing"))
    monkeypatch.setattr(
        up, "settings", lambda: Settings(_env_file=None, data=tmp_path, api_port=free_port(), page_port=free_port())
    )  # type: ignore[call-arg]
    monkeypatch.setattr(up, "_start", lambda *arguments, **more: pytest.fail("a part was started"))
    assert main(["up", "--generator", f"vllm:{model}"]) == 3
    said = capsys.readouterr()
    assert "make llm-setup" in said.err
    assert len(said.err.splitlines()) == 1


def test_up_refuses_a_model_without_a_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        up, "settings", lambda: Settings(_env_file=None, data=tmp_path, api_port=free_port(), page_port=free_port())
    )  # type: ignore[call-arg]
    assert main(["up", "--generator", "vllm:"]) == 2
    assert "LEAPNOTE_GENERATOR=vllm:<model>" in capsys.readouterr().err


def test_what_up_tells_the_api_about_its_server(
    model: Path, variables: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    chosen = Settings(_env_file=None, data=tmp_path / "data")  # type: ignore[call-arg]
    first: dict[str, str] = {}
    watched = up._model_server(str(model), chosen, first)
    assert first["LEAPNOTE_LLM_URL"] == watched.url
    assert first["LEAPNOTE_LLM_STATUS"] == str(tmp_path / "data" / "llm-status.json")
    second: dict[str, str] = {}
    up._model_server(str(model), chosen, second)
    # 24 random bytes: 32 characters, new with each start
    assert len(first["LEAPNOTE_LLM_KEY"]) == 32
    assert first["LEAPNOTE_LLM_KEY"] != second["LEAPNOTE_LLM_KEY"]
    up._model_server(str(model), chosen.model_copy(update={"llm_key": SecretStr("mine")}), second)
    assert second["LEAPNOTE_LLM_KEY"] == "mine"


def test_setup_without_the_requirements_says_where_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from backend.cli.operations import llm

    monkeypatch.setenv("LEAPNOTE_VLLM_VENV", str(tmp_path / "venv"))
    monkeypatch.setattr(llm, "REQUIREMENTS", tmp_path / "requirements-vllm.txt")
    assert main(["llm", "setup"]) == 3
    assert "GPU profile" in capsys.readouterr().err
