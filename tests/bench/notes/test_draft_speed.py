"""The rows of evidence and draft: what is asked, and a time for each time it is asked."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backend.bench.measuring import Measured
from backend.bench.notes import draft_speed
from backend.container import Container
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase

NOTE = "HPI: 60 year old man with shortness of breath and leg swelling for 3 days.\n"


@pytest.fixture
def small(container: Container, monkeypatch: pytest.MonkeyPatch) -> None:
    """One short note, twice, after one that warms."""
    monkeypatch.setattr(draft_speed, "Container", lambda settings: container)
    monkeypatch.setattr(draft_speed, "requests", lambda container: [DraftRequest(text=NOTE)])
    monkeypatch.setattr(draft_speed, "ROUNDS", 2)
    monkeypatch.setattr(draft_speed, "WARM", 1)


@pytest.mark.parametrize("row", [draft_speed.evidence, draft_speed.draft])
@pytest.mark.usefixtures("small")
def test_a_note_is_timed_each_time_it_is_asked(row: Callable[[str | None], Measured]) -> None:
    found = row(None)
    assert len(found.times_ms) == len(found.cpu_ms) == 2
    assert all(0 < time < 60_000 for time in found.times_ms)  # and none counted from the start of the clock
    assert "one of 1 notes of 15 to 15 words, 2 times" in found.about and found.peer_reason


def test_every_demonstration_case_is_asked_for_whole(container: Container, cases: list[DemonstrationCase]) -> None:
    found = draft_speed.requests(container)
    assert sorted(request.text for request in found) == sorted(case.text for case in cases)
    kept = {case.text: case.confirmed_conditions for case in cases}
    assert all(request.confirmed_conditions == kept[request.text] for request in found)


def test_where_no_case_ships_notes_are_made_up(
    container: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_speed, "ROOT", tmp_path)
    found = draft_speed.requests(container)
    assert len({request.text for request in found}) == len(found) == 10
