"""What of a story says the same, and what leans on a sentence that may not be told."""

import pytest

from backend.generation.letter.story_likeness import leans
from tests.generation.letter.conftest import StoryOf

HISTORY = "HISTORY OF PRESENT ILLNESS: Mr. Osei is a 66-year-old man who came to the clinic with knee pain.\n"


@pytest.mark.parametrize(
    "text",
    [
        "You have not taken it since.",
        "This was in May.",
        "Now it hurts.",
        "At that time you fell.",
        "You took them.",
        "A small stone was seen on that scan.",
        "You were given fluids during that admission.",
    ],
)
def test_a_sentence_that_leans_on_another(text: str) -> None:
    assert leans(text)


@pytest.mark.parametrize(
    "text",
    [
        "The knee is stiff and it hurts.",
        "It appears that you have gout.",
        "You took the syrup and stopped it in May.",
        "Write your readings down and bring them.",
        "You had a long stay and slept badly during that stay.",
        "You were in the hospital in May and fell during that stay.",
    ],
)
def test_a_sentence_that_stands_alone(text: str) -> None:
    assert not leans(text)


def test_a_name_that_a_sentence_tells_is_not_listed_again(story_of: StoryOf) -> None:
    letter = story_of(f"{HISTORY}Radiographically noted ORIF w/ knee pain, gout ++. He has gout.").letter_text
    assert letter.count("gout") == 1
    assert letter.count("knee pain") == 1


def test_what_somebody_is_unsure_of_is_not_told_without_it(story_of: StoryOf) -> None:
    letter = story_of(
        f"{HISTORY}PAST SURGICAL HISTORY: He denies any bowel operation; however, he is unsure."
    ).letter_text
    assert "unsure" not in letter


def test_a_visit_is_told_once_with_all_that_is_said_of_it(story_of: StoryOf) -> None:
    letter = story_of(
        f"{HISTORY}\nPLAN:\nHe will follow up in 2 weeks.\nHe will follow up in 2 weeks when the scan results are back.\n"
    ).letter_text
    assert letter.count("follow up in 2 weeks") == 1
    assert "when the scan results are back" in letter


VISIT = (
    "CHIEF COMPLAINT: Elbow pain.\n\nHISTORY OF PRESENT ILLNESS: She fell on her elbow in May.\n\n"
    "RESULTS: The MRI of the right elbow showed a 4 mm tear of the tendon.\n\n"
    "PLAN: The MRI showed a 4 mm tear of the tendon. {plan}\n\nINSTRUCTIONS: Follow up in 5 weeks.\n"
)


def test_a_result_and_a_visit_are_told_once(story_of: StoryOf) -> None:
    told = story_of(VISIT.format(plan="I want to see her back in 5 weeks.")).letter_text
    assert told.count("4 mm") == 1
    assert told.count("5 weeks") == 1
    told = story_of(VISIT.format(plan="If the pain lasts, we will see her in 5 weeks.")).letter_text
    assert "A follow-up visit is planned for you in 5 weeks." in told  # the other is on a condition


def test_a_sentence_that_begins_with_a_reason_is_told_whole(story_of: StoryOf) -> None:
    reason = "Given that the over-the-counter naproxen is not giving her much relief for the elbow at night, we will send in a prescription for a gel."
    decided = [one.text for one in story_of(VISIT.format(plan=reason)).story.decided]
    assert not any("relief" in text and "gel" not in text for text in decided)
    assert any("gel" in text for text in decided)
