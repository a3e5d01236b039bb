"""What a sentence denies or tells as tolerated ends where another thing did harm; what it only asks states nothing."""

import pytest

from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.fresh import linker


def listed(text: str) -> set[str]:
    return {one.text.lower() for one in linker().link(text).allergies.items}


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("Tolerates cephalexin, penicillin gave him hives.", "penicillin"),
        ("She gets along with morphine while codeine gives her a rash.", "codeine"),
        ("No allergy to latex, penicillin causes a rash.", "penicillin"),
        ("Denies allergy to sulfa, penicillin gave her hives as a child.", "penicillin"),
        ("No drug allergies and latex makes her hands blister.", "latex"),
        ("No reaction to cephalexin, vancomycin caused a rash.", "vancomycin"),
        ("Skin test to penicillin was negative, meropenem caused a rash.", "meropenem"),
        ("NKDA, though latex gloves give him a rash.", "latex gloves"),
        ("Can take cefdinir, cephalexin despite a rash with amoxicillin.", "amoxicillin"),
        ("Will codeine make me itch, since morphine gave me hives", "morphine"),
    ],
)
def test_harm_behind_something_harmless_is_listed(text: str, agent: str) -> None:
    assert listed(text) == {agent}


@pytest.mark.parametrize(
    "text",
    [
        "Tolerates cephalexin, amoxicillin without rash.",
        "Tolerates ceftriaxone, cefepime and meropenem.",
        "Denies allergies to penicillin, sulfa, and codeine.",
        "No known drug allergies, amoxicillin was prescribed for the rash behind his ear.",
        "No allergies to medicines, ibuprofen gives relief of her headaches.",
        "Albuterol gave him quick relief from his wheezing.",
        "No reaction to penicillin, and cephalexin never gave him hives.",
    ],
)
def test_what_did_no_harm_is_not(text: str) -> None:
    assert listed(text) == set()


def test_a_denial_of_one_thing_before_another_that_harms_is_none_of_all() -> None:
    assert linker().link("No allergy to latex, penicillin causes a rash.").allergies.status is AllergyStatus.LISTED


@pytest.mark.parametrize(
    "text",
    [
        "Does penicillin cause a rash?",
        "can amlodipine make my ankles swell",
        "can i drink grapefruit juice with atorvastatin",
        "No allergies. Does metoprolol cause fatigue?",
    ],
)
def test_a_question_tells_no_allergy(text: str) -> None:
    read = linker().link(text).allergies
    assert not read.items and not read.possible


@pytest.mark.parametrize(
    "text",
    ["Is allergic to penicillin.", "Does not tolerate codeine, vomits.", "Could not tolerate lisinopril due to cough."],
)
def test_a_sentence_without_its_subject_is_no_question(text: str) -> None:
    assert listed(text)
