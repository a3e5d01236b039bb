"""What a letter between clinicians asks of the patient's doctor is told as asked, and never as the patient's to do."""

import pytest

from backend.generation.letter.told_checks.clinician_requests import (
    asked_doctor,
    is_request,
    is_to_colleague,
    request_told,
)
from tests.generation.letter.conftest import StoryOf


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Please stop naproxen.", "The GP is asked to stop naproxen."),
        ("Please never prescribe codeine again.", "The GP is asked never to prescribe codeine again."),
        ("Please do not restart ramipril.", "The GP is asked not to restart ramipril."),
        (
            "Grateful if you would repeat the blood count in 2 weeks.",
            "The GP is asked to repeat the blood count in 2 weeks.",
        ),
        ("I would be grateful if you could stop amlodipine", "The GP is asked to stop amlodipine."),
        ("Could you please recheck her iron", "The GP is asked to recheck her iron."),
        ("GP to check the thyroid in May.", "The GP is asked to check the thyroid in May."),
        ("Grateful if you would check again in 2 weeks.", ""),
        ("Please check.", ""),
    ],
)
def test_a_request_is_told_as_what_a_doctor_is_asked(text: str, told: str) -> None:
    assert is_request(text, to_colleague=True)
    assert request_told(text, "GP") == told


@pytest.mark.parametrize("text", ["Please with a spoon.", "She is pleased.", "Stop naproxen.", "GP visit in May."])
def test_other_words_are_no_request(text: str) -> None:
    assert not is_request(text, to_colleague=True)


def test_please_asks_a_colleague_only_in_a_letter_to_one() -> None:
    assert not is_request("Please rest the knee.", to_colleague=False)
    assert is_to_colleague("Clinic letter\n\nDear Dr Amin,\n")
    assert not is_to_colleague("Her dear doctor came.")
    assert asked_doctor("Copy to the GP.") == "GP"
    assert asked_doctor("Dear Doctor") == "own doctor"


def test_a_letter_between_clinicians_orders_nothing_of_its_patient(story_of: StoryOf) -> None:
    note = (
        "Dear Doctor\n\nI saw this 58-year-old woman with gout.\n\nImpression and plan:\n1. Please stop naproxen.\n"
        "2. Grateful if you would check again in 2 weeks.\n"
    )
    told = story_of(note).letter_text
    assert "Your own doctor" in told and "asked to stop naproxen" in told
    assert "Grateful" not in told and "Please" not in told
