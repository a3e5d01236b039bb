"""Items of what was read as an allergy: each thing once, with its concept, kind and reaction."""

import pytest

from backend.nlp.allergies.lists.items import Entry, allergy_items, reaction_kind
from backend.schemas.drafts.note import AllergyItem
from backend.schemas.vocabulary import AllergyKind
from tests.nlp.allergies.small_note import small_note

ALLERGY, INTOLERANCE = AllergyKind.ALLERGY, AllergyKind.INTOLERANCE


def items(text: str, *entries: Entry) -> tuple[AllergyItem, ...]:
    note = small_note(text)
    return allergy_items(note.note, entries, note.allergens)


def test_an_item_has_the_words_their_place_and_the_concept() -> None:
    text = "Reacts to Amoxil and Zorbivax."
    known, strange = items(text, Entry(4, 5), Entry(2, 3, "hives"))
    assert (known.text, known.concept_id, known.name, known.checked) == ("Amoxil", "S:amoxicillin", "amoxicillin", True)
    assert text[known.start_char : known.end_char] == "Amoxil"
    assert (strange.text, strange.concept_id, strange.checked) == ("Zorbivax", None, False)


def test_a_brand_and_its_medicine_are_one_item_that_takes_the_first_reaction_told() -> None:
    (item,) = items("amoxicillin, Amoxil", Entry(0, 1), Entry(2, 3, "nausea"))
    assert (item.text, item.reaction, item.kind) == ("amoxicillin", "nausea", INTOLERANCE)


def test_what_only_points_elsewhere_is_no_item() -> None:
    assert items("see chart", Entry(0, 2)) == ()
    assert items("penicillin") == ()


def test_a_device_that_somebody_cannot_use_is_no_item() -> None:
    assert items("walker", Entry(0, 1, rule_id="allergies/events/barred.cannot")) == ()


def test_a_device_that_is_listed_is_an_item() -> None:
    assert [item.text for item in items("walker", Entry(0, 1, rule_id="allergies/lists/entry"))] == ["walker"]


@pytest.mark.parametrize(
    ("read", "shown"),
    [
        ('"hives', "hives"),
        ("(rash", "rash"),
        (" itch;\n very", "itch; very"),
        ("- itch;", "itch"),
        ('"bad"', '"bad"'),
        ("", ""),
    ],
)
def test_a_reaction_is_shown_without_marks_that_lost_their_other_half(read: str, shown: str) -> None:
    (item,) = items("codeine", Entry(0, 1, read))
    assert item.reaction == shown


@pytest.mark.parametrize(
    ("said", "reaction", "kind"),
    [
        ("", "", ALLERGY),
        ("", "hives", ALLERGY),
        ("", "nausea", INTOLERANCE),
        ("intolerance", "", INTOLERANCE),
        ("intolerance", "anaphylaxis", ALLERGY),
        ("", "nausea and anaphylaxis", ALLERGY),
    ],
)
def test_an_allergic_reaction_beats_what_was_called_an_intolerance(said: str, reaction: str, kind: AllergyKind) -> None:
    assert reaction_kind(said, reaction) is kind
