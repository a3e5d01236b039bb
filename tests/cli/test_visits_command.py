"""visits: one visit after the other, on the command line and over HTTP."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.app import create_app
from backend.cli.program import run as run_command
from backend.container import Container
from backend.errors import InputError
from tests.ingest.documents.written_files import paragraphs, pdf_file, word_file

CDA = Path(__file__).parents[1] / "ingest" / "patient_records" / "sample" / "document.xml"
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


def run(container: Container, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
    monkeypatch.setattr("backend.container.Container", lambda chosen: container)
    run_command(["visits", *words])


def test_each_visit_is_written_from_its_own_notes(
    container: Container, notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(container, monkeypatch, str(notes), "--json")
    first, second = [json.loads(line)["draft"] for line in capsys.readouterr().out.splitlines()]
    assert "eg swelling" in first["text"] and "ever" not in first["text"]
    dates = {piece["date"] for piece in second["evidence"]["notes"] if piece["note_type"] != "Previous visit"}
    assert dates == {"2031-05-10"}
    handed_on = [piece for piece in second["evidence"]["notes"] if piece["note_type"] == "Previous visit"]
    assert handed_on and any("swelling" in piece["text"] for piece in handed_on)


def test_stopped_it_goes_on_with_the_visit_it_was_at(
    container: Container,
    notes: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "out"
    run(container, monkeypatch, str(notes), "--json", "--out", str(out))
    whole = [json.loads(line)["draft"]["text"] for line in capsys.readouterr().out.splitlines()]
    (out / "visit-2.json").unlink()  # as if it had been killed in the second
    kept = (out / "visit-1.json").stat().st_mtime_ns
    run(container, monkeypatch, str(notes), "--json", "--out", str(out))
    said = capsys.readouterr()
    assert [json.loads(line)["draft"]["text"] for line in said.out.splitlines()] == whole
    assert "1 visits were written before" in said.err
    assert (out / "visit-1.json").stat().st_mtime_ns == kept
    with pytest.raises(InputError, match="other notes or another system"):
        run(container, monkeypatch, str(notes), "--out", str(out), "--system", "leapnote")


def test_no_note_is_refused(container: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    with pytest.raises(InputError, match="holds no note"):
        run(container, monkeypatch, str(tmp_path / "empty.jsonl"))


def test_an_allergy_of_an_earlier_visit_is_compared_with_the_medicines_of_a_later_one(
    container: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [
        NOTES[1],
        {**NOTES[0], "text": f"Allergies: penicillin (anaphylaxis)\n\n{NOTES[0]['text']}"},
        {**NOTES[2], "text": "MEDICATIONS:\nAmoxicillin 500 mg three times a day."},
    ]
    path = tmp_path / "notes.jsonl"
    path.write_text("\n".join(map(json.dumps, given)))
    run(container, monkeypatch, str(path), "--json")
    _, later = [json.loads(line)["draft"] for line in capsys.readouterr().out.splitlines()]
    conflicts = [flag for flag in later["flags"] if flag["kind"] == "allergy_conflict"]
    assert conflicts and "penicillin" in conflicts[0]["message"]
    assert "an earlier note of 2031-02-01" in conflicts[0]["message"]  # the day of its note, not of the visit's end
    assert "2031-02-01 (Physician): Allergy to penicillin: anaphylaxis." in later["text"]


def test_one_of_several_patients_is_named(
    container: Container, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "patients.jsonl"
    rows = [{"subject_id": str(i), "visits": [{"admission": "", "patient_notes": [n]}]} for i, n in enumerate(NOTES)]
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(InputError, match="notes of 3 patients"):
        run(container, monkeypatch, str(path))
    run(container, monkeypatch, str(path), "--patient", "2", "--json")
    (only,) = [json.loads(line)["draft"] for line in capsys.readouterr().out.splitlines()]
    assert "Cough" in only["text"] and "swelling" not in only["text"]


def test_notes_are_read_and_shown_by_visit_over_http(container: Container) -> None:
    with TestClient(create_app(container.settings, container), base_url="http://127.0.0.1") as client:
        sent = "\n".join(map(json.dumps, NOTES)).encode()
        read = client.post("/v1/uploads/notes", params={"name": "notes.jsonl"}, content=sent).json()
        refused = client.post("/v1/uploads/notes", params={"name": "x.pdf"}, content=b"%PDF\xff\xfe")
        body = {"question": "What happened?", "patient_notes": read["patients"][0]["notes"]}
        body["patient_notes"].append({"text": "Allergies: latex\nDate: 03/04/2031"})
        shown = client.post("/v1/visits/overview", json=body).json()
    assert (read["kind"], read["skipped"]) == ("notes", {})
    assert refused.status_code == 422 and "not UTF-8" in refused.json()["error"]["message"]
    assert [(visit["number"], visit["first"], len(visit["notes"])) for visit in shown["visits"]] == [
        (1, "2031-02-01", 2),
        (2, "2031-05-10", 2),
    ]
    undated = shown["visits"][1]["notes"][1]
    assert (undated["date"], undated["date_source"], undated["reason"]) == (None, "none", "no date is given")
    assert [(one["text"], one["date"]) for one in shown["allergies"]] == [("latex", None)]


def test_visits_over_http(container: Container) -> None:
    body = {"question": "What happened?", "document": "progress_note", "system": "cli-rag", "patient_notes": NOTES}
    with TestClient(create_app(container.settings, container), base_url="http://127.0.0.1") as client:
        found = client.post("/v1/visits", json=body, headers={"Accept": "application/json"}).json()["visits"]
        events = [line for line in client.post("/v1/visits", json=body).text.splitlines() if line.startswith("event")]
    assert [(row["number"], row["first"], row["last"]) for row in found] == [
        (1, "2031-02-01", "2031-02-02"),
        (2, "2031-05-10", "2031-05-10"),
    ]
    assert events == ["event: visit", "event: visit", "event: visits"]


def test_uploads_give_text_record_and_what_was_taken_over_http(container: Container) -> None:
    with TestClient(create_app(container.settings, container), base_url="http://127.0.0.1") as client:

        def sent(path: str, data: bytes, name: str) -> dict[str, Any]:
            answer: dict[str, Any] = client.post(f"/v1/{path}", params={"name": name}, content=data).json()
            return answer

        pdf = sent("uploads", pdf_file("Allergies: penicillin", pages=2, first=2), "a.pdf")
        word = sent("uploads", word_file(paragraphs("Allergies: latex")), "a.docx")
        cda = sent("uploads/notes", CDA.read_bytes(), "d.xml")
        refused = sent("uploads", b"\xd0\xcf\x11\xe0", "old.doc")
    assert (pdf["text"], pdf["kind"], pdf["characters"]) == ("Allergies: penicillin", "pdf", 21)
    assert [(one["what"], one["taken"]) for one in pdf["taken"]["items"]] == [("page 1", False), ("page 2", True)]
    assert (word["text"], word["kind"]) == ("Allergies: latex", "docx")
    (patient,) = cda["patients"]
    assert patient["record"]["medications"] and patient["medicines"] and patient["notes"]
    assert any(one["concept_id"] for one in patient["record"]["medications"])
    assert "'old.doc' is an old Office file" in refused["error"]["message"]
