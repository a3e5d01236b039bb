"""What a note decides about one medicine, from all its statements of that medicine."""

from typing import Any

import pytest

from backend.generation.letter.medicines.medicine_decisions import Kind, decision_of, kind_of
from backend.schemas.record import (
    Dosage,
    Experiencer,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    RecordSpan,
    StatedBy,
)
from backend.schemas.vocabulary import SectionCategory
from tests.generation.letter.reading import actions_of

PLAN, LIST, STORY = SectionCategory.PLAN, SectionCategory.MEDICATIONS, SectionCategory.HISTORY_OF_PRESENT_ILLNESS
STOPPED, HELD, ACTIVE = MedicationStatus.STOPPED, MedicationStatus.ON_HOLD, MedicationStatus.ACTIVE


def stated(dose: float | None = 10, at: int = 0, words: str = "", **fields: Any) -> MedicationStatement:
    """A statement of one medicine; words: those that decided it, behind the name."""
    spans = [RecordSpan(start_char=at, end_char=at + 4, text="zorb")]
    spans += [RecordSpan(start_char=at + 5, end_char=at + 5 + len(words), text=words)] if words else []
    dosage = Dosage(dose=dose, unit="mg", timing="QD") if dose else Dosage()
    given = {
        "id": f"m{at}",
        "name": "zorb",
        "concept_id": "Z",
        "dosage": dosage,
        "spans": tuple(spans),
        "section": LIST,
    }
    return MedicationStatement(**given | fields)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, Kind.TAKEN),
        ({"status": STOPPED, "section": PLAN}, Kind.STOPPED),
        ({"status": STOPPED, "section": STORY}, Kind.STOPPED_BEFORE),
        ({"status": STOPPED, "section": STORY, "words": "stop"}, Kind.STOPPED),  # an order, wherever it stands
        ({"status": STOPPED, "section": PLAN, "why_stopped": "ran out"}, Kind.STOPPED_BEFORE),
        ({"status": STOPPED, "section": STORY, "stated_by": StatedBy.CLINICIAN}, Kind.STOPPED),
        ({"status": HELD}, Kind.HELD),
        ({"change": "started", "section": PLAN}, Kind.STARTED),
        ({"change": "increased", "section": PLAN}, Kind.CHANGED),
        ({"change": "continued", "section": PLAN}, Kind.CONTINUED),
        ({"change": "increased", "section": STORY}, Kind.TAKEN),  # history
        ({"status": MedicationStatus.INTENDED, "section": PLAN}, Kind.PLANNED),
        ({"category": MedicationCategory.DISCHARGE}, Kind.DISCHARGE),
        ({"category": MedicationCategory.INPATIENT}, Kind.HERE),
        ({"status": MedicationStatus.NOT_TAKEN}, Kind.NOT_TAKEN),
        ({"status": MedicationStatus.NOT_TAKEN, "section": STORY, "dose": None}, None),  # "no aspirin"
        ({"status": MedicationStatus.COMPLETED}, None),
        ({"experiencer": Experiencer.RELATIVE}, None),
        ({"dose": None, "certainty": 0.5}, None),  # only named
    ],
)
def test_a_statement_is_history_decided_now_or_given_here(fields: dict[str, Any], kind: Kind | None) -> None:
    assert kind_of(stated(**fields)) is kind


def test_a_decision_speaks_for_the_list_before_it_and_keeps_the_old_dose() -> None:
    found = decision_of([stated(10), stated(20, 50, change="increased", section=PLAN)])
    assert found is not None
    assert (found.kind, found.regimen[0].dose, found.old[0].dose, found.taken) == (Kind.CHANGED, 20, 10, True)


def test_an_end_and_a_going_on_contradict_each_other() -> None:
    found = decision_of([stated(at=0, status=HELD, section=PLAN), stated(at=50, change="continued", section=PLAN)])
    assert found is not None and found.conflict == (Kind.HELD, Kind.CONTINUED)


def test_what_is_resumed_further_on_is_no_longer_on_hold() -> None:
    found = decision_of([stated(at=0, status=HELD), stated(at=50, change="resumed", section=PLAN)])
    assert found is not None and (found.kind, found.conflict) == (Kind.CONTINUED, ())


def test_a_clinician_s_statement_beats_whatever_was_read() -> None:
    found = decision_of([stated(10), stated(10, 50, status=STOPPED, stated_by=StatedBy.CLINICIAN, section=PLAN)])
    assert found is not None and (found.kind, found.conflict) == (Kind.STOPPED, ())


def test_two_doses_of_a_list_disagree() -> None:
    found = decision_of([stated(10), stated(20, 50)])
    assert found is not None and [regimen[0].dose for regimen in found.disagreeing] == [10, 20]
    same = decision_of([stated(10), stated(10, 50)])
    assert same is not None and same.disagreeing == ()


def test_statements_that_are_no_reason_for_a_row_give_no_decision() -> None:
    assert decision_of([]) is None
    assert decision_of([stated(status=MedicationStatus.COMPLETED)]) is None


def test_a_stop_for_a_case_to_come_leaves_the_dose_that_somebody_goes_home_with() -> None:
    note = (
        "HISTORY OF PRESENT ILLNESS: He is a 50-year-old man whose mood rose.\nMEDICATIONS: Lithium 600 mg at night.\n"
        "PLAN: He goes home with lithium 800 mg at night. He was told to stop lithium and seek help if he vomits.\n"
    )
    assert actions_of(note)["lithium"] == "changed"
