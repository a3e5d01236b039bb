"""Medicines by ingredient: the statements of a record and the entries of a list that are of one medicine."""

import pytest

from backend.generation.letter.medicines.medicine_groups import Medicine, MedicineReader
from tests.generation.letter.reading import record_of
from tests.nlp.fresh import linker


def of_note(text: str) -> list[Medicine]:
    return MedicineReader(linker(), text).of_note(record_of(text).medications)


def of_list(*entries: str) -> list[Medicine]:
    return MedicineReader(linker()).of_list(entries)


def test_a_brand_and_its_generic_are_one_medicine() -> None:
    (one,) = of_note("Medications: Lasix 40 mg daily.\nPlan: increase furosemide to 80 mg daily.")
    assert len(one.statements) == 2
    assert one.name == "Lasix (furosemide)"
    (entry,) = of_list("furosemide 40 mg daily")
    assert one.is_same(entry)


def test_a_combination_shares_an_ingredient_and_is_not_the_same() -> None:
    whole, part = of_list("lisinopril-hydrochlorothiazide 20 mg daily", "lisinopril 20 mg daily")
    assert whole.shares(part) and not whole.is_same(part)


def test_what_is_put_on_the_skin_is_another_medicine() -> None:
    cream, tablet = of_list("metronidazole 0.75 % topically twice daily", "metronidazole 500 mg by mouth daily")
    assert cream.ingredients == tablet.ingredients
    assert not cream.is_same(tablet) and not cream.shares(tablet)


def test_a_more_exact_name_narrows_another() -> None:
    wide, narrow = of_list("insulin 10 units daily", "insulin glargine 10 units daily")
    assert wide.narrows(narrow) and not narrow.narrows(wide)


@pytest.mark.parametrize(
    ("entry", "name", "recognised"),
    [("1. furosemide 40 mg daily", "furosemide", True), ("zorblax 5 mg daily", "zorblax", False)],
)
def test_an_entry_is_a_medicine_known_or_not(entry: str, name: str, recognised: bool) -> None:
    (one,) = of_list(entry)
    assert (one.name, one.recognised, one.entry) == (name, recognised, 0)


@pytest.mark.parametrize(
    ("entry", "unclear"),
    [
        ("furosemide 40 mg daily", False),
        ("furosemide 40 mg daily (not as before)", True),
        ("same as before", True),  # no medicine in it: kept in its own words
    ],
)
def test_words_that_may_turn_an_entry_round_make_it_unclear(entry: str, unclear: bool) -> None:
    assert [one.unclear for one in of_list(entry)] == [unclear]


def test_empty_entries_give_nothing_and_others_keep_their_number() -> None:
    assert [one.entry for one in of_list("", " - ", "aspirin 81 mg")][-1] == 2
    assert of_list() == []
    assert of_note("She has a cough.") == []
