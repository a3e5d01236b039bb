"""What a note only asks about, warns of or explains as a risk is no problem of today."""

import pytest

from backend.schemas.record import MedicationStatus, VerificationStatus
from tests.nlp.test_tempting_words import record

ASKED = (
    ("CT to rule out a bleed, on a blood thinner. Wrist fracture splinted.", "bleeding"),
    ("Calf swelling. Rule out DVT. Cellulitis of the left shin.", "deep vein thrombosis"),
    ("Pleuritic chest pain, ?PE. Pneumonia on CT.", "pulmonary embolism"),
)
WARNED = (
    ("Neutropenic sepsis: warned, card given. Nausea today.", "febrile neutropenia"),
    ("Neutropenic sepsis (card given). Hand-foot syndrome.", "febrile neutropenia"),
    ("Gallstones. Warned of pancreatitis and cholangitis.", "acute pancreatitis"),
    ("Gallstones. Warned of pancreatitis and cholangitis.", "acute cholangitis"),
    ("Ankle sprain. DVT leaflet given with boot.", "deep vein thrombosis"),
    ("Risk of bleeding, infection and DVT explained.", "deep vein thrombosis"),
)


@pytest.mark.parametrize(("note", "name"), ASKED)
def test_what_is_asked_about_is_of_a_differential(note: str, name: str) -> None:
    statuses = {one.verification_status for one in record(note).problems if one.name == name}
    assert statuses == {VerificationStatus.DIFFERENTIAL}


@pytest.mark.parametrize(("note", "name"), WARNED)
def test_what_is_warned_of_is_hypothetical(note: str, name: str) -> None:
    assert {one.hypothetical for one in record(note).problems if one.name == name} == {True}


def test_a_question_stops_no_medicine() -> None:
    read = record("Meds: ramipril 5 mg. Stop the ramipril? Leave on for now.")
    assert {one.status for one in read.medications} == {MedicationStatus.ACTIVE}
