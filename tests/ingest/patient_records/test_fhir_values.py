"""Values of a FHIR resource of any shape: what fits is taken, and nothing raises."""

from typing import Any

import pytest

from backend.ingest.patient_records import fhir_values as values
from backend.ingest.patient_records.clinical_drugs import ClinicalDrug
from backend.ingest.patient_records.code_tables import OWN


@pytest.mark.parametrize("odd", [None, 7, True, "x", [], [7], {}, {"value": {}}, {"start": 5}])
def test_a_value_of_another_shape_is_none(odd: Any) -> None:
    assert values.display(odd) == values.own_value(odd, "setting") == ""
    assert values.own_concept(odd) is None
    assert values.day_of(odd) == ""
    assert values.first(odd) == {}
    assert values.dosage_fields({"doseAndRate": odd, "timing": odd, "route": odd}) == {"as_needed": False}


def test_a_number_is_no_truth_value_and_no_text() -> None:
    assert [values.number_of(one) for one in (5, 2.5, True, "5")] == [5.0, 2.5, None, None]
    assert [values.text_of(one) for one in (" a\n b ", 5)] == ["a b", ""]


@pytest.mark.parametrize(
    ("value", "day"),
    [("2031-02-03T10:00:00Z", "2031-02-03"), ("2031-02", "2031-02"), ({"start": "2031"}, "2031"), ("soon", "")],
)
def test_a_day_is_as_exact_as_it_is_given(value: Any, day: str) -> None:
    assert values.day_of(value) == day


def test_a_time_of_several_types_is_a_day_or_its_words() -> None:
    assert values.when({"onsetPeriod": {"start": "2020-01-02"}, "onsetString": "long ago"}, "onset") == "2020-01-02"
    assert values.when({"onsetString": "long ago"}, "onset") == "long ago"
    assert values.when({"onsetTiming": {"code": {"text": "daily"}}}, "onset") == "daily"


def test_only_leapnote_s_own_extensions_and_ids_are_read() -> None:
    held = {
        "extension": [{"url": f"{OWN}change", "valueString": "started"}, {"url": "urn:x", "valueString": "no"}],
        "modifierExtension": [{"url": f"{OWN}hypothetical", "valueBoolean": True}],
        "identifier": [{"system": f"{OWN}statement", "value": "problem-1"}],
    }
    assert values.extensions(held) == {"change": "started", "hypothetical": True}
    assert values.own_id(held) == "problem-1"
    assert values.own_id({"identifier": [{"system": "urn:x", "value": "7"}]}) == ""


@pytest.mark.parametrize(
    ("dose", "fields"),
    [
        ({"doseQuantity": {"value": 10, "unit": "mg"}}, {"dose": 10, "unit": "mg"}),
        ({"doseQuantity": {"value": 5, "unit": "mg/kg"}}, {"dose": 5, "unit": "mg", "per_kg": True}),
        ({"doseQuantity": {"value": 2, "unit": "tablet"}}, {"quantity": 2, "form": "tablet"}),
        ({"doseQuantity": {"value": 2}}, {"quantity": 2}),  # a number without a unit counts
        (
            {"doseRange": {"low": {"value": 1, "unit": "mg"}, "high": {"value": 2, "unit": "mg"}}},
            {"dose": 1, "dose_high": 2, "unit": "mg"},
        ),
    ],
)
def test_a_dose_is_an_amount_or_a_count(dose: dict[str, Any], fields: dict[str, Any]) -> None:
    found = values.dosage_fields({"doseAndRate": [dose]})
    assert {name: value for name, value in found.items() if value not in (False, None)} == fields


def test_a_drug_s_name_fills_what_the_dosage_leaves_open() -> None:
    drug = ClinicalDrug("lisinopril", dose=10, unit="mg", form="tablet")
    found = values.dosage_fields({"doseAndRate": [{"doseQuantity": {"value": 20, "unit": "mg"}}]}, drug)
    assert (found["dose"], found["form"]) == (20, "tablet")
