"""What bears on what becomes of a medicine: all its places together, with its entry, the label of its line and the heading above."""

from backend.nlp.medications.status.afterwards_features import noted_medicines
from tests.nlp.medications.status.evidence import features_of


def test_the_places_of_one_medicine_are_one_and_stand_in_the_order_of_their_last_words() -> None:
    stated, found = features_of("Takes ramipril 5 mg and Zocor 20 mg. Plan: stop ramipril.\n")
    assert [one.places for one in noted_medicines(stated)] == [(1,), (0, 2)]
    assert "places:2" in found["ramipril"]
    assert "places:1" in found["simvastatin"]


def test_an_entry_ends_with_its_line_and_before_the_next_name() -> None:
    _, found = features_of("ramipril 5 mg - keep, simvastatin 20 mg bin\nasleep\n")
    assert {"right>keep", "last:right>keep"} <= found["ramipril"]
    assert "right>bin" not in found["ramipril"]
    assert "right>bin" in found["simvastatin"]
    assert "right>asleep" not in found["simvastatin"]


def test_a_heading_is_the_last_line_above_that_names_no_medicine() -> None:
    _, found = features_of("STOP\nramipril 5 mg\nsimvastatin 20 mg\n\nKEEP ON\napixaban 5 mg bd\n")
    assert "heading=stop" in found["ramipril"]
    assert "heading=stop" in found["simvastatin"]
    assert "heading=keep on" in found["apixaban"]


def test_the_label_of_a_line_stands_before_the_name() -> None:
    _, found = features_of("Withheld: ramipril 5 mg\nsimvastatin 20 mg: nightly\n")
    assert "label>withheld" in found["ramipril"]
    assert not any(one.startswith("label") for one in found["simvastatin"])


def test_numbers_are_one_word_and_signs_are_words() -> None:
    _, found = features_of("bisoprolol 2.5 -> 5 mg\n")
    assert {"line>->", "line>0"} <= found["bisoprolol"]
