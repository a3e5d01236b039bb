"""The Dockerfile, as far as a machine without a container engine can tell."""

import ast
import fnmatch
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shipping.instructions import ROOT, copied, environment, only, read_instructions


def test_every_copied_source_exists_and_tests_are_not_among_them() -> None:
    sources = [source for source, _ in copied()]
    assert all((ROOT / source).exists() for source in sources)
    assert not {"tests", "docs", ".", ".env", ".git"} & set(sources)


def test_the_build_context_holds_exactly_what_is_copied() -> None:
    lines = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    assert lines[0] == "*"
    assert sorted(line[1:] for line in lines if line.startswith("!")) == sorted(source for source, _ in copied())
    assert any(fnmatch.fnmatch("backend/__pycache__", line) for line in lines)


def test_it_runs_as_a_user_that_is_not_root() -> None:
    user = only("USER").rest
    made = re.search(
        r"useradd .*--uid (\d+).* (\w+)\s*&&", " ".join(i.rest for i in read_instructions() if i.word == "RUN")
    )
    assert made and made[2] == user and int(made[1]) > 0
    words = [item.word for item in read_instructions()]
    assert words.index("USER") < words.index("CMD")
    assert max(i for i, word in enumerate(words) if word in ("RUN", "COPY")) < words.index("USER")


def test_data_lies_in_a_volume_that_the_user_owns() -> None:
    assert environment()["LEAPNOTE_DATA"] == only("VOLUME").rest == "/data"
    assert any("--owner=leapnote /data" in i.rest for i in read_instructions() if i.word == "RUN")


def test_torch_is_pinned_as_in_the_requirements() -> None:
    arguments = {i.rest.split("=", 1)[0]: i.rest.split("=", 1)[1] for i in read_instructions() if i.word == "ARG"}
    assert arguments["TORCH"] in {
        line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines()
    }
    assert arguments["TORCH_INDEX"] == ""


def test_the_shell_takes_every_run_step() -> None:
    for item in read_instructions():
        if item.word == "RUN":
            subprocess.run(["sh", "-n", "-c", item.rest], check=True)


def test_the_ports_are_those_of_the_settings() -> None:
    from backend.settings import Settings

    fields = Settings.model_fields
    assert only("EXPOSE").rest.split() == [str(fields["page_port"].default), str(fields["api_port"].default)]


def test_the_health_check_is_python_that_compiles() -> None:
    program, flag, code = only("HEALTHCHECK").exec_form()
    assert (program, flag) == ("python", "-c")
    assert "/v1/health" in code
    ast.parse(code)


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """What the image would hold, started as CMD says; its environment."""
    program = tmp_path_factory.mktemp("program")
    data = tmp_path_factory.mktemp("data")
    for source, _ in copied():
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, program / source, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, program / source)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("LEAPNOTE_")}
    variables = {
        **kept,
        **environment(),
        "HOME": str(data),
        "LEAPNOTE_DATA": str(data),
        "LEAPNOTE_HOST": "127.0.0.1",
        "LEAPNOTE_API_TOKEN": "a token for this test",
        "LEAPNOTE_API_PORT": str(_free_port()),
        "LEAPNOTE_PAGE_PORT": str(_free_port()),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, *only("CMD").exec_form()[1:]]
    running = subprocess.Popen(command, cwd=program, env=variables, stdout=subprocess.DEVNULL)
    before = _files(program)
    try:
        yield variables
    finally:
        running.send_signal(signal.SIGTERM)
        assert running.wait(timeout=30) == 0
        assert _files(program) == before, "the program wrote into its own folder, which is read-only in the image"


def test_what_is_copied_starts_and_the_health_check_passes(container: dict[str, str]) -> None:
    check = [sys.executable, *only("HEALTHCHECK").exec_form()[1:]]
    deadline = time.monotonic() + 90
    while subprocess.run(check, env=container, capture_output=True, check=False).returncode:
        assert time.monotonic() < deadline, "the health check never passed"
        time.sleep(0.3)


def _files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
