"""Sentences that lean on what nobody told."""

import pytest

from backend.generation.letter.told_checks.others_told import leans_on_untold


@pytest.mark.parametrize("text", ["Given this picture, a second opinion was asked for.", "No aspirin until then."])
def test_leaning_sentence_is_found(text: str) -> None:
    assert leans_on_untold(text)


@pytest.mark.parametrize("text", ['You have limped "for as long as I know".', "Given your age, you were seen first."])
def test_sentence_that_stands_alone_is_told(text: str) -> None:
    assert not leans_on_untold(text)
