"""Where a note names procedures, tests and devices."""

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.procedures.procedure_names import Name, names_of, side_of
from tests.nlp.fresh import linker


def named(text: str) -> list[Name]:
    return names_of(parse_note(text), linker().link(text).note.mentions)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("She had an arthroscopy.", [("arthroscopy", "procedure", True)]),
        ("He has a pacemaker.", [("pacemaker", "device", True)]),
        ("Chest x-ray is clear.", [("chest x-ray", "test", True)]),
        ("She had a zorbin repair.", [("zorbin repair", "procedure", False)]),  # known by its last word
        ("She had a zorbectomy.", [("zorbectomy", "procedure", False)]),  # known by its ending
        ("She has a cough.", []),
        ("", []),
    ],
)
def test_a_name_is_the_lexicon_s_or_keeps_its_words(text: str, names: list[tuple[str, str, bool]]) -> None:
    assert [(one.name, one.kind, one.concept_id is not None) for one in named(text)] == names


def test_an_item_of_a_surgical_list_is_a_name_whatever_it_is_called() -> None:
    found = named("Past Surgical History: appendectomy, blorb of the zorb, left, none")
    assert [(one.name, one.listed) for one in found] == [("appendectomy", True), ("blorb of the zorb", True)]
    assert named("She told of the blorb of the zorb.") == []


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("left knee arthroscopy", "left"),
        ("arthroscopy of the right knee", "right"),
        ("arthroscopy, left foot pain", ""),  # of the next item
        ("arthroscopy", ""),
    ],
)
def test_the_side_beside_a_name_is_its_own(text: str, side: str) -> None:
    note = parse_note(text)
    (one,) = [name for name in named(text) if "arthroscopy" in name.name]
    assert side_of(note, one) == side


def test_names_are_in_order_and_their_places_quote_them() -> None:
    text = "Colonoscopy, then zorbin repair and a chest x-ray."
    found = named(text)
    assert [text[one.start_char : one.end_char] for one in found] == ["Colonoscopy", "zorbin repair", "chest x-ray"]
