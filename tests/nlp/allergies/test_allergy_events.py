"""Allergies told as something that happened: what counts, and what is given against a reaction never does."""

import pytest

from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.fresh import linker


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Prior bronchospasm with fentanyl.", {"fentanyl"}),
        ("Angioedema attributed to lisinopril.", {"lisinopril"}),
        ("He was offered codeine, but he says that it makes him vomit.", {"codeine"}),
        ("Zosyn was discontinued when she broke out in a diffuse rash; she finished with aztreonam.", {"zosyn"}),
        ("She received cefazolin and promptly developed hypotension and urticaria.", {"cefazolin"}),
        ("28F sob. ALL sulfa, latex. neb given.", {"sulfa", "latex"}),
        ("Meds/Allergies: aspirin/amoxicillin", {"amoxicillin"}),
        # the medicine came after the reaction, or against it
        ("Flushing and itching, and he was switched to daptomycin.", set()),
        ("Wheezing all night. Better after albuterol.", set()),
        ("Itchy rash, treated with prednisone.", set()),
        ("No rash with amoxicillin.", set()),
        ("Watch for rash with amoxicillin.", set()),
        ("Pupils are equal and react to light.", set()),
    ],
)
def test_what_happened_names_the_allergen(text: str, expected: set[str]) -> None:
    assert {item.text.lower() for item in linker().link(text).allergies.items} == expected


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("19m lac r hand. td utd. all none. vss.", AllergyStatus.NONE_KNOWN),
        ("He has never reacted to any medication.", AllergyStatus.NONE_KNOWN),
        ("PMH, medications and allergies could not be obtained.", AllergyStatus.UNREADABLE),
    ],
)
def test_shorthand_says_that_there_is_none_or_that_nobody_knows(text: str, status: AllergyStatus) -> None:
    assert linker().link(text).allergies.status is status
