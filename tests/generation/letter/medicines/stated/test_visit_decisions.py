"""Whether a note holds what its visit decided."""

import pytest

from backend.generation.letter.medicines.medicine_prompts import Prompt
from tests.generation.letter.reading import CLINIC, rows_of


@pytest.mark.parametrize(
    ("more", "decided"),
    [
        ("", False),
        ("PHYSICAL EXAMINATION: Normal.\n", False),
        ("ASSESSMENT: Hypertension, well controlled.\n", False),
        ("PLAN:\n", False),
        ("PLAN: Return in three months.\n", True),
        ("DISCHARGE INSTRUCTIONS: Return if the pain comes back.\n", True),
    ],
)
def test_only_a_note_that_holds_what_its_visit_decided_leaves_a_medicine_as_it_is(more: str, decided: bool) -> None:
    (row,) = rows_of(f"{CLINIC}MEDICATIONS:\nlisinopril 10 mg daily\n{more}").values()
    assert row.prompt == (Prompt.UNCHANGED if decided else Prompt.TAKEN_BEFORE)
