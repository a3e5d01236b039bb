"""Keeping one answer: its revision, what is sent twice, and what is refused."""

from typing import Any

import pytest

from backend.errors import ConflictError, InputError, NotFoundError
from backend.schemas.studies.study_rater_views import AnswerSaved
from backend.schemas.studies.study_rating import AnswerRequest, EventKind, Phase
from backend.study.rating.answering import answered, keep_answer
from backend.study.rating.rater_access import FrozenStudies, rater_access_of, texts_of
from tests.study.clicks import click, happened, kept, new_id
from tests.study.sample import StudyWorld


def keep(
    study_world: StudyWorld, token: str, request: AnswerRequest, answer_id: str = "", number: int = 1
) -> AnswerSaved:
    with study_world.database.writing() as session:
        rater = rater_access_of(session, token, FrozenStudies(), lock=True)
        return keep_answer(session, rater, study_world.clock, (number, answer_id or new_id(), request))


def value(chosen: int, **fields: Any) -> AnswerRequest:
    return click(answer={"kind": "value", "value": chosen}, **fields)


def test_each_change_of_mind_is_a_revision_and_says_whether_it_overwrote_one_unseen(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    first, second = keep(study_world, token, value(4)), keep(study_world, token, value(2, seen_revision=1))
    unseen = keep(study_world, token, value(3, seen_revision=1))
    assert [(one.revision, one.overwrote) for one in (first, second, unseen)] == [(1, False), (2, False), (3, True)]
    assert len(kept(study_world, study_id)) == 3
    assert keep(study_world, token, value(4, key="q2")).revision == 1  # another question, another answer


def test_an_answer_sent_again_is_kept_once_and_its_id_serves_no_other(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token, answer_id = study_world.invite(study_id), new_id()
    assert keep(study_world, token, value(4), answer_id) == keep(study_world, token, value(4), answer_id)
    assert len(kept(study_world, study_id)) == 1
    for other in (value(3), click(key="q2")):
        with pytest.raises(ConflictError, match="id was used for another answer"):
            keep(study_world, token, other, answer_id)
    assert len(kept(study_world, study_id)) == 1


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        (click(key="q99"), ConflictError, "no question 'q99'"),
        (click(key="comment", part=""), InputError, "only a remark"),
        (value(4, phase=Phase.INFORMED), ConflictError, "Not yet"),
        (value(99), InputError, "values 1, 2, 3, 4, 5"),
        (value(4, part="B"), InputError, "one of A"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_kept(
    study_world: StudyWorld, request_: AnswerRequest, error: type[Exception], message: str
) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    with pytest.raises(error, match=message):
        keep(study_world, token, request_)
    assert kept(study_world, study_id) == []


def test_an_item_that_is_not_there_or_not_open_yet_takes_no_answer(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    with pytest.raises(NotFoundError):
        keep(study_world, token, value(4), number=9)
    with pytest.raises(ConflictError, match="item 1 is not complete"):
        keep(study_world, token, value(4), number=2)
    assert kept(study_world, study_id) == []


def test_the_last_answer_missing_completes_the_item_once(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    assert not keep(study_world, token, value(4)).complete
    assert study_world.rate(token, 1).complete
    again = keep(study_world, token, value(1, seen_revision=2))
    assert (again.complete, again.done) == (True, 1)
    assert len(happened(study_world, study_id, EventKind.COMPLETED)) == 1


def test_what_is_answered_is_told_by_question_part_and_phase(study_world: StudyWorld) -> None:
    token = study_world.invite(study_world.frozen())
    keep(study_world, token, value(4, key="q2"))
    with study_world.database.reading() as session:
        rater = rater_access_of(session, token, FrozenStudies())
        shown, name = texts_of(rater, 1), rater.asked[1].name
        assert answered(session, rater, shown, Phase.BLIND) == {(name, "A")}
        assert answered(session, rater, shown, Phase.INFORMED) == set()
        assert answered(session, rater, texts_of(rater, 2), Phase.BLIND) == set()
