"""Words that look like an allergy, a value or a medicine of the patient and are none, beside the same words where they are."""

import pytest

from backend.schemas.record import MedicationStatus, PatientRecord
from backend.schemas.vocabulary import Assertion
from tests.nlp.fresh import linker


def record(text: str) -> PatientRecord:
    found = linker().read(text).record
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "allergens"),
    [
        ("E. coli sensitive to trimethoprim and nitrofurantoin.", set()),
        ("Sputum grew Pseudomonas, sensitive to ciprofloxacin.", set()),
        ("E. coli infection in a woman who is sensitive to trimethoprim.", {"trimethoprim"}),
        ("Blood culture negative; he is sensitive to penicillin.", {"penicillin"}),
        ("He was offered aspirin but told not to take it with his warfarin.", set()),
        ("Allergies: penicillin (rash). MSU: E. coli, sensitive to nitrofurantoin.", {"penicillin"}),
        ("Allergies: latex, hives. Potassium 4.1, LFTs normal.", {"latex"}),
    ],
)
def test_what_a_germ_is_sensitive_to_and_results_are_no_allergy(text: str, allergens: set[str]) -> None:
    assert {one.text.lower() for one in linker().read(text).allergies.items} == allergens


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("HPI: A man of 60. K 6.3 (grossly haemolysed), to be repeated.", None),
        ("HPI: A man of 60. K 5.7 on the first haemolysed sample, repeat 3.2.", None),
        ("HPI: A man of 60. K 6.2, not haemolysed.", 6.2),
        ("HPI: A man of 60. Hb 62 with haemolysis. K 6.4.", 6.4),
    ],
)
def test_a_value_of_a_spoilt_sample_is_none(text: str, value: float | None) -> None:
    now = [one.value for one in record(text).observations if one.measure == "potassium" and not one.date]
    assert now == ([] if value is None else [value])


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("Plan: metronidazole 500 mg IV TDS, vancomycin not needed, paracetamol 1 g QDS.", {"vancomycin"}),
        ("Allopurinol 300 mg OD to start tomorrow, colchicine not given.", {"colchicine"}),
        ("Aspirin and clopidogrel not given.", {"Aspirin", "clopidogrel"}),
    ],
)
def test_a_denial_is_of_its_own_item_where_items_have_numbers(text: str, denied: set[str]) -> None:
    found = linker().link(text).note.mentions
    assert {one.text for one in found if one.assertion is Assertion.NEGATED} == denied


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("She asked for ibuprofen and was told not to use it with lithium.", MedicationStatus.NOT_TAKEN),
        ("He wanted naproxen for his knee and we advised against.", MedicationStatus.NOT_TAKEN),
        ("She takes ibuprofen 400 mg TDS for her ankle.", MedicationStatus.ACTIVE),
    ],
)
def test_what_is_asked_for_and_advised_against_is_not_taken(text: str, status: MedicationStatus) -> None:
    assert record(text).medications[0].status is status


def test_a_value_within_its_limits_makes_no_medicine_suspect() -> None:
    text = "66F, hypertension. She has never had a bleed herself. BP 128/78 on losartan 50 mg. Hb 13.4, platelets 250."
    assert list(linker().read(text).allergies.possible) == []
