"""What present words say is taken stays so: no likelihood makes a past course of it; advice against a medicine is no prescription."""

import pytest

from backend.schemas.record import MedicationCategory, MedicationStatus
from tests.nlp.medications.attributes import statements


@pytest.mark.parametrize(
    ("text", "medicine"),
    [
        ("77-year-old man with AF on warfarin, admitted with pneumonia.", "warfarin"),
        ("A 68-year-old woman with lupus on hydroxychloroquine came with a rash.", "hydroxychloroquine"),
        ("PMH: AF on apixaban, HTN on amlodipine, T2DM on metformin", "apixaban"),
        ("PMH: AF on apixaban, HTN on amlodipine, T2DM on metformin", "metformin"),
        ("Past medical history:\n1. Gout on allopurinol\n2. Rheumatoid arthritis on methotrexate", "methotrexate"),
        ("81M, background of atrial fibrillation on long-term rivaroxaban, now a fall.", "rivaroxaban"),
    ],
)
def test_on_a_medicine_is_taken_wherever_it_stands(text: str, medicine: str) -> None:
    (one,) = [each for each in statements(text) if each.name == medicine]
    assert one.status is MedicationStatus.ACTIVE


@pytest.mark.parametrize(
    ("text", "medicine"),
    [
        ("HPI: She was on warfarin until March.", "warfarin"),
        ("HPI: He was on argatroban then warfarin for three months in 2015.", "argatroban"),
    ],
)
def test_words_that_end_a_course_end_it(text: str, medicine: str) -> None:
    assert all(one.status is not MedicationStatus.ACTIVE for one in statements(text) if one.name == medicine)


@pytest.mark.parametrize(
    "text",
    [
        "HPI: Sildenafil discussed but not prescribed because he uses a nitrate.",
        "HPI: Sildenafil is contraindicated with his nitrate.",
        "HPI: Sildenafil would be unsafe because of his nitrate.",
        "HPI: He asked for sildenafil but it was not prescribed.",
        "HPI: He asked about sildenafil.",
    ],
)
def test_a_medicine_that_is_advised_against_is_not_taken(text: str) -> None:
    (one,) = [each for each in statements(text) if each.name == "sildenafil"]
    assert one.status is MedicationStatus.NOT_TAKEN


def test_d_c_with_a_dose_is_a_list_for_home_and_without_one_a_stop() -> None:
    listed = statements("HPI: 66M. D/C: tramadol 100 mg QDS, temazepam 20 mg nocte.")
    assert {one.category for one in listed} == {MedicationCategory.DISCHARGE}
    (stopped,) = statements("HPI: 66M. D/C tramadol.")
    assert stopped.status is MedicationStatus.STOPPED
