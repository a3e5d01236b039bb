"""A patient record as a FHIR R4 bundle and back."""

import json
import uuid
from datetime import UTC, datetime
from typing import Any

from fhir.resources.R4B.bundle import Bundle
from hypothesis import HealthCheck, given, settings

from backend.ingest.patient_records.fhir_record import bundle_to_record
from backend.review.exports.fhir.fhir_parts import checked_json
from backend.review.exports.fhir.record_bundle import record_to_bundle
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    DeviceStatement,
    Dosage,
    Experiencer,
    MedicationStatement,
    ObservationStatement,
    PatientRecord,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    RecordSpan,
    StatedBy,
    VerificationStatus,
)
from tests.review.exports.fhir.records import RECORDS

NOT_HELD = {"spans", "rule_ids", "certainty", "stated_by", "author", "at", "contradicted_by"}
"""What FHIR has no place for without the note, and what an import says of itself."""


def bundle(record: PatientRecord) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(checked_json(record_to_bundle(record)))
    return made


def resources(record: PatientRecord, kind: str) -> list[dict[str, Any]]:
    return [e["resource"] for e in bundle(record)["entry"] if e["resource"]["resourceType"] == kind]


def held(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: held(inner) for name, inner in value.items() if name not in NOT_HELD}
    return [held(inner) for inner in value] if isinstance(value, list) else value


def problem(**fields: Any) -> PatientRecord:
    return PatientRecord(problems=(ProblemStatement(id="problem-1", concept_id=None, name="stroke", **fields),))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(RECORDS)
def test_a_record_comes_back_from_its_bundle_as_it_was(record: PatientRecord) -> None:
    back = bundle_to_record(bundle(record))
    assert held(json.loads(back.model_dump_json())) == held(json.loads(record.model_dump_json()))


def test_what_does_not_come_back_is_what_belongs_to_the_note() -> None:
    span = RecordSpan(start_char=0, end_char=6, text="stroke")
    record = problem(spans=(span,), rule_ids=("a",), certainty=0.5, stated_by=StatedBy.MODEL)
    back = bundle_to_record(bundle(record)).problems[0]
    assert (back.spans, back.certainty, back.stated_by) == ((), 1.0, "import")
    assert back.rule_ids[0].startswith("fhir/Condition/")


def test_a_resource_of_every_kind_is_valid_and_every_reference_is_inside() -> None:
    record = PatientRecord(
        medications=(MedicationStatement(id="medication-1", concept_id="LN:x", name="x", ingredients=("a", "b")),),
        procedures=(ProcedureStatement(id="procedure-1", name="appendectomy"),),
        devices=(DeviceStatement(id="device-1", name="pacemaker"),),
    )
    made = bundle(record)
    Bundle.model_validate(made)
    inside = {entry["fullUrl"] for entry in made["entry"]}
    assert {e["resource"]["resourceType"] for e in made["entry"]} == {
        "Patient", "Encounter", "MedicationStatement", "Procedure", "DeviceUseStatement", "List",
    }  # fmt: skip
    asked = [e["resource"].get(field) for e in made["entry"] for field in ("subject", "encounter")]
    assert {one["reference"] for one in asked if one} <= inside


def test_the_same_namespace_gives_the_same_ids_and_another_gives_others() -> None:
    record, at = problem(), datetime(2031, 2, 4, tzinfo=UTC)
    one, other = uuid.UUID(int=1), uuid.UUID(int=2)
    assert record_to_bundle(record, one, at) == record_to_bundle(record, one, at)
    ids = [{e["fullUrl"] for e in record_to_bundle(record, space)["entry"]} for space in (one, other)]
    assert not ids[0] & ids[1]


def test_a_warning_and_a_relative_s_problem_never_become_a_condition_of_the_patient() -> None:
    warning, mother = problem(hypothetical=True), problem(experiencer=Experiencer.RELATIVE, kinship="mother")
    assert resources(warning, "Condition") == resources(mother, "Condition") == []
    assert resources(warning, "RiskAssessment")[0]["prediction"][0]["outcome"]["text"] == "stroke"
    (history,) = resources(mother, "FamilyMemberHistory")
    assert history["relationship"]["coding"][0]["code"] == "MTH"


def test_a_denied_problem_of_a_relative_is_marked_so_that_no_reader_may_pass_over_it() -> None:
    record = problem(experiencer=Experiencer.RELATIVE, verification_status=VerificationStatus.REFUTED)
    (condition,) = resources(record, "FamilyMemberHistory")[0]["condition"]
    assert condition["modifierExtension"] == [{"url": "urn:leapnote:verification_status", "valueString": "refuted"}]


def test_a_relative_s_medicine_is_not_about_the_patient() -> None:
    taken = MedicationStatement(id="medication-1", concept_id=None, name="warfarin", experiencer=Experiencer.RELATIVE)
    (made,) = resources(PatientRecord(medications=(taken,)), "MedicationStatement")
    assert "reference" not in made["subject"]


def test_a_possible_allergy_is_unconfirmed_and_one_taken_back_is_refuted() -> None:
    items = (
        AllergyStatement(id="allergy-1", agent="ibuprofen", possible=True),
        AllergyStatement(id="allergy-2", agent="latex", verification_status=VerificationStatus.REFUTED),
    )
    made = resources(PatientRecord(allergies=AllergyRecord(items=items)), "AllergyIntolerance")
    assert [one["verificationStatus"]["coding"][0]["code"] for one in made] == ["unconfirmed", "refuted"]


def test_a_planned_procedure_is_a_request_and_a_device_never_had_is_marked() -> None:
    planned = ProcedureStatement(
        id="procedure-1", name="colonoscopy", status=ProcedureStatus.PLANNED, date="2031-03-01"
    )
    never = DeviceStatement(id="device-1", name="pacemaker", status=ProcedureStatus.NOT_DONE)
    record = PatientRecord(procedures=(planned,), devices=(never,))
    (request,) = resources(record, "ServiceRequest")
    assert (request["intent"], request["occurrenceDateTime"]) == ("plan", "2031-03-01")
    (device,) = resources(record, "DeviceUseStatement")
    assert device["modifierExtension"][0]["valueString"] == "not_done"


def test_a_dosage_has_fhir_s_rhythm_dose_and_count() -> None:
    dosage = Dosage(
        dose=500, unit="mg", quantity=1, quantity_high=2, form="tablet", timing="Q6H", as_needed=True, route="oral"
    )
    taken = MedicationStatement(id="medication-1", concept_id=None, name="paracetamol", dosage=dosage)
    (made,) = resources(PatientRecord(medications=(taken,)), "MedicationStatement")
    (written,) = made["dosage"]
    assert written["timing"]["repeat"] == {"frequency": 1, "period": 6.0, "periodUnit": "h"}
    assert {c["code"] for c in written["timing"]["code"]["coding"]} == {"Q6H"}
    assert written["asNeededBoolean"] is True
    assert written["route"]["coding"][0]["code"] == "26643006"
    dose, count = written["doseAndRate"]
    assert dose["doseQuantity"] == {"value": 500.0, "unit": "mg"}
    assert (count["doseRange"]["low"]["value"], count["doseRange"]["high"]["value"]) == (1.0, 2.0)


def test_a_known_measure_has_its_loinc_code() -> None:
    value = ObservationStatement(id="observation-1", measure="potassium", value=4.2, value_text="4.2", unit="mmol/L")
    (made,) = resources(PatientRecord(observations=(value,)), "Observation")
    assert made["code"]["coding"][0] == {
        "system": "http://loinc.org",
        "code": "2823-3",
        "display": "Potassium [Moles/volume] in Serum or Plasma",
    }


def test_a_clinician_s_correction_is_told_with_name_and_time() -> None:
    record = problem(stated_by=StatedBy.CLINICIAN, author="Dr Brand", at="2031-02-04T09:00:00+00:00")
    (made,) = resources(record, "Provenance")
    assert made["agent"][0]["who"]["display"] == "Dr Brand"
    assert made["target"][0]["reference"] == f"urn:uuid:{resources(record, 'Condition')[0]['id']}"
    assert resources(problem(stated_by=StatedBy.CLINICIAN, author="Dr Brand", at="then"), "Provenance") == []
