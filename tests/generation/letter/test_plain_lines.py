"""Decisions in telegram style: which are told as a line, and which nobody at home could read."""

import pytest

from tests.generation.letter.conftest import StoryOf

STAY = "DISCHARGE SUMMARY\n\nHOSPITAL COURSE:\nTreated with antibiotics.\n\nPLAN:\n{}\n"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("Capsule endoscopy if no response.", "(a camera pill) if no response"),
        ("Steam not advised.", "steam not advised"),
        ("Ortho clinic 6/25 @ 0915, x-ray on arrival.", "bone and joint clinic 6/25 at 09:15, x-ray on arrival"),
        ("Home PT 3x/wk, agency to call.", "home physical therapy 3 times a week, agency to call"),
        ("Mood check 2 wk by phone w/ SW.", "mood check 2 weeks by phone with social worker"),
        ("If more sleepy or confused -> ED.", "go to the emergency department"),
        ("Repeat gastroscopy + biopsies 8/52.", "8 weeks"),
        ("Dentist recheck in 3 mo, bring the plate.", "dentist recheck in 3 months, bring the plate"),
    ],
)
def test_what_anybody_reads_is_told(story_of: StoryOf, written: str, told: str) -> None:
    note = story_of(STAY.format(written))
    assert told in note.letter_text.lower()
    assert note.story.to_put == ()


@pytest.mark.parametrize(
    "written",
    [
        "If spikes: repeat cultures, change line.",
        "Take extra torasemide 5 & call clinic if ankles swell.",
        "Not a candidate for the trial drug.",
        "Ring CNS re HER2 FISH, MDT 4/7.",
    ],
)
def test_what_only_the_clinic_reads_is_not_told(story_of: StoryOf, written: str) -> None:
    assert "Your team's plan" not in story_of(STAY.format(written)).letter_text


def test_lines_of_a_plan_stand_together(story_of: StoryOf) -> None:
    note = story_of(STAY.format("Steam not advised.\nNo driving for 2 weeks.\nCapsule endoscopy if no response."))
    assert note.letter_text.count("Your team's plan") == 1


def test_a_line_of_the_letterhead_is_neither_told_nor_asked(story_of: StoryOf) -> None:
    note = story_of("Outpatient Clinic\n\nHISTORY OF PRESENT ILLNESS: She is a 44-year-old woman with knee pain.\n")
    assert "clinic" not in note.letter_text.lower() and note.story.to_put == ()
