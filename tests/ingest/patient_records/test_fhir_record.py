"""FHIR R4 bundles of other systems as patient records."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.errors import InputError
from backend.ingest.clinical_notes.fhir_notes import fhir_notes
from backend.ingest.patient_records.fhir_record import bundle_to_record
from backend.schemas.record import PatientRecord

P = {"reference": "Patient/p1"}


def read(*resources: dict[str, Any], **bundle: Any) -> PatientRecord:
    return bundle_to_record({"resourceType": "Bundle", **bundle, "entry": [{"resource": one} for one in resources]})


def coded(code: str, display: str = "") -> dict[str, Any]:
    return {"coding": [{"code": code, **({"display": display} if display else {})}]}


def order(status: str, **more: Any) -> dict[str, Any]:
    return {"resourceType": "MedicationRequest", "status": status, "intent": "order", "subject": P,
            "medicationCodeableConcept": {"text": "lisinopril 10 MG Oral Tablet"}, **more}  # fmt: skip


def allergy(name: str, **more: Any) -> dict[str, Any]:
    return {"resourceType": "AllergyIntolerance", "patient": P, "code": {"text": name}, **more}


def test_a_bundle_of_two_patients_is_refused() -> None:
    with pytest.raises(InputError, match="2 patients"):
        read({"resourceType": "Patient", "id": "1"}, {"resourceType": "Patient", "id": "2"})


@pytest.mark.parametrize(
    ("birth", "at", "age"),
    [
        ("1958-05-10", "2031-05-09", 72),  # the day before the birthday
        ("1958-05-10", "2031-05-10", 73),
        ("2030-08-04", "2031-02-04", 0.5),  # six months
        ("2030", "2031-02-04", None),  # a year is no day
        ("2032-01-01", "2031-02-04", None),
    ],
)
def test_the_age_is_of_the_encounter_s_day(birth: str, at: str, age: float | None) -> None:
    patient = {"resourceType": "Patient", "birthDate": birth}
    visit = {"resourceType": "Encounter", "id": "e", "class": {"code": "AMB"}, "period": {"start": at}}
    assert read(patient, visit).person.age_years == age
    assert read(patient).person.age_years is None


@pytest.mark.parametrize(
    ("status", "expected"),
    [("active", "active"), ("stopped", "stopped"), ("on-hold", "on-hold"), ("completed", "completed")],
)
def test_an_order_is_a_medication_with_dose_and_status(status: str, expected: str) -> None:
    dosage = {
        "timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d"}},
        "doseAndRate": [{"doseQuantity": {"value": 2}}],
    }
    (taken,) = read(order(status, dosageInstruction=[dosage], category=[coded("discharge")])).medications
    assert (taken.name, taken.status, taken.category, taken.recognised) == ("lisinopril", expected, "discharge", False)
    taken_as = taken.dosage
    assert (taken_as.dose, taken_as.unit, taken_as.quantity, taken_as.form, taken_as.route, taken_as.timing) == (
        10,
        "mg",
        2,
        "tablet",
        "oral",
        "QD",
    )


def test_a_cancelled_order_states_nothing_and_a_plan_is_intended() -> None:
    assert read(order("cancelled"), order("draft")).medications == ()
    assert read(order("active", intent="plan")).medications[0].status == "intended"


def test_what_was_given_in_hospital_is_of_the_hospital() -> None:
    given_ = {"resourceType": "MedicationAdministration", "status": "completed", "subject": P,
              "medicationCodeableConcept": {"text": "ceftriaxone"},
              "dosage": {"text": "1 g IV", "route": {"text": "intravenous"}}}  # fmt: skip
    (taken,) = read(given_).medications
    assert (taken.status, taken.category, taken.dosage.route) == ("active", "inpatient", "intravenous")


def test_a_medicine_may_stand_in_a_resource_of_its_own() -> None:
    medicine = {"resourceType": "Medication", "id": "m", "code": {"text": "co-amoxiclav"},
                "ingredient": [{"itemCodeableConcept": {"text": name}} for name in ("amoxicillin", "clavulanate")]}  # fmt: skip
    taken = {"resourceType": "MedicationStatement", "status": "active", "subject": P,
             "medicationReference": {"reference": "Medication/m"}}  # fmt: skip
    (read_,) = read(medicine, taken).medications
    assert (read_.name, read_.ingredients) == ("co-amoxiclav", ("amoxicillin", "clavulanate"))


def test_a_refusal_is_told_apart_from_why_a_medicine_was_stopped() -> None:
    reasons = [coded("105480006"), {"text": "cough"}]
    taken = {"resourceType": "MedicationStatement", "status": "not-taken", "subject": P, "statusReason": reasons,
             "medicationCodeableConcept": {"text": "enalapril"}}  # fmt: skip
    (read_,) = read(taken).medications
    assert (read_.status, read_.refused, read_.why_stopped) == ("not-taken", True, "cough")


def test_no_allergy_is_lost_and_none_known_is_told_from_not_asked() -> None:
    found = read(
        allergy("Penicillin", reaction=[{"manifestation": [{"text": "hives"}, {"text": "wheeze"}]}]),
        allergy("", code=coded("1234")),
        allergy("Latex", clinicalStatus=coded("resolved")),
        allergy("Eggs", verificationStatus=coded("refuted")),
        allergy("Nuts", verificationStatus=coded("entered-in-error")),
    ).allergies
    assert found.status == "listed"
    assert [(one.agent, one.reaction, one.verification_status) for one in found.items] == [
        ("Penicillin", "hives, wheeze", "confirmed"),
        ("a substance without a name (code 1234)", "", "confirmed"),
        ("Latex", "", "confirmed"),
        ("Eggs", "", "refuted"),
    ]
    assert read(allergy("No known allergy", code=coded("716186003"))).allergies.status == "none_known"
    assert read().allergies.status == "not_stated"
    both = read(allergy("No known allergy", code=coded("716186003")), allergy("Latex"))
    assert both.allergies.status == "listed"


def test_an_empty_section_of_allergies_says_why() -> None:
    section = {"code": coded("48765-2"), "emptyReason": coded("nilknown")}
    assert read({"resourceType": "Composition", "section": [section]}).allergies.status == "none_known"


def test_a_problem_has_its_statuses_side_and_onset() -> None:
    one = {"resourceType": "Condition", "subject": P, "code": {"text": "Stroke (disorder)"}, "clinicalStatus": coded("remission"),
           "verificationStatus": coded("differential"), "onsetPeriod": {"start": "2030-01-02T00:00:00Z"},
           "bodySite": [coded("7771000", "Left")], "severity": coded("24484000", "Severe (severity modifier)")}  # fmt: skip
    (found,) = read(one).problems
    assert (found.name, found.clinical_status, found.verification_status) == ("Stroke", "inactive", "differential")
    assert (found.onset, found.body_side, found.severity, found.category) == ("2030-01-02", "left", "severe", "disease")


def test_a_procedure_of_this_encounter_is_done_now_and_an_earlier_one_past() -> None:
    visits = [{"resourceType": "Encounter", "id": i, "class": {"code": "IMP"}, "period": {"start": at}} for i, at in
              (("new", "2031-02-04"), ("old", "2029-01-01"))]  # fmt: skip
    done = [{"resourceType": "Procedure", "id": f"p{i}", "status": "completed", "code": {"text": i}, "subject": P,
             "encounter": {"reference": f"Encounter/{i}"}} for i in ("new", "old")]  # fmt: skip
    refused = {"resourceType": "Procedure", "status": "not-done", "code": {"text": "CT"}, "subject": P}
    planned = {
        "resourceType": "ServiceRequest",
        "status": "active",
        "intent": "order",
        "code": {"text": "colonoscopy"},
        "subject": P,
    }
    record = read(*visits, *done, refused, planned)
    assert [(one.name, one.status) for one in record.procedures] == [
        ("new", "done_now"), ("old", "past"), ("CT", "not_done"), ("colonoscopy", "planned"),
    ]  # fmt: skip
    assert (record.encounter.setting, record.encounter.date) == ("admission", "2031-02-04")


def test_a_laboratory_request_an_appointment_and_a_care_plan_are_plans() -> None:
    test = {
        "resourceType": "ServiceRequest",
        "status": "active",
        "category": [coded("108252007")],
        "code": {"text": "potassium"},
    }
    visit = {"resourceType": "Appointment", "status": "booked", "description": "Heart clinic", "start": "2031-03-01T09:00:00Z",
             "participant": [{"actor": {"display": "Dr Brand"}}]}  # fmt: skip
    care = {
        "resourceType": "CarePlan",
        "status": "active",
        "activity": [{"detail": {"status": "in-progress", "code": {"text": "Walk"}}}],
    }
    over = {**care, "status": "completed"}
    assert [(one.kind, one.text, one.whom, one.when) for one in read(test, visit, care, over).plan] == [
        ("test", "potassium", "", ""), ("follow_up", "Heart clinic", "Dr Brand", "2031-03-01"), ("other", "Walk", "", ""),
    ]  # fmt: skip


def test_the_newest_weight_is_the_person_s_and_every_one_is_a_value() -> None:
    weights = [{"resourceType": "Observation", "code": coded("29463-7", "Body weight"), "effectiveDateTime": at,
                "valueQuantity": {"value": kg, "unit": "kg"}} for at, kg in (("2029-01-01", 70), ("2031-01-01", 80.5))]  # fmt: skip
    record = read(*weights)
    assert record.person.weight_kg == 80.5
    assert [(one.measure, one.value_text, one.date) for one in record.observations] == [
        ("weight", "70", "2029-01-01"), ("weight", "80.5", "2031-01-01"),
    ]  # fmt: skip


def test_a_value_below_a_limit_is_text_and_a_missing_one_nothing() -> None:
    low = {
        "resourceType": "Observation",
        "code": {"text": "CRP"},
        "valueQuantity": {"value": 5, "comparator": "<", "unit": "mg/L"},
    }
    none = {"resourceType": "Observation", "code": {"text": "INR"}, "dataAbsentReason": {"text": "unknown"}}
    (one,) = read(low, none).observations
    assert (one.value, one.value_text, one.unit) == (None, "<5", "mg/L")


def test_a_device_of_the_patient_is_one_and_a_machine_that_measured_is_none() -> None:
    held = {"resourceType": "Device", "id": "d", "patient": P, "type": {"text": "pacemaker"}}
    machine = {"resourceType": "Device", "id": "m", "type": {"text": "monitor"}}
    assert [(one.name, one.status) for one in read(held, machine).devices] == [("pacemaker", "done_now")]


def test_spans_are_of_the_composition_s_note() -> None:
    div = "<div>Long-standing <b>asthma</b>, well controlled.</div>"
    section = {"title": "Problems", "text": {"div": div}, "entry": [{"reference": "Condition/c"}]}
    first = {"title": "History", "text": {"div": "<div>Cough.</div>"}}
    composed = {"resourceType": "Composition", "id": "n", "subject": P, "section": [first, section]}
    problem = {"resourceType": "Condition", "id": "c", "subject": P, "code": {"text": "Asthma"}}
    (span,) = read(composed, problem).problems[0].spans
    (note,) = fhir_notes([composed], Counter())["p1"]
    assert span.note_id == "fhir/Composition/n"
    assert note.text[span.start_char : span.end_char] == span.text == "asthma"


KINDS = ("Patient", "Encounter", "Condition", "RiskAssessment", "FamilyMemberHistory", "MedicationStatement", "MedicationRequest",
         "MedicationAdministration", "AllergyIntolerance", "List", "Procedure", "ServiceRequest", "DeviceUseStatement", "Device",
         "Observation", "CarePlan", "Appointment", "Composition", "Other")  # fmt: skip
FIELDS = ("id", "status", "code", "identifier", "extension", "clinicalStatus", "verificationStatus", "category", "dosage",
          "dosageInstruction", "medicationReference", "medicationCodeableConcept", "reaction", "subject", "patient", "encounter",
          "period", "valueQuantity", "valueCodeableConcept", "component", "activity", "section", "condition", "relationship",
          "bodySite", "onsetPeriod", "participant", "type", "class", "contained", "device", "reasonCode", "statusReason")  # fmt: skip
INNER = ("text", "coding", "code", "display", "system", "value", "unit", "reference", "detail", "url", "valueString", "valueDosage",
         "timing", "repeat", "doseAndRate", "doseQuantity", "manifestation", "entry", "div")  # fmt: skip
LEAVES = (
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(("", "x", "#x", "48765-2", "urn:leapnote:section"))
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(INNER), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6))
def test_a_resource_of_any_shape_is_read_or_passed_over(kind: str, fields: dict[str, Any]) -> None:
    record = read({"resourceType": kind, **fields})
    held = [*record.problems, *record.medications, *record.allergies.items, *record.observations, *record.plan]
    assert all(one.stated_by == "import" and one.rule_ids for one in held)


@pytest.mark.data
def test_published_synthetic_patients_are_read_whole() -> None:
    folder = Path(os.environ.get("LEAPNOTE_TEST_DATA", "../shared/data")) / "fhir_synthea_r4"
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here")
    seen = 0
    for path in sorted(folder.glob("*.json")):
        bundle = json.loads(path.read_bytes())
        kinds = [entry["resource"]["resourceType"] for entry in bundle["entry"]]
        record = bundle_to_record(bundle)
        assert len(record.problems) == kinds.count("Condition")
        assert len(record.medications) == kinds.count("MedicationRequest")
        assert len(record.allergies.items) == kinds.count("AllergyIntolerance")
        assert len(record.procedures) == kinds.count("Procedure")
        assert record.person.sex and record.person.age_years is not None and record.person.weight_kg
        seen += len(record.problems)
    assert seen == 96
