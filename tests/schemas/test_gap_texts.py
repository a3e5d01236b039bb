"""Which texts state nothing: gaps, and medicines about which the team is asked; never what says more than that."""

import pytest

from backend.schemas.drafts.gaps import (
    HOW_MUCH,
    SO_FAR,
    TO_CHECK,
    WHETHER,
    asks_of_medicines,
    gap_text,
    is_no_statement,
    lists_open_medicines,
)


@pytest.mark.parametrize(
    "text", [f"Furosemide: {gap_text(WHETHER)}", f"Aspirin 81 mg; drug 5: {gap_text(HOW_MUCH)}", f"[{WHETHER}]"]
)
def test_a_gap_and_medicines_before_their_question_state_nothing(text: str) -> None:
    assert is_no_statement(text)


@pytest.mark.parametrize(
    "text",
    [
        f"Your scan showed a mass {gap_text(WHETHER)}",
        f"Furosemide: {gap_text(WHETHER)}. Stop aspirin.",
        f"Furosemide: {gap_text('appointments')}",
        f": {gap_text(WHETHER)}",
        "Furosemide: take it.",
    ],
)
def test_what_says_more_or_asks_something_else_is_compared(text: str) -> None:
    assert not asks_of_medicines(text)


def test_what_lists_open_medicines_is_known_and_is_a_statement() -> None:
    for text in (f"{SO_FAR}: aspirin 81 mg.", f"{TO_CHECK}: aspirin 81 mg."):
        assert lists_open_medicines(text) and not is_no_statement(text)
    assert not lists_open_medicines("Keep taking: aspirin 81 mg.")
