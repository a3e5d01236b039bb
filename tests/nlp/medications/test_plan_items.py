"""What a plan orders without a verb, what is only asked for, and what waits; the notes are written for these tests."""

import pytest

from backend.schemas.record import MedicationStatement, MedicationStatus
from tests.nlp.fresh import linker


def stated(text: str) -> dict[str, MedicationStatement]:
    record = linker().read(text).record
    assert record is not None
    return {one.name: one for one in record.medications}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Plan:\n1. Rest and fluids\n2. Regular paracetamol\n3. Review in 1 week", "acetaminophen"),
        ("Plan:\nRest, push fluids, ibuprofen if needed.", "ibuprofen"),
        ("Plan: for OTC antihistamines.", "antihistamine"),
        ("Plan:\n- Trimethoprim for 3/7", "trimethoprim"),
    ],
)
def test_an_item_of_a_plan_is_ordered_by_being_one(text: str, name: str) -> None:
    one = stated(text)[name]
    assert (one.status, one.certainty, one.rule_ids) == (MedicationStatus.INTENDED, 1.0, ("medications/plan-item",))


@pytest.mark.parametrize(
    "text",
    [
        "Plan:\nWe discussed ice, ibuprofen, and time.",
        "Plan:\nNo antibiotics, paracetamol was no help.",
        "Plan:\nConsider sertraline.",
        "HPI: Rest, fluids, paracetamol.",
    ],
)
def test_what_a_sentence_tells_is_no_item_of_a_plan(text: str) -> None:
    assert all("medications/plan-item" not in one.rule_ids for one in stated(text).values())


def test_a_class_right_behind_its_member_is_no_other_medicine() -> None:
    assert list(stated("Plan:\n1. Nitrofurantoin antibiotic for 3/7")) == ["nitrofurantoin"]


def test_a_delayed_script_is_only_for_a_case_to_come() -> None:
    one = stated("Plan:\n1. Delayed script for amoxicillin - to start in 48 hours if not improving")["amoxicillin"]
    assert one.rule_ids[0] == "medications/medication/delayed-script"


def test_a_change_that_is_asked_for_is_none() -> None:
    one = stated(
        "HPI: She requested an increase to her levothyroxine from 50 mcg to 75 mcg, which I declined.\n"
        "Plan: Continue levothyroxine 50 mcg daily."
    )["levothyroxine"]
    assert (one.dosage.text, one.change) == ("50 mcg daily", "continued")


def test_a_change_that_is_asked_for_and_made_is_one() -> None:
    one = stated("Plan: He requested an increase of his escitalopram and we increased it to 20 mg daily.")[
        "escitalopram"
    ]
    assert (one.dosage.text, bool(one.change)) == ("20 mg daily", True)


@pytest.mark.parametrize(
    "text",
    [
        "PLAN: She will keep taking the venlafaxine.",
        "PLAN: He may continue using venlafaxine.",
        "PLAN: I provided paper prescription refills for venlafaxine.",
    ],
)
def test_who_keeps_taking_or_gets_a_refill_goes_on(text: str) -> None:
    assert stated(text)["venlafaxine"].change == "continued"


def test_an_ill_that_is_occasional_says_nothing_of_how_a_medicine_is_taken() -> None:
    one = stated("HPI: She does well on pregabalin with only occasional flares of the pain.")["pregabalin"]
    assert not one.dosage.as_needed
    assert stated("HPI: She takes ibuprofen for occasional headaches.")["ibuprofen"].dosage.as_needed


def test_what_a_medicine_is_needed_for_ends_before_a_verb() -> None:
    text = "PLAN: Prescription for oxycodone 5 mg every 6 hours as needed for pain was provided today."
    assert stated(text)["oxycodone"].dosage.as_needed_for == "pain"


def test_a_change_that_will_be_made_is_one_unless_it_waits() -> None:
    visit = "CLINIC VISIT\nPLAN: We will increase her lisinopril to 40 mg daily"
    assert stated(f"{visit}.")["lisinopril"].change == "increased"
    assert stated(f"{visit} if her pressure is still high.")["lisinopril"].status is MedicationStatus.INTENDED
