"""The note of a synthetic patient: its sections, what is listed, and nothing twice."""

from pathlib import Path

import pytest

from backend.training.synthetic.scenario_library import Library
from backend.training.synthetic.synthetic_note import listing, write_note
from tests.training.synthetic.drawn import library_of, speaking

ALWAYS = """
[[comorbidity]]
id = "pressure"
names = ["high blood pressure"]
chance = [1.0, 1.0, 1.0]
medicines = ["lisinopril 10 mg daily"]

[[comorbidity]]
id = "kidney"
names = ["kidney disease"]
chance = [1.0, 1.0, 1.0]
medicines = ["lisinopril 20 mg daily", "furosemide 40 mg daily"]
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return library_of(tmp_path, comorbidities=ALWAYS)


def note(library: Library, seed: int) -> str:
    return write_note(library, *speaking(library, seed))


@pytest.mark.parametrize(
    ("items", "word", "listed"),
    [
        ((), "and", ""),
        (("a",), "and", "a"),
        (("a", "b"), "or", "a or b"),
        (("a", "b", "c"), "and", "a, b, and c"),
    ],
)
def test_a_listing_is_read_aloud(items: tuple[str, ...], word: str, listed: str) -> None:
    assert listing(items, word) == listed


def test_every_note_has_its_allergies_complaint_and_story_in_this_order(library: Library) -> None:
    heads = [
        [one.text for one in library.frames.texts[name]] for name in ("allergies_head", "complaint_head", "hpi_head")
    ]
    for seed in range(12):
        paragraphs = note(library, seed).split("\n\n")
        assert [part.split("\n")[0] in names for part, names in zip(paragraphs, heads, strict=False)] == [True] * 3
        assert "The toe hurt at night." in paragraphs[2]
        assert paragraphs[1].split("\n")[1] == "toe pain"


def test_a_medicine_is_listed_once_however_many_illnesses_bring_it(library: Library) -> None:
    texts = [note(library, seed).lower() for seed in range(24)]
    # a layout without a section of medicines may leave all of them out
    assert {(text.count("lisinopril"), text.count("furosemide")) for text in texts} == {(0, 0), (1, 1)}


def test_no_section_is_empty_and_no_slot_is_left(library: Library) -> None:
    for seed in range(12):
        text = note(library, seed)
        assert all(part.split("\n", 1)[1].strip() for part in text.split("\n\n"))
        assert "{" not in text and "}" not in text


def test_the_same_generator_writes_the_same_and_another_another_note(library: Library) -> None:
    assert note(library, 3) == note(library, 3)
    assert len({note(library, seed) for seed in range(8)}) > 1
