"""What a letter asks of the medicines that a stay gave."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.medicines import MedicineAction
from backend.schemas.drafts.request import DraftRequest

ASKED = "[team to complete: which other medicines of the hospital stay go on at home]"
STAY = "REASON FOR CONSULTATION: Fever.\n\nHISTORY OF PRESENT ILLNESS: She was admitted with pneumonia.\n\n{}\n"


@pytest.mark.parametrize(
    ("rest", "asked"),
    [
        (
            "MEDICATIONS: At home she took lisinopril 10 mg daily. Currently in the hospital she is given Zosyn 3.375 g IV every 8 hours.",
            True,
        ),
        ("MEDICATIONS: Lisinopril 10 mg daily.", False),
        ("PLAN: She was given Zosyn IV here. Discharge on Augmentin 875 mg twice daily for 5 days.", False),
    ],
)
def test_what_goes_on_at_home_is_asked_once(container: Container, rest: str, asked: bool) -> None:
    told = [one.text for one in container.pipeline("leapnote").run(DraftRequest(text=STAY.format(rest))).sentences]
    assert told.count(ASKED) == asked


def test_of_an_emergency_visit_no_stay_is_asked_about(container: Container) -> None:
    note = STAY.replace("REASON FOR CONSULTATION: Fever.", "EMERGENCY DEPARTMENT VISIT").replace(
        "admitted with", "seen for"
    )
    note = note.format(
        "EMERGENCY DEPARTMENT COURSE: She was given Zosyn 3.375 g IV.\n\nMEDICATIONS: Lisinopril 10 mg daily."
    )
    draft = container.pipeline("leapnote").run(DraftRequest(text=note))
    assert any(row.action is MedicineAction.HOSPITAL_ONLY for row in draft.medicines)
    assert ASKED not in [one.text for one in draft.sentences]
