"""What a record holds and denies of what advice may need."""

from typing import Any

import pytest

from backend.knowledge.advice.needs import Need
from backend.schemas.drafts.note import Allergies, LinkedNote, Note, Patient
from backend.schemas.record import (
    DeviceStatement,
    Dosage,
    Encounter,
    Experiencer,
    HabitStatus,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    ObservationStatement,
    PatientRecord,
    Person,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    Setting,
    SocialKind,
    SocialStatement,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyStatus
from backend.verification.fit.patient_facts import PatientFacts

ABOVE = {"apixaban": frozenset({"blood thinner"})}


def facts(stay: bool = False, discharge: tuple[str, ...] = (), **record: Any) -> PatientFacts:
    """The facts of a record; a concept's id is its name."""
    linked = LinkedNote(
        note=Note(text=""),
        allergies=Allergies(status=AllergyStatus.NOT_STATED),
        patient=Patient(),
        record=PatientRecord(**record),
    )
    return PatientFacts(linked, (), lambda concept: ABOVE.get(concept, frozenset()), str, discharge, stay=stay)


def problem(name: str = "gout", **fields: Any) -> ProblemStatement:
    return ProblemStatement(**{"id": "p", "name": name, "concept_id": name} | fields)


def medicine(name: str = "apixaban", **fields: Any) -> MedicationStatement:
    return MedicationStatement(**{"id": "m", "name": name, "concept_id": name} | fields)


@pytest.mark.parametrize(
    ("fields", "held"),
    [
        ({}, True),
        ({"verification_status": VerificationStatus.REFUTED}, False),
        ({"verification_status": VerificationStatus.UNCONFIRMED}, None),
        ({"hypothetical": True}, None),
        ({"experiencer": Experiencer.RELATIVE}, None),
    ],
)
def test_a_problem_is_held_denied_or_not_told(fields: dict[str, Any], held: bool | None) -> None:
    assert facts(problems=(problem(**fields),)).holds(Need("has", "gout")) is held


@pytest.mark.parametrize(
    ("fields", "takes", "medicine_held"),
    [
        ({}, True, True),
        ({"status": MedicationStatus.ON_HOLD}, None, True),
        ({"status": MedicationStatus.STOPPED}, False, False),
        ({"category": MedicationCategory.INPATIENT}, None, None),  # given here alone
        ({"experiencer": Experiencer.RELATIVE}, None, None),
    ],
)
def test_a_medicine_is_taken_on_hold_or_over(
    fields: dict[str, Any], takes: bool | None, medicine_held: bool | None
) -> None:
    found = facts(medications=(medicine(**fields),))
    assert found.holds(Need("takes", "apixaban")) is takes
    assert found.holds(Need("medicine", "apixaban")) is medicine_held


def test_a_class_is_taken_with_its_member_and_a_discharge_list_counts() -> None:
    assert facts(medications=(medicine(),)).takes("blood thinner")
    assert facts(discharge=("apixaban",)).takes("blood thinner")
    assert not facts().takes("blood thinner")


@pytest.mark.parametrize(
    ("person", "kind", "held"),
    [
        ({"age_years": 15}, "adult", False),
        ({"age_years": 16}, "adult", True),
        ({}, "adult", None),
        ({"age_years": 65}, "older", True),
        ({"sex": "male"}, "pregnant", False),
        ({"sex": "female", "age_years": 55}, "pregnant", False),
        ({"sex": "female", "age_years": 30}, "pregnant", None),
        ({"sex": "female", "age_years": 30}, "childbearing", True),
        ({"sex": "female", "age_years": 9}, "childbearing", False),
        ({"sex": "female", "age_years": 44}, "after menopause", False),
        ({}, "any age", True),
    ],
)
def test_what_follows_from_age_and_sex(person: dict[str, Any], kind: str, held: bool | None) -> None:
    assert facts(person=Person(id="person", **person)).holds(Need(kind)) is held


@pytest.mark.parametrize(
    ("setting", "stay", "held"),
    [
        (Setting.ADMISSION, False, True),
        (Setting.CLINIC, False, False),
        (Setting.CLINIC, True, True),
        (Setting.UNKNOWN, False, None),
    ],
)
def test_a_stay_is_told_by_the_setting_or_the_request(setting: Setting, stay: bool, held: bool | None) -> None:
    encounter = Encounter(id="encounter", setting=setting, certainty=1)
    assert facts(stay, encounter=encounter).holds(Need("inpatient stay")) is held


@pytest.mark.parametrize(
    ("statuses", "held"),
    [
        ((HabitStatus.CURRENT,), True),
        ((HabitStatus.NEVER,), False),
        ((HabitStatus.CURRENT, HabitStatus.FORMER), False),
        ((HabitStatus.UNKNOWN,), None),
        ((), None),
    ],
)
def test_a_habit_is_held_by_what_the_social_history_says(statuses: tuple[HabitStatus, ...], held: bool | None) -> None:
    social = tuple(SocialStatement(id=f"s{n}", kind=SocialKind.TOBACCO, status=one) for n, one in enumerate(statuses))
    assert facts(social=social).holds(Need("smoker")) is held


def test_a_need_that_only_a_denial_fails_holds_where_nothing_is_told() -> None:
    assert facts().missing(Need("has", "gout"))
    assert not facts().missing(Need("has", "gout", unless_denied=True))
    denied = facts(problems=(problem(verification_status=VerificationStatus.REFUTED),))
    assert denied.missing(Need("has", "gout", unless_denied=True))


def test_why_a_need_fails_is_told_in_words() -> None:
    on_hold = facts(medications=(medicine(status=MedicationStatus.ON_HOLD),))
    theirs = facts(problems=(problem(experiencer=Experiencer.RELATIVE),))
    assert "on hold" in on_hold.why(Need("takes", "apixaban"))
    assert "somebody else" in theirs.why(Need("has", "gout"))
    assert theirs.without_concept("gout") == "the note tells it of somebody else"
    assert "the note tells of none" in facts().why(Need("has", "gout"))
    assert facts(person=Person(id="person", age_years=40)).why(Need("child")).endswith("the patient is 40 years old")


def test_a_kind_of_need_that_no_row_names_is_refused() -> None:
    with pytest.raises(KeyError):
        facts().holds(Need("left-handed"))


@pytest.mark.parametrize(
    ("record", "held"),
    [
        ({"problems": (problem("obesity"),)}, True),
        ({"observations": (ObservationStatement(id="o", measure="body mass index", value=31),)}, True),
        ({"observations": (ObservationStatement(id="o", measure="body mass index", value=22),)}, False),
        ({}, None),
    ],
)
def test_who_weighs_too_much_is_told_by_a_problem_or_by_the_index(record: dict[str, Any], held: bool | None) -> None:
    assert facts(**record).holds(Need("overweight")) is held


@pytest.mark.parametrize(
    ("fields", "held"),
    [
        ({"category": MedicationCategory.INPATIENT}, True),
        ({}, True),
        ({"status": MedicationStatus.STOPPED}, None),
    ],
)
def test_what_was_given_here_counts_where_only_giving_matters(fields: dict[str, Any], held: bool | None) -> None:
    assert facts(medications=(medicine(**fields),)).holds(Need("given", "apixaban")) is held


def test_procedures_and_devices_of_the_hospital_course_count() -> None:
    linked = LinkedNote(
        note=Note(text=""),
        allergies=Allergies(status=AllergyStatus.NOT_STATED),
        patient=Patient(),
        record=PatientRecord(),
    )
    course = PatientRecord(
        procedures=(ProcedureStatement(id="a", concept_id="appendectomy", name="appendectomy"),),
        devices=(DeviceStatement(id="d", concept_id="drain", name="drain"),),
    )
    told = PatientFacts(linked, (), lambda _: frozenset(), str, (), course)
    assert told.holds(Need("procedure", "appendectomy")) is True
    assert told.holds(Need("drain")) is True
    assert told.holds(Need("operation done")) is True
    silent = PatientFacts(linked, (), lambda _: frozenset(), str)
    assert silent.holds(Need("procedure", "appendectomy")) is None


@pytest.mark.parametrize(
    ("name", "fields", "held"),
    [
        ("total hip replacement", {"status": ProcedureStatus.PAST}, True),
        ("hemiarthroplasty", {}, True),
        ("hip replacement", {"status": ProcedureStatus.PLANNED}, None),
        ("cesarean section", {"status": ProcedureStatus.PAST}, None),
    ],
)
def test_only_a_replaced_joint_is_an_artificial_one(name: str, fields: dict[str, Any], held: bool | None) -> None:
    operated = facts(procedures=(ProcedureStatement(id="a", name=name, **fields),))
    assert operated.holds(Need("artificial joint")) is held


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("umbilical hernia repair", "hernia operation"),
        ("laparoscopic repair of a recurrent ventral hernia", "hernia operation"),
        ("open repair of the aneurysm", "aneurysm repair"),
        ("EVAR", "aneurysm repair"),
        ("excision of hemorrhoids", "hemorrhoid operation"),
        ("Roux-en-Y gastric bypass", "weight-loss operation"),
        ("removal of the appendix", "appendix operation"),
        ("vaginal hysterectomy", "womb operation"),
        ("uterine fibroid embolization", "fibroid procedure"),
    ],
)
def test_an_operation_is_known_by_its_words_and_is_no_other(name: str, kind: str) -> None:
    kinds = {
        "hernia operation",
        "aneurysm repair",
        "hemorrhoid operation",
        "weight-loss operation",
        "appendix operation",
    }
    operated = facts(procedures=(ProcedureStatement(id="a", name=name),))
    assert operated.holds(Need(kind)) is True
    assert not any(operated.holds(Need(other)) for other in kinds - {kind})
    planned = facts(procedures=(ProcedureStatement(id="a", name=name, status=ProcedureStatus.PLANNED),))
    assert planned.holds(Need(kind)) is None


def test_an_operation_without_a_name_may_be_any_and_another_organ_s_is_none() -> None:
    def held(name: str) -> bool | None:
        return facts(procedures=(ProcedureStatement(id="a", name=name),)).holds(Need("hernia operation"))

    assert held("surgery") is True
    assert held("back surgery") is None
    assert held("mitral valve repair") is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Lives in a nursing home", "care home"),
        ("He is a retired teacher", "retired"),
        ("She has never driven and does not drive", "does not drive"),
    ],
)
def test_what_the_social_history_tells_of_a_life(text: str, kind: str) -> None:
    social = (SocialStatement(id="s", kind=SocialKind.LIVING, text=text),)
    assert facts(social=social).holds(Need(kind)) is True
    assert facts().holds(Need(kind)) is None


@pytest.mark.parametrize(
    ("fields", "lasting", "undecided"),
    [
        ({}, True, None),
        ({"ends": "last dose 18/10"}, None, None),
        ({"dosage": Dosage(days=5.0)}, None, None),
        ({"dosage": Dosage(days=180.0)}, True, None),
        ({"dosage": Dosage(timing="ONCE")}, None, None),
        ({"course": "dose pack"}, None, None),
        ({"status": MedicationStatus.STOPPED}, False, False),
    ],
)
def test_a_course_that_ends_is_no_lasting_medicine_and_one_that_was_stopped_is_decided(
    fields: dict[str, Any], lasting: bool | None, undecided: bool | None
) -> None:
    here = facts(medications=(medicine("prednisone", **fields),))
    assert here.holds(Need("lasting", "prednisone")) is lasting
    assert here.holds(Need("undecided", "prednisone")) is undecided


def test_all_the_words_of_a_kind_may_stand_apart_by_blanks() -> None:
    assert facts(problems=(problem("preeclampsia with severe features"),)).holds(Need("severe preeclampsia"))


@pytest.mark.parametrize(
    ("name", "held"), [("cast device", True), ("sugar-tong splint", True), ("wrist splint", None), ("knee brace", None)]
)
def test_a_brace_is_no_cast_and_neither_is_a_broken_bone(name: str, held: bool | None) -> None:
    worn = (DeviceStatement(id="d", concept_id=name, name=name),)
    assert facts(devices=worn, problems=(problem("wrist fracture"),)).holds(Need("cast")) is held
