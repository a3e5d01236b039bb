"""Misspelt words of statements about allergies are put right, and offsets still index the text as written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.nlp.allergies.allergy_respelling import respelt
from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.fresh import linker


def test_a_text_without_such_a_word_is_left_alone() -> None:
    assert respelt("Allergic to penicillin, rash.") is None
    assert respelt("") is None


def test_places_are_told_in_both_texts() -> None:
    found = respelt("Pt alergic to PCN d/t rahs.")
    assert found is not None
    assert found.text == "Pt allergic to PCN due to rash."
    # "PCN" stands at 14 as written, and one letter later once "alergic" has its second l
    assert (found.forward(14), found.back(15)) == (14 + 1, 14)
    assert (found.forward(3), found.back(3)) == (3, 3)
    assert found.text[found.forward(18) :] == "due to rash."


@given(st.lists(st.sampled_from(["alergic", "to", "sweling", "d/t", "PCN", ",", "rxn"]), max_size=12))
def test_every_word_that_is_not_changed_keeps_its_place(words: list[str]) -> None:
    text = " ".join(words)
    found = respelt(text)
    if found is None:
        return
    place = 0
    for word in words:
        if word in ("to", "PCN", ","):
            forward = found.forward(place)
            assert found.text[forward : forward + len(word)] == word
            assert found.back(forward) == place
        place += len(word) + 1
    assert found.back(len(found.text)) == len(text)


@pytest.mark.parametrize(
    ("note", "item"),
    [
        ("HPI: Pt is alergic to pencillin. Sore throat.", "pencillin"),
        ("HPI: ibuprofin causes facial sweling, uses tylenol.", "ibuprofin"),
        ("HPI: rxn to keflex in 2019, now on clindamycin.", "keflex"),
    ],
)
def test_a_misspelt_allergy_is_listed_as_written(note: str, item: str) -> None:
    (found,) = linker().link(note).allergies.items
    assert (found.text, note[found.start_char : found.end_char]) == (item, item)


def test_a_misspelt_denial_is_one() -> None:
    assert linker().link("HPI: Cough. No know drug allergys.").allergies.status == AllergyStatus.NONE_KNOWN
