"""The row `streams`: as many streams as asked for, ours beside bare ones, and none that broke off is counted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from backend.bench.measuring import Measured
from backend.bench.serving import streams as row
from backend.errors import MissingError
from backend.schemas.drafts.request import DraftRequest
from tests.bench.serving.conftest import StubApi


@pytest.fixture
def measured(api: StubApi, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Measured]:
    """The row on the API of this process: two streams, one counted round, a model server that hardly waits."""
    for name, value in (("STREAMS", 2), ("ROUNDS", 1), ("FIRST_S", 0.01), ("BETWEEN_S", 0.0001)):
        monkeypatch.setattr(row, name, value)

    @contextmanager
    def started(model_url: str) -> Iterator[tuple[str, int]]:
        assert model_url.endswith("/v1")
        yield f"http://127.0.0.1:{api.port}/v1", 1

    monkeypatch.setattr(row, "_api", started)
    monkeypatch.setattr(row, "Container", lambda settings: None)
    monkeypatch.setattr(row, "requests", lambda container: [DraftRequest(text="A man of 60 years, with a cough.")])
    return lambda: row.streams(None)


def test_the_first_round_warms_and_is_not_counted(measured: Callable[[], Measured], api: StubApi) -> None:
    found = measured()
    assert len(api.answered) == 4  # two streams, two rounds
    assert found.peer is not None and len(found.times_ms) == found.peer.n == 2
    assert found.peer.median_ms >= 10  # the server's own first token
    assert 0 <= min(found.times_ms) <= max(found.times_ms) < 10_000


def test_no_two_drafts_ask_for_the_same_text(measured: Callable[[], Measured], api: StubApi) -> None:
    measured()
    assert len({body["text"] for body in api.answered}) == len({body["seed"] for body in api.answered}) == 4


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_draft_that_ends_with_an_error_gives_no_figure(measured: Callable[[], Measured], api: StubApi) -> None:
    api.fails = True
    with pytest.raises(MissingError, match="2 of 2 streams did not come to their end"):
        measured()
