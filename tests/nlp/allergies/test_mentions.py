"""What allergies mean for mentions: allergens and reactions are marked, and what a reaction of the past did is no complaint of today."""

import pytest

from backend.nlp.allergies.mentions import with_allergies
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.drafts.note import Allergies, AllergyItem, Mention
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Assertion, Category, SemanticGroup
from tests.nlp.fresh import linker

P, H = Assertion.PRESENT, Assertion.HISTORICAL


@pytest.mark.parametrize(
    ("text", "phrase", "meant"),
    [
        ("HPI: Cough. She was on trimethoprim in May and came out in a widespread rash with blisters.", "widespread rash", H),
        ("HPI: Cough. She was on trimethoprim in May and came out in a widespread rash with blisters.", "Cough", P),
        ("HPI: He took amoxicillin last summer and broke out in hives. Now fever.", "hives", H),
        ("HPI: He took amoxicillin last summer and broke out in hives. Now fever.", "fever", P),
        ("HPI: He takes lisinopril daily, and his lips swelled last month.", "lisinopril", P),
        ("HPI: Started Bactrim yesterday and came out in hives.", "hives", P),
        ("HPI: Took amoxicillin in May for an ear and came out in hives, still there today.", "hives", P),
    ],
)  # fmt: skip
def test_a_past_reaction_is_past(text: str, phrase: str, meant: Assertion) -> None:
    at = text.index(phrase)
    (found,) = (m for m in linker().link(text).note.mentions if m.start_char <= at < m.end_char)
    assert found.assertion is meant


def mention(text: str, phrase: str, concept: str, category: Category) -> Mention:
    at = text.index(phrase)
    return Mention(
        start_char=at,
        end_char=at + len(phrase),
        text=phrase,
        concept_id=concept,
        name=phrase.lower(),
        group=SemanticGroup.CHEM if category is Category.DRUG else SemanticGroup.DISO,
        category=category,
        assertion=P,
        score=1.0,
    )


def listed(text: str, phrase: str, concept: str, reaction: str = "") -> Allergies:
    at = text.index(phrase)
    item = AllergyItem(
        text=phrase,
        start_char=at,
        end_char=at + len(phrase),
        concept_id=concept,
        kind=AllergyKind.ALLERGY,
        reaction=reaction,
        checked=True,
    )
    return Allergies(status=AllergyStatus.LISTED, items=(item,))


def test_the_allergen_and_its_reaction_are_marked_and_another_medicine_is_not() -> None:
    text = "Codeine (hives). Takes latanoprost."
    mentions = [
        mention(text, "Codeine", "S:codeine", Category.DRUG),
        mention(text, "hives", "S:hives", Category.SYMPTOM),
        mention(text, "latanoprost", "S:latanoprost", Category.DRUG),
    ]
    found = with_allergies(parse_note(text), mentions, listed(text, "Codeine", "S:codeine", "hives"))
    assert [(m.text, m.allergen) for m in found] == [("Codeine", True), ("hives", True), ("latanoprost", False)]


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Codeine: hives. Cough. Uses paracetamol as she is codeine allergic.", True),
        ("Codeine: hives. Cough. She was given codeine in error.", False),
        ("Codeine: hives. Cough. Allergic to latex, he was given codeine.", False),
    ],
)
def test_a_listed_name_elsewhere_is_marked_only_where_it_is_called_an_allergy(text: str, marked: bool) -> None:
    again = mention(text, "codeine", "S:codeine", Category.DRUG)
    (found,) = with_allergies(parse_note(text), [again], listed(text, "Codeine", "S:codeine"))
    assert found.allergen is marked


def test_without_allergies_the_mentions_stay_as_they_are() -> None:
    text = "He took codeine last summer and broke out in hives."
    mentions = (mention(text, "hives", "S:hives", Category.SYMPTOM),)
    assert with_allergies(parse_note(text), mentions, Allergies(status=AllergyStatus.NOT_STATED)) == mentions


@pytest.mark.parametrize(
    ("text", "phrase", "reaction"),
    [
        ("Allergies:\n- Peanut: hives; vomiting\n- Codeine: nausea\n\nHPI: ankle sprain.", "vomiting", True),
        ("HPI: Allergic to sulfa drugs (rash).\n\nAllergies:\n- Sulfonamide antibiotics: rash\n", "rash\n", True),
        ("Allergies: penicillin (rash). She has had vomiting for three days.", "vomiting", False),
        ("Allergies: penicillin\nHPI: Rash since Monday.", "Rash", False),
        ("Allergies: none known. Vomiting today.", "Vomiting", False),
    ],
)
def test_every_ill_behind_an_agent_in_its_line_of_the_list_is_a_reaction(
    text: str, phrase: str, reaction: bool
) -> None:
    at = text.index(phrase)
    (found,) = (m for m in linker().link(text).note.mentions if m.start_char <= at < m.end_char)
    assert found.allergen is reaction
