"""A chief complaint in the patient's own words: "my finger" is yours, and the team's only where the team writes."""

import pytest

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.second_person import second_person

ADULT, CHILD = Addressee("female"), Addressee("female", child=True)


@pytest.mark.parametrize(
    ("text", "patient", "told"),
    [
        ("I cut my finger.", ADULT, "You cut your finger."),
        ("My head hurts and I am dizzy.", ADULT, "Your head hurts and you are dizzy."),
        ("Blood in my pee.", ADULT, "Blood in your pee."),
        ("I've been coughing for a week.", ADULT, "You have been coughing for a week."),
        ("It hurts me when I breathe.", ADULT, "It hurts you when you breathe."),
    ],
)
def test_i_and_my_of_a_chief_complaint_are_the_patient(text: str, patient: Addressee, told: str) -> None:
    assert second_person(text, patient, spoken=True) == told


@pytest.mark.parametrize("text", ["I was asked to see this patient.", "I saw her for chest pain."])
def test_one_who_speaks_of_the_patient_is_not_the_patient(text: str) -> None:
    assert second_person(text, ADULT, spoken=True) is None


def test_elsewhere_i_is_the_team() -> None:
    assert second_person("I recommend rest.", ADULT) == "Your team recommends rest."


def test_a_chief_complaint_of_the_team_is_the_teams() -> None:
    assert second_person("We were called for a fever.", ADULT, spoken=True) == "Your team was called for a fever."


def test_a_parent_speaks_of_what_is_theirs() -> None:
    assert second_person("I am worried.", CHILD, spoken=True) == "You are worried."
