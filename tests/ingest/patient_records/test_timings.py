"""Timing codes to and from FHIR's Timing and C-CDA's periods and events."""

from typing import Any

import pytest

from backend.ingest.patient_records.timings import (
    Rhythm,
    fhir_timing,
    timing_of_events,
    timing_of_fhir,
    timing_of_period,
    timing_of_rhythm,
)

CODES = ("QD", "BID", "TID", "QID", "QAM", "QNOON", "QPM", "HS", "QOD", "QW", "BIW", "TIW", "QM", "QY",
         "Q6H", "Q8H", "Q4-6H", "Q3D", "Q2W", "Q6M", "5XD", "2-3XD", "5XW", "ONCE")  # fmt: skip


@pytest.mark.parametrize("code", CODES)
def test_a_code_comes_back_from_its_rhythm_alone(code: str) -> None:
    made = fhir_timing(code, "")
    assert made["repeat"]
    assert timing_of_fhir({"repeat": made["repeat"]}).code == code


@pytest.mark.parametrize("code", [*CODES, "CONT", "Q8H+HS"])
def test_any_code_comes_back_with_its_words(code: str) -> None:
    timing = timing_of_fhir(fhir_timing(code, "as written"))
    assert (timing.code, timing.text) == (code, "as written")


@pytest.mark.parametrize(
    ("repeat", "code", "with_text"),
    [
        ({"frequency": 1, "period": 12, "periodUnit": "h"}, "Q12H", ""),
        ({"frequency": 1, "period": 0.5, "periodUnit": "d"}, "BID", ""),
        ({"frequency": 1, "frequencyMax": 2, "period": 1, "periodUnit": "d"}, "1-2XD", ""),
        ({"frequency": 1, "period": 4, "periodMax": 6, "periodUnit": "h"}, "Q4-6H", ""),
        ({"when": ["MORN", "EVE"]}, "BID", ""),
        ({"when": ["ACM"]}, "QAM", "before breakfast"),
        ({"when": ["C"]}, "TID", "with meals"),
        ({"dayOfWeek": ["mon", "thu"]}, "BIW", ""),
        ({"count": 1}, "ONCE", ""),
        ({"frequency": 1}, "", ""),
        ({"frequency": 1, "period": 0, "periodUnit": "h"}, "", ""),
    ],
)
def test_rhythms_as_other_systems_write_them(repeat: dict[str, Any], code: str, with_text: str) -> None:
    timing = timing_of_fhir({"repeat": repeat})
    assert (timing.code, timing.with_text) == (code, with_text)


@pytest.mark.parametrize(
    ("coded", "code"), [("BID", "BID"), ("Q6H", "Q6H"), ("BED", "HS"), ("AM", "QAM"), ("WHEN", "")]
)
def test_abbreviations_are_read(coded: str, code: str) -> None:
    assert timing_of_fhir({"code": {"coding": [{"code": coded}]}}).code == code


def test_hours_that_the_hospital_chooses_are_so_many_times_a_day() -> None:
    # every 6 hours by the hospital's clock is four times a day; by the patient's it is every 6 hours
    assert timing_of_period(6, None, "h", True).code == "QID"
    assert timing_of_period(6, None, "h", False).code == "Q6H"
    assert timing_of_period(24, None, "h", True).code == "QD"
    assert timing_of_period(4, 6, "h", True).code == "Q4-6H"


def test_what_has_no_code_has_none() -> None:
    assert timing_of_rhythm(Rhythm(frequency=3, period=2, unit="d")).code == ""
    assert timing_of_events(("NEVER",)).code == ""
    assert timing_of_fhir("daily").code == ""
    assert fhir_timing("", "") == {}
