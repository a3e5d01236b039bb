"""What a chart logs, shortens or leaves open is no story for its patient; written for these tests."""

import pytest

from tests.generation.letter.conftest import StoryOf

EMERGENCY = (
    "EMERGENCY DEPARTMENT NOTE\nCHIEF COMPLAINT: Flank pain.\nHPI: She had pain in the left flank since morning.\n"
)


@pytest.mark.parametrize(
    ("section", "never"),
    [
        ("ED COURSE: ketorolac 30 IV, ondansetron 4 IV, hydromorphone 1 IV.", "IV"),
        ("ED COURSE: 0145 pain 8/10, fentanyl given.", "0145"),
        ("ED COURSE: 22:40 resting, pain better with ketorolac.", "22:40"),
        ("HOSPITAL COURSE: Pain 2/10.", "2/10"),
        ("RESULTS: Urine culture sent.", "sent"),
        ("RESULTS: Blood cultures drawn and pending.", "Tests found"),
        ("ASSESSMENT: Hypothyroidism none.", "thyroid"),
        ("ASSESSMENT: Eczema childhood only.", "thought: eczema"),
        ("ASSESSMENT: Pneumonia - resolved.", "thought"),
        ("HPI: Gallstones also possible.", "had gallstones"),
        ("PAST MEDICAL HISTORY: Sulfasalazine was tried in 2020 and caused a rash.", "includes a rash"),
        ("MEDICATIONS: Prednisone 40 mg daily -- plan to taper by PCP after 2 weeks.", "to have taper"),
    ],
)
def test_what_is_no_story_is_not_told(story_of: StoryOf, section: str, never: str) -> None:
    assert never.lower() not in story_of(f"{EMERGENCY}\n{section}\n").letter_text.lower()


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ("HOSPITAL COURSE: No transfusion.", "In the emergency department: no transfusion."),
        ("PAST MEDICAL HISTORY: Gout, ankle fx in 2011 (boot for 6 wks).", "broken ankle"),
        ("RESULTS: CT abdomen showed a kidney stone.", "kidney stone"),
        ("HPI: She has severe hydronephrosis.", "severe hydronephrosis (kidney swollen by backed-up urine)"),
        ("ASSESSMENT: Kidney stone. Dehydration.", "The team dealt with: kidney stone"),
        ("PAST SURGICAL HISTORY: 2012 appendectomy.", "appendix removal"),
    ],
)
def test_what_is_one_is_told(story_of: StoryOf, section: str, told: str) -> None:
    assert told in story_of(f"{EMERGENCY}\n{section}\n").letter_text
