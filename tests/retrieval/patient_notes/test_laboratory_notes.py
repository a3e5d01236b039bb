"""Structured laboratory series among many notes: found by the two stages, told by the composer, and shown to a model."""

from backend.container import Container
from backend.generation.model.prompt_material import PromptMaterial
from backend.ingest.clinical_notes.laboratory_series import LaboratoryFile
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.vocabulary import Document, SoapPart

LABS = b"""subject_id,charttime,label,value,valueuom,flag
7,2031-05-01,Potassium,4.4,mmol/L,
7,2031-06-10,Potassium,3.1,mmol/L,low
7,2031-06-10,Creatinine,1.9,mg/dL,high
"""
SERIES = "Potassium 3.1 mmol/L (low); before 4.4 mmol/L on 2031-05-01."


def request(system: str) -> DraftRequest:
    """Forty notes of the visit that say nothing of the laboratory, and the series."""
    told = ("Slept well with two pillows.", "Family visited and stayed for dinner.", "Walked with the physiotherapist.")
    own = [
        PatientNote(
            note_type="Nursing", date=f"2031-06-10T{hour:02}:{minute}0", text=f"{told[minute % 3]} Seen at {hour}."
        )
        for hour in range(10)
        for minute in range(4)
    ]
    labs = LaboratoryFile().read(LABS, "labs.csv").patients[0].notes
    return DraftRequest(
        question="Write the progress note of this visit.",
        document=Document.PROGRESS_NOTE,
        system=system,
        patient_notes=(*own, *labs),
    )


def test_the_series_is_found_among_forty_notes_and_told_as_objective_with_its_day(container: Container) -> None:
    draft = container.pipeline("cli-rag", "composer").run(request("cli-rag"))
    found = [piece for piece in draft.evidence.notes if piece.note_type == "Laboratory"]
    assert any(SERIES in piece.text for piece in found)
    told = [one for one in draft.sentences if SERIES in one.text]
    assert [(one.section, one.text) for one in told] == [(SoapPart.OBJECTIVE, f"2031-06-10 (Laboratory): {SERIES}")]
    assert told[0].support == "supported"
    assert any("Creatinine 1.9 mg/dL (high)." in one.text for one in draft.sentences)


def test_a_model_that_writes_is_shown_the_series_with_its_day_and_type(container: Container) -> None:
    asked = request("cli-rag")
    draft = container.pipeline("cli-rag", "composer").run(asked)
    linked = LinkedNote(note=draft.note, allergies=draft.allergies, patient=draft.patient)
    shown = PromptMaterial(asked, linked, (), draft.evidence).data()["earlier_notes"]
    (line,) = [line for line in shown.splitlines() if SERIES in line]
    assert "Laboratory" in shown and "2031-06-10" in shown and line
