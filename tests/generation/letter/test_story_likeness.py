"""What of a story says the same, and what leans on a sentence that may not be told."""

import pytest

from backend.generation.letter.story_likeness import leans
from tests.generation.letter.conftest import StoryOf

HISTORY = "HISTORY OF PRESENT ILLNESS: Mr. Osei is a 66-year-old man who came to the clinic with knee pain.\n"


@pytest.mark.parametrize(
    "text",
    ["You have not taken it since.", "This was in May.", "Now it hurts.", "At that time you fell.", "You took them."],
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
