"""Misspelt words of statements about allergies are put right, and offsets still index the text as written."""

import pytest

from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.fresh import linker


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
