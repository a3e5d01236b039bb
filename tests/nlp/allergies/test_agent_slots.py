"""The names beside a trigger: after it in a row, right before it, and before it."""

import pytest

from backend.nlp.allergies.agent_slots import AgentSlots
from backend.nlp.allergies.agents import Agent
from tests.nlp.allergies.small_note import SmallNote, small_note


def slots(note: SmallNote) -> tuple[AgentSlots, list[Agent]]:
    return AgentSlots(note.words, note.agents), note.agents.within(0, len(note.words))


def after(text: str, loose: bool) -> list[tuple[str, bool]]:
    """What fills the slot behind the first two words."""
    note = small_note(text)
    found, agents = slots(note)
    row = found.after(2, len(note.words), {one.first: one for one in agents}, loose)
    return [(note.said(*one[:2]), one.known) for one in row]


@pytest.mark.parametrize(
    ("text", "loose", "found"),
    [
        ("Allergic to penicillin, latex and codeine.", False, [("penicillin", True), ("latex", True), ("codeine", True)]),
        ("Allergic to penicillin (hives) and latex.", False, [("penicillin", True), ("latex", True)]),
        ("Allergic to penicillin. Takes codeine.", False, [("penicillin", True)]),
        ("Allergic to Zorbivax.", False, [("Zorbivax", False)]),
        ("Allergic to blue cheese.", True, [("blue cheese", False)]),
        ("Allergic to blue cheese.", False, []),
        ("Allergic to the", True, []),
    ],
)  # fmt: skip
def test_a_row_of_names_ends_with_the_row_and_plain_words_count_only_where_they_may(
    text: str, loose: bool, found: list[tuple[str, bool]]
) -> None:
    assert after(text, loose) == found


def test_a_name_right_before_brings_those_in_a_row_with_it() -> None:
    note = small_note("Penicillin and latex allergy.")
    found, agents = slots(note)
    assert found.right_before(3, 0, agents) == [Agent(0, 1), Agent(2, 3)]
    assert found.right_before(3, 1, agents[1:]) == [Agent(2, 3)]


def test_a_name_nobody_knows_fills_the_place_before_and_a_word_of_the_language_does_not() -> None:
    strange, plain = small_note("Zorbivax allergy."), small_note("Seasonal allergy.")
    assert slots(strange)[0].right_before(1, 0, []) == [Agent(0, 1, known=False)]
    assert slots(plain)[0].right_before(1, 0, []) == []
    assert slots(strange)[0].right_before(0, 0, []) == []  # nothing stands before the first word


def test_a_name_too_far_before_or_behind_a_semicolon_fills_nothing() -> None:
    note = small_note("Codeine once long ago made her ill; latex")
    found, agents = slots(note)
    assert found.before(4, 0, agents, far=3) == [Agent(0, 1)]
    assert found.before(5, 0, agents, far=3) == []
    assert found.before(8, 0, agents[:1], far=9) == []
