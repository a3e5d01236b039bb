"""A second verb of the patient's behind a comma alone."""

import pytest

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.told_checks.joined_verbs import with_agreed_verbs, with_joined_verbs

WOMAN, BOY = Addressee("female"), Addressee("male", child=True)


@pytest.mark.parametrize(
    ("said", "patient", "joined"),
    [
        (
            "She has had aches when she types, has noticed them since May.",
            WOMAN,
            "She has had aches when she types, and she has noticed them since May.",
        ),
        (
            "She was admitted on Monday and being given fluids.",
            WOMAN,
            "She was admitted on Monday and was being given fluids.",
        ),
        ("She came with a cough, denies fever.", WOMAN, "She came with a cough, and she denies fever."),
        ("She was weak, felt like fainting.", WOMAN, "She was weak, and she felt like fainting."),
        ("He still is drowsy, will not sit up.", BOY, "He still is drowsy, and he will not sit up."),
        (
            "She had tried Nardil in the past, but did not help.",
            WOMAN,
            "She had tried Nardil in the past, but this did not help.",
        ),
        (
            "This is a 2-1/2-year-old boy with a large kidney, had an operation in May.",
            BOY,
            "This is a 2-1/2-year-old boy with a large kidney, and he had an operation in May.",
        ),
        ("Barking cough, keeps her awake.", WOMAN, "A barking cough, which keeps her awake."),
        ("Calf pain, stops her from walking.", WOMAN, "Calf pain, which stops her from walking."),
        # what the test was or showed is not the patient's
        ("She had a scan, showed a cyst.", WOMAN, "She had a scan, showed a cyst."),
        ("She had a scan, was normal.", WOMAN, "She had a scan, was normal."),
        ("The wound is red, was cleaned.", WOMAN, "The wound is red, was cleaned."),
        ("She went home, had a fever and came back.", WOMAN, "She went home, had a fever and came back."),
        ("She looked for a job, but did not work.", WOMAN, "She looked for a job, but did not work."),
    ],
)
def test_second_verb_gets_its_subject(said: str, patient: Addressee, joined: str) -> None:
    assert with_joined_verbs(said, patient) == joined


@pytest.mark.parametrize(
    ("told", "agreed"),
    [
        ("You had low energy but denies low mood.", "You had low energy but reported no low mood."),
        ("You were anxious at work and sleeps badly.", "You were anxious at work and slept badly."),
        ("You had a dry cough, which keeps you awake.", "You had a dry cough, which kept you awake."),
        # the pain comes, and not the patient
        ("You had knee pain that comes and goes.", "You had knee pain that comes and goes."),
        ("Your symptoms included falls and visits.", "Your symptoms included falls and visits."),
    ],
)
def test_a_second_verb_goes_with_whom_its_frame_speaks_to(told: str, agreed: str) -> None:
    assert with_agreed_verbs(told) == agreed
