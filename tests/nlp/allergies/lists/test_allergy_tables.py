"""Tables, quotation marks and entries taken back, of allergies sections: whatever stands beside them, no entry is lost."""

import pytest

from backend.schemas.drafts.note import Allergies
from backend.schemas.vocabulary import AllergyStatus
from tests.nlp.fresh import AROUND, linker


def read(body: str) -> Allergies:
    return linker().link(AROUND["section"].format(body)).allergies


def reactions(body: str) -> dict[str, str]:
    return {item.text: item.reaction for item in read(body).items}


@pytest.mark.parametrize(
    "body",
    [
        "Allergen | Reaction | Severity\nPenicillin | Hives | High\nXylazol | Rash | Low",
        "Severity\tAllergen\tReaction\nHigh\tPenicillin\tHives\nLow\tXylazol\tRash",
        "Type | Allergen | Reaction | Severity\nDrug | Penicillin | Hives | High\nDrug | Xylazol | Rash | Mild",
        "Date | Allergen | Reaction\n01/02/2015 | Penicillin | Hives\n2011 | Xylazol | Rash",
        "Penicillin\tAllergy\tHives\tHigh\tActive\nXylazol\tAllergy\tRash\tLow\tActive",
    ],
)
def test_a_row_of_a_table_names_its_allergen_in_whatever_column(body: str) -> None:
    assert reactions(body) == {"Penicillin": "Hives", "Xylazol": "Rash"}


def test_how_bad_a_reaction_would_be_is_no_reaction() -> None:
    assert reactions("Latex\t\tHigh\nIodine\t\tLow") == {"Latex": "", "Iodine": ""}


def test_a_column_that_says_intolerance_decides_the_kind() -> None:
    kinds = {item.text: item.kind.value for item in read("Metformin | Intolerance |\nPenicillin | Allergy |").items}
    assert kinds == {"Metformin": "intolerance", "Penicillin": "allergy"}


def test_labels_within_brackets_end_no_list() -> None:
    assert list(reactions("Penicillin (severity: high; reaction: hives); Xylazol (severity: low; reaction: rash)")) == [
        "Penicillin",
        "Xylazol",
    ]


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ('sulfa "turned all red"', {"sulfa": "turned all red"}),
        ('codeine "itched, then hives", Demerol', {"codeine": "itched, then hives", "Demerol": ""}),
        (
            'Penicillin "my throat closed", Bactrim "broke out"',
            {"Penicillin": "my throat closed", "Bactrim": "broke out"},
        ),
        ('"Sulfa" - rash; "PCN" - hives', {"Sulfa": "rash", "PCN": "hives"}),
        ('"penicillin, sulfa", latex', {"penicillin": "", "sulfa": "", "latex": ""}),
        ('Reported: "penicillin", "sulfa", "latex".', {"penicillin": "", "sulfa": "", "latex": ""}),
    ],
)
def test_what_stands_in_quotation_marks_after_a_name_is_the_reaction(body: str, items: dict[str, str]) -> None:
    assert reactions(body) == items


def test_a_bracket_that_names_the_medicine_is_kept_beside_its_reaction() -> None:
    assert reactions("antibiotic (Bactrim) - rash") == {"antibiotic (Bactrim)": "rash"}


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ("amoxicillin (entered in error 3/2019), Lipitor (muscle aches)", ["Lipitor"]),
        ("amoxicillin: entered in error, Xylazol: rash", ["Xylazol"]),
        ("Was allergic to penicillin as a child, outgrew it, sulfa causes hives", ["sulfa"]),
        ("Penicillin allergy resolved, codeine still makes her sick", ["codeine"]),
        ("Penicillin - removed from list after a skin test; Bactrim - hives", ["Bactrim"]),
        ("Sulfa (delabeled 2021), Cipro (tendonitis)", ["Cipro"]),
    ],
)
def test_an_entry_that_is_taken_back_takes_no_other_with_it(body: str, items: list[str]) -> None:
    assert list(reactions(body)) == items


def test_an_entry_that_is_taken_back_is_not_listed_whatever_its_line_adds() -> None:
    read_so = read("Penicillin - entered in error, deleted 5/3/2018. No known allergies.")
    assert (read_so.status, list(read_so.items)) == (AllergyStatus.NONE_KNOWN, [])


@pytest.mark.parametrize(
    "body",
    [
        "None. Was told never to have Xylazol again.",
        "None known. Family asked us not to give Xylazol.",
        "NKDA. Not to be given Xylazol.",
        "No known allergies. She stays away from Xylazol because it made her ill.",
        "No known allergies. Avoids Xylazol.",
        "NKDA. Never again Xylazol.",
    ],
)
def test_an_unknown_name_that_is_contraindicated_after_a_denial_is_listed(body: str) -> None:
    assert list(reactions(body)) == ["Xylazol"]


@pytest.mark.parametrize(
    "body",
    [
        "No allergies. She does not have asthma or eczema.",
        "None known. Did not take her morning medicines.",
        "None known, checked with Dr. Okonkwo.",
    ],
)
def test_what_is_not_contraindicated_after_a_denial_is_not_listed(body: str) -> None:
    assert read(body).status is AllergyStatus.NONE_KNOWN


def test_dots_that_lead_from_cell_to_cell_end_no_row() -> None:
    rows = "CEFAZOLIN ........ Type: Allergy ........ Rxn: Hives\nXYLAZOL ........ Type: Intolerance ........ Rxn: Vomiting"
    assert reactions(rows) == {"CEFAZOLIN": "Hives", "XYLAZOL": "Vomiting"}


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ("Reviewed with daughter by phone: sulfa.", ["sulfa"]),
        ("Confirmed with mother: peanuts - hives", ["peanuts"]),
        ("NSAIDs (GI upset, cannot take), tramadol (confusion).", ["NSAIDs", "tramadol"]),
        ("Could not tolerate atorvastatin and then rosuvastatin because of cramps.", ["atorvastatin", "rosuvastatin"]),
        ("She itches with Percocet and was hospitalized after Xylazol.", ["Percocet", "Xylazol"]),
        ("He nearly died with Xylazol. Codeine makes him sick.", ["Xylazol", "Codeine"]),
        ("She had a rash on Monday after Christmas with penicillin.", ["penicillin"]),
    ],
)
def test_nothing_stated_beside_a_list_or_a_remark_is_lost(body: str, items: list[str]) -> None:
    assert list(reactions(body)) == items


@pytest.mark.parametrize(
    "body", ["Asked twice, once with the interpreter: none.", "No allergies whatsoever to foods, latex or medicines."]
)
def test_a_denial_is_one_however_long_its_preface(body: str) -> None:
    assert read(body).status is AllergyStatus.NONE_KNOWN


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ("PCN--unknown childhood rxn; Morphine - itch; NSAIDS--avoid, CKD", ["PCN", "Morphine", "NSAIDS"]),
        (
            "Drug: penicillin, sulfa  Food: shrimp, eggs  Other: latex",
            ["penicillin", "sulfa", "shrimp", "eggs", "latex"],
        ),
        ("None to food or latex; drugs: clindamycin (C. diff), azithromycin (QT).", ["clindamycin", "azithromycin"]),
        ("PENICILLIN/CEPHALOSPORIN -- ANAPHYLAXIS", ["PENICILLIN", "CEPHALOSPORIN"]),
        ('Zithromax, sulfa, and all "mycins".', ["Zithromax", "sulfa", "mycins"]),
        (
            'No allergies listed but she says that Biaxin gave her thrush and Xylazol "messed her up".',
            ["Biaxin", "Xylazol"],
        ),
        ("Contrast: hives. Premedicate with prednisone and Benadryl.", ["Contrast"]),
    ],
)
def test_each_part_of_what_is_stated_is_read(body: str, items: list[str]) -> None:
    assert list(reactions(body)) == items


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ("Sulfonamides (Verified Allergy, Unknown); Ace inhibitors (Cough)", ["Sulfonamides", "Ace inhibitors"]),
        ("Denies. Per daughter had a rash to some antibiotic in the 1960s.", ["antibiotic"]),
        ("Per mother sulfa.", ["sulfa"]),
        ("Unknown (old chart: sulfa)", ["sulfa"]),
        ("Latex - hives. Amlodipine 10 mg - edema.", ["Latex", "Amlodipine 10 mg"]),
    ],
)
def test_neither_a_source_nor_a_doubt_nor_a_dose_hides_an_entry(body: str, items: list[str]) -> None:
    assert list(reactions(body)) == items


def test_a_contrast_is_one_thing_however_it_is_given() -> None:
    assert reactions("IV contrast dye (hives, 2016)") == {"IV contrast dye": "hives, 2016"}
