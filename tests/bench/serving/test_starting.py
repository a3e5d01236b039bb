"""The rows of starting: what a start that fails says, and a time for each process."""

import socket
import subprocess
import sys

import pytest

from backend.bench.serving import starting
from backend.errors import MissingError
from backend.settings import ROOT


@pytest.fixture(autouse=True)
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's bytecode is not written by a test."""
    monkeypatch.setattr(starting, "_write_bytecode", lambda: None)


def test_a_free_port_can_be_taken() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", starting.free_port()))


def test_the_program_whose_bytecode_is_written_is_all_there() -> None:
    assert all((ROOT / folder / "__init__.py").is_file() for folder in starting.PROGRAM)


def test_a_program_that_ends_before_it_is_ready_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(MissingError, match="`up` did not become ready"):
        starting.start(None)


def test_a_start_s_memory_is_the_largest_seen_and_none_where_the_system_does_not_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = iter([(10.0, 100.0), (20.0, None), (30.0, 300.0), (1.0, None), (2.0, None), (3.0, None)])
    monkeypatch.setattr(starting, "_once", lambda: next(found))
    seen = starting.start(None)
    assert (seen.times_ms, seen.rss_mb) == ((10.0, 20.0, 30.0), 300.0)
    assert starting.start(None).rss_mb is None


def test_each_cold_draft_is_a_process_and_one_that_fails_gives_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/true")
    found = starting.cold(None)
    assert len(found.times_ms) == starting.DRAFTS and min(found.times_ms) > 0
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(subprocess.CalledProcessError):
        starting.cold(None)
