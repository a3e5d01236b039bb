"""Words that a patient cannot be expected to read."""

import pytest

from backend.generation.letter.plain_language.everyday import jargon


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("You had a stone in the right distal ureter.", ("distal", "ureter")),
        ("You have marked adenopathy.", ("adenopathy",)),
        ("You fell from a ladder and hurt your wrist.", ()),
        ("You were given lorazepam by Dr. Egophony.", ()),
        ("You have ptosis (a drooping eyelid).", ()),
        ("The team also notes: egophony.", ("egophony",)),
    ],
)
def test_jargon_is_found(text: str, words: tuple[str, ...]) -> None:
    assert jargon(text, {"lorazepam"}) == words
