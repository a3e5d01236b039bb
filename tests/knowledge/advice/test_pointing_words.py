"""Words that point to a medicine, and the sentence that a told one comes from."""

import pytest

from backend.knowledge.advice.pointing_words import as_it_stands, points, with_names

PASSAGE = "Take this pain pill with food. Ask before you add a second pill of this kind or aspirin. Drink water."


@pytest.mark.parametrize(
    "own", ["Take this pain pill with food.", "Ask before you add a second pill of this kind or aspirin."]
)
def test_a_sentence_that_is_told_with_names_is_found_again(own: str) -> None:
    told = with_names(own, "ibuprofen or naproxen")
    assert points(own) and not points(told) and "ibuprofen or naproxen" in told
    assert as_it_stands(told, PASSAGE) == own


@pytest.mark.parametrize("text", ["Drink water.", "Drink more water.", "Take ibuprofen without food."])
def test_any_other_sentence_stays(text: str) -> None:
    assert as_it_stands(text, PASSAGE) == text
