"""What a letter after a visit tells and asks of medicines, where the note decides them."""

import pytest

from backend.container import Container
from backend.schemas.drafts.request import DraftRequest

CLINIC = "CLINIC VISIT\nCHIEF COMPLAINT: Follow-up in the office.\n"
WHICH = "which medicines to take"


def told(container: Container, note: str) -> list[str]:
    draft = container.pipeline("leapnote", "composer").run(DraftRequest(text=note))
    return [one.text for one in draft.sentences if one.section == "Your medicines"]


@pytest.mark.parametrize(
    ("note", "lines"),
    [
        (
            CLINIC + "HPI: She takes levetiracetam.\nPLAN: Continue levetiracetam. Start metformin 500 mg twice daily.",
            ["Keep taking: levetiracetam.", "New: metformin 500 mg, twice a day."],
        ),
        (
            CLINIC + "PLAN: I have recommended meloxicam 15 mg once a day.",
            ["New: meloxicam 15 mg, once a day."],
        ),
        (
            CLINIC + "HPI: He takes ibuprofen.\nPLAN: I will prescribe Motrin, 800 mg to take every 6 hours.",
            ["Take: Motrin (ibuprofen) 800 mg, every 6 hours."],
        ),
    ],
)
def test_a_visit_that_decided_its_medicines_asks_nothing_more(
    container: Container, note: str, lines: list[str]
) -> None:
    assert told(container, note)[: len(lines)] == lines
    assert not any(WHICH in text for text in told(container, note))


def test_a_visit_that_tells_no_medicine_is_asked_about(container: Container) -> None:
    assert any(WHICH in text for text in told(container, CLINIC + "PLAN: Ice and rest. Return in 2 weeks."))


def test_what_goes_on_as_a_whole_stands_before_what_is_asked(container: Container) -> None:
    note = (
        CLINIC + "PLAN: She will continue with her current medications. We will increase her lisinopril to 40 mg daily."
    )
    lines = told(container, note)
    assert lines[:2] == ["Changed: lisinopril 40 mg, once a day.", "Keep taking your other medicines as before."]
    assert not any(WHICH in text for text in lines)


def test_a_british_plan_is_told_with_its_length(container: Container) -> None:
    note = (
        "3/7 hx of dysuria.\nPMH: nil\nDH: nil regular\nImp: cystitis\nPlan:\n"
        "1. Nitrofurantoin abx for 3/7\n2. Push fluids\n3. Review in 3 days if no better"
    )
    assert "New: nitrofurantoin for 3 days." in told(container, note)
