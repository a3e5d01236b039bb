"""What a clause names, told where the clause itself cannot be: what the patient had, and nothing that is denied, doubted or another's."""

import pytest

from backend.generation.letter.story_statements import as_noun
from tests.generation.letter.conftest import StoryOf

NOTE = "CHIEF COMPLAINT: Pain.\n\nHISTORY OF PRESENT ILLNESS: She came in today. {}\n"


@pytest.mark.parametrize(
    ("clause", "told"),
    [
        (
            "She was noted radiographically to have a left proximal humerus fracture and a nondisplaced left hip fracture.",
            "left hip fracture",
        ),
        (
            "She is a woman with hypertension and diabetes who lives in the north of the county and who yesterday, after she had "
            "dinner with all of her sisters in the large house by the sea near the old town, began to have nausea and dizziness.",
            "Your health problems included high blood pressure, diabetes, nausea and dizziness.",
        ),
    ],
)
def test_what_a_clause_names_is_told_where_its_words_are_not_for_a_patient(
    story_of: StoryOf, clause: str, told: str
) -> None:
    letter = story_of(NOTE.format(clause)).letter_text
    assert told in letter
    assert "radiographically" not in letter and "synopsis" not in letter


@pytest.mark.parametrize(
    ("clause", "never"),
    [
        ("She was radiographically without pneumonia, per the consultants' dictated synopsis.", "pneumonia"),
        (
            "Radiographically possible pneumonia per the consultants' dictated synopsis was entertained.",
            "had pneumonia",
        ),
        ("Her sister was radiographically diagnosed with pneumonia per the dictated synopsis.", "had pneumonia"),
    ],
)
def test_what_is_denied_doubted_or_another_persons_is_not_told_as_had(
    story_of: StoryOf, clause: str, never: str
) -> None:
    assert f"Your health problems: {never}" not in story_of(NOTE.format(clause)).letter_text


def test_what_a_test_was_done_during_is_no_trouble(story_of: StoryOf) -> None:
    clause = (
        "Her electroencephalographic recordings had rare anterior temporal sharp waves during drowsiness and sleep."
    )
    assert "drowsiness" not in story_of(NOTE.format(clause)).letter_text


def test_a_test_without_what_it_found_is_not_told(story_of: StoryOf) -> None:
    letter = story_of(NOTE.format("She underwent choledochoscopically guided cholangiography.")).letter_text
    assert "Your health problems" not in letter


@pytest.mark.parametrize("word", ["groggy", "sleepy", "cut", "spread"])
def test_a_word_that_is_no_name_is_not_told_as_one(story_of: StoryOf, word: str) -> None:
    clause = f"She was {word} per the consultants' dictated synopsis of the transfer documentation with hypertension."
    letter = story_of(NOTE.format(clause)).letter_text
    assert f"had {word}" not in letter and f"{word} and" not in letter


@pytest.mark.parametrize(
    ("text", "name", "noun"),
    [
        ("productive cough", "productive cough", True),
        ("swelling of both legs", "leg swelling", True),
        ("fractures", "fracture", True),
        ("dizzy on standing", "orthostatic dizziness", False),
        ("unable to walk", "difficulty walking", False),
        ("gained 4 kg", "weight gain", False),
        ("insight poor", "poor insight", False),
        ("talking nonstop", "pressured speech", False),
        ("no pain", "pain", False),
    ],
)
def test_what_stands_in_a_noun_s_place_is_a_noun(text: str, name: str, noun: bool) -> None:
    assert as_noun(text, name) == (text if noun else "")
