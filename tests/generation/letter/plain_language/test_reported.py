"""Who told the history is left out of what they told; a parent reads of themselves as "you"."""

import pytest

from backend.generation.letter.plain_language.clause_subjects import FEMALE, MALE, Addressee
from backend.generation.letter.plain_language.reported import to_parent, to_you, unreported

WOMAN, BOY = Addressee(FEMALE), Addressee(MALE, child=True)


@pytest.mark.parametrize(
    ("text", "patient", "told"),
    [
        ("She states that the pain is worse at night.", WOMAN, "The pain is worse at night."),
        ("The patient reports she has no appetite.", WOMAN, "She has no appetite."),
        ("The mother says that he is eating well.", BOY, "He is eating well."),
        ("Her daughter says that she is confused.", WOMAN, "Her daughter says that she is confused."),
        ("She reports nausea and a cough.", WOMAN, "She reports nausea and a cough."),
        ("She says that he hit her.", WOMAN, "She says that he hit her."),
        ("She says no pain was felt.", WOMAN, "She says no pain was felt."),
    ],
)
def test_a_sentence_stands_without_who_told_it(text: str, patient: Addressee, told: str) -> None:
    assert unreported(text, patient) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The parents rushed him to the clinic.", "You rushed him to the clinic."),
        ("They gave him fluids.", None),  # whoever they are
        ("Your child was brought in by his mother.", "Your child was brought in by his mother."),
        ("Your child was seen by them.", None),
        ("The syrup was given and mom thought it helped.", None),
        ("The doctor told the parents to wait.", None),
    ],
)
def test_parents_are_the_readers(text: str, told: str | None) -> None:
    assert to_parent(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("You also deny any rash.", "You also report no rash."),
        (
            "You have cramps and complain of nausea but deny fever.",
            "You have cramps and report nausea but report no fever.",
        ),
        ("You fell and presented to the clinic.", "You fell and came to the clinic."),
        ("You now present with a rash.", "You came with a rash."),
        (
            "You have completed two courses and come in to clinic today.",
            "You have completed two courses and come in to clinic today.",
        ),
        ("You report confusion and state of alarm.", "You report confusion and state of alarm."),
    ],
)
def test_verbs_of_charts_are_told_plainly_behind_adverbs_and_a_shared_subject(text: str, told: str) -> None:
    assert to_you(text) == told


def test_a_parent_does_not_stay_she_in_a_letter_of_a_boy() -> None:
    assert to_parent("You gave syrup, which she feels has helped.", MALE) is None
    assert to_parent("Your child was seen by a nurse and she weighed him.", MALE) is not None
    assert to_parent("You gave syrup when she had a cough.", FEMALE) == "You gave syrup when she had a cough."
