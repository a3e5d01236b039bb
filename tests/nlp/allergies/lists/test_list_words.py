"""What the words of an allergies section are to its grammar."""

import pytest

from backend.nlp.allergies.agents import Agent
from backend.nlp.allergies.lists.list_words import ListWords
from tests.nlp.allergies.small_note import small_note


def words(text: str) -> tuple[ListWords, int]:
    note = small_note(text)
    return ListWords(note.note, note.words, note.allergens), len(note.words)


@pytest.mark.parametrize(
    ("text", "at", "cuts"),
    [
        ("penicillin, latex", 1, True),
        ("penicillin - hives", 1, True),
        ("co-trimoxazole", 1, False),  # a hyphen within a name
        ("penicillin/latex", 1, True),
        ("rash w/ fever", 2, False),
        ("penicillin latex", 1, False),
    ],
)
def test_a_mark_ends_a_group_unless_it_stands_within_a_name(text: str, at: int, cuts: bool) -> None:
    of, last = words(text)
    assert of.is_cut(at, 0, last) is cuts


@pytest.mark.parametrize(("gap", "column"), [(" ", False), ("   ", True), ("\t", True)])
def test_a_column_begins_after_a_tab_or_several_blanks(gap: str, column: bool) -> None:
    of, _ = words(f"penicillin{gap}hives")
    assert of.is_column(1) is column


def test_no_after_a_label_answers_and_no_with_an_exclamation_mark_forbids() -> None:
    assert words("latex: no")[0].answers_no(2, 3)
    assert not words("latex: no!")[0].answers_no(2, 3)
    assert not words("latex: rash")[0].answers_no(2, 3)


def test_a_label_names_a_kind_of_thing_and_stands_before_a_colon() -> None:
    assert words("Drug: penicillin")[0].is_label(0, 1, 1)
    assert not words("penicillin: rash")[0].is_label(0, 1, 1)
    assert not words("Drug")[0].is_label(0, 1, 1)  # nothing follows


def test_an_effect_keeps_its_qualifier_and_loses_linking_words() -> None:
    of, last = words("gave her facial hives")
    begin, end = of.effect(0, last)
    assert small_note("gave her facial hives").said(begin, end) == "facial hives"
    assert of.reacts(0, last)
    assert not of.reacts(0, 2)


def test_a_stretch_is_trimmed_of_marks_and_widened_to_the_whole_name() -> None:
    of, last = words("- codeine phosphate ,")
    assert of.trimmed(0, last) == (1, 3)
    assert of.widened(Agent(1, 2), 0, last) == (1, 3)
    assert of.trimmed(0, 1) == (1, 1)  # a mark alone leaves nothing


@pytest.mark.parametrize(("text", "noise"), [("12", True), ("penicillin", False), ("12 latex", False)])
def test_a_number_tells_nothing(text: str, noise: bool) -> None:
    of, last = words(text)
    assert of.is_noise(0, last) is noise
