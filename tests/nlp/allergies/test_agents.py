"""Agents: known names, looked-up words, and words that no dictionary holds."""

import pytest

from backend.nlp.allergies.agents import Agent
from tests.nlp.allergies.small_note import small_note


def among(text: str) -> list[tuple[str, bool]]:
    note = small_note(text)
    return [(note.said(*one[:2]), one.known) for one in note.agents.among(0, len(note.words))]


def test_known_names_come_in_order_and_without_overlap() -> None:
    note = small_note("Contrast dye, then penicillin and codeine.")
    found = note.agents.within(0, len(note.words))
    assert found == [Agent(0, 2), Agent(4, 5), Agent(6, 7)]
    assert note.agents.within(5, len(note.words)) == [Agent(6, 7)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("He took Zorbivax 250 mg and slept.", [("Zorbivax", False)]),  # written as a name, with a dose
        ("Started glorvamycin on Monday.", [("glorvamycin", True)]),  # ends as medicines do
        ("Dr. Okonkwo saw him.", []),  # somebody's name
        ("Seen in the latex room.", []),  # tells what a room is for
        ("He took his dinner at six and slept.", []),
        ("", []),
    ],
)
def test_running_text_names_an_unknown_agent_only_where_its_place_or_ending_says_so(
    text: str, found: list[tuple[str, bool]]
) -> None:
    assert among(text) == found


def test_what_replaces_another_is_a_replacement_and_what_is_replaced_is_none() -> None:
    note = small_note("Penicillin was switched to codeine.")
    old, new = note.agents.within(0, len(note.words))
    assert (note.agents.is_replacement(old, 0), note.agents.is_replacement(new, 0)) == (False, True)


@pytest.mark.parametrize(
    ("word", "strange"), [("Zorbivax", True), ("walked", False), ("zor", False), ("1234", False), ("hives", False)]
)
def test_a_word_of_the_language_or_a_short_one_is_no_strange_name(word: str, strange: bool) -> None:
    assert small_note(word).agents.strange(0) is strange


def test_a_word_in_capitals_alone_is_not_written_as_a_name() -> None:
    note = small_note("Latex LATEX latex")
    assert [note.agents.capital(i) for i in range(3)] == [True, False, False]


def test_a_name_behind_a_title_is_somebody_s() -> None:
    note = small_note("Dr. Okonkwo met Okonkwo")
    assert [(note.agents.titled(i), note.agents.strange(i)) for i in (2, 4)] == [(True, False), (False, True)]
