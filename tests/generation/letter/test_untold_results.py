"""What a test showed and a letter could not tell is left to the team by name."""

import pytest

from tests.generation.letter.conftest import StoryOf

NOTE = "HISTORY OF PRESENT ILLNESS: She is a 50-year-old woman who came with back pain. {}\n"


@pytest.mark.parametrize(
    ("said", "untold"),
    [
        (
            "An MRI on 3/4/2020 revealed foraminal stenosis with ligamentum flavum thickening.",
            ["MRI of 3/4/2020"],
        ),
        ("A chest x-ray showed pneumonia.", []),
        ("An MRI is planned to look for foraminal stenosis.", []),
        ("She had a cholecystectomy for cholelithiasis with choledocholithiasis.", []),
    ],
)
def test_a_result_in_words_of_the_clinic_is_left_to_the_team(story_of: StoryOf, said: str, untold: list[str]) -> None:
    assert [one.name for one in story_of(NOTE.format(said)).story.untold] == untold
