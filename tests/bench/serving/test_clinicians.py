"""The row `load`: every clinician asks in turn, and one failed draft gives no figure."""

import subprocess
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from backend.bench.measuring import Measured
from backend.bench.serving import clinicians as load
from backend.errors import LeapnoteError, MissingError
from tests.bench.serving.conftest import StubApi


@pytest.fixture
def measured(api: StubApi, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Measured]:
    """The row on the API of this process: three clinicians who hardly think, two drafts each."""
    for name, value in (("CLINICIANS", 3), ("MOST", 2), ("THINK_S", 1e-4), ("free_port", lambda: api.port)):
        monkeypatch.setattr(load, name, value)
    monkeypatch.setattr(subprocess, "Popen", api.process)
    return lambda: load.clinicians(None)


def test_each_draft_has_its_time_and_each_clinician_their_notes(measured: Callable[[], Measured], api: StubApi) -> None:
    found = measured()
    assert len(found.times_ms) == len(api.answered) == 6 and min(found.times_ms) > 0
    assert len({body["text"] for body in api.answered}) > 3  # not one note for all, nor one a clinician
    assert found.peer is None and found.peer_reason and "3 clinicians" in found.about
    assert len(api.stopped) == 1


def test_the_service_writes_without_a_model_into_a_folder_of_its_own(
    measured: Callable[[], Measured], api: StubApi
) -> None:
    measured()
    (environment,) = api.started
    assert environment["LEAPNOTE_GENERATOR"] == "composer" and environment["LEAPNOTE_API_PORT"] == str(api.port)


def test_a_draft_that_fails_ends_the_row_and_the_service(measured: Callable[[], Measured], api: StubApi) -> None:
    api.fails = True
    with pytest.raises(LeapnoteError, match="drafts failed, the first with HTTP 200"):
        measured()
    assert len(api.answered) <= 3 and len(api.stopped) == 1  # none asks again


def test_a_service_that_ends_at_once_is_told(measured: Callable[[], Measured], monkeypatch: pytest.MonkeyPatch) -> None:
    ended = SimpleNamespace(pid=1, poll=lambda: 1, send_signal=lambda number: None, wait=lambda timeout: 1)
    monkeypatch.setattr(subprocess, "Popen", lambda *given, **named: ended)
    with pytest.raises(MissingError, match="did not become ready"):
        measured()
