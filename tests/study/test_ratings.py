import uuid
from typing import Any

import pytest

from backend.errors import ConflictError, InputError, NotFoundError
from backend.schemas.study import EvidenceShown
from backend.schemas.study_frozen import ItemKind
from backend.schemas.study_instrument import ErrorSeverity, ErrorType
from backend.schemas.study_rater_views import LeakNote
from backend.schemas.study_rating import AnswerRequest, EventKind, Phase
from backend.schemas.study_views import InviteRequest
from backend.study import links, records
from backend.study.instruments import instrument
from backend.study.links import LinkRefusedError
from backend.study.progress import progress
from tests.study.sample import PROFILE, SYSTEM, Desk, cases, setup


def click(**fields: Any) -> AnswerRequest:
    return AnswerRequest.model_validate({"key": "q1", "part": "A", "answer": {"kind": "value", "value": 4}, **fields})


def new_id() -> str:
    return str(uuid.uuid4())


def kept(desk: Desk, study_id: str) -> list[tuple[str, int, bool]]:
    with desk.database.reading() as session:
        return [(r.question, r.revision, r.overwrote) for r in records.ratings_of(session, study_id)]


def happened(desk: Desk, study_id: str, kind: EventKind) -> list[dict[str, Any]]:
    return [event.details for event in desk.studies.trail(study_id) if event.kind == kind]


def test_an_answer_comes_back_when_the_item_is_opened_again(desk: Desk) -> None:
    token = desk.invite(desk.frozen())
    saved = desk.ratings.answer(token, 1, new_id(), click())
    assert (saved.revision, saved.overwrote, saved.complete) == (1, False, False)
    [answer] = desk.ratings.item(token, 1).answers
    assert (answer.key, answer.part, answer.revision, answer.answer.model_dump()) == (
        "q1",
        "A",
        1,
        {"kind": "value", "value": 4},
    )


def test_sent_again_under_its_id_an_answer_adds_nothing(desk: Desk) -> None:
    study_id = desk.frozen()
    token, answer_id = desk.invite(study_id), new_id()
    first = desk.ratings.answer(token, 1, answer_id, click())
    assert desk.ratings.answer(token, 1, answer_id, click()) == first
    assert len(kept(desk, study_id)) == 1
    with pytest.raises(ConflictError, match="used for another answer"):
        desk.ratings.answer(token, 1, answer_id, click(answer={"kind": "value", "value": 2}))
    with pytest.raises(ConflictError, match="used for another answer"):
        desk.ratings.answer(token, 1, answer_id, click(key="q2"))


def test_a_retry_is_answered_even_after_the_study_closed(desk: Desk) -> None:
    study_id = desk.frozen()
    token, answer_id = desk.invite(study_id), new_id()
    first = desk.ratings.answer(token, 1, answer_id, click())
    desk.studies.close(study_id, "Ada")
    assert desk.ratings.answer(token, 1, answer_id, click()) == first
    with pytest.raises(ConflictError, match="closed"):
        desk.ratings.answer(token, 1, new_id(), click())
    assert desk.ratings.session(token).stage == "closed"


def test_of_two_tabs_the_last_write_counts_visibly_and_none_is_lost(desk: Desk) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    desk.ratings.answer(token, 1, new_id(), click(tab="one"))
    second = desk.ratings.answer(token, 1, new_id(), click(tab="two", answer={"kind": "value", "value": 2}))
    assert (second.revision, second.overwrote) == (2, True)  # the second tab had seen revision 0
    third = desk.ratings.answer(token, 1, new_id(), click(tab="two", seen_revision=2))
    assert (third.revision, third.overwrote) == (3, False)
    name = "reinrag-statements/reading_comprehension"
    assert kept(desk, study_id) == [(name, 1, False), (name, 2, True), (name, 3, False)]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"answer": {"kind": "value", "value": 6}}, "one of the values 1, 2, 3, 4, 5"),
        ({"answer": {"kind": "text", "text": "x"}}, "one of the values"),
        ({"part": "B"}, "for one of A"),
        ({"part": ""}, "for one of A"),
        ({"key": "comment"}, "only a remark"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_and_nothing_is_kept(
    desk: Desk, fields: dict[str, Any], told: str
) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    with pytest.raises(InputError, match=told):
        desk.ratings.answer(token, 1, new_id(), click(**fields))
    assert kept(desk, study_id) == []


def test_without_a_reference_the_omission_statement_takes_only_cannot_judge(desk: Desk) -> None:
    made = desk.studies.create(setup(calibration_items=0), "Ada")
    desk.studies.add_cases(made.id, cases(2, reference=False), "Ada")
    from backend.schemas.study_views import FreezeRequest
    from backend.study.generation import generate
    from tests.study.sample import write

    generate(desk.studies, made.id, write, "Ada")
    desk.studies.freeze(made.id, FreezeRequest(accept_warnings=True))
    token = desk.invite(made.id)
    item = desk.ratings.item(token, 1)
    assert item.reference is None
    assert [q.key for q in item.questions if q.only_cannot_judge] == ["q3"]
    with pytest.raises(InputError, match="needs a reference text"):
        desk.ratings.answer(token, 1, new_id(), click(key="q3"))
    assert desk.rate(token, 1).complete


def test_cannot_judge_completes_an_item(desk: Desk) -> None:
    token = desk.invite(desk.frozen())
    for key in ("q1", "q2", "q3", "q4"):
        saved = desk.ratings.answer(
            token, 1, new_id(), click(key=key, answer={"kind": "cannot_judge", "reason": "no time"})
        )
    assert (saved.complete, saved.done) == (True, 1)


def test_remarks_hang_on_an_item_or_on_selected_words(desk: Desk) -> None:
    study_id = desk.frozen()
    token, thread = desk.invite(study_id), new_id()

    def remark(part: str = "", **fields: Any) -> AnswerRequest:
        answer = {"kind": "comment", "thread": thread, "text": "odd", **fields}
        return click(key="comment", part=part, answer=answer)

    desk.ratings.answer(token, 1, new_id(), remark())
    with pytest.raises(InputError, match="needs the letter"):
        desk.ratings.answer(token, 1, new_id(), remark(start_char=0, end_char=3))
    with pytest.raises(InputError, match="does not lie within"):
        desk.ratings.answer(token, 1, new_id(), remark("A", start_char=0, end_char=9_999))
    desk.ratings.answer(token, 1, new_id(), remark("A", start_char=0, end_char=7))
    gone = desk.ratings.answer(
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
    assert [a.key for a in desk.ratings.item(token, 1).answers] == ["comment", "comment"]


def test_calibration_items_come_first_and_then_every_item_can_be_reached(desk: Desk) -> None:
    token = desk.invite(desk.frozen())
    with pytest.raises(ConflictError, match="The first 1 items come first"):
        desk.ratings.item(token, 3)
    desk.rate(token, 1)
    assert desk.ratings.item(token, 7).number == 7
    assert desk.ratings.item(token, 1).complete  # back again
    with pytest.raises(NotFoundError, match="yours are 1 to 7"):
        desk.ratings.item(token, 8)


def test_the_profile_is_asked_once_before_the_first_item(desk: Desk) -> None:
    token = desk.invite(desk.frozen(), profile=False)
    assert desk.ratings.session(token).stage == "profile"
    with pytest.raises(ConflictError, match="who you are"):
        desk.ratings.item(token, 1)
    assert desk.ratings.profile(token, PROFILE).stage == "rating"
    assert desk.ratings.profile(token, PROFILE).stage == "rating"
    with pytest.raises(ConflictError, match="asked once"):
        desk.ratings.profile(token, PROFILE.model_copy(update={"years": 9}))


def test_a_withdrawn_link_opens_nothing_and_its_ratings_stay(desk: Desk) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    desk.ratings.answer(token, 1, new_id(), click())
    [link] = links.links(desk.studies, study_id)
    links.withdraw(desk.studies, study_id, link.id, "Ada")
    for call in (desk.ratings.session, desk.ratings.finish):
        with pytest.raises(LinkRefusedError):
            call(token)
    assert len(kept(desk, study_id)) == 1
    again = links.invite(desk.studies, study_id, InviteRequest(rater="R01"))
    assert len(desk.ratings.item(again.token, 1).answers) == 1


def test_a_place_has_one_open_link_and_no_token_is_kept(desk: Desk) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    with pytest.raises(ConflictError, match="has a link already"):
        desk.invite(study_id)
    with pytest.raises(NotFoundError, match="no place 'R09'"):
        desk.invite(study_id, "R09")
    file = desk.database.engine.url.database
    assert file is not None
    from pathlib import Path

    stored = b"".join(path.read_bytes() for path in Path(file).parent.iterdir())
    assert token.encode() not in stored


def test_evidence_after_the_first_rating_freezes_that_rating(desk: Desk) -> None:
    study_id = desk.frozen(evidence=EvidenceShown.AFTER_FIRST)
    token = desk.invite(study_id)
    assert desk.ratings.item(token, 1).drafts[0].evidence is None
    with pytest.raises(ConflictError, match="Answer every question first"):
        desk.ratings.show_evidence(token, 1)
    blind = desk.rate(token, 1)
    assert (blind.complete, blind.evidence_waits) == (False, True)
    shown = desk.ratings.show_evidence(token, 1)
    assert shown.phase == Phase.INFORMED
    assert shown.drafts[0].evidence is not None
    assert SYSTEM not in str(shown.drafts[0].evidence)
    with pytest.raises(ConflictError, match="first rating stays"):
        desk.ratings.answer(token, 1, new_id(), click())
    assert desk.rate(token, 1, value=2).complete
    assert {a.phase for a in desk.ratings.item(token, 1).answers} == {Phase.BLIND, Phase.INFORMED}


def test_evidence_is_always_or_never_shown_as_the_study_wants(desk: Desk) -> None:
    never, always = desk.frozen(), desk.frozen(evidence=EvidenceShown.ALWAYS)
    token = desk.invite(never)
    assert desk.ratings.item(token, 1).drafts[0].evidence is None
    with pytest.raises(ConflictError, match="no evidence to ask for"):
        desk.ratings.show_evidence(token, 1)
    assert desk.ratings.item(desk.invite(always), 1).drafts[0].evidence is not None


def test_an_item_rated_faster_than_anybody_reads_is_warned_of_once(desk: Desk) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    desk.clock.step_s = 0.01
    desk.ratings.item(token, 1)
    for key in ("q1", "q2", "q3"):
        desk.ratings.answer(token, 1, new_id(), click(key=key))
    last = desk.ratings.answer(token, 1, new_id(), click(key="q4"))
    assert "Please make sure" in last.warning
    [told] = happened(desk, study_id, EventKind.TOO_FAST)
    assert told["seconds"] < told["least_s"]
    assert desk.ratings.answer(token, 1, new_id(), click(key="q4", seen_revision=1)).warning == ""


def test_a_jump_of_the_clock_makes_nobody_too_fast(desk: Desk) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    desk.ratings.item(token, 1)
    from datetime import timedelta

    desk.clock.at -= timedelta(days=1)
    assert desk.rate(token, 1).complete
    assert happened(desk, study_id, EventKind.TOO_FAST) == []
    # the item was opened once, for the second look finds it open, and four answers came: 4 steps of 10 s between them
    assert happened(desk, study_id, EventKind.COMPLETED) == [{"seconds": 40.0}]


def test_answers_keep_their_order_when_the_clock_is_set_back(desk: Desk) -> None:
    from datetime import timedelta

    study_id = desk.frozen()
    token = desk.invite(study_id)
    desk.ratings.answer(token, 1, new_id(), click())
    desk.clock.at -= timedelta(days=400)
    desk.ratings.answer(token, 1, new_id(), click(seen_revision=1, answer={"kind": "value", "value": 1}))
    [answer] = desk.ratings.item(token, 1).answers
    assert (answer.revision, answer.answer.model_dump()["value"]) == (2, 1)


def test_a_page_drawn_again_opens_an_item_once(desk: Desk) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    for _ in range(3):
        desk.ratings.item(token, 1)
    desk.rate(token, 1)
    desk.ratings.item(token, 2)
    desk.ratings.pause(token)
    desk.ratings.item(token, 2)
    assert [told["number"] for told in happened(desk, study_id, EventKind.OPENED)] == [1, 2, 2]


def test_pause_and_resume_on_another_machine(desk: Desk) -> None:
    token = desk.invite(desk.frozen())
    desk.ratings.answer(token, 1, new_id(), click())
    assert desk.ratings.pause(token).paused
    elsewhere = Desk.__new__(Desk)  # another process: it shares the database alone
    from backend.study.ratings import Ratings

    elsewhere.ratings = Ratings(desk.database, desk.clock)
    assert not elsewhere.ratings.pause(token, resume=True).paused
    assert len(elsewhere.ratings.item(token, 1).answers) == 1


def test_a_leak_is_recorded_and_counted(desk: Desk) -> None:
    study_id = desk.frozen()
    token = desk.invite(study_id)
    desk.ratings.leak(token, LeakNote(number=1, text="it names its maker"))
    assert happened(desk, study_id, EventKind.LEAK) == [{"number": 1, "text": "it names its maker"}]
    assert progress(desk.studies, study_id).raters[0].leaks == 1


def test_a_planted_error_that_is_missed_is_seen_by_the_coordinator_alone(desk: Desk) -> None:
    study_id = desk.frozen(5, calibration_items=1, attention_checks=1)
    token = desk.invite(study_id)
    item = next(i for i in desk.study(study_id).items if i.kind == ItemKind.ATTENTION)
    place = next(s.number for s in desk.study(study_id).raters[0].slots if s.item_id == item.id)
    desk.rate(token, 1)
    desk.rate(token, place, value=5)
    assert progress(desk.studies, study_id).raters[0].missed == 1
    other = desk.invite(study_id, "R02")
    place = next(s.number for s in desk.study(study_id).raters[1].slots if s.item_id == item.id)
    desk.rate(other, 1)
    desk.rate(other, place, value=1)
    assert progress(desk.studies, study_id).raters[1].noticed == 1


def test_an_error_marked_on_the_planted_words_is_noticed(desk: Desk) -> None:
    made = (instrument("reinrag-statements"), instrument("error-checklist"))
    study_id = desk.frozen(5, calibration_items=1, attention_checks=1, instruments=made)
    token = desk.invite(study_id)
    study = desk.study(study_id)
    item = next(i for i in study.items if i.kind == ItemKind.ATTENTION)
    assert item.planted is not None
    place = next(s.number for s in study.raters[0].slots if s.item_id == item.id)
    desk.rate(token, 1)
    error = {
        "type": ErrorType.HARMFUL, "severity": ErrorSeverity.SEVERE,
        "start_char": item.planted.start_char + 2, "end_char": item.planted.end_char,
    }  # fmt: skip
    desk.ratings.answer(token, place, new_id(), click(key="q5", answer={"kind": "errors", "errors": [error]}))
    desk.rate(token, place, value=5, only=("q1", "q2", "q3", "q4"))
    assert progress(desk.studies, study_id).raters[0].noticed == 1


def test_finishing_needs_every_item_and_then_ratings_stay(desk: Desk) -> None:
    token = desk.invite(desk.frozen())
    desk.rate(token, 1)
    with pytest.raises(ConflictError, match="Item 2 is not complete yet, and 5 more"):
        desk.ratings.finish(token)
    desk.rate_all(token)
    assert desk.ratings.finish(token).stage == "guesses"
    assert desk.ratings.finish(token).stage == "guesses"
    with pytest.raises(ConflictError, match="You have finished"):
        desk.ratings.answer(token, 1, new_id(), click(seen_revision=1))


def test_raters_are_invited_only_while_the_study_runs(desk: Desk) -> None:
    study_id = desk.frozen()
    desk.studies.close(study_id, "Ada")
    with pytest.raises(ConflictError, match="raters are invited while it is frozen"):
        desk.invite(study_id)
