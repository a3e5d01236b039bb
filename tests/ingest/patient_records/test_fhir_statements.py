"""One FHIR R4 resource to statements: what each type gives, and what is refused."""

from typing import Any

import pytest

from backend.ingest.patient_records.fhir_statements import FhirReader
from backend.ingest.patient_records.imported_statements import ImportedStatements
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import AllergyStatus

VISIT = {"resourceType": "Encounter", "id": "e"}


def read(*resources: dict[str, Any], at: str = "", **others: dict[str, Any]) -> PatientRecord:
    """The record of resources; others are what references of their names mean."""
    statements = ImportedStatements()
    known = {"Encounter/e": VISIT, **others}
    reader = FhirReader(statements, VISIT, at, lambda address: known.get(address, {}))
    for number, one in enumerate(resources):
        reader.read(one, f"r{number}")
    return statements.record()


def one(kind: str, text: str = "", **fields: Any) -> dict[str, Any]:
    return {"resourceType": kind, **({"code": {"text": text}} if text else {}), **fields}


def code(value: str) -> dict[str, Any]:
    return {"coding": [{"code": value}]}


def test_a_problem_is_active_unless_it_abated() -> None:
    found = read(one("Condition", "gout"), one("Condition", "rash", abatementDateTime="2020-01-02")).problems
    assert [(p.name, p.clinical_status.value) for p in found] == [("gout", "active"), ("rash", "resolved")]


def test_a_relative_s_problem_is_theirs() -> None:
    (found,) = read(
        one("FamilyMemberHistory", relationship={"text": "Mother"}, condition=[{"code": {"text": "gout"}}])
    ).problems
    assert (found.name, found.experiencer.value, found.kinship) == ("gout", "relative", "mother")


@pytest.mark.parametrize(
    ("resource", "status", "category"),
    [
        (one("MedicationStatement", status="active"), "active", "community"),
        (one("MedicationRequest", status="stopped"), "stopped", "community"),
        (one("MedicationRequest", status="active", intent="plan"), "intended", "community"),
        (one("MedicationAdministration", status="completed"), "active", "inpatient"),  # given in this stay
    ],
)
def test_a_medicine_has_its_status_and_place(resource: dict[str, Any], status: str, category: str) -> None:
    (found,) = read(resource | {"medicationCodeableConcept": {"text": "lisinopril"}}).medications
    assert (found.name, found.status.value, found.category.value) == ("lisinopril", status, category)


def test_a_medicine_may_be_a_contained_resource() -> None:
    held = {"resourceType": "Medication", "id": "m", "code": {"text": "lisinopril"}}
    (found,) = read(
        one("MedicationStatement", status="active", contained=[held], medicationReference={"reference": "#m"})
    ).medications
    assert found.name == "lisinopril"


def test_an_allergy_without_a_name_is_seen_all_the_same() -> None:
    (found,) = read(one("AllergyIntolerance") | {"code": code("12345")}).allergies.items
    assert found.agent == "a substance without a name (code 12345)"
    reaction = [{"manifestation": [{"text": "hives"}, {"text": "hives"}, {"text": "cough"}]}]
    (named,) = read(one("AllergyIntolerance", "penicillin", reaction=reaction)).allergies.items
    assert (named.agent, named.reaction) == ("penicillin", "hives, cough")


def test_a_code_for_no_known_allergy_is_no_allergy() -> None:
    allergies = read(one("AllergyIntolerance") | {"code": code("716186003")}).allergies
    assert (allergies.items, allergies.status) == ((), AllergyStatus.NONE_KNOWN)


def test_a_procedure_of_this_encounter_is_done_now() -> None:
    here = one("Procedure", "biopsy", status="completed", encounter={"reference": "Encounter/e"})
    before = one("Procedure", "biopsy", status="completed", performedDateTime="2019-05")
    planned = one("ServiceRequest", "biopsy", status="active")
    found = read(here, before, planned).procedures
    assert [(p.status.value, p.date) for p in found] == [("done_now", ""), ("past", "2019-05"), ("planned", "")]


@pytest.mark.parametrize(
    ("fields", "value", "text"),
    [
        ({"valueQuantity": {"value": 7.9, "unit": "g/dL"}}, 7.9, "7.9"),
        ({"valueQuantity": {"value": 5, "unit": "g/dL", "comparator": "<"}}, None, "<5"),
        ({"valueString": "positive"}, None, "positive"),
    ],
)
def test_a_value_is_a_number_or_its_words(fields: dict[str, Any], value: float | None, text: str) -> None:
    (found,) = read(one("Observation", "haemoglobin", **fields)).observations
    assert (found.value, found.value_text) == (value, text)


def test_the_age_is_of_the_day_and_follow_up_names_whom() -> None:
    record = read(
        one("Patient", gender="female", birthDate="2000-06-01"),
        one("Appointment", description="Check", participant=[{"actor": {"display": "Dr. Lee"}}], start="2031-02-03"),
        at="2030-05-31",
    )
    assert (record.person.age_years, record.person.sex) == (29, "female")
    assert [(p.kind.value, p.whom, p.when) for p in record.plan] == [("follow_up", "Dr. Lee", "2031-02-03")]


@pytest.mark.parametrize(
    "resource",
    [
        one("Condition", "gout", verificationStatus=code("entered-in-error")),
        one("Condition"),  # without a name
        one("MedicationRequest", status="draft", medicationCodeableConcept={"text": "aspirin"}),
        one("ServiceRequest", "biopsy", status="revoked"),
        one("Observation", "haemoglobin", dataAbsentReason=code("unknown")),
        one("RiskAssessment", prediction=[{"outcome": {"text": "stroke"}}]),  # calculated by another system
        one("Device", type={"text": "pump"}),  # of nobody
        one("Questionnaire", "gout"),
        {},
        {"resourceType": 7},
    ],
)
def test_what_states_nothing_gives_no_statement(resource: dict[str, Any]) -> None:
    record = read(resource)
    assert [s for s in record.statements if s.id not in (record.person.id, record.encounter.id)] == []
