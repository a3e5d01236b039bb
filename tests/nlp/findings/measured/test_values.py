"""Measured values that name a finding: which do, which never may, and how the linker marks them."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.findings.measured import values
from backend.nlp.findings.measured.values import value_findings
from backend.schemas.vocabulary import Assertion
from tests.nlp.fresh import linker


def findings(text: str) -> list[tuple[str, str]]:
    return [(text[one.start : one.end], one.concept) for one in value_findings(parse_note(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BP 78/44", [("78/44", "hypotension")]),
        ("BP 92/54", [("92/54", "hypotension")]),  # the diastolic value is under 60, the systolic one under 100
        ("BP 130/55", []),  # a low diastolic value alone is none
        ("BP 98/60 lying, 80/50 standing", [("80/50", "hypotension")]),
        ("BP 80/palp", [("80/palp", "hypotension")]),
        ("Temp 38.9 this AM", [("38.9", "fever")]),
        ("T 39.0 HR 130", [("39.0", "fever"), ("130", "tachycardia")]),
        ("temperature was 102.3", [("102.3", "fever")]),  # only Fahrenheit can be so high
        ("SpO2 84% on room air", [("84%", "hypoxemia")]),
        ("Hb 7.4", [("7.4", "low hemoglobin")]),
        ("Hb 74", [("74", "low hemoglobin")]),  # grams a litre
        ("Hb 108", []),  # 108 g/L is above the limit
        ("K 6.8, Na 118", [("6.8", "hyperkalemia"), ("118", "hyponatremia")]),
        ("low urine output, BP 80/40", [("80/40", "hypotension")]),
        ("burning urine, temp 101.4", [("101.4", "fever")]),
        ("seen for cough, HR 140", [("140", "tachycardia")]),
        ("pleural fluid, glucose 40", []),
        ("glucose 512", [("512", "hyperglycemia")]),
        ("glucose 2.8 mmol/L", [("2.8", "hypoglycemia")]),
        ("INR of 6", [("6", "raised INR")]),
        ("lactate 4", [("4", "raised lactate")]),
        ("K 6.8 mEq/L and urea 28", [("6.8", "hyperkalemia"), ("28", "raised blood urea nitrogen")]),
        ("WBC 18,400", [("18,400", "leukocytosis")]),  # counted in a microlitre
        ("pCO2 8.4 kPa", [("8.4", "hypercapnia")]),
        ("pCO2 12", []),  # high in kPa, low in mmHg
        ("ionised calcium 1.12", []),
        ("corrected calcium 1.68", [("1.68", "hypocalcemia")]),
    ],
)
def test_a_value_beyond_its_limit_names_the_finding(text: str, expected: list[tuple[str, str]]) -> None:
    assert findings(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "goal BP 80/50",
        "keep K 5.8",
        "hold for SBP 80",
        "HR 60-130",
        "BP 80/40-120/80",
        "K 40 mEq daily",
        "vitamin K 5 mg",
        "hemoglobin A1c 7.4",
        "T12 fracture",
        "T4 5.0",
        "sodium 120 mg",
        "sat 45 minutes in the waiting room",
        "baseline creatinine 3.1",
        "UA: WBC 50",
        "fetal heart rate 145",
        "T 36.7 HR 96 BP 128/78 SpO2 98%",
    ],
)
def test_goals_ranges_doses_and_normal_values_name_nothing(text: str) -> None:
    assert findings(text) == []


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("glucose 32 mmol/L", "hyperglycemia"),
        ("glucose 32 mg/dL", "hypoglycemia"),
        ("glucose 32.4", "hyperglycemia"),  # milligrams have no decimals
        ("Hb 62 g/L", "low hemoglobin"),
        ("trop 220 pg/mL", "raised troponin"),
    ],
)
def test_the_unit_decides_what_a_number_tells(text: str, concept: str) -> None:
    assert [found for _, found in findings(text)] == [concept]


def test_the_limit_is_said() -> None:
    (one,) = value_findings(parse_note("BP 78/44 now"))
    assert one.why == "BP 78/44 is below 90/60 mmHg"


def marked(text: str) -> dict[str, Assertion]:
    return {m.text: m.assertion for m in linker().link(text).note.mentions if m.text[0].isdigit()}


def test_the_linker_marks_the_number_and_leaves_medicines_and_children_alone() -> None:
    assert marked("HPI: cough.\nVitals: BP 78/44, T 36.8") == {"78/44": Assertion.PRESENT}
    assert marked("HPI: cough.\nMedications: insulin if glucose 400") == {}
    assert marked("HPI: a 3-year-old boy with cough. HR 130") == {}
    assert marked("HPI: a 63-year-old man with cough. HR 130") == {"130": Assertion.PRESENT}


@pytest.mark.parametrize(
    "value", ["INR 8.2", "CRP 240", "TSH 88", "NT-proBNP 4,200", "D-dimer 4.2", "A1c 11.2%", "CD4 80"]
)
def test_the_linker_marks_values_of_measures_that_are_written_in_capitals(value: str) -> None:
    assert list(marked(f"HPI: unwell for a week. {value} today.")) == [value.rsplit(maxsplit=1)[-1]]


def test_a_value_of_the_past_is_history() -> None:
    assert marked("PMH: stroke with BP 78/44") == {"78/44": Assertion.HISTORICAL}


def test_a_bad_row_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "values.tsv"
    bad.write_text(
        "names\tconcept\tside\tlimit\tleast\tmost\tstated\tunit\tproblem\tchild\nK\thyperkalemia\tover\t6\t1\t9\t\t\t\t\n"
    )
    with pytest.raises(KnowledgeError, match=r"values\.tsv, 'hyperkalemia'.*over"):
        values._rules(bad)


def test_a_list_of_medicines_that_has_gone_on_to_the_bedside_tells_its_values() -> None:
    mentions = (
        linker().link("HPI: cough. Home meds: lisinopril 10 mg daily. In ED BP 80/44, SpO2 84% on RA.").note.mentions
    )
    assert {"hypotension", "hypoxemia"} <= {m.name for m in mentions}
    doses = linker().link("Home meds: potassium chloride, K 20 meq. metoprolol, hold for HR 45.").note.mentions
    assert not {"hypokalemia", "hyperkalemia", "bradycardia"} & {m.name for m in doses}
