"""Guesses, closing questions, adjudication, tidy rows, export and import: what comes after the last item."""

import csv
import io
import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from backend.errors import ConflictError, InputError, NotFoundError
from backend.schemas.study import Arm, PrimaryTest, StudyState
from backend.schemas.study_instrument import Design
from backend.schemas.study_rater_views import ClosingRequest, GuessRequest
from backend.schemas.study_rating import AnswerRequest, EventKind
from backend.study.adjudication import adjudicate, disagreements
from backend.study.canonical import sha256_of
from backend.study.closing import Closing
from backend.study.export import StudyFormat, export, ratings_data
from backend.study.instruments import instrument
from backend.study.progress import progress
from backend.study.reimport import import_study
from backend.study.report import analysed
from backend.study.report_adjudication import adjudication_tables
from backend.study.tidy import blind_codes, tidy_rows
from tests.study.sample import OTHER, PLAN, SYSTEM, Desk, write_but


def closing(desk: Desk) -> Closing:
    return Closing(desk.database, desk.clock, desk.ratings.frozen)


def guess_all(desk: Desk, token: str, value: int = 1) -> None:
    for item in closing(desk).guesses(token).items:
        closing(desk).guess(token, str(uuid.uuid4()), GuessRequest(number=item.number, part=item.part, guess=value))


def comment(group: int, key: str, text: str = "clear") -> ClosingRequest:
    return ClosingRequest.model_validate({"group": group, "key": key, "answer": {"kind": "text", "text": text}})


def whole(desk: Desk, value: dict[str, int] | None = None, **changed: Any) -> str:
    """A study that two raters finished, closed. value: what each rater answers to every scale."""
    study_id = desk.frozen(**changed)
    for rater in ("R01", "R02"):
        token = desk.invite(study_id, rater)
        desk.rate_all(token, (value or {}).get(rater, 4))
        desk.ratings.finish(token)
        guess_all(desk, token)
        for group in (1, 2):
            for key in ("q5", "q6"):
                closing(desk).close(token, str(uuid.uuid4()), comment(group, key, f"{rater} group {group}"))
    desk.studies.close(study_id, "Ada")
    return study_id


def test_guesses_open_after_the_last_item_and_close_when_the_groups_are_shown(desk: Desk) -> None:
    token = desk.invite(desk.frozen())
    with pytest.raises(ConflictError, match="Finish the items first"):
        closing(desk).guesses(token)
    desk.rate_all(token)
    desk.ratings.finish(token)
    view = closing(desk).guesses(token)
    assert {o.label for o in view.options} == {"Written with books", "Written from the note alone", "I do not know"}
    with pytest.raises(ConflictError, match="Guess first"):
        closing(desk).closing(token)
    guess_all(desk, token, 0)
    assert desk.ratings.session(token).stage == "closing"
    closing(desk).close(token, str(uuid.uuid4()), comment(1, "q5"))
    with pytest.raises(ConflictError, match="guesses are over"):
        guess_all(desk, token)


def test_guessed_items_are_as_many_of_each_arm(desk: Desk) -> None:
    study = desk.study(desk.frozen(6, guess_items=4))
    arms = {item.id: item.arms[0] for item in study.items}
    for plan in study.raters:
        guessed = [arms[slot.item_id] for slot in plan.slots if slot.number in plan.guesses]
        assert sorted(guessed) == [OTHER, OTHER, SYSTEM, SYSTEM]


def test_the_groups_of_the_closing_questions_are_the_arms(desk: Desk) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    desk.rate_all(token)
    desk.ratings.finish(token)
    guess_all(desk, token)
    study = desk.study(study_id)
    plan = study.raters[0]
    arms = {item.id: item.arms[0] for item in study.items}
    for group in closing(desk).closing(token).groups:
        arm = plan.closing_order[group.group - 1]
        assert list(group.items) == [str(s.number) for s in plan.slots if arms[s.item_id] == arm]


def test_a_closing_answer_may_be_cannot_judge_and_comes_back(desk: Desk) -> None:
    study_id = whole(desk)
    rows = [r for r in tidy_rows(ratings_data(desk.studies, study_id), blind=False) if r.kind == "closing"]
    assert len(rows) == 8  # 2 raters, 2 arms, 2 questions
    study = desk.study(study_id)
    for row in rows:
        plan = next(p for p in study.raters if p.rater_id == row.rater)
        assert row.text == f"{row.rater} group {plan.closing_order.index(row.arm) + 1}"


def test_tidy_rows_hold_each_answer_once_with_its_arm(desk: Desk) -> None:
    study_id = whole(desk, {"R01": 5, "R02": 2})
    rows = tidy_rows(ratings_data(desk.studies, study_id), blind=False)
    scales = [r for r in rows if r.instrument == "reinrag-statements"]
    assert len(scales) == 2 * 7 * 4  # 2 raters, 6 items and 1 for calibration, 4 statements
    assert {(r.rater, r.value) for r in scales} == {("R01", 5.0), ("R02", 2.0)}
    arms = {item.id: item.arms[0] for item in desk.study(study_id).items}
    assert all(r.arm == arms[r.item] for r in scales)
    assert {r.period for r in scales} == {1, 2}
    assert all(r.seconds and r.profession == "physician" for r in scales)
    guesses = [r for r in rows if r.question == "guess"]
    orders = {plan.rater_id: plan.guess_order for plan in desk.study(study_id).raters}
    assert all(r.text == orders[r.rater][0] for r in guesses)  # each guessed option 1


def test_blind_rows_name_no_arm(desk: Desk) -> None:
    study_id = whole(desk)
    data = ratings_data(desk.studies, study_id)
    told = str(tidy_rows(data, blind=True))
    assert SYSTEM not in told
    assert OTHER not in told
    assert sorted(blind_codes(data.study).values()) == ["arm 1", "arm 2"]


def test_a_preference_is_turned_to_the_second_arm_whichever_side_it_stood_on(desk: Desk) -> None:
    plan = PLAN.model_copy(
        update={"primary_outcome": "pairwise-preference/preference", "test": PrimaryTest.BRADLEY_TERRY}
    )
    pairs = (instrument("pairwise-preference"),)
    study_id = desk.frozen(4, design=Design.PAIRWISE, instruments=pairs, plan=plan, calibration_items=0, guess_items=0)
    token = desk.invite(study_id)
    for number in range(1, 5):
        request = AnswerRequest.model_validate({"key": "q1", "answer": {"kind": "value", "value": 2}})
        desk.ratings.answer(token, number, str(uuid.uuid4()), request)  # always the right one, with strength 2
    data = ratings_data(desk.studies, study_id)
    rows = tidy_rows(data, blind=False)
    slots = {slot.item_id: slot for slot in data.study.raters[0].slots}
    for row in rows:
        assert row.toward_second == (2 if slots[row.item].shown[1] == row.second_arm else -2)
    assert sorted(r.toward_second or 0 for r in rows) == [-2, -2, 2, 2]  # sides come out even


def test_a_ranking_gives_each_arm_its_place(desk: Desk) -> None:
    arms = tuple(Arm(id=f"arm-{n}", system=f"zebra{n}", guess_label=f"way {n}") for n in range(3))
    plan = PLAN.model_copy(update={"primary_outcome": "ranking/order", "test": PrimaryTest.BRADLEY_TERRY})
    study_id = desk.frozen(
        1,
        design=Design.RANKING,
        instruments=(instrument("ranking"),),
        arms=arms,
        plan=plan,
        calibration_items=0,
        guess_items=0,
    )
    token = desk.invite(study_id)
    with pytest.raises(InputError, match="names each of A, B, C once"):
        desk.ratings.answer(
            token,
            1,
            str(uuid.uuid4()),
            AnswerRequest.model_validate({"key": "q1", "answer": {"kind": "ranking", "order": [["A"], ["A", "C"]]}}),
        )
    request = AnswerRequest.model_validate({"key": "q1", "answer": {"kind": "ranking", "order": [["C"], ["A", "B"]]}})
    desk.ratings.answer(token, 1, str(uuid.uuid4()), request)
    data = ratings_data(desk.studies, study_id)
    shown = data.study.raters[0].slots[0].shown
    found = {row.arm: row.value for row in tidy_rows(data, blind=False)}
    assert found == {shown[2]: 1.0, shown[0]: 2.0, shown[1]: 2.0}
    letters = {row.shown_as: row.arm for row in tidy_rows(data, blind=False)}
    assert letters == {"A": shown[0], "B": shown[1], "C": shown[2]}


def test_a_third_person_s_answers_stand_beside_the_raters(desk: Desk) -> None:
    study_id = whole(desk, {"R01": 5, "R02": 2})
    adjudicate(desk.studies, study_id, 1, "Ada")
    token = desk.invite(study_id, "J01")
    desk.rate(token, 1, 3)
    found = analysed(desk.studies, study_id)
    ruled = found.analysis.adjudicated
    assert len(ruled) == 4  # statements of one draft
    assert {(one.adjudicator, one.value, one.raters) for one in ruled} == {("J01", 3.0, (5.0, 2.0))}
    assert {one.of for one in ruled} <= {"arm 1", "arm 2"}  # still blind
    (table,) = adjudication_tables(found.analysis)
    assert table.rows[0][3:] == ("5.00, 2.00", "J01", "3.00")
    means = {s.mean.value for s in found.analysis.summaries if s.question == "reinrag-statements/rare_omission"}
    assert means == {3.5}  # the third person changes nothing


def test_rankings_disagree_by_the_places_of_their_drafts(desk: Desk) -> None:
    arms = tuple(Arm(id=f"arm-{n}", system=f"zebra{n}", guess_label=f"way {n}") for n in range(3))
    plan = PLAN.model_copy(update={"primary_outcome": "ranking/order", "test": PrimaryTest.BRADLEY_TERRY})
    ranked = {"design": Design.RANKING, "instruments": (instrument("ranking"),), "arms": arms, "plan": plan}
    study_id = desk.frozen(1, calibration_items=0, guess_items=0, **ranked)
    study = desk.study(study_id)
    for plan_of, order in zip(study.raters, ("arm-0 arm-1 arm-2", "arm-0 arm-2 arm-1"), strict=True):
        shown = plan_of.slots[0].shown
        letters = [["ABC"[shown.index(arm)]] for arm in order.split()]
        request = AnswerRequest.model_validate({"key": "q1", "answer": {"kind": "ranking", "order": letters}})
        desk.ratings.answer(desk.invite(study_id, plan_of.rater_id), 1, str(uuid.uuid4()), request)
    data = ratings_data(desk.studies, study_id)
    # of places 1 to 3 as shares of the way: arm-0 0 and 0, arm-1 0.5 and 1, arm-2 1 and 0.5: (0 + 0.5 + 0.5) / 3
    assert [(d.score, d.answers) for d in disagreements(data.study, data.ratings)] == [(pytest.approx(1 / 3), 6)]


def test_disagreement_is_the_share_of_the_scale_between_two_raters(desk: Desk) -> None:
    study_id = whole(desk, {"R01": 5, "R02": 2})
    data = ratings_data(desk.studies, study_id)
    found = disagreements(data.study, data.ratings)
    # |5 - 2| / (5 - 1) = 0.75 on every statement of every one of the 6 main items; 4 statements, 2 raters
    assert [(d.score, d.answers) for d in found] == [(0.75, 8)] * 6


def test_the_items_that_disagree_most_go_to_a_third_person_who_sees_no_answer(desk: Desk) -> None:
    study_id = desk.frozen()
    tokens = [desk.invite(study_id, rater) for rater in ("R01", "R02")]
    for token in tokens:
        desk.rate_all(token, 4)
    plan = desk.study(study_id).raters[1]
    odd = plan.slots[3]
    desk.rate(tokens[1], odd.number, 1)
    with pytest.raises(ConflictError, match="close it before"):
        adjudicate(desk.studies, study_id, 5, "Ada")
    desk.studies.close(study_id, "Ada")
    made = adjudicate(desk.studies, study_id, 5, "Ada")
    assert [slot.item_id for slot in made.slots] == [odd.item_id]
    token = desk.invite(study_id, "J01")
    assert desk.ratings.item(token, 1).answers == ()
    desk.rate(token, 1, 3)
    assert desk.ratings.finish(token).stage == "done"
    with pytest.raises(ConflictError, match="closed"):
        desk.ratings.item(tokens[0], 1)
    rows = tidy_rows(ratings_data(desk.studies, study_id), blind=False)
    assert {(r.role, r.value) for r in rows if r.rater == "J01"} == {("adjudicator", 3.0)}
    assert EventKind.ADJUDICATE in {event.kind for event in desk.studies.trail(study_id)}
    assert [(r.rater_id, r.done) for r in progress(desk.studies, study_id).raters][-1] == ("J01", 1)


def test_where_everybody_agrees_there_is_nothing_to_adjudicate(desk: Desk) -> None:
    study_id = whole(desk)
    with pytest.raises(ConflictError, match="nothing to adjudicate"):
        adjudicate(desk.studies, study_id, 5, "Ada")


def test_a_blind_study_gives_away_its_design_and_nothing_else(desk: Desk) -> None:
    study_id = desk.frozen()
    desk.rate(desk.invite(study_id), 1)
    for form in (StudyFormat.CSV, StudyFormat.JSONL):
        with pytest.raises(ConflictError, match="blind until it is unlocked"):
            export(desk.studies, study_id, form, "Ada")
    lines = export(desk.studies, study_id, StudyFormat.DESIGN, "Ada").splitlines()
    assert [json.loads(line)["type"] for line in lines] == ["study", "end"]


def test_a_study_that_is_not_frozen_has_no_export(desk: Desk) -> None:
    with pytest.raises(NotFoundError, match="not frozen yet"):
        export(desk.studies, desk.ready(), StudyFormat.DESIGN, "Ada")


def test_the_hash_is_in_every_export_and_failed_drafts_are_in_the_table(desk: Desk) -> None:
    study_id = whole(desk, source=write_but("c01", OTHER, "=1+1"), calibration_items=0)
    desk.studies.unlock(study_id, "Ada")
    digest = desk.studies.view(study_id).sha256
    table = list(csv.DictReader(io.StringIO(export(desk.studies, study_id, StudyFormat.CSV, "Ada"))))
    assert {row["sha256"] for row in table} == {digest}
    [failed] = [row for row in table if row["status"] == "failed_draft"]
    assert (failed["case"], failed["arm"], failed["text"]) == ("c01", OTHER, "'=1+1")  # no spreadsheet runs it
    for form in (StudyFormat.JSONL, StudyFormat.DESIGN):
        assert json.loads(export(desk.studies, study_id, form, "Ada").splitlines()[0])["sha256"] == digest


def test_imported_again_it_is_the_same_study(desk: Desk, tmp_path: Path) -> None:
    study_id = whole(desk, {"R01": 5, "R02": 2})
    adjudicate(desk.studies, study_id, 2, "Ada")
    desk.studies.unlock(study_id, "Ada")
    text = export(desk.studies, study_id, StudyFormat.JSONL, "Ada")
    (tmp_path / "other").mkdir()
    other = Desk(tmp_path / "other")
    view = import_study(other.studies, text, "Bob")
    assert (view.id, view.sha256, view.state) == (study_id, desk.studies.view(study_id).sha256, StudyState.CLOSED)
    before, after = ratings_data(desk.studies, study_id), ratings_data(other.studies, study_id)
    assert before._replace(events=()) == after._replace(events=())
    assert after.events[:-1] == before.events  # the last is the import itself
    assert tidy_rows(before, blind=False) == tidy_rows(after, blind=False)
    with pytest.raises(ConflictError, match="here already"):
        import_study(other.studies, text, "Bob")
    other.database.close()


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda text: text.replace("coughs", "sneezes"), "lines are missing or were changed"),
        (
            lambda text: "".join(text.splitlines(keepends=True)[:-2]) + text.splitlines(keepends=True)[-1],
            "lines are missing",
        ),
        (lambda text: text[:-20], "middle of a line"),
        (lambda text: "rater,value\n", "no JSON"),
        (lambda text: '{"type": "x"}\n', "no export"),
    ],
)
def test_a_damaged_export_is_refused_and_leaves_nothing(desk: Desk, tmp_path: Path, spoil: Any, told: str) -> None:
    study_id = whole(desk)
    desk.studies.unlock(study_id, "Ada")
    text = export(desk.studies, study_id, StudyFormat.JSONL, "Ada")
    (tmp_path / "other").mkdir()
    other = Desk(tmp_path / "other")
    with pytest.raises(InputError, match=told):
        import_study(other.studies, spoil(text), "Bob")
    assert other.studies.page() == ()
    other.database.close()


def test_a_study_altered_with_care_still_does_not_fit_its_hash(desk: Desk, tmp_path: Path) -> None:
    study_id = whole(desk)
    desk.studies.unlock(study_id, "Ada")
    lines = export(desk.studies, study_id, StudyFormat.JSONL, "Ada").splitlines(keepends=True)[:-1]
    body = lines[0].replace("coughs", "sneezes") + "".join(lines[1:])
    end = json.dumps({"type": "end", "lines": len(lines), "sha256": sha256_of(body)}) + "\n"
    (tmp_path / "other").mkdir()
    other = Desk(tmp_path / "other")
    with pytest.raises(InputError, match="does not fit its hash"):
        import_study(other.studies, body + end, "Bob")
    other.database.close()


def test_an_export_is_recorded(desk: Desk) -> None:
    study_id = desk.frozen()
    export(desk.studies, study_id, StudyFormat.DESIGN, "Eve")
    last = desk.studies.trail(study_id)[-1]
    assert (last.kind, last.actor, last.details) == (EventKind.EXPORT, "Eve", {"format": "design"})
