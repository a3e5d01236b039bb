"""Who a link lets in, and when."""

import pytest

from backend.errors import ConflictError, NotFoundError
from backend.schemas.studies.study_views import InviteRequest
from backend.study.rating import personal_links as links
from backend.study.rating.personal_links import LinkRefusedError
from tests.study.clicks import click, kept, new_id
from tests.study.sample import PROFILE, StudyWorld


def test_a_retry_is_answered_even_after_the_study_closed(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token, answer_id = study_world.invite(study_id), new_id()
    first = study_world.ratings.answer(token, 1, answer_id, click())
    study_world.studies.close(study_id, "Ada")
    assert study_world.ratings.answer(token, 1, answer_id, click()) == first
    with pytest.raises(ConflictError, match="closed"):
        study_world.ratings.answer(token, 1, new_id(), click())
    assert study_world.ratings.session(token).stage == "closed"


def test_the_profile_is_asked_once_before_the_first_item(study_world: StudyWorld) -> None:
    token = study_world.invite(study_world.frozen(), profile=False)
    assert study_world.ratings.session(token).stage == "profile"
    with pytest.raises(ConflictError, match="who you are"):
        study_world.ratings.item(token, 1)
    assert study_world.ratings.profile(token, PROFILE).stage == "rating"
    assert study_world.ratings.profile(token, PROFILE).stage == "rating"
    with pytest.raises(ConflictError, match="asked once"):
        study_world.ratings.profile(token, PROFILE.model_copy(update={"years": 9}))


def test_a_withdrawn_link_opens_nothing_and_its_ratings_stay(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    study_world.ratings.answer(token, 1, new_id(), click())
    [link] = links.links(study_world.studies, study_id)
    links.withdraw(study_world.studies, study_id, link.id, "Ada")
    for call in (study_world.ratings.session, study_world.ratings.finish):
        with pytest.raises(LinkRefusedError):
            call(token)
    assert len(kept(study_world, study_id)) == 1
    again = links.invite(study_world.studies, study_id, InviteRequest(rater="R01"))
    assert len(study_world.ratings.item(again.token, 1).answers) == 1


def test_a_place_has_one_open_link_and_no_token_is_kept(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token = study_world.invite(study_id)
    with pytest.raises(ConflictError, match="has a link already"):
        study_world.invite(study_id)
    with pytest.raises(NotFoundError, match="no place 'R09'"):
        study_world.invite(study_id, "R09")
    file = study_world.database.engine.url.database
    assert file is not None
    from pathlib import Path

    stored = b"".join(path.read_bytes() for path in Path(file).parent.iterdir())
    assert token.encode() not in stored


def test_finishing_needs_every_item_and_then_ratings_stay(study_world: StudyWorld) -> None:
    token = study_world.invite(study_world.frozen())
    study_world.rate(token, 1)
    with pytest.raises(ConflictError, match="Item 2 is not complete yet, and 5 more"):
        study_world.ratings.finish(token)
    study_world.rate_all(token)
    assert study_world.ratings.finish(token).stage == "guesses"
    assert study_world.ratings.finish(token).stage == "guesses"
    with pytest.raises(ConflictError, match="You have finished"):
        study_world.ratings.answer(token, 1, new_id(), click(seen_revision=1))


def test_raters_are_invited_only_while_the_study_runs(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    study_world.studies.close(study_id, "Ada")
    with pytest.raises(ConflictError, match="raters are invited while it is frozen"):
        study_world.invite(study_id)
