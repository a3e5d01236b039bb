"""The reaction of an allergy as the letter tells it: what it was, and not who says so or what it was not."""

import pytest

from backend.generation.composer.patient_sentences import _reaction_parts


@pytest.mark.parametrize(
    ("reaction", "told"),
    [
        ("wheeze this adm", ["wheeze"]),
        ("GI upset only per patient", ["GI upset"]),
        ("rash in 2016, no mucosal involvement per old records", ["rash in 2016"]),
        ("sets off", []),
        ("itching, hand rash", ["itching", "hand rash"]),
        ("no rash but fever", ["no rash but fever"]),
        ("nausea - intolerance, not allergy", ["nausea"]),
    ],
)
def test_a_reaction_is_told_without_its_source(reaction: str, told: list[str]) -> None:
    assert list(_reaction_parts(reaction)) == told
