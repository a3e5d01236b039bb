"""The rating page through Streamlit's own test runner, over the real routes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from backend.schemas.studies.study_views import InviteRequest
from backend.settings import ROOT
from backend.study.rating import personal_links as links
from tests.app.study_api import OTHER, SYSTEM, StudyServer


@pytest.fixture
def container(tmp_path: Path) -> Iterator[StudyServer]:
    made = StudyServer(tmp_path)
    yield made
    made.database.close()


class RatePage:
    """One rater's tab."""

    def __init__(self, container: StudyServer, token: str) -> None:
        self.test = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=20)
        self.test.session_state["study_client"] = container.client
        self.test.query_params["token"] = token
        self.run()

    def run(self) -> "RatePage":
        self.test.run()
        assert not self.test.exception, self.test.exception
        return self

    def press(self, key: str) -> "RatePage":
        self.test.button(key=key).click()
        return self.run()

    def said(self) -> str:
        kinds = ("title", "header", "markdown", "caption", "info")
        return "\n".join(str(one.value) for kind in kinds for one in self.test.get(kind)).replace("\\", "")

    def form(self) -> dict[str, Any]:
        found = [one.proto for one in self.test.get("bidi_component") if one.proto.component_name == "rating_form"]
        return json.loads(found[0].json) if found else {}

    def everything(self) -> str:
        """All that reached the page: texts, widgets, the form's data."""
        return self.said() + json.dumps(self.form()) + "".join(str(one) for one in self.test.main)


def test_a_personal_link_opens_the_rating_page_and_nothing_else(container: StudyServer) -> None:
    page = RatePage(container, container.invite(container.frozen(3)))
    assert "Rating session" in page.said()
    assert not page.test.get("page_link")
    for name in ("Leapnote", "leapnote", SYSTEM, OTHER, "Settings"):
        assert name not in page.everything()
    page.press("rate_begin")
    assert page.form()["shown"]["number"] == 1
    for name in ("leapnote", SYSTEM, OTHER, "reinrag"):
        assert name not in page.everything().lower()


def test_the_profile_is_asked_once_and_stays_when_a_field_is_missing(container: StudyServer) -> None:
    page = RatePage(container, container.invite(container.frozen(3), profile=False))
    page.test.text_input(key="rate_specialty").set_value("medicine")
    page.press("FormSubmitter:rate_profile-Continue")
    assert "Fill in every field" in page.said()
    assert page.test.text_input(key="rate_specialty").value == "medicine"
    page.test.selectbox(key="rate_profession").set_value("Nurse")
    page.test.number_input(key="rate_years").set_value(3.0)
    page.test.text_area(key="rate_conflicts").set_value("none")
    page.press("FormSubmitter:rate_profile-Continue")
    assert "There are **7** items" not in page.said()  # 3 cases: one for practice, two with two drafts
    assert "There are **5** items" in page.said()


def test_without_a_link_or_with_a_wrong_one_nothing_is_shown(container: StudyServer) -> None:
    assert "does not open" in RatePage(container, "y" * 43).said()
    assert "not valid" in RatePage(container, "y" * 43).said()


def test_a_withdrawn_link_opens_nothing_any_more(container: StudyServer) -> None:
    study_id = container.frozen(3)
    given = links.invite(container.studies, study_id, InviteRequest(rater="R01"))
    page = RatePage(container, given.token)
    links.withdraw(container.studies, study_id, given.id, "Ada")
    page.press("FormSubmitter:rate_profile-Continue")
    assert "Fill in" in page.said()
    assert "does not open" in RatePage(container, given.token).said()


def test_a_closed_study_says_so(container: StudyServer) -> None:
    study_id = container.frozen(3)
    token = container.invite(study_id)
    container.studies.close(study_id, "Ada")
    assert "closed" in RatePage(container, token).said()


def test_a_silent_server_is_reported_without_a_command_or_an_address(container: StudyServer) -> None:
    token = container.invite(container.frozen(3))
    container.way.cut = True
    page = RatePage(container, token)
    assert "cannot be reached" in page.said()
    for stated in ("make run", "127.0.0.1", "LEAPNOTE"):
        assert stated not in page.said()
    container.way.cut = False
    page.press("rate_retry").run()
    assert "items" in page.said()


def test_a_paused_session_goes_on_where_it_was(container: StudyServer) -> None:
    token = container.invite(container.frozen(3))
    container.rate(token, 1)
    container.ratings.pause(token)
    page = RatePage(container, token)
    assert "1 of 5 items are complete" in page.said()
    page.press("rate_begin")
    assert page.form()["shown"]["number"] == 2


def test_all_items_rated_asks_before_it_ends_and_goes_back_if_wished(container: StudyServer) -> None:
    token = container.invite(container.frozen(3))
    container.rate_all(token)
    page = RatePage(container, token)
    assert "All items are complete" in page.said()
    page.press("rate_back")
    assert page.form()["shown"]["number"] == 5
    page = RatePage(container, token).press("rate_finish")
    assert page.form()["mode"] == "guesses"
    assert [option["label"] for option in page.form()["shown"]["options"]][-1] == "I do not know"
