"""The letter of a synthetic patient: what is said of medicines, what is left out, and how it is laid out."""

import re
from pathlib import Path

import pytest

from backend.training.synthetic.scenario_library import Library
from backend.training.synthetic.synthetic_letter import write_letter
from tests.training.synthetic.drawn import library_of, speaking
from tests.training.synthetic.test_scenarios import SCENARIO

CHANGES = """
changes = [
  { start = ["colchicine"], for = ["for the pain"] },
  { stop = ["ibuprofen"] },
  { start = ["naproxen"] },
]
advice = ["Drink enough water."]
warnings = ["the toe turns black", "you have a fever"]
"""
EXCLUDED = SCENARIO.replace("female = 0", 'female = 0\nexcluded_drugs = ["naproxen", "ibuprofen"]') + CHANGES


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return library_of(tmp_path, EXCLUDED)


def letters(library: Library, count: int = 25) -> list[str]:
    return [write_letter(library, *speaking(library, seed)) for seed in range(count)]


def test_every_letter_says_why_and_what_to_do(library: Library) -> None:
    for text in letters(library):
        assert "You were admitted with gout." in text
        assert "Drink enough water." in text
        assert "colchicine" in text.lower()
        assert "the toe turns black" in text.lower() or "you have a fever" in text.lower()


def test_what_the_stay_forbids_is_stopped_and_never_started(library: Library) -> None:
    for text in letters(library):
        assert "ibuprofen" in text.lower()  # it is stopped
        assert "naproxen" not in text.lower()


def test_without_changes_no_medicine_is_named(tmp_path: Path) -> None:
    plain = letters(library_of(tmp_path, SCENARIO))
    assert all("colchicine" not in text.lower() for text in plain)
    assert all("You were admitted with gout." in text for text in plain)


def test_a_letter_has_no_gap_no_slot_and_no_list_in_a_list(library: Library) -> None:
    for text in letters(library):
        assert re.search(r"\n{3,}|\n |- - |[{}]", text) is None
        assert text == text.strip()


def test_layouts_differ_by_draw_and_one_draw_is_always_the_same(library: Library) -> None:
    once = letters(library)
    assert letters(library) == once
    assert {text.count("\n\n") > 2 for text in once} == {True, False}
