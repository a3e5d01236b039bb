"""How a server is, written by one process and read by another."""

from pathlib import Path

import pytest

from backend.serving.status import ServerState, ServerStatus, read_status, write_status

STARTING = ServerStatus(state=ServerState.STARTING, model="owner/m", url="http://127.0.0.1:1/v1", since=100.0)


def test_a_status_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "status.json"
    write_status(path, STARTING)
    assert read_status(path) == STARTING
    assert [found.name for found in path.parent.iterdir()] == ["status.json"]


@pytest.mark.parametrize("content", [None, "", "{", '{"state": "asleep"}'])
def test_no_status_is_a_value(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "status.json"
    if content is not None:
        path.write_text(content)
    assert read_status(path) is None


@pytest.mark.parametrize(
    ("state", "reason", "message"),
    [
        (ServerState.STARTING, "", "owner/m: starting: 35 s"),
        (ServerState.STARTING, "SIGKILL", "owner/m: starting again (SIGKILL): 35 s"),
        (ServerState.READY, "", "owner/m: ready"),
        (ServerState.WAITING, "SIGKILL", "owner/m: it ended and will be started again soon (SIGKILL)"),
        (ServerState.FAILED, "no GPU", "owner/m: it ended and is not started again (no GPU)"),
        (ServerState.STOPPED, "", "owner/m: stopped"),
    ],
)
def test_each_state_is_one_line(state: ServerState, reason: str, message: str) -> None:
    status = STARTING.model_copy(update={"state": state, "reason": reason})
    assert status.message(135.2) == message  # since 100


def test_a_clock_that_was_set_back_gives_no_seconds_below_nothing() -> None:
    assert STARTING.message(90.0) == "owner/m: starting: 0 s"
