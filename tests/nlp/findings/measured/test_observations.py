"""Observations: values with unit and date; no dose, goal or range; the eGFR of CKD-EPI 2021 by hand."""

import pytest

from backend.nlp.findings.measured.observations import ckd_epi
from tests.nlp.statement_reading import read_record


def read(text: str) -> list[tuple[str, float | None, str, str]]:
    return [(one.measure, one.value, one.value_text, one.unit) for one in read_record(text).observations]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("BP 120/80", [("blood pressure", None, "120/80", "mmHg")]),
        ("Temperature is 98.5.", [("temperature", 98.5, "98.5", "F")]),
        ("Temp 38.2 C", [("temperature", 38.2, "38.2", "C")]),
        ("Platelets 22,000", [("platelet count", 22000, "22,000", "")]),
        ("HbA1c of 8.2%", [("HbA1c", 8.2, "8.2", "%")]),
        ("BP 110/70 P 88 R 16", [("blood pressure", None, "110/70", "mmHg"), ("heart rate", 88, "88", "/min"), ("respiratory rate", 16, "16", "/min")]),
        ("heart rate in the 50s", [("heart rate", None, "50s", "/min")]),
        ("oxygen saturation 97% on room air", [("oxygen saturation", 97, "97", "%")]),
        ("potassium 20 mEq daily", []),
        ("goal INR 2.5", []),
        ("INR 2-3", []),
        ("Weight loss of 5 kg", []),
        ("Pain for 6 days", []),
        ("FAMILY HISTORY: glucose 300 in her mother", []),
    ],
)  # fmt: skip
def test_a_value_is_read_with_its_unit(text: str, found: list[tuple[str, float | None, str, str]]) -> None:
    assert read(text) == found


def test_the_egfr_follows_from_creatinine_age_and_sex() -> None:
    # Scr 1.4, female 60: 142 * (1.4/0.7)^-1.2 * 0.9938^60 * 1.012 = 142 * 0.43528 * 0.68858 * 1.012 = 43.07
    assert ckd_epi(1.4, 60, female=True) == pytest.approx(43.07, abs=0.02)
    # Scr 0.9, male 50: both ratios are 1: 142 * 0.9938^50 = 142 * 0.73276 = 104.05
    assert ckd_epi(0.9, 50, female=False) == pytest.approx(104.05, abs=0.02)
    derived = read_record("A 60-year-old woman. Creatinine 1.4 mg/dL.").observations[-1]
    assert (derived.measure, derived.value, derived.formula) == ("eGFR", 43, "CKD-EPI 2021")


@pytest.mark.parametrize(
    "text",
    [
        "A 12-year-old girl. Creatinine 1.4 mg/dL.",
        "Creatinine 1.4 mg/dL.",
        "A 60-year-old woman. Creatinine 1.4 mg/dL, eGFR 40.",
    ],
)
def test_no_egfr_is_derived_for_a_child_without_a_person_or_beside_a_stated_one(text: str) -> None:
    assert [one for one in read_record(text).observations if one.formula] == []


def test_a_creatinine_in_micromoles_is_converted() -> None:
    # 123.76 / 88.4 = 1.4 mg/dL
    assert read_record("A 60-year-old woman. Creatinine 123.76 umol/L.").observations[-1].value == 43


@pytest.mark.parametrize(
    ("text", "measure", "value"),
    [
        ("K 6.1 today.", "potassium", 6.1),
        ("K was 6.2 on arrival.", "potassium", 6.2),
        ("QTc of 520 ms.", "QTc", 520.0),
        ("ANC 0.4.", "neutrophil count", 0.4),
        ("Blood ketones 4.2 mmol/L.", "ketones", 4.2),
        ("LVEF 25-30%.", "ejection fraction", 25.0),  # the lower end of a span
        ("Plt 45 x10^9/L.", "platelet count", 45.0),
    ],
)
def test_values_that_safety_rows_ask_for_are_read(text: str, measure: str, value: float) -> None:
    assert [one[:2] for one in read(text)] == [(measure, value)]


@pytest.mark.parametrize("text", ["Creatinine was 3.1 last month.", "Ketones 3+ in the urine.", "K 4 more days."])
def test_an_earlier_value_and_what_is_no_value_are_not_read(text: str) -> None:
    assert read(text) == []


def test_seconds_are_no_amount_of_a_substance() -> None:
    assert [one[:2] for one in read("CV: tachycardic, CR 4 s. Cr 1.1.")] == [("creatinine", 1.1)]
    assert [one[0] for one in read("PTT 38 s.")] == ["partial thromboplastin time"]


def test_a_value_of_months_ago_is_an_earlier_one() -> None:
    found = read_record("A1c 8.9 in clinic 3 mo ago, 10.4 today.").observations
    assert [(one.value, bool(one.date)) for one in found] == [(8.9, True), (10.4, False)]
