"""Sentences that lean on what nobody told."""

import pytest

from backend.generation.letter.told_checks.others_told import is_of_other, leans_on_untold


@pytest.mark.parametrize("text", ["Given this picture, a second opinion was asked for.", "No aspirin until then."])
def test_leaning_sentence_is_found(text: str) -> None:
    assert leans_on_untold(text)


@pytest.mark.parametrize("text", ['You have limped "for as long as I know".', "Given your age, you were seen first."])
def test_sentence_that_stands_alone_is_told(text: str) -> None:
    assert not leans_on_untold(text)


@pytest.mark.parametrize(
    "text", ["If you have a fever she should call.", "She has gout.", "You rest when he has work."]
)
def test_a_pronoun_without_its_person_is_of_somebody_else(text: str) -> None:
    assert is_of_other(text)


@pytest.mark.parametrize(
    "text",
    ["Your wife says that she sleeps badly.", "You saw Dr. Hall, and he stopped it.", "If you have a fever, call."],
)
def test_a_pronoun_behind_its_person_is_not(text: str) -> None:
    assert not is_of_other(text)
