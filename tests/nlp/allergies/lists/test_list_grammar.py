"""The grammar of an allergies section: groups of words into entries with their reactions."""

import pytest

from backend.nlp.allergies.lists.list_grammar import RULE, ListReader
from tests.nlp.allergies.small_note import SmallNote, small_note


def read(note: SmallNote, denied: bool = False) -> ListReader:
    reader = ListReader(note.note, note.words, note.agents, note.allergens)
    reader.read(0, len(note.words), denied)
    return reader


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        (
            "penicillin (hives), latex - rash; codeine",
            [("penicillin", "hives"), ("latex", "rash"), ("codeine", "")],
        ),
        ("penicillin hives codeine", [("penicillin", "hives"), ("codeine", "")]),
        ("penicillin, hives", [("penicillin", "hives")]),
        ("Zorbivax: lips swelled", [("Zorbivax", "lips swelled")]),
        ("1. penicillin\n2. latex", [("penicillin", ""), ("latex", "")]),
        ("penicillin / latex", [("penicillin", ""), ("latex", "")]),
        ("Drug: penicillin", [("penicillin", "")]),
        ("Drug:", []),
        ("hives", []),
    ],
)
def test_a_reaction_belongs_to_the_entry_before_it_and_a_label_is_none(
    text: str, entries: list[tuple[str, str]]
) -> None:
    note = small_note(text)
    found = read(note).entries
    assert [(note.said(one.first, one.last), one.reaction) for one in found] == entries
    assert {one.rule_id for one in found} <= {RULE}


@pytest.mark.parametrize("text", ["latex: no", "latex no", "latex - denies", "latex   n", "latex? no"])
def test_a_name_that_is_answered_by_no_is_no_entry(text: str) -> None:
    assert read(small_note(text)).entries == []


def test_entries_of_several_readings_stay_in_order() -> None:
    note = small_note("latex, penicillin")
    reader = ListReader(note.note, note.words, note.agents, note.allergens)
    reader.read(0, 1)
    reader.read(2, 3)
    assert [note.said(one.first, one.last) for one in reader.entries] == ["latex", "penicillin"]
