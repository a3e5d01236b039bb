"""Answers, remarks and evidence, one rater at a time: what is kept, and what is refused."""

from typing import Any

import pytest

from backend.errors import ConflictError, InputError, NotFoundError
from backend.schemas.studies.study_design import EvidenceShown
from backend.schemas.studies.study_rating import AnswerRequest, Phase
from tests.study.clicks import click, kept, new_id
from tests.study.sample import SYSTEM, StudyWorld, cases, setup


def test_an_answer_comes_back_when_the_item_is_opened_again(study_world: StudyWorld) -> None:
    token = study_world.invite(study_world.frozen())
    saved = study_world.ratings.answer(token, 1, new_id(), click())
    assert (saved.revision, saved.overwrote, saved.complete) == (1, False, False)
    [answer] = study_world.ratings.item(token, 1).answers
    assert (answer.key, answer.part, answer.revision, answer.answer.model_dump()) == (
        "q1",
        "A",
        1,
        {"kind": "value", "value": 4},
    )


def test_sent_again_under_its_id_an_answer_adds_nothing(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token, answer_id = study_world.invite(study_id), new_id()
    first = study_world.ratings.answer(token, 1, answer_id, click())
    assert study_world.ratings.answer(token, 1, answer_id, click()) == first
    assert len(kept(study_world, study_id)) == 1
    with pytest.raises(ConflictError, match="used for another answer"):
        study_world.ratings.answer(token, 1, answer_id, click(answer={"kind": "value", "value": 2}))
    with pytest.raises(ConflictError, match="used for another answer"):
        study_world.ratings.answer(token, 1, answer_id, click(key="q2"))


def test_of_two_tabs_the_last_write_counts_visibly_and_none_is_lost(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    study_world.ratings.answer(token, 1, new_id(), click(tab="one"))
    second = study_world.ratings.answer(token, 1, new_id(), click(tab="two", answer={"kind": "value", "value": 2}))
    assert (second.revision, second.overwrote) == (2, True)  # the second tab had seen revision 0
    third = study_world.ratings.answer(token, 1, new_id(), click(tab="two", seen_revision=2))
    assert (third.revision, third.overwrote) == (3, False)
    name = "reinrag-statements/reading_comprehension"
    assert kept(study_world, study_id) == [(name, 1, False), (name, 2, True), (name, 3, False)]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"answer": {"kind": "value", "value": 6}}, "one of the values 1, 2, 3, 4, 5"),
        ({"answer": {"kind": "text", "text": "x"}}, "one of the values"),
        ({"part": "B"}, "for one of A"),
        ({"part": ""}, "for one of A"),
        ({"key": "comment"}, "only a remark"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_and_nothing_is_kept(
    study_world: StudyWorld, fields: dict[str, Any], message: str
) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    with pytest.raises(InputError, match=message):
        study_world.ratings.answer(token, 1, new_id(), click(**fields))
    assert kept(study_world, study_id) == []


def test_without_a_reference_the_omission_statement_takes_only_cannot_judge(study_world: StudyWorld) -> None:
    made = study_world.studies.create(setup(calibration_items=0), "Ada")
    study_world.studies.add_cases(made.id, cases(2, reference=False), "Ada")
    from backend.schemas.studies.study_views import FreezeRequest
    from backend.study.design.study_drafts import generate
    from tests.study.sample import write

    generate(study_world.studies, made.id, write, "Ada")
    study_world.studies.freeze(made.id, FreezeRequest(accept_warnings=True))
    token = study_world.invite(made.id)
    item = study_world.ratings.item(token, 1)
    assert item.reference is None
    assert [q.key for q in item.questions if q.only_cannot_judge] == ["q3"]
    with pytest.raises(InputError, match="needs a reference text"):
        study_world.ratings.answer(token, 1, new_id(), click(key="q3"))
    assert study_world.rate(token, 1).complete


def test_cannot_judge_completes_an_item(study_world: StudyWorld) -> None:
    token = study_world.invite(study_world.frozen())
    for key in ("q1", "q2", "q3", "q4"):
        saved = study_world.ratings.answer(
            token, 1, new_id(), click(key=key, answer={"kind": "cannot_judge", "reason": "no time"})
        )
    assert (saved.complete, saved.done) == (True, 1)


def test_remarks_hang_on_an_item_or_on_selected_words(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token, thread = study_world.invite(study_id), new_id()

    def remark(part: str = "", **fields: Any) -> AnswerRequest:
        answer = {"kind": "comment", "thread": thread, "text": "odd", **fields}
        return click(key="comment", part=part, answer=answer)

    study_world.ratings.answer(token, 1, new_id(), remark())
    with pytest.raises(InputError, match="needs the letter"):
        study_world.ratings.answer(token, 1, new_id(), remark(start_char=0, end_char=3))
    with pytest.raises(InputError, match="does not lie within"):
        study_world.ratings.answer(token, 1, new_id(), remark("A", start_char=0, end_char=9_999))
    study_world.ratings.answer(token, 1, new_id(), remark("A", start_char=0, end_char=7))
    gone = study_world.ratings.answer(
        token,
        1,
        new_id(),
        click(
            key="comment",
            part="",
            seen_revision=1,
            answer={"kind": "comment", "thread": thread, "text": "", "deleted": True},
        ),
    )
    assert gone.revision == 2
    assert [a.key for a in study_world.ratings.item(token, 1).answers] == ["comment", "comment"]


def test_calibration_items_come_first_and_then_every_item_can_be_reached(study_world: StudyWorld) -> None:
    token = study_world.invite(study_world.frozen())
    with pytest.raises(ConflictError, match="The first 1 items come first"):
        study_world.ratings.item(token, 3)
    study_world.rate(token, 1)
    assert study_world.ratings.item(token, 7).number == 7
    assert study_world.ratings.item(token, 1).complete  # back again
    with pytest.raises(NotFoundError, match="yours are 1 to 7"):
        study_world.ratings.item(token, 8)


def test_evidence_after_the_first_rating_freezes_that_rating(study_world: StudyWorld) -> None:
    study_id = study_world.frozen(evidence=EvidenceShown.AFTER_FIRST)
    token = study_world.invite(study_id)
    assert study_world.ratings.item(token, 1).drafts[0].evidence is None
    with pytest.raises(ConflictError, match="Answer every question first"):
        study_world.ratings.show_evidence(token, 1)
    blind = study_world.rate(token, 1)
    assert (blind.complete, blind.evidence_pending) == (False, True)
    shown = study_world.ratings.show_evidence(token, 1)
    assert shown.phase == Phase.INFORMED
    assert shown.drafts[0].evidence is not None
    assert SYSTEM not in str(shown.drafts[0].evidence)
    with pytest.raises(ConflictError, match="first rating stays"):
        study_world.ratings.answer(token, 1, new_id(), click())
    assert study_world.rate(token, 1, value=2).complete
    assert {a.phase for a in study_world.ratings.item(token, 1).answers} == {Phase.BLIND, Phase.INFORMED}


def test_evidence_is_always_or_never_shown_as_the_study_wants(study_world: StudyWorld) -> None:
    never, always = study_world.frozen(), study_world.frozen(evidence=EvidenceShown.ALWAYS)
    token = study_world.invite(never)
    assert study_world.ratings.item(token, 1).drafts[0].evidence is None
    with pytest.raises(ConflictError, match="no evidence to ask for"):
        study_world.ratings.show_evidence(token, 1)
    assert study_world.ratings.item(study_world.invite(always), 1).drafts[0].evidence is not None
