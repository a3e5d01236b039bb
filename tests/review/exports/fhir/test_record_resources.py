"""A patient record as FHIR R4 resources, one a statement."""

from typing import Any

import pytest

from backend.review.exports.fhir.record_resources import patient_resource, record_resources
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    DeviceStatement,
    Experiencer,
    MedicationStatement,
    ObservationStatement,
    PatientRecord,
    Person,
    PlanKind,
    PlanStatement,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    StatedBy,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyStatus


def written(**fields: Any) -> dict[str, dict[str, Any]]:
    """The resources of a record by their ids, which are the statements'."""
    record = PatientRecord(**fields)
    patient = patient_resource(record.person, str)
    return {one.resource["id"]: one.resource for one in record_resources(record, patient, str)}


def problem(**fields: Any) -> ProblemStatement:
    return ProblemStatement(**{"id": "p", "name": "gout", "concept_id": None} | fields)


def test_a_patient_has_no_name_and_a_sex_only_where_one_is_stated() -> None:
    assert "gender" not in patient_resource(Person(id="person"), str)
    stated = patient_resource(Person(id="person", sex="female"), str)
    assert (stated["gender"], stated["id"]) == ("female", "patient")
    assert not {"name", "birthDate"} & set(stated)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "Condition"),
        ({"hypothetical": True}, "RiskAssessment"),  # only a warning: nobody may read it as a condition
        ({"experiencer": Experiencer.RELATIVE, "kinship": "mother"}, "FamilyMemberHistory"),
    ],
)
def test_only_the_patient_s_own_problem_is_a_condition(fields: dict[str, Any], kind: str) -> None:
    assert written(problems=(problem(**fields),))["p"]["resourceType"] == kind


def test_that_a_relative_s_problem_was_denied_may_be_passed_over_by_nobody() -> None:
    denied = problem(experiencer=Experiencer.RELATIVE, verification_status=VerificationStatus.REFUTED)
    (condition,) = written(problems=(denied,))["p"]["condition"]
    assert condition["note"] == [{"text": "refuted"}]
    assert len(condition["modifierExtension"]) == 1


def test_a_possible_allergy_stays_unconfirmed_and_an_unknown_agent_says_that_it_is_unchecked() -> None:
    possible = AllergyStatement(id="a", agent="zorb", possible=True)
    resource = written(allergies=AllergyRecord(items=(possible,)))["a"]
    assert resource["verificationStatus"]["coding"][0]["code"] == "unconfirmed"
    assert resource["note"] == [{"text": "Not recognised, not checked."}]


def test_no_known_allergy_is_no_resource_where_the_record_names_one() -> None:
    for one in (AllergyStatement(id="a", agent="latex"), AllergyStatement(id="a", agent="latex", possible=True)):
        made = written(allergies=AllergyRecord(status=AllergyStatus.NONE_KNOWN, items=(one,)))
        named = [held["code"]["text"] for held in made.values() if held["resourceType"] == "AllergyIntolerance"]
        assert named == ["latex"]


def test_no_known_allergy_is_a_resource_without_a_warning() -> None:
    (resource,) = [
        one
        for one in written(allergies=AllergyRecord(status=AllergyStatus.NONE_KNOWN)).values()
        if one["resourceType"] == "AllergyIntolerance"
    ]
    assert resource["code"]["coding"][0]["code"] == "716186003"
    assert "note" not in resource


@pytest.mark.parametrize(
    ("status", "kind", "stated"),
    [
        (ProcedureStatus.PLANNED, "ServiceRequest", "active"),
        (ProcedureStatus.NOT_DONE, "Procedure", "not-done"),
        (ProcedureStatus.PAST, "Procedure", "completed"),
    ],
)
def test_a_procedure_is_planned_done_or_not(status: ProcedureStatus, kind: str, stated: str) -> None:
    resource = written(procedures=(ProcedureStatement(id="x", name="biopsy", concept_id=None, status=status),))["x"]
    assert (resource["resourceType"], resource["status"]) == (kind, stated)


def test_a_device_that_was_not_put_in_says_so_to_every_reader() -> None:
    device = DeviceStatement(id="d", name="stent", concept_id=None, status=ProcedureStatus.NOT_DONE)
    assert written(devices=(device,))["d"]["modifierExtension"]


def test_a_value_is_a_quantity_or_its_words() -> None:
    found = written(
        observations=(
            ObservationStatement(id="n", measure="sodium", value=140, value_text="140", unit="mmol/L"),
            ObservationStatement(id="t", measure="culture", value_text="positive"),
        )
    )
    assert found["n"]["valueQuantity"] == {"value": 140, "unit": "mmol/L"}
    assert found["t"]["valueString"] == "positive"


def test_a_combination_contains_its_ingredients() -> None:
    one = MedicationStatement(id="m", name="co-zorb", concept_id=None, ingredients=("zorb", "blax"))
    (held,) = written(medications=(one,))["m"]["contained"]
    assert [part["itemCodeableConcept"]["text"] for part in held["ingredient"]] == ["zorb", "blax"]


def test_the_plan_is_one_resource_and_an_empty_one_is_none() -> None:
    plan = tuple(PlanStatement(id=f"plan-{n}", kind=PlanKind.TEST, text=f"test <{n}>") for n in (1, 2))
    resource = written(plan=plan)["plan"]
    assert [one["detail"]["description"] for one in resource["activity"]] == ["test <1>", "test <2>"]
    assert "<1>" not in resource["text"]["div"]
    assert "plan" not in written()


@pytest.mark.parametrize(
    ("author", "at", "told"), [("Ada", "2030-01-02T03:04:05", 1), ("", "2030-01-02", 0), ("Ada", "soon", 0)]
)
def test_a_correction_has_its_author_and_time_where_it_says_both(author: str, at: str, told: int) -> None:
    stated = problem(stated_by=StatedBy.CLINICIAN, author=author, at=at)
    found = [one for one in written(problems=(stated,)).values() if one["resourceType"] == "Provenance"]
    assert [one["recorded"] for one in found] == ["2030-01-02T03:04:05+00:00"] * told
