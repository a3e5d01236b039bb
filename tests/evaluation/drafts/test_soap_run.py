"""Progress notes from patients' notes: what is held out, what is scored, and a judge asked in both orders."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from backend.errors import EngineError, InputError
from backend.evaluation.drafts.soap_run import clinician_scores, read_visits, written_scores
from backend.prompts.verdicts import preference
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.patient_notes import NoteType
from models.llm.engine_scripted import Scripted

NURSE = {"note_type": "Nursing", "date": "2024-01-01T10:00", "text": "She has chest pain."}
DOCTOR = {"note_type": "Physician", "date": "2024-01-02", "text": "Subjective: She has chest pain.\nPlan: aspirin."}
FIRST, SECOND = '{"choice": "first"}', '{"choice": "second"}'


class Flat:
    name, dimension = "flat", 2

    def encode(self, texts: Any) -> np.ndarray:
        return np.tile(np.array([1.0, 0.0], dtype=np.float32), (len(texts), 1))

    def encode_queries(self, texts: Any) -> np.ndarray:
        return self.encode(texts)


def patients(folder: Path, *rows: Any) -> Path:
    path = folder / "patients.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def visit(*notes: dict[str, str]) -> dict[str, Any]:
    return {"admission": "1", "patient_notes": list(notes)}


def test_the_last_visits_reference_note_is_held_out(tmp_path: Path) -> None:
    path = patients(
        tmp_path,
        {"subject_id": "7", "visits": [visit(NURSE), visit(NURSE, DOCTOR)]},
        {"subject_id": "8", "visits": [visit(NURSE)]},
        {"subject_id": "9", "visits": [visit(NURSE), visit(DOCTOR)]},
    )
    found = {one.patient_id: one for one in read_visits(path, NoteType.PHYSICIAN)}
    assert [note.note_type for note in found["7"].notes] == ["Nursing"]
    assert found["7"].reference is not None
    assert found["8"].reference is None
    # the last visit of patient 9 has nothing but the note that would be held out, so the visit before is written up
    assert [note.note_type for note in found["9"].notes] == ["Nursing"]
    assert found["9"].reference is None


@pytest.mark.parametrize("text", ["", '{"subject_id": "7"}', "no json", '{"subject_id": 1, "visits": []}'])
def test_what_holds_no_visit_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.jsonl").write_text(text)
    with pytest.raises(InputError):
        list(read_visits(tmp_path / "p.jsonl", NoteType.PHYSICIAN))


def written(tmp_path: Path, judge: Any = None) -> dict[str, Any]:
    (one,) = read_visits(patients(tmp_path, {"subject_id": "7", "visits": [visit(NURSE, DOCTOR)]}), NoteType.PHYSICIAN)
    asked: list[DraftRequest] = []

    class Pipeline:
        def run(self, request: DraftRequest) -> Any:
            asked.append(request)
            sentence = SimpleNamespace(section="Subjective", text="2024-01-01 (Nursing): She has chest pain.")
            return SimpleNamespace(text=f"Subjective\n{sentence.text}\n", sentences=(sentence,), failures=())

    row = written_scores(one, "cli-rag", Pipeline(), Flat(), judge, 0)
    assert [note.text for note in asked[0].patient_notes] == [NURSE["text"]]
    return row


def test_a_written_note_is_scored_by_its_parts_and_dates(tmp_path: Path) -> None:
    row = written(tmp_path)
    # one part of four; one statement, dated as the nurse's note that carries it
    assert (row["completeness"], row["statements"], row["alignment"]) == (0.25, 1, 1.0)
    assert row["cosine"] == pytest.approx(1.0)
    assert row["preferred"] is None


def test_a_judge_is_asked_in_both_orders(tmp_path: Path) -> None:
    assert written(tmp_path, Scripted(FIRST, SECOND))["preferred"] == 1.0
    assert preference(Scripted(SECOND, FIRST), "ours", "theirs", 0) == 0.0
    # whoever always takes the first prefers neither
    assert preference(Scripted(FIRST, FIRST), "ours", "theirs", 0) == 0.5
    assert preference(Scripted("what?", "what?", FIRST), "ours", "theirs", 0) is None


def test_a_note_that_cannot_be_written_is_told_without_its_text(tmp_path: Path) -> None:
    class Broken:
        def run(self, request: DraftRequest) -> Any:
            raise EngineError("gone")

    (one,) = read_visits(patients(tmp_path, {"subject_id": "7", "visits": [visit(NURSE)]}), NoteType.PHYSICIAN)
    assert written_scores(one, "cli-rag", Broken(), Flat(), None, 0) == {"failed": "EngineError"}


def test_the_clinicians_own_note_is_scored_alike(tmp_path: Path) -> None:
    (one,) = read_visits(patients(tmp_path, {"subject_id": "7", "visits": [visit(NURSE, DOCTOR)]}), NoteType.PHYSICIAN)
    row = clinician_scores(one)
    # Subjective and Plan of four; two statements, the first told by the nurse, a day before: taken as of the note's own day
    assert (row["completeness"], row["statements"], row["supported"], row["right"]) == (0.5, 2, 0.5, 0.0)
