"""The row of whole records: what it reports, on two short notes."""

from pathlib import Path

import pytest

from backend.bench.notes import record_speed

NOTE = "HPI: 72 year old man with chest pain and no fever.\nMedications: aspirin 81 mg daily.\nPlan: follow up in a week.\n"


def test_the_row_gives_a_time_a_note_its_floor_and_its_stages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "clinic_notes" / "more"
    folder.mkdir(parents=True)
    for name in ("one", "two"):
        (folder / f"{name}.txt").write_text(NOTE * 10, encoding="utf-8")
    (folder / "short.txt").write_text("too short to be timed", encoding="utf-8")
    monkeypatch.setenv("LEAPNOTE_TEST_DATA", str(tmp_path))
    monkeypatch.setattr(record_speed, "PASSES", 2)
    found = record_speed.record(None)
    assert len(found.times_ms) == len(found.cpu_ms) == 2
    assert found.peer is not None and 0 < found.peer.median_ms < min(found.cpu_ms)
    assert list(found.stages_ms)[:5] == ["parse", "names", "attributes", "mentions", "allergies"]
    assert {"problems", "medications", "procedures", "plan"} <= found.stages_ms.keys()
    assert all(took > 0 for took in found.stages_ms.values())
