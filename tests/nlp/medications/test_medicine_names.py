"""The medicines that a note names: known ones, oxygen and fluids, and unknown entries of lists."""

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.nlp.medications.medicine_names import NamedMedicine, medicine_words, named_medicines
from backend.schemas.vocabulary import Category, SectionCategory
from tests.nlp.fresh import linker


def named(text: str) -> list[NamedMedicine]:
    return named_medicines(parse_note(text), linker().link(text).note.mentions)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("He takes aspirin and metformin.", [("aspirin", True), ("metformin", True)]),
        ("Medications: aspirin 81 mg daily, Zorbinex 5 mg daily.", [("aspirin", True), ("Zorbinex", False)]),
        ("on oxygen 2 L", [("oxygen", True)]),
        ("Medications: Zorbinex 5 mg\nPlan: stop the Zorbinex.", [("Zorbinex", False), ("Zorbinex", False)]),
        ("Plan: stop the Zorbinex.", []),  # without its entry in a list it may be anything
        ("Lithium level 0.8.", []),
        ("Allergies: penicillin", []),
        ("Family History: aspirin", [("aspirin", True)]),
        ("Medications: she walked into the room and sat down", []),
        ("", []),
    ],
)
def test_what_is_taken_is_named_once_and_the_rest_is_left(text: str, names: list[tuple[str, bool]]) -> None:
    assert [(one.name, one.recognised) for one in named(text)] == names


def test_a_name_knows_its_place_and_section() -> None:
    text = "HPI: cough.\nMedications: Zorbinex 5 mg"
    (one,) = named(text)
    assert text[one.start_char : one.end_char] == "Zorbinex"
    assert (one.concept_id, one.section) == (None, SectionCategory.MEDICATIONS)


@pytest.mark.parametrize(
    ("name", "recognised", "parts"),
    [
        ("amoxicillin-clavulanate", True, ("amoxicillin", "clavulanate")),
        ("amoxicillin-clavulanate", False, ()),  # an unknown name is taken as it stands
        ("co-trimoxazole", True, ()),  # "co" is no ingredient
        ("aspirin", True, ()),
    ],
)
def test_the_ingredients_are_those_of_a_known_combination(name: str, recognised: bool, parts: tuple[str, ...]) -> None:
    one = NamedMedicine(0, 1, 0, 5, name, None, recognised, Category.DRUG, 1.0, SectionCategory.UNLABELED)
    assert one.ingredients == parts


def test_every_kind_of_word_has_some() -> None:
    assert all(medicine_words().values())
