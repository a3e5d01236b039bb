"""Progress notes from patients' notes: what is held out, what is scored, and a judge asked in both orders."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from backend.errors import EngineError, InputError
from backend.evaluation.progress_notes.note_cells import WrittenNote
from backend.evaluation.progress_notes.patient_visits import PatientVisits, data_digest, read_patients
from backend.evaluation.progress_notes.soap_run import clinician_scores, written_scores
from backend.prompts.verdicts import preference
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


def visit(*notes: dict[str, str], admission: str = "1") -> dict[str, Any]:
    return {"admission": admission, "patient_notes": list(notes)}


def note(kind: str, date: str, text: str) -> dict[str, str]:
    return {"note_type": kind, "date": date, "text": text}


def test_the_last_visits_reference_note_is_held_out(tmp_path: Path) -> None:
    path = patients(
        tmp_path,
        {
            "subject_id": "7",
            "visits": [visit(note("Nursing", "2023-05-05", "Well.")), visit(NURSE, DOCTOR, admission="2")],
        },
        {"subject_id": "8", "visits": [visit(NURSE)]},
        {"subject_id": "9", "visits": [visit(NURSE), visit(DOCTOR, admission="2")]},
    )
    found = {one.patient_id: one for one in read_patients(path, NoteType.PHYSICIAN)}
    assert [one.note_type for one in found["7"].notes] == ["Nursing"]
    assert found["7"].reference is not None
    assert [one.first for one in found["7"].earlier] == ["2023-05-05"]
    assert found["8"].reference is None
    # the last visit of patient 9 has nothing but the note that would be held out, so the visit before is written up
    assert [one.note_type for one in found["9"].notes] == ["Nursing"]
    assert found["9"].reference is None


def test_what_is_not_known_to_be_earlier_than_the_held_out_note_is_left_out(tmp_path: Path) -> None:
    doctor = note("Physician", "2024-01-02T12:00", "Plan: aspirin.")
    others = [
        note("Nursing", "2024-01-02T11:00", "before"),
        note("Nursing", "2024-01-02T13:00", "after"),
        note("Radiology", "2024-01-02", "of the same day, at an hour that nobody knows"),
        note("Discharge summary", "2024-01-04", "of the end"),
        {"note_type": "Nursing", "text": "undated"},
        {"note_type": "Consult", "text": "Date of service: 2024-01-01\ndated by its header"},
    ]
    (one,) = read_patients(
        patients(tmp_path, {"subject_id": "7", "visits": [visit(doctor, *others)]}), NoteType.PHYSICIAN
    )
    assert [held.text.splitlines()[-1] for held in one.notes] == ["dated by its header", "before"]
    assert one.left_out == 3  # the one without a date is of no visit


def test_notes_outside_a_stay_are_visits_by_their_days(tmp_path: Path) -> None:
    clinic = [note("General", day, "Seen in clinic.") for day in ("2024-01-01", "2024-03-01", "2024-03-02")]
    path = patients(tmp_path, {"subject_id": "7", "visits": [visit(*clinic, admission="")]})
    (one,) = read_patients(path, NoteType.PHYSICIAN)
    assert [held.date for held in one.notes] == ["2024-03-01", "2024-03-02"]
    assert len(one.earlier) == 1


@pytest.mark.parametrize("text", ["", '{"subject_id": "7"}', "no json", '{"subject_id": 1, "visits": []}'])
def test_what_holds_no_visit_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.jsonl").write_text(text)
    with pytest.raises(InputError):
        list(read_patients(tmp_path / "p.jsonl", NoteType.PHYSICIAN))


def only(tmp_path: Path, *notes: dict[str, str]) -> PatientVisits:
    (one,) = read_patients(patients(tmp_path, {"subject_id": "7", "visits": [visit(*notes)]}), NoteType.PHYSICIAN)
    return one


class Fixed:
    """A cell that writes one sentence, or fails."""

    name = "fixed"

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error

    def write(self, patient: PatientVisits, seed: int) -> WrittenNote:
        if self._error:
            raise self._error
        assert [one.text for one in patient.notes] == [NURSE["text"]]
        sentence = SimpleNamespace(section="Subjective", text="2024-01-01 (Nursing): She has chest pain.")
        draft: Any = SimpleNamespace(text=f"Subjective\n{sentence.text}\n", sentences=(sentence,), failures=())
        return WrittenNote(draft, {"text": "1", "fallbacks": ["plan: rules"], "model_calls": 2})


def test_a_written_note_is_scored_by_its_parts_and_dates(tmp_path: Path) -> None:
    row = written_scores(only(tmp_path, NURSE, DOCTOR), Fixed(), Flat(), None, 0)
    # one part of four; one statement, dated as the nurse's note that carries it
    assert (row["completeness"], row["statements"], row["alignment"]) == (0.25, 1, 1.0)
    assert (row["pairs"], row["pairs_right"]) == (1, 1.0)
    assert row["cosine"] == pytest.approx(1.0)
    assert row["preferred"] is None
    assert row["use"]["model_calls"] == 2


def test_a_judge_is_asked_in_both_orders(tmp_path: Path) -> None:
    row = written_scores(only(tmp_path, NURSE, DOCTOR), Fixed(), Flat(), Scripted(FIRST, SECOND), 0)
    assert row["preferred"] == 1.0
    assert preference(Scripted(SECOND, FIRST), "ours", "theirs", 0) == 0.0
    # whoever always takes the first prefers neither
    assert preference(Scripted(FIRST, FIRST), "ours", "theirs", 0) == 0.5
    assert preference(Scripted("what?", "what?", FIRST), "ours", "theirs", 0) is None


def test_a_note_that_cannot_be_written_is_told_without_its_text(tmp_path: Path) -> None:
    row = written_scores(only(tmp_path, NURSE), Fixed(EngineError("gone")), Flat(), None, 0)
    assert row == {"failed": "EngineError"}


def test_the_clinicians_own_note_is_scored_alike(tmp_path: Path) -> None:
    row = clinician_scores(only(tmp_path, NURSE, DOCTOR))
    # Subjective and Plan of four; two statements, the first told by the nurse, a day before: taken as of the note's own day
    assert (row["completeness"], row["statements"], row["supported"], row["right"]) == (0.5, 2, 0.5, 0.0)
    # neither tells a date, so that there is no pair of event and date to be right or wrong
    assert (row["pairs"], row["pairs_right"]) == (0, None)


def test_a_clinicians_pair_of_event_and_date_is_looked_up(tmp_path: Path) -> None:
    told = note(
        "Physician", "2024-01-03", "Subjective: On 2024-01-01 she has chest pain. On 2024-01-02 she has chest pain."
    )
    row = clinician_scores(only(tmp_path, NURSE, told))
    assert (row["pairs"], row["pairs_right"]) == (2, 0.5)


CDA = """<ClinicalDocument xmlns="urn:hl7-org:v3"><recordTarget><patientRole><id extension="p1" root="1.2"/></patientRole></recordTarget>
<title>Progress Note</title><effectiveTime value="{day}"/><component><structuredBody><component><section><title>Plan</title>
<text>{text}</text></section></component></structuredBody></component></ClinicalDocument>"""
LABS = "subject_id,charttime,label,value,valueuom\np1,2031-02-01,Potassium,4.1,mmol/L\np1,2031-06-10,Potassium,3.2,mmol/L\n"


def test_a_folder_of_outpatient_records_is_read_by_patient_and_visit(tmp_path: Path) -> None:
    for day, text in (("20310201", "Furosemide 40 mg."), ("20310611", "Potassium chloride.")):
        (tmp_path / f"{day}.xml").write_text(CDA.format(day=day, text=text), encoding="utf-8")
    (tmp_path / "labs.csv").write_text(LABS, encoding="utf-8")
    (tmp_path / ".hidden").write_text("2031-01-01 nothing", encoding="utf-8")
    (tmp_path / "other.txt").write_text("# Nursing, 2031-05-05\nWalked.", encoding="utf-8")
    found = {one.patient_id: one for one in read_patients(tmp_path, NoteType.PHYSICIAN)}
    assert set(found) == {"p1", "other"}  # a file that names no patient is one of its own
    one = found["p1"]
    # the C-CDA of June is held out; of its visit the day before's laboratory values are left, and the visit of February comes before
    assert one.reference is not None and "Potassium chloride" in one.reference.note.text
    assert [note.text for note in one.notes] == ["Results:\nPotassium 3.2 mmol/L; before 4.1 mmol/L on 2031-02-01."]
    assert [visit.first for visit in one.earlier] == ["2031-02-01"]
    assert data_digest(tmp_path) != data_digest(tmp_path / "labs.csv")
    before = data_digest(tmp_path)
    (tmp_path / "other.txt").write_text("# Nursing, 2031-05-05\nSat up.", encoding="utf-8")
    assert data_digest(tmp_path) != before


def test_what_a_folder_cannot_give_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file or folder 'nothing'"):
        list(read_patients(tmp_path / "nothing", NoteType.PHYSICIAN))
    (tmp_path / "undated.txt").write_text("Walked.", encoding="utf-8")
    with pytest.raises(InputError, match=r"none of its 1 patients has a note with a clear date"):
        list(read_patients(tmp_path, NoteType.PHYSICIAN))
    (tmp_path / "bad.xml").write_text("<x", encoding="utf-8")
    with pytest.raises(InputError, match=r"bad\.xml"):
        list(read_patients(tmp_path, NoteType.PHYSICIAN))
