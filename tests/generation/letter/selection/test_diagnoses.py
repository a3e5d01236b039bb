"""What the team's assessment names, as the letter tells it."""

from types import SimpleNamespace
from typing import Any

import pytest

from backend.generation.letter.selection.diagnoses import is_named_again
from backend.generation.letter.story_wording import WordedUnit
from backend.schemas.vocabulary import SectionCategory
from tests.generation.letter.conftest import StoryOf

_VISIT = "CHIEF COMPLAINT: {reason}\n\nHISTORY OF PRESENT ILLNESS: {story}\n\nASSESSMENT:\n{assessment}\n"


def why(story_of: StoryOf, assessment: str, reason: str = "Wrist pain.", story: str = "She fell on ice.") -> str:
    note = _VISIT.format(reason=reason, story=story, assessment=assessment)
    return " ".join(one.text for one in story_of(note).story.why)


@pytest.mark.parametrize(
    ("assessment", "told"),
    [
        ("Left distal radius fracture.", "The team's diagnosis: left"),
        ("Right shoulder rotator cuff strain.", "The team's diagnosis: right shoulder rotator cuff"),
        ("1. Left wrist sprain.\n2. Hypertension.", "The team dealt with: left wrist sprain"),
        ("1 Left wrist sprain.\n2 Hypertension.", "The team dealt with: left wrist sprain"),
        ("Right wrist TFCC sprain.", "The team's diagnosis: right wrist sprain"),
        ("Work related stress. Insomnia.", "The team dealt with: work related stress; trouble sleeping"),
        ("Sleep related headache.", "The team's diagnosis: sleep related headache"),
        ("Probable gout of the left wrist.", "The team's diagnosis: probable gout"),
        ("?cellulitis", "The team's diagnosis: possible cellulitis"),
        ("Sprain/? fracture", "sprain or possible fracture"),
        ("Tension headache +/- migraine.", "tension headache with or without migraine"),
        ("Cellulitis of the left hand, no abscess.", "The team's diagnosis: cellulitis"),
        ("Pneumonia - start amoxicillin.", "The team's diagnosis: pneumonia (a lung infection)."),
    ],
)
def test_the_diagnosis_keeps_its_site_its_side_and_its_doubt(assessment: str, told: str, story_of: StoryOf) -> None:
    assert told in why(story_of, assessment)


@pytest.mark.parametrize(
    ("assessment", "never"),
    [
        ("Start heparin.\nPneumonia.", "diagnosis"),
        ("No fracture.", "diagnosis"),
        ("History of gout.", "diagnosis"),
        ("Pneumonia, r/o lung cancer.", "cancer"),
        ("ALL in remission.", ": all "),
        ("70-year-old woman with gout.", "diagnosis"),
        ("1. Gout.\n2. Dietitian for weight loss.", "ietitian"),
        ("1. Cellulitis.\n2. Discussed with Dr. Lee. He agrees.", "Lee"),
    ],
)
def test_what_is_ordered_denied_or_over_is_no_diagnosis(assessment: str, never: str, story_of: StoryOf) -> None:
    assert never not in why(story_of, assessment)


def test_a_story_without_a_reason_opens_with_the_diagnosis(story_of: StoryOf) -> None:
    told = story_of("HISTORY: Well until Monday.\n\nASSESSMENT: Left ankle sprain.\n").story
    assert told.why[0].text.startswith("You were seen for left ankle sprain")
    assert told.opening == 1


def test_what_the_opening_names_is_not_named_again(story_of: StoryOf) -> None:
    told = why(story_of, "1. Knee pain.\n2. Gout.", reason="Knee pain.")
    assert told.lower().count("knee pain") == 1
    assert "The team also dealt with: gout" in told


def test_what_stands_under_a_title_is_told_of_it(story_of: StoryOf) -> None:
    note = (
        "CHIEF COMPLAINT: Cough.\n\nASSESSMENT AND PLAN:\n1. Bronchitis.\n- Reasoning: She has no fever.\n"
        "2. Gout.\n- Reasoning: She has had no attacks since her wedding.\n"
    )
    read = story_of(note)
    told = next(
        one for one in read.story.found if one.text == "About gout: you have had no attacks since your wedding."
    )
    cited = " ".join(piece.text for piece in read.pieces if piece.id in told.citations)
    assert "Gout." in cited
    assert "no attacks" in cited


def test_a_history_that_only_names_the_diagnoses_is_not_told(story_of: StoryOf) -> None:
    note = (
        "CHIEF COMPLAINT: Cough.\n\nPAST MEDICAL HISTORY: Patient reports history of gout.\n\n"
        "ASSESSMENT:\n1. Cough.\n2. Gout.\n"
    )
    assert story_of(note).letter_text.lower().count("gout") == 1


@pytest.mark.parametrize(
    ("frame", "text", "again"),
    [("other", "acne vulgaris", True), ("", "You will try a milder soap.", False), ("other", "a milder soap", False)],
)
def test_a_title_that_a_plan_stands_under_is_no_plan(frame: str, text: str, again: bool) -> None:
    unit: Any = SimpleNamespace(section=SectionCategory.PLAN)
    title: Any = SimpleNamespace(text="acne vulgaris")
    assert is_named_again(WordedUnit(unit, text, frame), [title]) is again


@pytest.mark.parametrize(
    ("assessment", "told"),
    [
        (
            "1. Gout.\nThis is most likely due to the new water tablet.\n2. Hypertension.\nStable.",
            "About gout: this was most likely due to the new water tablet.",
        ),
        (
            "1. Peripheral neuropathy.\nLikely secondary to diabetes.\n2. Hypertension.\nStable.",
            "About peripheral neuropathy: this was likely because of diabetes.",
        ),
        ("Wrist pain.\nI believe this is a mild sprain of the wrist.", "your team believed this was a mild sprain"),
    ],
)
def test_the_reason_under_a_title_is_told_of_it_with_its_doubt(assessment: str, told: str, story_of: StoryOf) -> None:
    found = " ".join(
        one.text
        for one in story_of(_VISIT.format(reason="Wrist pain.", story="She fell.", assessment=assessment)).story.found
    )
    assert told.lower() in found.lower()


def test_a_hard_word_stays_where_what_is_left_names_nothing(story_of: StoryOf) -> None:
    assert "Patellofemoral pain syndrome" in why(story_of, "Patellofemoral pain syndrome.", "Knee pain.")
    assert "index finger" in why(story_of, "Right hand index finger contusion.", "Finger pain.")


@pytest.mark.parametrize("assessment", ["1. Scapholunate QZQ strain.\n2. Hypertension.", "1. Qzq lesion.\n2. Gout."])
def test_the_second_does_not_stand_for_a_first_that_cannot_be_told(assessment: str, story_of: StoryOf) -> None:
    told = story_of(_VISIT.format(reason="Wrist pain.", story="She fell on ice.", assessment=assessment)).letter_text
    assert "What the team thought" not in told
