"""What was planned for the stay itself is told as what the plan was."""

import pytest

from backend.generation.letter.told_time.stay_plans import as_planned, to_come
from backend.generation.letter.told_time.visit_time import _lies_ahead
from tests.generation.letter.conftest import StoryOf


@pytest.mark.parametrize(
    ("told", "read_later"),
    [
        ("You will be admitted for fluids.", "The plan was for you to be admitted for fluids."),
        ("Your team will draw blood and will watch your pulse.", "The plan was to draw blood and to watch your pulse."),
        ("You will not eat before the scan.", "The plan was for you not to eat before the scan."),
        ("A second tube will be placed tonight.", "The plan was for a second tube to be placed tonight."),
        ("Your team asked a surgeon to look at the wound.", "Your team asked a surgeon to look at the wound."),
        ("Once the fever settles, you will be moved.", None),
    ],
)
def test_a_plan_with_one_subject_is_told_as_planned(told: str, read_later: str | None) -> None:
    assert as_planned(told) == read_later


ADMITTED = """HISTORY OF PRESENT ILLNESS: She is a 70-year-old woman who came to the emergency department with a fever.

ASSESSMENT AND PLAN: {}
"""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The patient will be admitted for IV fluids.", "The plan was for you to be admitted for fluids into a vein."),
        ("The patient will see Dr. Lind in 2 weeks.", "You will see Dr. Lind in 2 weeks."),
    ],
)
def test_a_plan_that_reaches_beyond_the_stay_is_still_one(story_of: StoryOf, said: str, told: str) -> None:
    assert told in story_of(ADMITTED.format(said)).letter_text


@pytest.mark.parametrize(
    ("text", "ahead"),
    [
        ("Blood pressure was up, needs a recheck in 1-2 weeks.", True),
        ("The dressing stays on 5 days then remove it.", True),
        ("You have pain for 3 days.", False),
        ("You have pain since then.", False),
    ],
)
def test_what_is_still_to_be_keeps_its_present(text: str, *, ahead: bool) -> None:
    assert _lies_ahead(text) is ahead


WARD = "ADMISSION NOTE\n\nREASON FOR ADMISSION: Fever.\n\nHPI: She has a fever.\n\nPLAN:\n- {}\n- See Dr. Lee in 2 weeks.\n"


@pytest.mark.parametrize(
    "order",
    [
        "NPO after midnight.",
        "Transfuse for Hgb <7.",
        "HOB at 30.",
        "Neuro checks q2h.",
        "Hgb q6h.",
        "Bladder scan at 4 hours.",
        "Full code.",
        "Reassess in 2 hours.",
    ],
)
def test_an_order_that_ends_with_the_stay_is_neither_told_nor_asked(story_of: StoryOf, order: str) -> None:
    told, alone = story_of(WARD.format(order)), story_of(WARD.format("Fluids by mouth as before."))
    words = told.letter_text.lower()
    assert not {"midnight", "transfuse", "hemoglobin", "bladder", "code", "resuscitation", "hours"} & {*words.split()}
    assert len(told.story.to_put) <= len(alone.story.to_put)


def test_a_check_that_reaches_beyond_the_stay_is_told(story_of: StoryOf) -> None:
    told = story_of(WARD.format("Trial of void in clinic in 1 week."))
    assert told.story.to_put or "clinic" in told.letter_text


def test_what_a_patient_does_not_want_done_is_told(story_of: StoryOf) -> None:
    assert "resuscitation" in story_of(WARD.format("Code status: DNR.")).letter_text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("We are also going to repeat the film.", "We will also repeat the film."),
        ("She is going to be seen again.", "She will be seen again."),
        ("She is going to work.", "She is going to work."),
        ("He is going to the gym.", "He is going to the gym."),
    ],
)
def test_what_somebody_is_going_to_do_is_to_come(said: str, told: str) -> None:
    assert to_come(said) == told
