"""What words tell of one statement: given once, or begun in the stay."""

import pytest

from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.schemas.drafts.medicines import MedicineAction
from tests.generation.letter.reading import WARD, rows_of


@pytest.mark.parametrize(
    ("history", "action"),
    [
        ("He was combative and needed restraints besides Ativan 2 mg IM.", MedicineAction.HOSPITAL_ONLY),
        ("He uses Ativan 2 mg at night.", MedicineAction.UNDECIDED),
    ],
)
def test_one_injection_of_the_history_is_no_medicine_of_home(history: str, action: MedicineAction) -> None:
    (row,) = rows_of(f"{WARD}HISTORY OF PRESENT ILLNESS: {history}\n").values()
    assert row.action is action


def test_a_course_begun_in_the_stay_is_asked_about_and_a_single_dose_is_not() -> None:
    rows = rows_of(
        f"{WARD}HISTORY OF PRESENT ILLNESS: After admission he was started on IV Flagyl. He was given morphine 4 mg IV.\n"
    )
    assert [(row.name, row.prompt) for row in rows.values()] == [
        ("Flagyl (metronidazole)", Prompt.STARTED_IN_STAY),
        ("morphine", ""),
    ]
