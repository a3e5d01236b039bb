"""Names of codes as a note would write them."""

import pytest

from backend.ingest.patient_records.clinical_drugs import (
    ClinicalDrug,
    allergen_name,
    clinical_drug,
    dose_unit,
    plain_name,
    plain_unit,
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("lisinopril 10 MG Oral Tablet", ClinicalDrug("lisinopril", 10, "mg", "tablet", "oral")),
        ("ibuprofen 600 MG Oral Tablet [Motrin]", ClinicalDrug("ibuprofen", 600, "mg", "tablet", "oral")),
        ("levothyroxine 0.1 MG Oral Tablet", ClinicalDrug("levothyroxine", 0.1, "mg", "tablet", "oral")),
        ("3 ML insulin glargine 100 UNT/ML Pen Injector", ClinicalDrug("insulin glargine")),
        (
            "acetaminophen 325 MG / hydrocodone 5 MG Oral Tablet",
            ClinicalDrug("acetaminophen / hydrocodone", None, "", "tablet", "oral", ("acetaminophen", "hydrocodone")),
        ),
        ("metoprolol 25 MG", ClinicalDrug("metoprolol", 25, "mg")),
        ("hydrocortisone 1 % Topical Cream", ClinicalDrug("hydrocortisone", None, "", "cream", "topical")),
        ("vitamin B 12 complex", ClinicalDrug("vitamin B 12 complex")),
        ("heparin", ClinicalDrug("heparin")),
    ],
)
def test_a_drug_s_name_is_taken_apart(name: str, parts: ClinicalDrug) -> None:
    assert clinical_drug(name) == parts


@pytest.mark.parametrize(
    ("words", "name", "category"),
    [
        ("Asthma (disorder)", "Asthma", "disease"),
        ("Chest pain (finding)", "Chest pain", "finding"),
        ("Eggs (edible)", "Eggs (edible)", ""),
    ],
)
def test_a_semantic_tag_is_no_part_of_a_name(words: str, name: str, category: str) -> None:
    assert plain_name(words) == (name, category)


@pytest.mark.parametrize(
    ("words", "agent"),
    [("Allergy to penicillin", "penicillin"), ("Shellfish allergy", "Shellfish"), ("Latex", "Latex")],
)
def test_an_allergy_s_name_is_what_it_is_to(words: str, agent: str) -> None:
    assert allergen_name(words) == agent


def test_units_are_those_of_a_note() -> None:
    assert [plain_unit(word) for word in ("mm[Hg]", "Cel", "{score}", "mmol/L")] == ["mmHg", "°C", "", "mmol/L"]
    assert [unit and (unit.name, unit.kind) for unit in map(dose_unit, ("[IU]", "{tbl}", "Cel", "x"))] == [
        ("units", "dose"),
        ("tablet", "form"),
        None,
        None,
    ]
