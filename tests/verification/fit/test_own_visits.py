"""The times of visits and tests are the note's own, where it plans any."""

import pytest

from backend.container import Container
from backend.schemas.drafts.evidence import Passage
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Fit, Source

CLINIC = "See the fracture clinic within one to two weeks after an ankle fracture."
XRAYS = "Have x-rays about six weeks after an ankle fracture to check that the bone heals."
ASK = "Ask when you can drive after an ankle fracture."


def fits(container: Container, note: str, sentence: str, section: str = "Follow-up") -> bool:
    request = DraftRequest(text=note)
    patient = container.checks.fit.of_patient(container.linker.read(note), (), request)
    passage = Passage(
        id="P1", source=Source.BOOK, document_id="handbook/ankle", title=f"Ankle fracture: {section}",
        section=section, text=sentence, start_char=0, end_char=len(sentence),
    )  # fmt: skip
    return patient.verdict(sentence, passage).fit is not Fit.NOT_FOR_THIS_PATIENT


@pytest.mark.parametrize(
    "plan", ["Follow up in office 2 weeks for suture check and x-rays.", "No routine follow-up.", "RTC 3 months."]
)
def test_a_general_time_gives_way_to_the_notes_own_plan(container: Container, plan: str) -> None:
    note = f"A 46-year-old woman with an ankle fracture.\nPLAN: {plan}"
    assert not fits(container, note, CLINIC)
    assert not fits(container, note, XRAYS)
    assert fits(container, note, ASK)  # it gives no time


def test_a_note_without_a_plan_of_visits_has_the_general_one(container: Container) -> None:
    note = "A 46-year-old woman with an ankle fracture.\nPLAN: Splint, oxycodone."
    assert fits(container, note, CLINIC)
    assert fits(container, note, XRAYS)
