"""How a letter opens: with why they came."""

import pytest

from tests.generation.letter.conftest import StoryOf


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        (
            "REASON FOR CONSULTATION: We were asked to see the patient in regards to a kidney stone.",
            "You were seen because of a kidney stone.",
        ),
        (
            "REASON FOR CONSULTATION: I was asked by Dr. Lee to evaluate her for pneumonia.",
            "You were seen because of pneumonia.",
        ),
        ('CHIEF COMPLAINT: "I have asthma. I cannot breathe."', 'You said: "I have asthma. I cannot breathe."'),
    ],
)
def test_the_reason_is_told_without_who_asked(reason: str, told: str, story_of: StoryOf) -> None:
    note = f"{reason}\n\nHISTORY OF PRESENT ILLNESS: Started on Monday. She has pain.\n"
    assert story_of(note).letter_text.startswith(told)


def test_an_earlier_coming_is_told_as_earlier_at_a_follow_up(story_of: StoryOf) -> None:
    history = "HISTORY OF PRESENT ILLNESS: She is followed since 2004. She presented with fainting and shaking.\n"
    again = story_of(f"REASON FOR VISIT: Followup of her epilepsy.\n\n{history}").letter_text
    assert "Earlier, you came with fainting and shaking." in again
    first = story_of(f"REASON FOR VISIT: Fainting.\n\n{history}").letter_text
    assert "Earlier" not in first


def test_a_sentence_that_tells_how_they_came_opens_the_story(story_of: StoryOf) -> None:
    note = "HISTORY OF PRESENT ILLNESS: He has had one stay in hospital for gout. He presented with fever for three days.\n"
    assert "fever" in story_of(note).letter_text.split(".")[0]


def test_a_plan_that_is_over_does_not_open_a_letter(story_of: StoryOf) -> None:
    note = "HISTORY OF PRESENT ILLNESS: Plan was to remove the drain. He was admitted for pneumonia.\n"
    assert story_of(note).letter_text.startswith("You were admitted for pneumonia")


def test_a_visit_after_an_operation_is_why_they_came(story_of: StoryOf) -> None:
    told = story_of(
        "REASON FOR VISIT: Postoperative visit for glioma.\n\nHISTORY OF PRESENT ILLNESS: He is doing well.\n"
    )
    assert told.story.why[0].text == "You were seen for a visit after surgery for brain tumor (glioma)."


@pytest.mark.parametrize(
    ("note", "told"),
    [
        ("CHIEF COMPLAINT\n\nAnnual physical.\n", "You were seen for an annual physical."),
        ("CHIEF COMPLAINT\n\nHospital follow up.\n", "You were seen for hospital follow-up."),
        (
            "History: Having wheezing for two days\nUses the inhaler twice a day\n",
            "You were seen because of wheezing for two days.",
        ),
        (
            "4/7 hx of vomiting and diarrhea. Lives in a flat.\n\nImp: gastroenteritis\n",
            "You were seen because of vomiting and diarrhea for 4 days.",
        ),
        ("CHIEF COMPLAINT\n\nFollow up gout.\n", "You were seen for follow-up of gout."),
        (
            "PC: L elbow pain\n\nHPC: 3/52 L elbow pain. Paracetamol helps.\n",
            "You were seen because of left elbow pain for 3 weeks.",
        ),
    ],
)
def test_a_visit_and_a_first_complaint_open_a_letter(note: str, told: str, story_of: StoryOf) -> None:
    assert story_of(note).story.why[0].text == told


def test_a_known_illness_is_no_complaint_that_opens_a_letter(story_of: StoryOf) -> None:
    note = "History: Asthma since childhood, now wheezing.\n"
    assert not story_of(note).letter_text.startswith("You were seen because of asthma")
