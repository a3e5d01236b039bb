"""Denials: of allergies at all or of one to something, and sections that could not be read."""

import pytest

from backend.nlp.allergies.lists.denials import denials, outside, unreadable
from tests.nlp.allergies.small_note import small_note


def denied(text: str, in_section: bool) -> list[tuple[str, bool]]:
    note = small_note(text)
    found = denials(note.words, note.triggers(), 0, len(note.words), in_section)
    return [(note.said(one.first, one.last), one.general) for one in found]


@pytest.mark.parametrize("in_section", [True, False])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("No known drug allergies.", [("No known drug allergies", True)]),
        ("NKDA per the wife.", [("NKDA per the wife", True)]),
        ("No penicillin allergy.", [("No penicillin allergy", False)]),
        ("Not allergic to penicillin.", [("Not allergic to penicillin", False)]),
        ("No fever allergic to penicillin", []),
        ("Penicillin.", []),
    ],
)
def test_a_denial_is_general_only_where_it_names_nothing(
    text: str, found: list[tuple[str, bool]], in_section: bool
) -> None:
    assert denied(text, in_section) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [("None.", ("None", True)), ("Patient denies.", ("denies", True)), ("Latex: no", ("Latex: no", False))],
)
def test_a_bare_answer_denies_under_a_header_of_allergies_alone(text: str, found: tuple[str, bool]) -> None:
    assert denied(text, in_section=True) == [found]
    assert denied(text, in_section=False) == []


def test_a_denial_says_which_rule_read_it() -> None:
    note = small_note("None. NKDA.")
    found = denials(note.words, note.triggers(), 0, len(note.words), in_section=True)
    assert [one.rule_id for one in found] == ["allergies/lists/none", "allergies/events/none.nkda"]


@pytest.mark.parametrize(
    ("text", "cannot"),
    [("unable to obtain", True), ("?", True), ("unknown", True), ("penicillin", False), ("none", False)],
)
def test_a_section_is_unreadable_only_where_it_says_so(text: str, cannot: bool) -> None:
    note = small_note(text)
    assert unreadable(note.words, 0, len(note.words)) is cannot


def test_what_is_left_of_a_stretch_lies_outside_all_that_was_taken() -> None:
    assert list(outside(0, 10, [(6, 7), (2, 4)])) == [(0, 2), (4, 6), (7, 10)]
    assert list(outside(0, 5, [(3, 9), (1, 4)])) == [(0, 1)]
    assert list(outside(0, 10, [(1, 8), (2, 3)])) == [(0, 1), (8, 10)]  # one within another
    assert list(outside(0, 3, [(0, 3)])) == []
    assert list(outside(0, 3, [])) == [(0, 3)]
