"""The list of medicines that must be known: what it finds missing, and that the shipped knowledge lacks none."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.errors import KnowledgeError
from backend.knowledge.safety.rows.coverage import FILE, CoverageRow, coverage_breaches, read_coverage
from backend.settings import ROOT
from backend.stores.graph.graph_rows import ConceptRow, TripleRow

CONCEPTS = (
    ConceptRow("penicillin", "penicillin", "CHEM", "drug_class"),
    ConceptRow("narrow", "aminopenicillin", "CHEM", "drug_class"),
    ConceptRow("statin", "statin", "CHEM", "drug_class"),
    ConceptRow("amoxicillin", "amoxicillin", "CHEM", "drug", ("Amoxil", "Trimox")),
    ConceptRow("both", "amoxicillin-clavulanate", "CHEM", "drug", ("Augmentin", "Trimox")),
)
TRIPLES = (
    TripleRow("penicillin", "has_subclass", "narrow"),
    TripleRow("amoxicillin", "has_class", "narrow"),
    TripleRow("both", "has_ingredient", "amoxicillin"),
)


def what(*rows: tuple[str, str, str]) -> list[str]:
    written = [CoverageRow(*row, line) for line, row in enumerate(rows, start=4)]
    return [f"{breach.line}: {breach.what}" for breach in coverage_breaches(written, CONCEPTS, TRIPLES)]


def test_a_class_is_reached_through_classes_and_ingredients() -> None:
    assert what(("penicillin", "amoxicillin", "penicillin"), ("penicillin", "augmentin", "penicillin")) == []


def test_what_is_missing_is_named_with_its_line() -> None:
    assert what(
        ("penicillin", "flucloxacillin", "penicillin"),
        ("statin", "amoxicillin", ""),
        ("penicillin", "Trimox", ""),
        ("penicillin", "Amoxil", "statin"),
        ("penicillin", "Amoxil", "macrolide"),
    ) == [
        "4: 'flucloxacillin' is the name of no medicine",
        "5: 'amoxicillin' does not reach the class 'statin'",
        "6: 'Trimox' is a name of 2 medicines",
        "7: 'statin' is no allergy family",
        "8: 'Amoxil' is not of the allergy family 'macrolide'",
    ]


def test_rows_keep_their_line_and_no_family_is_empty(tmp_path: Path) -> None:
    assert read_coverage(tmp_path) == ()
    path = tmp_path / FILE
    path.parent.mkdir()
    path.write_text("# a comment\nclass\tmember\tfamily\nstatin\tLipitor\t-\n")
    assert read_coverage(tmp_path) == (CoverageRow("statin", "Lipitor", "", 3),)
    path.write_text("class\tmember\tfamily\nstatin\tLipitor\n")
    with pytest.raises(KnowledgeError, match=r"coverage\.tsv:2 has 2 cells"):
        read_coverage(tmp_path)


def test_the_list_that_ships_is_long_and_says_each_thing_once() -> None:
    rows = read_coverage(ROOT / "assets" / "knowledge")
    assert len({row.member.lower() for row in rows}) >= 1_400
    assert len({(row.medicine_class, row.member.lower()) for row in rows}) == len(rows)


def test_every_medicine_of_the_list_that_ships_is_known(container: Container) -> None:
    concepts, triples = (
        [row for row, _ in container.starter.concepts],
        [row for row, _ in container.starter.triples],
    )
    assert list(coverage_breaches(container.starter.coverage, concepts, triples)) == []


@pytest.mark.parametrize(
    ("listed", "name"),
    [
        ("Sando-K 2 tablets twice daily", "potassium chloride"),
        ("NovoMix 30 20 units before breakfast", "biphasic insulin aspart"),
        ("Humulin M3 18 units twice daily", "insulin 70/30"),
        ("Abasaglar 22 units at night", "insulin glargine"),
        ("Fostair 100/6 two puffs BD", "beclomethasone-formoterol"),
        ("Trimbow 87/5/9 2 puffs bd", "beclomethasone-formoterol-glycopyrronium"),
        ("Oramorph 10 mg/5 mL PRN", "morphine"),
        ("MST 30 mg BD", "morphine"),
        ("Madopar 125 mg tds", "benserazide-levodopa"),
        ("co-dydramol 10/500 two qds", "acetaminophen-dihydrocodeine"),
        ("Adcal-D3 one twice daily", "calcium-vitamin D"),
        ("Pabrinex I and II IV tds", "vitamins B and C injection"),
        ("Depixol 40 mg IM every 2 weeks", "flupentixol"),
        ("Trijardy XR 10/5/1000 daily", "empagliflozin-linagliptin-metformin"),
        ("Symtuza one daily", "darunavir-cobicistat-emtricitabine-tenofovir"),
        ("GTN spray PRN", "nitroglycerin"),
        ("glyceryl trinitrate 400 mcg", "nitroglycerin"),
        ("Goody's powder PRN", "acetaminophen-aspirin-caffeine"),
        ("Alka-Seltzer PRN", "aspirin-sodium bicarbonate-citric acid"),
        ("DayQuil PRN", "acetaminophen-dextromethorphan-phenylephrine"),
        ("levothyroxin 50 micrograms", "levothyroxine"),
        ("flucloxacilin 500 mg qds", "flucloxacillin"),
    ],
)
def test_a_line_of_a_list_of_medicines_is_read_as_the_medicine(container: Container, listed: str, name: str) -> None:
    text = f"Allergies: none\n\nMedications:\n- {listed}\n"
    found = {m.name for m in container.linker.link(text).note.mentions if m.category in ("drug", "drug_class")}
    assert found == {name}


@pytest.mark.parametrize(
    "text",
    [
        "The night nurse called and the day nurse agreed.",
        "Same as before; she wants it her way.",
        "Ensure follow up with cardiology and commit to therapy.",
        "MRI shows a colloid cyst. Growth hormone deficiency was ruled out.",
        "He reads the tabloid and chops wood.",
        "FDG avid nodes on the scan.",
    ],
)
def test_an_ordinary_sentence_names_no_medicine(container: Container, text: str) -> None:
    found = [m.text for m in container.linker.link(text).note.mentions if m.category in ("drug", "drug_class")]
    assert found == []
