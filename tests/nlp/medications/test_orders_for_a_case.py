"""What is stopped only where signs come is not stopped today; the step of a change is no dose."""

import pytest

from backend.schemas.record import MedicationStatus
from tests.nlp.medications.status.test_status_scorer import statements


@pytest.mark.parametrize(
    ("note", "medicine"),
    [
        ("MEDICATIONS: digoxin 125 mcg daily.\n\nPLAN: Vomiting, blurred vision, palpitations - stop digoxin and ring us.", "digoxin"),
        ("MEDICATIONS: empagliflozin 10 mg.\n\nPLAN:\nSick day rules: vomiting/diarrhoea -> stop empagliflozin until eating.", "empagliflozin"),
        ("MEDICATIONS: carbimazole 20 mg.\n\nPLAN: Sore throat, fever or mouth ulcers: stop carbimazole, same-day blood count.", "carbimazole"),
    ],
)  # fmt: skip
def test_signs_that_lead_an_order_make_it_one_for_a_case_to_come(note: str, medicine: str) -> None:
    assert all(one.status is not MedicationStatus.STOPPED for one in statements(note) if one.name == medicine)


@pytest.mark.parametrize(
    "note",
    [
        "HPI: Vomiting and diarrhoea for two days.\n\nPLAN: Vomiting, diarrhoea: stop metformin.",
        "PLAN: Acute kidney injury, hyperkalaemia - stop metformin.",
        "PLAN: Diarrhoea. Stop metformin.",
    ],
)
def test_what_a_problem_of_today_ends_is_ended(note: str) -> None:
    assert [one.status for one in statements(note) if one.name == "metformin"] == [MedicationStatus.STOPPED]


@pytest.mark.parametrize(
    ("note", "dose"),
    [
        ("PLAN: Taper prednisone by 5 mg each week.", None),
        ("PLAN: Increase lisinopril by 5 mg.", None),
        ("PLAN: Increase lisinopril to 20 mg daily.", 20.0),
    ],
)
def test_the_step_of_a_change_is_no_dose(note: str, dose: float | None) -> None:
    (one,) = statements(note)
    assert (one.dosage.dose if one.dosage else None) == dose
