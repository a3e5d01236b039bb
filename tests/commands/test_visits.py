"""visits: one visit after the other, on the command line and over HTTP."""

import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.assembly import House
from backend.commands import visits
from backend.errors import InputError

NOTES = [
    {
        "note_type": "Physician",
        "date": "2031-02-01",
        "text": "HISTORY:\nDyspnea and leg swelling since Monday. BP 150/90.",
    },
    {"note_type": "Nursing", "date": "2031-02-02", "text": "ASSESSMENT:\nLeg swelling is less. Weight 81 kg."},
    {"note_type": "Physician", "date": "2031-05-10", "text": "HISTORY:\nCough and fever for two days."},
]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    path.write_text("\n".join(json.dumps(note) for note in NOTES))
    return path


def run(house: House, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    import argparse

    parser = argparse.ArgumentParser()
    visits.add_to(parser.add_subparsers(dest="command"))
    args = parser.parse_args(["visits", *words])
    monkeypatch.setattr("backend.assembly.House", lambda chosen: house)
    args.run(args)


def test_each_visit_is_written_from_its_own_notes(
    house: House, notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(house, monkeypatch, str(notes), "--json")
    first, second = [json.loads(line)["draft"] for line in capsys.readouterr().out.splitlines()]
    assert "eg swelling" in first["text"] and "ever" not in first["text"]
    dates = {piece["date"] for piece in second["evidence"]["notes"] if piece["note_type"] != "Previous visit"}
    assert dates == {"2031-05-10"}
    told = [piece for piece in second["evidence"]["notes"] if piece["note_type"] == "Previous visit"]
    assert told and any("swelling" in piece["text"] for piece in told)


def test_stopped_it_goes_on_with_the_visit_it_was_at(
    house: House, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    run(house, monkeypatch, str(notes), "--json", "--out", str(out))
    whole = [json.loads(line)["draft"]["text"] for line in capsys.readouterr().out.splitlines()]
    (out / "visit-2.json").unlink()  # as if it had been killed in the second
    kept = (out / "visit-1.json").stat().st_mtime_ns
    run(house, monkeypatch, str(notes), "--json", "--out", str(out))
    said = capsys.readouterr()
    assert [json.loads(line)["draft"]["text"] for line in said.out.splitlines()] == whole
    assert "1 visits were written before" in said.err
    assert (out / "visit-1.json").stat().st_mtime_ns == kept
    with pytest.raises(InputError, match="other notes or another system"):
        run(house, monkeypatch, str(notes), "--out", str(out), "--system", "leapnote")


def test_no_note_is_refused(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(InputError, match="holds no note"):
        run(house, monkeypatch, str(tmp_path / "empty.jsonl"))


def test_visits_over_http(house: House) -> None:
    body = {"question": "What happened?", "document": "progress_note", "system": "cli-rag", "patient_notes": NOTES}
    with TestClient(create_app(house.settings, house)) as client:
        found = client.post("/v1/visits", json=body, headers={"Accept": "application/json"}).json()["visits"]
        events = [line for line in client.post("/v1/visits", json=body).text.splitlines() if line.startswith("event")]
    assert [(row["number"], row["first"], row["last"]) for row in found] == [
        (1, "2031-02-01", "2031-02-02"),
        (2, "2031-05-10", "2031-05-10"),
    ]
    assert events == ["event: visit", "event: visit", "event: visits"]
