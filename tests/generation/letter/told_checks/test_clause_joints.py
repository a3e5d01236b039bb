"""Words that stand together as no sentence has them keep a text from being told."""

import pytest

from backend.generation.letter.told_checks.sentence_flaws import Flaw, flaw_of


@pytest.mark.parametrize(
    "text",
    [
        "You reported no you had ever smoked.",
        "You had pain in the your elbow.",
        "You felt weak but not been faint.",
        "Plan your team will send a swab.",
        "DH you were taking a tablet.",
        "You had a scan in May for possible stones the kidney was normal.",
    ],
)
def test_a_sentence_without_its_joints_is_flawed(text: str) -> None:
    assert flaw_of(text) is Flaw.SHORTHAND


@pytest.mark.parametrize(
    "text",
    [
        "Your team does not believe there is a need for that.",
        "You are to contact the team if you are having worse pain.",
        "You had pain the day you were seen.",
        "Your wife thought the swelling was new.",
        "You had a scan which showed the lump was smaller.",
        "You took a tablet a day for a week.",
        "You were told the scan was normal.",
    ],
)
def test_a_whole_sentence_is_not(text: str) -> None:
    assert flaw_of(text) is None
