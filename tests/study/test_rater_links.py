"""Who a link lets in, and when."""

import pytest

from backend.errors import ConflictError, NotFoundError
from backend.schemas.study_views import InviteRequest
from backend.study import links
from backend.study.links import LinkRefusedError
from tests.study.clicks import click, kept, new_id
from tests.study.sample import PROFILE, Desk


def test_a_retry_is_answered_even_after_the_study_closed(desk: Desk) -> None:
    study_id = desk.frozen()
    token, answer_id = desk.invite(study_id), new_id()
    first = desk.ratings.answer(token, 1, answer_id, click())
    desk.studies.close(study_id, "Ada")
    assert desk.ratings.answer(token, 1, answer_id, click()) == first
    with pytest.raises(ConflictError, match="closed"):
        desk.ratings.answer(token, 1, new_id(), click())
    assert desk.ratings.session(token).stage == "closed"


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
