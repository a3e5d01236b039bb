"""What is told as a reason: what names a complaint or an illness, a clause, and when; nothing that is cut off."""

import pytest

from backend.generation.letter.medicines.stated.told_reasons import told_reason
from tests.nlp.fresh import linker


@pytest.mark.parametrize(
    "reason", ["pain", "kidney injury", "leg swelling", "it made her dizzy", "until the count recovers"]
)
def test_a_reason_is_told(reason: str) -> None:
    assert told_reason(reason, linker()) == reason


@pytest.mark.parametrize("reason", ["severe", "cont", "home", "first", "see above", ""])
def test_words_that_are_none_are_left_out(reason: str) -> None:
    assert told_reason(reason, linker()) == ""
