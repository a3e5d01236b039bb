"""What matters at home of sections that are mostly left out, and which denials are told."""

import pytest

from backend.generation.letter.selection.home_facts import is_over, is_worth_denying, tells_course
from backend.schemas.vocabulary import SectionCategory
from tests.generation.letter.conftest import StoryOf

HPI = "HISTORY OF PRESENT ILLNESS: She came with a cough.\n\n"


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ("SOCIAL HISTORY: She lives alone.", "You live alone."),
        ("SOCIAL HISTORY: She smokes two packs per day.", "You smoke two packs per day."),
        ("REVIEW OF SYSTEMS: She gets short of breath on the stairs.", "You got short of breath on the stairs."),
        ("REVIEW OF SYSTEMS: She has had some thoughts of suicide, but no plans.", "thoughts of suicide, but no plans"),
        ("PHYSICAL EXAMINATION: The incision looks clean and dry.", "clean and dry"),
        ("PHYSICAL EXAMINATION: The left hand is weaker than the right.", "The left hand was weaker than the right."),
    ],
)
def test_what_matters_at_home_is_told(section: str, told: str, story_of: StoryOf) -> None:
    assert told in story_of(f"{HPI}{section}\n").letter_text


@pytest.mark.parametrize(
    "section",
    [
        "REVIEW OF SYSTEMS: She has no chest pain.",
        "REVIEW OF SYSTEMS: She wears glasses.",
        "REVIEW OF SYSTEMS: She has a rash.",
        "REVIEW OF SYSTEMS: Positive for fatigue.",
        "SOCIAL HISTORY: She quit smoking in 1990.",
        "SOCIAL HISTORY: She drinks a glass of wine monthly.",
        "SOCIAL HISTORY: She is a retired clerk.",
        "SOCIAL HISTORY: She lives in Springfield.",
        "SOCIAL HISTORY: She lives with her sister.",
        "PHYSICAL EXAMINATION: There is one area within the graft.",
        "FAMILY HISTORY: Her mother had diabetes.",
    ],
)
def test_what_does_not_is_left_out(section: str, story_of: StoryOf) -> None:
    assert story_of(f"{HPI}{section}\n").letter_text == story_of(HPI).letter_text


def test_denials_that_are_told() -> None:
    assert is_worth_denying("There are no signs of infection.", "")
    assert is_worth_denying("He has had no cough.", "Cough")
    assert not is_worth_denying("He denies heartburn.", "Cough")


def test_a_limit_is_no_denial(story_of: StoryOf) -> None:
    note = f"{HPI}HISTORY OF PRESENT ILLNESS: She can climb no more than one flight without becoming breathless.\n"
    assert "no more than one flight" in story_of(note).letter_text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It goes away when he sits up.", True),
        ("Rest relieves the pain.", True),
        ("She was discharged home from the emergency room.", True),
        ("He walks with a cane.", True),
        ("He likes football.", False),
        ("She had a better year at work.", False),
    ],
)
def test_what_eases_a_complaint_and_what_care_was_had_are_known_by_their_words(text: str, told: bool) -> None:
    assert tells_course(text) is told


def test_a_denial_of_thoughts_of_harming_anybody_is_told(story_of: StoryOf) -> None:
    text = f"{HPI.strip()} She denied suicidal or homicidal ideation.\n"
    assert "harming others" in story_of(text).letter_text
    assert "homicidal" not in story_of(f"{HPI.strip()} She was homicidal toward her brother.\n").letter_text


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("Initial vomiting - but resolved", True),
        ("Itch last week, now gone", True),
        ("Swollen on Monday, now walking normally.", True),
        ("Cough, now no better", False),
        ("Dry cough, now with fever", False),
        ("History of gout, now resolved", False),
        ("He feels well now", False),
    ],
)
def test_a_complaint_that_is_over_is_none_of_today(text: str, over: bool) -> None:
    assert is_over(text, SectionCategory.HISTORY_OF_PRESENT_ILLNESS) is over
    assert not is_over(text, SectionCategory.PAST_MEDICAL_HISTORY)
