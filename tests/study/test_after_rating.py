"""Guesses, closing questions and tidy rows: what comes after the last item."""

import uuid

import pytest

from backend.errors import ConflictError, InputError
from backend.schemas.studies.study_design import Arm, PrimaryTest
from backend.schemas.studies.study_instrument import Design
from backend.schemas.studies.study_rating import AnswerRequest
from backend.study.design.instruments import instrument
from backend.study.reporting.study_export import ratings_data
from backend.study.tidy import blind_codes, tidy_rows
from tests.study.finished import closing, comment, guess_all, whole
from tests.study.sample import OTHER, PLAN, SYSTEM, StudyWorld


def test_guesses_open_after_the_last_item_and_close_when_the_groups_are_shown(study_world: StudyWorld) -> None:
    token = study_world.invite(study_world.frozen())
    with pytest.raises(ConflictError, match="Finish the items first"):
        closing(study_world).guesses(token)
    study_world.rate_all(token)
    study_world.ratings.finish(token)
    view = closing(study_world).guesses(token)
    assert {o.label for o in view.options} == {"Written with books", "Written from the note alone", "I do not know"}
    with pytest.raises(ConflictError, match="Guess first"):
        closing(study_world).closing(token)
    guess_all(study_world, token, 0)
    assert study_world.ratings.session(token).stage == "closing"
    closing(study_world).close(token, str(uuid.uuid4()), comment(1, "q5"))
    with pytest.raises(ConflictError, match="guesses are over"):
        guess_all(study_world, token)


def test_guessed_items_are_as_many_of_each_arm(study_world: StudyWorld) -> None:
    study = study_world.study(study_world.frozen(6, guess_items=4))
    arms = {item.id: item.arms[0] for item in study.items}
    for plan in study.raters:
        guessed = [arms[slot.item_id] for slot in plan.slots if slot.number in plan.guesses]
        assert sorted(guessed) == [OTHER, OTHER, SYSTEM, SYSTEM]


def test_the_groups_of_the_closing_questions_are_the_arms(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    study_world.rate_all(token)
    study_world.ratings.finish(token)
    guess_all(study_world, token)
    study = study_world.study(study_id)
    plan = study.raters[0]
    arms = {item.id: item.arms[0] for item in study.items}
    for group in closing(study_world).closing(token).groups:
        arm = plan.closing_order[group.group - 1]
        assert list(group.items) == [str(s.number) for s in plan.slots if arms[s.item_id] == arm]


def test_a_closing_answer_may_be_cannot_judge_and_comes_back(study_world: StudyWorld) -> None:
    study_id = whole(study_world)
    rows = [r for r in tidy_rows(ratings_data(study_world.studies, study_id), blind=False) if r.kind == "closing"]
    assert len(rows) == 8  # 2 raters, 2 arms, 2 questions
    study = study_world.study(study_id)
    for row in rows:
        plan = next(p for p in study.raters if p.rater_id == row.rater)
        assert row.text == f"{row.rater} group {plan.closing_order.index(row.arm) + 1}"


def test_tidy_rows_hold_each_answer_once_with_its_arm(study_world: StudyWorld) -> None:
    study_id = whole(study_world, {"R01": 5, "R02": 2})
    rows = tidy_rows(ratings_data(study_world.studies, study_id), blind=False)
    scales = [r for r in rows if r.instrument == "reinrag-statements"]
    assert len(scales) == 2 * 7 * 4  # 2 raters, 6 items and 1 for calibration, 4 statements
    assert {(r.rater, r.value) for r in scales} == {("R01", 5.0), ("R02", 2.0)}
    arms = {item.id: item.arms[0] for item in study_world.study(study_id).items}
    assert all(r.arm == arms[r.item] for r in scales)
    assert {r.period for r in scales} == {1, 2}
    assert all(r.seconds and r.profession == "physician" for r in scales)
    guesses = [r for r in rows if r.question == "guess"]
    orders = {plan.rater_id: plan.guess_order for plan in study_world.study(study_id).raters}
    assert all(r.text == orders[r.rater][0] for r in guesses)  # each guessed option 1


def test_blind_rows_name_no_arm(study_world: StudyWorld) -> None:
    study_id = whole(study_world)
    data = ratings_data(study_world.studies, study_id)
    message = str(tidy_rows(data, blind=True))
    assert SYSTEM not in message
    assert OTHER not in message
    assert sorted(blind_codes(data.study).values()) == ["arm 1", "arm 2"]


def test_a_preference_is_turned_to_the_second_arm_whichever_side_it_stood_on(study_world: StudyWorld) -> None:
    plan = PLAN.model_copy(
        update={"primary_outcome": "pairwise-preference/preference", "test": PrimaryTest.BRADLEY_TERRY}
    )
    pairs = (instrument("pairwise-preference"),)
    study_id = study_world.frozen(
        4, design=Design.PAIRWISE, instruments=pairs, plan=plan, calibration_items=0, guess_items=0
    )
    token = study_world.invite(study_id)
    for number in range(1, 5):
        request = AnswerRequest.model_validate({"key": "q1", "answer": {"kind": "value", "value": 2}})
        study_world.ratings.answer(token, number, str(uuid.uuid4()), request)  # always the right one, with strength 2
    data = ratings_data(study_world.studies, study_id)
    rows = tidy_rows(data, blind=False)
    slots = {slot.item_id: slot for slot in data.study.raters[0].slots}
    for row in rows:
        assert row.toward_second == (2 if slots[row.item].shown[1] == row.second_arm else -2)
    assert sorted(r.toward_second or 0 for r in rows) == [-2, -2, 2, 2]  # sides come out even


def test_a_ranking_gives_each_arm_its_place(study_world: StudyWorld) -> None:
    arms = tuple(Arm(id=f"arm-{n}", system=f"zebra{n}", guess_label=f"way {n}") for n in range(3))
    plan = PLAN.model_copy(update={"primary_outcome": "ranking/order", "test": PrimaryTest.BRADLEY_TERRY})
    study_id = study_world.frozen(
        1,
        design=Design.RANKING,
        instruments=(instrument("ranking"),),
        arms=arms,
        plan=plan,
        calibration_items=0,
        guess_items=0,
    )
    token = study_world.invite(study_id)
    with pytest.raises(InputError, match="names each of A, B, C once"):
        study_world.ratings.answer(
            token,
            1,
            str(uuid.uuid4()),
            AnswerRequest.model_validate({"key": "q1", "answer": {"kind": "ranking", "order": [["A"], ["A", "C"]]}}),
        )
    request = AnswerRequest.model_validate({"key": "q1", "answer": {"kind": "ranking", "order": [["C"], ["A", "B"]]}})
    study_world.ratings.answer(token, 1, str(uuid.uuid4()), request)
    data = ratings_data(study_world.studies, study_id)
    shown = data.study.raters[0].slots[0].shown
    found = {row.arm: row.value for row in tidy_rows(data, blind=False)}
    assert found == {shown[2]: 1.0, shown[0]: 2.0, shown[1]: 2.0}
    letters = {row.shown_as: row.arm for row in tidy_rows(data, blind=False)}
    assert letters == {"A": shown[0], "B": shown[1], "C": shown[2]}
