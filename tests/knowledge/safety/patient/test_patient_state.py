"""The state of a patient: what the record has as present, past, another's, or only possible, and what values mean."""

import pytest

from backend.knowledge.safety.patient.patient_state import patient_state
from backend.knowledge.safety.rows.clauses import Held, HeldClause, Stage, ValueClause
from backend.knowledge.safety.rows.implied import ImpliedRow
from backend.schemas.record import (
    ClinicalStatus,
    Dosage,
    Experiencer,
    HabitStatus,
    MedicationStatement,
    ObservationStatement,
    PatientRecord,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    SocialKind,
    SocialStatement,
    VerificationStatus,
)
from backend.schemas.vocabulary import SectionCategory


def kinds(concept: str) -> tuple[str, ...]:
    return (concept, "ulcer") if concept == "duodenal ulcer" else (concept,)


def problem(concept: str = "gout", **fields: object) -> ProblemStatement:
    return ProblemStatement.model_validate({"id": "problem-1", "concept_id": concept, "name": concept, **fields})


@pytest.mark.parametrize(
    ("fields", "present", "past"),
    [
        ({}, True, False),
        ({"chronic": True}, True, False),
        ({"clinical_status": ClinicalStatus.RESOLVED}, False, True),
        ({"clinical_status": ClinicalStatus.INACTIVE}, False, True),
        ({"verification_status": VerificationStatus.REFUTED}, False, False),
        ({"verification_status": VerificationStatus.DIFFERENTIAL}, False, False),
        ({"experiencer": Experiencer.RELATIVE}, False, False),
        ({"hypothetical": True}, False, False),
    ],
)
def test_only_the_patient_s_own_confirmed_problems_count(fields: dict[str, object], present: bool, past: bool) -> None:
    state = patient_state(PatientRecord(problems=(problem(**fields),)), kinds)
    assert ("gout" in state.present, "gout" in state.past) == (present, past)


def test_a_problem_is_what_it_is_a_kind_of() -> None:
    assert "ulcer" in patient_state(PatientRecord(problems=(problem("duodenal ulcer"),)), kinds).present


@pytest.mark.parametrize(
    ("fields", "stage", "held"),
    [
        ({"stage": "uncontrolled", "chronic": True}, Stage.UNCONTROLLED, True),
        ({"severity": "severe", "chronic": True}, Stage.SEVERE, True),
        ({"chronic": True}, Stage.ACUTE, False),
        ({}, Stage.ACUTE, True),
        ({"section": SectionCategory.PAST_MEDICAL_HISTORY}, Stage.ACUTE, False),
    ],
)
def test_stages_are_those_that_the_record_tells(fields: dict[str, object], stage: Stage, held: bool) -> None:
    state = patient_state(PatientRecord(problems=(problem(**fields),)), kinds)
    assert (stage in state.present["gout"]) is held


def test_what_the_encounter_is_about_is_acute_and_what_a_clinician_ruled_out_is_absent() -> None:
    record = PatientRecord(problems=(problem(chronic=True),))
    assert Stage.ACUTE in patient_state(record, kinds, leading={"gout"}).present["gout"]
    assert patient_state(record, kinds, denied={"gout"}).present == {}
    assert "sepsis" in patient_state(PatientRecord(), kinds, also={"sepsis"}).present


def test_dialysis_is_failed_kidneys_and_no_acute_injury() -> None:
    dialysis = ImpliedRow(
        (HeldClause(Held.HAS, ("dialysis",), ("dialysis",)),), ("kidney disease",), ("acute injury",), "eGFR", 10.0
    )
    done = ProcedureStatement(id="procedure-1", concept_id="dialysis", name="dialysis", status=ProcedureStatus.DONE_NOW)
    state = patient_state(PatientRecord(problems=(problem("acute injury"),), procedures=(done,)), kinds, (dialysis,))
    assert "kidney disease" in state.present and "acute injury" not in state.present
    assert state.values["eGFR"].number == 10.0


def test_a_value_names_a_condition_and_ends_one_that_the_note_only_calls_so() -> None:
    rows = (
        ImpliedRow((ValueClause("potassium", ">=", 5.5),), ("hyperkalemia",), ()),
        ImpliedRow((ValueClause("potassium", "<", 5.5),), (), ("hyperkalemia",)),
    )

    def at(potassium: float, *problems: ProblemStatement) -> bool:
        measured = ObservationStatement(
            id="observation-1", measure="potassium", value=potassium, value_text=str(potassium)
        )
        return (
            "hyperkalemia"
            in patient_state(PatientRecord(observations=(measured,), problems=problems), kinds, rows).present
        )

    assert (at(6.1), at(5.2), at(5.2, problem("hyperkalemia"))) == (True, False, False)


def test_habits_and_pregnancy_are_told_of_the_person() -> None:
    smokes = SocialStatement(id="social-1", kind=SocialKind.TOBACCO, status=HabitStatus.CURRENT)
    drank = SocialStatement(id="social-2", kind=SocialKind.ALCOHOL, status=HabitStatus.FORMER)
    assert patient_state(PatientRecord(social=(smokes, drank)), kinds).persons == {"smoker"}


@pytest.mark.parametrize(
    ("name", "surgery"), [("mastectomy", True), ("hip replacement", True), ("colonoscopy", False), ("bone scan", False)]
)
def test_a_planned_operation_is_planned_surgery(name: str, surgery: bool) -> None:
    planned = ProcedureStatement(id="procedure-1", concept_id=name, name=name, status=ProcedureStatus.PLANNED)
    state = patient_state(PatientRecord(procedures=(planned,)), kinds)
    assert ("LN:surgery" in state.planned, name in state.planned, name in state.present) == (surgery, True, False)


def test_a_relative_s_problem_is_of_the_family_and_not_the_patient_s() -> None:
    record = PatientRecord(problems=(problem("gout", experiencer=Experiencer.RELATIVE, kinship="brother"),))
    state = patient_state(record, kinds)
    assert (state.family, "gout" in state.present) == (frozenset({"gout"}), False)


@pytest.mark.parametrize(("text", "comfort"), [("comfort measures only", True), ("wants full treatment", False)])
def test_comfort_as_the_goal_is_of_the_person(text: str, comfort: bool) -> None:
    goal = SocialStatement(id="social-1", kind=SocialKind.GOALS_OF_CARE, text=text)
    assert ("comfort care" in patient_state(PatientRecord(social=(goal,)), kinds).persons) is comfort


@pytest.mark.parametrize(("route", "inhaled"), [("nasal", False), ("inhaled", True), ("", True)])
def test_a_steroid_for_the_nose_is_no_inhaled_one(route: str, inhaled: bool) -> None:
    taken = MedicationStatement(id="medication-1", concept_id="f", name="fluticasone", dosage=Dosage(route=route))
    classes = {"f": ("f", "LN:inhaled-corticosteroid", "LN:nasal-corticosteroid")}
    state = patient_state(PatientRecord(medications=(taken,)), lambda concept: classes.get(concept, (concept,)))
    assert ("LN:inhaled-corticosteroid" in state.taken) is inhaled
