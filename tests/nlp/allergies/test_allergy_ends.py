"""What stands after a list of allergies, or beside a denial, and is no allergy; and what is one all the same."""

import pytest

from tests.nlp.fresh import linker


def allergies(text: str) -> tuple[str, list[str]]:
    found = linker().link(text).allergies
    return found.status.value, [item.text.lower() for item in found.items]


@pytest.mark.parametrize(
    "text",
    [
        "Allergies: none known (confirmed with daughter).",
        "Allergies: NKDA.\n\nO/E GCS 15. Pupils 3 mm reactive, fetor, spider naevi on chest. Soft belly.",
        "Allergies: NKA\n2 cannulas in, group & save sent. Refuses? NO - consents to blood.",
        "Allergies: nil known. Bloods ordered.",
        "Allergies: none.\nTemperature 98.0, pulse 124, thin man. Skin dry.",
    ],
)
def test_a_denial_stays_one_whatever_follows(text: str) -> None:
    assert allergies(text) == ("none_known", [])


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Allergies: codeine - vomits, wife asks not to use again.", ["codeine"]),
        ("Allergies: ramipril recorded by surgery as cough; patient agrees.", ["ramipril"]),
        ("Allergies: phenytoin - blistering rash, ITU 2014 (do not rechallenge).", ["phenytoin"]),
        ("Allergies: trimethoprim (rash). Murmur+, neck supple.", ["trimethoprim"]),
        ("Allergies: crab - avoids, no known reaction. Drug: none.\nAdmit for observation.", ["crab"]),
        ("Allergies: aspirin - bad stomach\nPC muddled, off legs, 1/52", ["aspirin"]),
        ("Allergies: cefalexin - rash.\nLabetalol, magnesium started.", ["cefalexin"]),
        ("Allergies: sulfa. Works as a baker. Retired.", ["sulfa"]),
        ("Allergies: latex, kiwi\nretired nurse\nmorphine", ["latex", "kiwi", "morphine"]),
        ("Allergies: latex. Smoked salmon.", ["latex", "smoked salmon"]),
        ("Allergies: Contact: nickel and wool.", ["nickel", "wool"]),
        ("Allergies: Latex - hives\nAspirin: removed 03/2021, entered in error by night staff", ["latex"]),
    ],
)
def test_only_what_reacts_is_listed(text: str, items: list[str]) -> None:
    assert allergies(text) == ("listed", items)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Allergies: NKDA\nLatex", ["latex"]),
        ("Allergies: NKDA\nShellfish and all crustaceans - lips swell", ["shellfish", "all crustaceans"]),
        ("Allergies: penicillin (rash). Xylazol, codeine.", ["penicillin", "xylazol", "codeine"]),
        (
            "Allergies: NKDA\nLatex, kiwi, banana, avocado and chestnut",
            ["latex", "kiwi", "banana", "avocado", "chestnut"],
        ),
        ("Allergies: penicillin (rash). Feathers, asthma.", ["penicillin", "feathers"]),
        ("Allergies: penicillin (rash). Blopten, asthma.", ["penicillin", "blopten"]),
        ("Allergies: none known (checked with wife), but Blopten gave hives.", ["blopten"]),
        ("Allergies:\n\nPenicillin - rash\n\nXylazol", ["penicillin", "xylazol"]),
    ],
)
def test_a_name_after_a_denial_or_on_its_own_line_stays(text: str, items: list[str]) -> None:
    assert set(items) <= set(allergies(text)[1])


def test_an_effect_when_a_medicine_was_started_is_no_order() -> None:
    items = linker().link("Allergies: codeine. Threw up when tramadol started.").allergies.items
    assert {"codeine", "tramadol"} <= {item.name for item in items}
