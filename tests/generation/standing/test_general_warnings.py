"""When to get help whatever the cause: only where nothing else warns an adult who is to be treated."""

import pytest

from backend.container.container import Container
from backend.generation.standing.general_warnings import DOCUMENT, general_warnings
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.headings import WARNING
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Support

UNKNOWN_ILL = "EMERGENCY DEPARTMENT VISIT\nAllergies: none\nHPI: A 50-year-old man with pain and vomiting came to the emergency department.\nAssessment: Zorbitrex disease of the elbow.\n"
AT_CLINIC = "CLINIC VISIT\nAllergies: none\nHPI: A 50-year-old man with pain and vomiting.\nAssessment: Zorbitrex disease of the elbow.\n"
IN_CRISIS = UNKNOWN_ILL.replace("pain and vomiting came", "pain and a plan to kill himself came")
KNOWN_ILL = "CLINIC VISIT\nAllergies: none\nHPI: A 50-year-old man with fever and cough.\nAssessment: Pneumonia.\n"
CHILD = UNKNOWN_ILL.replace("50-year-old man", "4-year-old boy")
COMFORT = UNKNOWN_ILL.replace("department.\nA", "department. He is on home hospice and wants comfort only.\nA")


def drafted(container: Container, note: str) -> Draft:
    return container.pipeline("leapnote").run(DraftRequest(text=note))


def test_a_letter_about_what_no_chapter_covers_has_them_cited_and_the_gap_stays(container: Container) -> None:
    draft = drafted(container, UNKNOWN_ILL)
    warnings = [one for one in draft.sentences if one.text in general_warnings()]
    assert [one.text for one in warnings] == [
        one for one in general_warnings() if "fever" not in one and "bleeding" not in one
    ]
    ids = {one.id for one in draft.evidence.passages if one.document_id == DOCUMENT}
    assert all(one.section == WARNING and set(one.citations) <= ids for one in warnings)
    assert all(one.support is Support.SUPPORTED for one in warnings)
    assert any(one.section == WARNING and one.text.startswith("[") for one in draft.sentences)


@pytest.mark.parametrize("note", [KNOWN_ILL, CHILD, COMFORT, IN_CRISIS])
def test_other_letters_have_none(container: Container, note: str) -> None:
    assert not any(one.text in general_warnings() for one in drafted(container, note).sentences)


def test_a_letter_of_a_clinic_has_those_that_what_was_found_asks_for(container: Container) -> None:
    told = [one.text for one in drafted(container, AT_CLINIC).sentences if one.text in general_warnings()]
    assert told == [
        "Call your doctor today if pain gets worse.",
        "Call your doctor today if you cannot keep food and drink down.",
    ]


def test_worse_chest_pain_is_not_left_to_a_call(container: Container) -> None:
    note = UNKNOWN_ILL.replace("pain and vomiting", "chest pain and vomiting").replace("of the elbow", "of the chest")
    assert "Call your doctor today if pain gets worse." not in [one.text for one in drafted(container, note).sentences]
