"""Where a list of allergies gives way to another matter on the next line, and where it goes on; written for these tests."""

import pytest

from backend.nlp.document.parsed_note import parse_note
from backend.schemas.vocabulary import SectionCategory


def listed(text: str) -> str:
    note = parse_note(text)
    (one,) = [part for part in note.sections if part.category is SectionCategory.ALLERGIES]
    return text[one.body_char : one.end_char].strip()


@pytest.mark.parametrize(
    ("body", "other"),
    [
        (
            "penicillin - rash; latex",
            "\nFrom GP printout (checked with husband)\nRamipril 5mg om\nAtorvastatin 40 mg nocte",
        ),
        ("codeine (vomits), elastoplast", "what she takes now:\nBendroflumethiazide 2.5mg mane\nAdcal D3 1 bd"),
        ("sulfa (rash)", "Fam: mum breast ca\nlives alone, son nearby"),
        ("NKDA", "Swallow: level 5, teaspoon sips only, daughter feeds him\nMobility: hoist"),
        ("trimethoprim", "NOK: daughter Anne 0113 555\nGP: Dr Shah"),
        ("Penicillin\nMorphine - itch", "Amlodipine od, bisoprolol bd, frusemide mane"),
        ("none", "Madopar 125 08:00 12:00 16:00\nSinemet CR nocte"),
    ],
)
def test_another_matter_ends_a_list(body: str, other: str) -> None:
    assert listed(f"58F knee pain\n\nALLERGIES: {body}\n{other}") == body


@pytest.mark.parametrize(
    "body",
    [
        "Drugs: penicillin (rash), codeine\nFood: shellfish\nOther: latex, wool\nEnvironmental: pollen",
        "Medications: penicillin (hives), codeine (nausea)\nFoods: shrimp (throat swelling)",
        "Meds: morphine - itch\nEnvironmental: ragweed",
        "Ace inhibitor: cough\nSun cream: rash, brand unknown\nAmlodipine 10 mg - swollen ankles\nZocor 40 mg daily: muscle pain",
        "Penicillin\n\nSulfa drugs\n\nBee stings",
        "- Penicillin 1978, rash\n- Latex\n- Tape",
        "Substance | Reaction | Date\nMorphine | itch | 2011\nKiwi | lips | 2015",
    ],
)
def test_a_list_goes_on(body: str) -> None:
    assert listed(f"Allergies:\n{body}") == body
