"""Whether a sentence of the plan says of medicines only what the table tells."""

import pytest

from backend.generation.letter.medicines.repeated_rows import repeats_rows
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow


def row(action: MedicineAction, name: str, **fields: object) -> MedicineRow:
    return MedicineRow.model_validate({"id": "M1", "action": action, "name": name, "source": "the note", **fields})


def test_a_sentence_that_only_repeats_the_rows_is_known() -> None:
    rows = (
        row(MedicineAction.STOPPED, "Advil (ibuprofen)"),
        row(MedicineAction.CONTINUE, "aspirin"),
        row(MedicineAction.NEW, "senna", dose="15 mg", timing="at night"),
        row(MedicineAction.UNDECIDED, "digoxin"),
    )
    assert repeats_rows("The team also plans to stop Advil.", rows)
    assert repeats_rows("The plan is to continue aspirin.", rows)
    assert repeats_rows("Advil was stopped for good.", rows)
    assert repeats_rows("Treatment: new: senna 15 mg at night.", rows)
    assert repeats_rows("Your team will prescribe senna 15 mg at night.", rows)
    assert repeats_rows("You will continue with your current medicines.", rows)
    assert not repeats_rows("You will continue with your current medicines.", rows[:1])
    for more in (
        "Your team will increase senna to 30 mg.",
        "You will continue with your current exercises.",
        "Continue senna 30 mg at night.",
        "Continue digoxin.",
        "Start senna with food.",
        "Aspirin was stopped.",
    ):
        assert not repeats_rows(more, rows)
    for more in ("The plan is to stop Advil for a week.", "The plan is to stop Advil and aspirin.", "Advil upset you."):
        assert not repeats_rows(more, rows)


ROWS = (
    row(MedicineAction.STOPPED, "Accupril (quinapril)"),
    row(MedicineAction.NEW, "valsartan", dose="80 mg", timing="once a day"),
    row(MedicineAction.NEW, "Anaprox (naproxen)", dose="550 mg", timing="twice a day, for 5 days"),
    row(MedicineAction.CONTINUE, "Zetia (ezetimibe)", dose="10 mg", timing="at bedtime"),
)


@pytest.mark.parametrize(
    "text",
    [
        "You will take Anaprox 550 mg twice daily for 5 days.",
        "Your team advised you to take Anaprox 550mg twice a day.",
        "Your team was going to prescribe valsartan 80 mg daily.",
        "Your team will treat you with Anaprox 550 mg twice a day for 5 days.",
        "You will stop the use of Accupril.",
        "Your team will stop the Accupril and begin valsartan 80 mg daily.",
        "The plan is to start valsartan 80 mg once a day; to continue your current medicines.",
        "You will continue valsartan 80 mg daily as well as the Zetia 10 mg at bedtime.",
    ],
)
def test_a_decision_that_a_row_tells_is_not_told_again(text: str) -> None:
    assert repeats_rows(text, ROWS)


@pytest.mark.parametrize(
    "text",
    [
        "You will take Anaprox 550 mg twice daily with food.",
        "You will stop Accupril because of the cough.",
        "Your team will stop the Accupril and begin losartan 50 mg daily.",
        "You will take valsartan 160 mg daily.",
        "You will stop the Accupril and check your blood pressure every day.",
        "You will take Anaprox three times a day.",
        "You use a cane.",
        "You will take the stairs.",
    ],
)
def test_what_adds_to_a_row_or_differs_is_told(text: str) -> None:
    assert not repeats_rows(text, ROWS)


def test_what_is_on_hold_by_the_note_alone_is_asked_about_and_its_sentence_told() -> None:
    assert not repeats_rows("Hold the Accupril.", [row(MedicineAction.ON_HOLD, "Accupril (quinapril)")])


def test_a_number_with_a_comma_and_the_times_of_a_course_are_the_row_s() -> None:
    rows = [
        row(MedicineAction.CONTINUE, "metformin", dose="1,000 mg", timing="twice a day"),
        row(MedicineAction.NEW, "prednisone", dose="40 mg", timing="once a day, for 5 days"),
    ]
    assert repeats_rows("The plan is to continue metformin 1000 mg twice a day.", rows)
    assert repeats_rows("Treatment: prednisone 40 mg once a day times five days.", rows)
    assert not repeats_rows("Treatment: prednisone 40 mg once a day times six days.", rows)
