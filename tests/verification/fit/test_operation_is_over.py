"""Advice of an operation, of menstrual bleeding and of lost insulin is for whom it still concerns."""

import pytest

from backend.container import Container
from backend.knowledge.advice.needs import parse_needs
from backend.schemas.drafts.request import DraftRequest


def meets(container: Container, note: str, need: str) -> bool:
    return container.checks.fit.of_patient(container.linker.read(note), (), DraftRequest(text=note)).meets(
        parse_needs(need)
    )


@pytest.mark.parametrize(
    ("note", "need", "held"),
    [
        ("PMH: Colon cancer, laparoscopic sigmoid colectomy 8/30.\nHPI: Here for cycle 4.", "bowel operation now", False),
        ("PMH: Colon cancer.\nPROCEDURES: Sigmoid colectomy.\nHOSPITAL COURSE: Did well.", "bowel operation now", True),
        ("DATA: CEA preop 8.8, postop 2.1.", "wound", False),
        ("PMH: Type 2 diabetes.\nMEDICATIONS: insulin glargine 14 units.", "insulin for life", False),
        ("PMH: Type 1 diabetes.\nMEDICATIONS: insulin glargine 14 units.", "insulin for life", True),
        ("HPI: Admitted with DKA.\nMEDICATIONS: insulin glargine 14 units.", "insulin for life", True),
        ("PROCEDURES: Open reduction and internal fixation, left ankle fracture.", "bone fixed now", True),
        ("HPI: An ankle fracture, splinted.", "bone fixed now", False),
    ],
)  # fmt: skip
def test_a_kind_holds_for_what_is_of_now(container: Container, note: str, need: str, held: bool) -> None:
    assert meets(container, f"A 60-year-old man.\n{note}", need) is held


def told(container: Container, note: str) -> str:
    return container.pipeline("leapnote", "composer").run(DraftRequest(text=note)).text


def test_a_tampon_is_no_matter_of_a_woman_past_childbearing(container: Container) -> None:
    note = "HPI: A {}-year-old woman with hemoglobin 9.8 and ferritin 6.\nASSESSMENT: Iron deficiency anemia."
    assert "pad or tampon" in told(container, note.format(33))
    assert "pad or tampon" not in told(container, note.format(63))


def test_no_insulin_sends_to_the_emergency_department_where_the_body_makes_none(container: Container) -> None:
    note = "HPI: A 60-year-old man with high sugar.\nMEDICATIONS: insulin glargine 14 units at night.\nASSESSMENT: {} diabetes mellitus."
    assert "you have no insulin" in told(container, note.format("Type 1"))
    assert "you have no insulin" not in told(container, note.format("Type 2"))
    assert "low sugar makes you pass out" in told(container, note.format("Type 2"))


def test_sight_that_is_registered_as_impaired_is_no_crisis(container: Container) -> None:
    note = "PMH: glaucoma, AMD (registered SI), hypertension.\nASSESSMENT: Urinary tract infection."
    assert "crisis line" not in told(container, f"An 87-year-old woman. {note}")
    assert "crisis line" in told(container, "A 30-year-old woman, passive SI since a week.\nASSESSMENT: Depression.")


def test_a_test_that_was_only_sent_is_no_diagnosis(container: Container) -> None:
    note = "HPI: A 64-year-old man with loose stools on chemotherapy.\nASSESSMENT: Diarrhea. Loperamide. C diff sent."
    assert "Clostridioides" not in told(container, note)
    assert "Clostridioides" in told(container, note.replace("sent", "toxin positive"))
