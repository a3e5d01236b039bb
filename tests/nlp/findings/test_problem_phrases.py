"""Phrases that name a problem by their last word."""

from itertools import pairwise

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.findings.problem_phrases import by_ending, headed_phrases, word_kind


def named(text: str, *taken: int) -> list[str]:
    note = parse_note(text)
    marks = bytearray(len(note.words))
    for place in taken:
        marks[place] = 1
    return [phrase.name(note) for phrase in headed_phrases(note, marks)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Non-healing wound of the left thigh.", ["non-healing wound of the left thigh"]),
        ("Poor appetite.", ["poor appetite"]),
        ("Appetite is poor.", ["appetite is poor"]),
        ("nasal obstruction", ["nasal obstruction"]),
        ("She has zorbinitis.", ["zorbinitis"]),  # an ending of diseases
        ("Appetite is good.", []),
        ("wound care", []),  # a wound is not what is named
        ("Strength and sensation are intact.", []),
        ("", []),
        ("Weight is 180 pounds.", []),
        ("He came c/o steadily worsening pain.", ["worsening pain"]),
        ("Her nose is frequently dry.", ["dry nose"]),
        ("Right shoulder stiff, no change.", ["stiff shoulder"]),
        ("The floor of the mouth is also indurated.", ["indurated mouth"]),
        ("Skin is warm and dry.", []),
        ("The throat is not red.", []),
    ],
)
def test_a_problem_takes_the_words_around_its_noun(text: str, names: list[str]) -> None:
    assert named(text) == names


def test_what_is_named_already_is_left() -> None:
    assert named("nasal obstruction", 1) == []
    assert named("nasal obstruction", 0) == ["obstruction"]


def test_phrases_are_in_order_and_apart() -> None:
    note = parse_note("Wound of the thigh, poor appetite and nasal obstruction.")
    found = headed_phrases(note, bytearray(len(note.words)))
    assert len(found) == 3
    assert all(one.last <= two.first for one, two in pairwise(found))


@pytest.mark.parametrize(
    ("word", "kind"),
    [("wound", "head"), ("wounds", "head"), ("appetite", "part"), ("zorbinitis", "head"), ("table", "")],
)
def test_what_a_word_is_for_a_phrase(word: str, kind: str) -> None:
    assert word_kind(word) == kind


def test_an_ending_tells_only_words_that_are_no_english_ones() -> None:
    assert by_ending("zorbinitis")
    assert not by_ending("itis")  # no root before it
    assert not by_ending("table")
