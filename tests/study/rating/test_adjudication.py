"""Where raters disagree most, and what a third person says of it."""

import uuid

import pytest

from backend.errors import ConflictError
from backend.schemas.studies.study_design import Arm, PrimaryTest
from backend.schemas.studies.study_instrument import Design
from backend.schemas.studies.study_rating import AnswerRequest, EventKind
from backend.study.design.instruments import instrument
from backend.study.rating.adjudication import adjudicate, disagreements
from backend.study.rating.study_progress import progress
from backend.study.reporting.report import analysed
from backend.study.reporting.report_tables import adjudication_tables
from backend.study.reporting.study_export import ratings_data
from backend.study.tidy import tidy_rows
from tests.study.finished import whole
from tests.study.sample import PLAN, StudyWorld


def test_a_third_person_s_answers_stand_beside_the_raters(study_world: StudyWorld) -> None:
    study_id = whole(study_world, {"R01": 5, "R02": 2})
    adjudicate(study_world.studies, study_id, 1, "Ada")
    token = study_world.invite(study_id, "J01")
    study_world.rate(token, 1, 3)
    found = analysed(study_world.studies, study_id)
    ruled = found.analysis.adjudicated
    assert len(ruled) == 4  # statements of one draft
    assert {(one.adjudicator, one.value, one.raters) for one in ruled} == {("J01", 3.0, (5.0, 2.0))}
    assert {one.of for one in ruled} <= {"arm 1", "arm 2"}  # still blind
    (table,) = adjudication_tables(found.analysis)
    assert table.rows[0][3:] == ("5.00, 2.00", "J01", "3.00")
    means = {s.mean.value for s in found.analysis.summaries if s.question == "reinrag-statements/rare_omission"}
    assert means == {3.5}  # the third person changes nothing


def test_rankings_disagree_by_the_places_of_their_drafts(study_world: StudyWorld) -> None:
    arms = tuple(Arm(id=f"arm-{n}", system=f"zebra{n}", guess_label=f"way {n}") for n in range(3))
    plan = PLAN.model_copy(update={"primary_outcome": "ranking/order", "test": PrimaryTest.BRADLEY_TERRY})
    ranked = {"design": Design.RANKING, "instruments": (instrument("ranking"),), "arms": arms, "plan": plan}
    study_id = study_world.frozen(1, calibration_items=0, guess_items=0, **ranked)
    study = study_world.study(study_id)
    for plan_of, order in zip(study.raters, ("arm-0 arm-1 arm-2", "arm-0 arm-2 arm-1"), strict=True):
        shown = plan_of.slots[0].shown
        letters = [["ABC"[shown.index(arm)]] for arm in order.split()]
        request = AnswerRequest.model_validate({"key": "q1", "answer": {"kind": "ranking", "order": letters}})
        study_world.ratings.answer(study_world.invite(study_id, plan_of.rater_id), 1, str(uuid.uuid4()), request)
    data = ratings_data(study_world.studies, study_id)
    # of places 1 to 3 as shares of the way: arm-0 0 and 0, arm-1 0.5 and 1, arm-2 1 and 0.5: (0 + 0.5 + 0.5) / 3
    assert [(d.score, d.answers) for d in disagreements(data.study, data.ratings)] == [(pytest.approx(1 / 3), 6)]


def test_disagreement_is_the_share_of_the_scale_between_two_raters(study_world: StudyWorld) -> None:
    study_id = whole(study_world, {"R01": 5, "R02": 2})
    data = ratings_data(study_world.studies, study_id)
    found = disagreements(data.study, data.ratings)
    # |5 - 2| / (5 - 1) = 0.75 on every statement of every one of the 6 main items; 4 statements, 2 raters
    assert [(d.score, d.answers) for d in found] == [(0.75, 8)] * 6


def test_the_items_that_disagree_most_go_to_a_third_person_who_sees_no_answer(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    tokens = [study_world.invite(study_id, rater) for rater in ("R01", "R02")]
    for token in tokens:
        study_world.rate_all(token, 4)
    plan = study_world.study(study_id).raters[1]
    odd = plan.slots[3]
    study_world.rate(tokens[1], odd.number, 1)
    with pytest.raises(ConflictError, match="close it before"):
        adjudicate(study_world.studies, study_id, 5, "Ada")
    study_world.studies.close(study_id, "Ada")
    made = adjudicate(study_world.studies, study_id, 5, "Ada")
    assert [slot.item_id for slot in made.slots] == [odd.item_id]
    token = study_world.invite(study_id, "J01")
    assert study_world.ratings.item(token, 1).answers == ()
    study_world.rate(token, 1, 3)
    assert study_world.ratings.finish(token).stage == "done"
    with pytest.raises(ConflictError, match="closed"):
        study_world.ratings.item(tokens[0], 1)
    rows = tidy_rows(ratings_data(study_world.studies, study_id), blind=False)
    assert {(r.role, r.value) for r in rows if r.rater == "J01"} == {("adjudicator", 3.0)}
    assert EventKind.ADJUDICATE in {event.kind for event in study_world.studies.trail(study_id)}
    assert [(r.rater_id, r.done) for r in progress(study_world.studies, study_id).raters][-1] == ("J01", 1)


def test_where_everybody_agrees_there_is_nothing_to_adjudicate(study_world: StudyWorld) -> None:
    study_id = whole(study_world)
    with pytest.raises(ConflictError, match="nothing to adjudicate"):
        adjudicate(study_world.studies, study_id, 5, "Ada")
