"""Reactions of one entry, each once and the fuller of two."""

import pytest

from backend.nlp.allergies.lists.list_grammar import with_reaction


@pytest.mark.parametrize(
    ("held", "another", "told"),
    [
        ("", "hives", "hives"),
        ("hives", "wheeze", "hives, wheeze"),
        ("stomach", "stomach upset", "stomach upset"),
        ("itchy rash", "rash", "itchy rash"),
        ("hives, cough", "dry cough", "hives, dry cough"),
        ("no rash", "rash", "no rash, rash"),
        ("rash", "no rash", "rash, no rash"),
    ],
)
def test_the_fuller_reaction_stands(held: str, another: str, told: str) -> None:
    assert with_reaction(held, another) == told
