"""Speed, pauses, jumps of the clock, and what is noted of a rater's attention."""

from backend.schemas.studies.study_frozen import ItemKind
from backend.schemas.studies.study_instrument import ErrorSeverity, ErrorType
from backend.schemas.studies.study_rater_views import LeakNote
from backend.schemas.studies.study_rating import EventKind
from backend.study.design.instruments import instrument
from backend.study.rating.study_progress import progress
from tests.study.clicks import click, happened, new_id
from tests.study.sample import StudyWorld


def test_an_item_rated_faster_than_anybody_reads_is_warned_of_once(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    study_world.clock.step_s = 0.01
    study_world.ratings.item(token, 1)
    for key in ("q1", "q2", "q3"):
        study_world.ratings.answer(token, 1, new_id(), click(key=key))
    last = study_world.ratings.answer(token, 1, new_id(), click(key="q4"))
    assert "Please make sure" in last.warning
    [message] = happened(study_world, study_id, EventKind.TOO_FAST)
    assert message["seconds"] < message["least_s"]
    assert study_world.ratings.answer(token, 1, new_id(), click(key="q4", seen_revision=1)).warning == ""


def test_a_jump_of_the_clock_makes_nobody_too_fast(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    study_world.ratings.item(token, 1)
    from datetime import timedelta

    study_world.clock.at -= timedelta(days=1)
    assert study_world.rate(token, 1).complete
    assert happened(study_world, study_id, EventKind.TOO_FAST) == []
    # the item was opened once, for the second look finds it open, and four answers came: 4 steps of 10 s between them
    assert happened(study_world, study_id, EventKind.COMPLETED) == [{"seconds": 40.0}]


def test_answers_keep_their_order_when_the_clock_is_set_back(study_world: StudyWorld) -> None:
    from datetime import timedelta

    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    study_world.ratings.answer(token, 1, new_id(), click())
    study_world.clock.at -= timedelta(days=400)
    study_world.ratings.answer(token, 1, new_id(), click(seen_revision=1, answer={"kind": "value", "value": 1}))
    [answer] = study_world.ratings.item(token, 1).answers
    assert (answer.revision, answer.answer.model_dump()["value"]) == (2, 1)


def test_a_page_drawn_again_opens_an_item_once(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    for _ in range(3):
        study_world.ratings.item(token, 1)
    study_world.rate(token, 1)
    study_world.ratings.item(token, 2)
    study_world.ratings.pause(token)
    study_world.ratings.item(token, 2)
    assert [message["number"] for message in happened(study_world, study_id, EventKind.OPENED)] == [1, 2, 2]


def test_pause_and_resume_on_another_machine(study_world: StudyWorld) -> None:
    token = study_world.invite(study_world.frozen())
    study_world.ratings.answer(token, 1, new_id(), click())
    assert study_world.ratings.pause(token).paused
    elsewhere = StudyWorld.__new__(StudyWorld)  # another process: it shares the database alone
    from backend.study.rating.ratings import Ratings

    elsewhere.ratings = Ratings(study_world.database, study_world.clock)
    assert not elsewhere.ratings.pause(token, resume=True).paused
    assert len(elsewhere.ratings.item(token, 1).answers) == 1


def test_a_leak_is_recorded_and_counted(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    study_world.ratings.leak(token, LeakNote(number=1, text="it names its maker"))
    assert happened(study_world, study_id, EventKind.LEAK) == [{"number": 1, "text": "it names its maker"}]
    assert progress(study_world.studies, study_id).raters[0].leaks == 1


def test_a_planted_error_that_is_missed_is_seen_by_the_coordinator_alone(study_world: StudyWorld) -> None:
    study_id = study_world.frozen(5, calibration_items=1, attention_checks=1)
    token = study_world.invite(study_id)
    item = next(i for i in study_world.study(study_id).items if i.kind == ItemKind.ATTENTION)
    place = next(s.number for s in study_world.study(study_id).raters[0].slots if s.item_id == item.id)
    study_world.rate(token, 1)
    study_world.rate(token, place, value=5)
    assert progress(study_world.studies, study_id).raters[0].missed == 1
    other = study_world.invite(study_id, "R02")
    place = next(s.number for s in study_world.study(study_id).raters[1].slots if s.item_id == item.id)
    study_world.rate(other, 1)
    study_world.rate(other, place, value=1)
    assert progress(study_world.studies, study_id).raters[1].noticed == 1


def test_an_error_marked_on_the_planted_words_is_noticed(study_world: StudyWorld) -> None:
    made = (instrument("reinrag-statements"), instrument("error-checklist"))
    study_id = study_world.frozen(5, calibration_items=1, attention_checks=1, instruments=made)
    token = study_world.invite(study_id)
    study = study_world.study(study_id)
    item = next(i for i in study.items if i.kind == ItemKind.ATTENTION)
    assert item.planted is not None
    place = next(s.number for s in study.raters[0].slots if s.item_id == item.id)
    study_world.rate(token, 1)
    error = {
        "type": ErrorType.HARMFUL, "severity": ErrorSeverity.SEVERE,
        "start_char": item.planted.start_char + 2, "end_char": item.planted.end_char,
    }  # fmt: skip
    study_world.ratings.answer(token, place, new_id(), click(key="q5", answer={"kind": "errors", "errors": [error]}))
    study_world.rate(token, place, value=5, only=("q1", "q2", "q3", "q4"))
    assert progress(study_world.studies, study_id).raters[0].noticed == 1
