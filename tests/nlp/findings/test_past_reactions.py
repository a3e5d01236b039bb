"""Effects of medicines that are over are of the past; those of what is still taken, and other complaints, are of today."""

import pytest

from backend.schemas.record import ClinicalStatus
from tests.nlp.findings.test_problems import problems_of

ACTIVE, RESOLVED = ClinicalStatus.ACTIVE, ClinicalStatus.RESOLVED


@pytest.mark.parametrize(
    ("text", "effect", "status"),
    [
        ("HPI: Pregabalin discontinued by the patient, dizzy.", "dizzy", RESOLVED),
        ("HPI: Simvastatin was stopped last spring after muscle pain.", "muscle pain", RESOLVED),
        ("HPI: Nifedipine stopped by the clinic in March, headache.", "headache", RESOLVED),
        ("HPI: She takes simvastatin and has muscle pain since she began it.", "muscle pain", ACTIVE),
        ("HPI: He takes ibuprofen for headache.", "headache", ACTIVE),
        ("HPI: Nifedipine was stopped in March. She came today with headache.", "headache", ACTIVE),
        ("HPI: Pregabalin discontinued by the patient, dizzy. She is dizzy again today.", "dizzy", ACTIVE),
        ("HPI: She presents with muscle pain, simvastatin stopped by the clinic.", "muscle pain", ACTIVE),
        ("HPI: She is short of breath, metoprolol was stopped last week.", "short of breath", ACTIVE),
        ("HPI: Completed doxycycline on Monday but the fever came back.", "fever", ACTIVE),
        ("MEDICATIONS:\nMontelukast - mother stopped, nightmares.\nCetirizine 10 mg daily", "nightmares", RESOLVED),
        ("MEDICATIONS:\nMontelukast - stopped, still wheezing.", "wheezing", ACTIVE),
        ("PMH: Seizures treated with phenytoin, stopped in 2015, gout.", "gout", ACTIVE),
        ("CC: dizziness\nHPI: Pregabalin discontinued by the patient, dizziness.", "dizziness", ACTIVE),
    ],
)
def test_an_effect_ends_with_its_medicine(text: str, effect: str, status: ClinicalStatus) -> None:
    assert problems_of(text)[effect].clinical_status is status
