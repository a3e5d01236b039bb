"""A letter says nothing twice: a sign that another tells already as urgently, and no sign that is another."""

import pytest

from backend.generation.composer.written_so_far import WrittenSoFar
from backend.generation.standing.crisis_line import crisis_lines
from backend.knowledge.advice.sign_classes import Level

AMBULANCE = "Call an ambulance (911 in the US) if "
EMERGENCY = "Go to an emergency department now if "
TODAY = "Call your doctor today if "


@pytest.mark.parametrize(
    ("told", "later"),
    [
        (f"{AMBULANCE}you have chest pain or trouble breathing, or you faint.", f"{AMBULANCE}chest pain lasts long."),
        (f"{AMBULANCE}bleeding does not stop.", f"{EMERGENCY}bleeding does not stop after 10 minutes of pressure."),
        (f"{EMERGENCY}you have a fever, or shaking chills.", f"{TODAY}you have a fever of 100.4°F (38°C) or more."),
    ],
)
def test_a_narrower_case_of_what_is_as_urgent_is_a_repeat(told: str, later: str) -> None:
    written = WrittenSoFar()
    assert written.is_new(told)
    assert not written.is_new(later)


@pytest.mark.parametrize(
    ("told", "later"),
    [
        (f"{TODAY}you have a headache.", f"{AMBULANCE}a headache is sudden and very bad."),
        (f"{AMBULANCE}you faint, or have chest pain.", f"{TODAY}you feel faint when you stand."),
        (f"{AMBULANCE}your lips, face or tongue swell.", f"{AMBULANCE}your lips turn blue."),
        (f"{AMBULANCE}you have chest pain.", f"{AMBULANCE}chest pain comes back, or you cannot speak."),
    ],
)
def test_a_graver_level_and_another_sign_are_new(told: str, later: str) -> None:
    written = WrittenSoFar()
    assert written.is_new(told)
    assert written.is_new(later)


def test_the_crisis_line_is_said_once() -> None:
    written = WrittenSoFar()
    for line in crisis_lines("adult"):
        assert written.is_new(line, at=Level.EMERGENCY_DEPARTMENT)
    assert not written.is_new(f"{EMERGENCY}you think about suicide or harming yourself.")
    assert written.is_new(f"{EMERGENCY}you hear voices that tell you to hurt yourself or others.")
    assert written.is_new(f"{AMBULANCE}you have hurt yourself, or are about to act on a plan to die.")
