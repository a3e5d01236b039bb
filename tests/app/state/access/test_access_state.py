"""The person of a tab: what a login leaves there, and what goes with it."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest

from app.clients.api_errors import ApiError
from app.state.access import access_state
from backend.schemas.access import GivenLogin, LoggedIn, PersonRole

ENDS = datetime(2031, 1, 1, tzinfo=UTC)
ADA = LoggedIn(name="Ada", role=PersonRole.COORDINATOR, ends_at=ENDS)


class Door:
    """The API's answers about logins. open: whether it answers at all; known: whose login still holds."""

    def __init__(self) -> None:
        self.open, self.known, self.ended = True, ADA, list[str]()
        self.asked = 0

    def log_in(self, name: str, password: str) -> GivenLogin:
        if password != "right":
            raise ApiError("Name or password is wrong.")
        return GivenLogin(name=name, role=PersonRole.CLINICIAN, ends_at=ENDS, token="t-1")

    def who(self, token: str) -> LoggedIn | None:
        self.asked += 1
        return self.known if token == "t-1" else None

    def log_out(self, token: str) -> None:
        if not self.open:
            raise ApiError("nothing answers", unreachable=True)
        self.ended.append(token)


@pytest.fixture
def door(tab: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Door:
    made = Door()
    tab |= {"access_client": made, "access_token": ""}
    monkeypatch.setattr(access_state, "needed", lambda: True)
    return made


@pytest.mark.parametrize(("name", "password"), [("", "right"), ("  ", "right"), ("Ada", "")])
def test_half_a_login_is_refused_without_asking_and_the_password_is_forgotten(
    tab: dict[str, Any], door: Door, name: str, password: str
) -> None:
    tab |= {"login_name": name, "login_password": password}
    access_state.log_in()
    assert access_state.message() == access_state.UNFIT
    assert "login_password" not in tab and access_state.bearer() == ""


def test_a_refused_login_says_why_and_leaves_the_tab_as_it_was(tab: dict[str, Any], door: Door) -> None:
    tab |= {"login_name": "Ada", "login_password": "wrong", "note": "typed before"}
    access_state.log_in()
    assert access_state.message() == "Name or password is wrong."
    assert tab["note"] == "typed before" and access_state.person() is None


def test_a_login_begins_with_an_empty_tab_and_a_code_for_the_cookie(tab: dict[str, Any], door: Door) -> None:
    tab |= {"login_name": "Ada", "login_password": "right", "note": "of whoever sat here before"}
    access_state.log_in()
    assert "note" not in tab
    assert access_state.bearer() == "t-1" and access_state.cookie_code()
    assert access_state.person() == ADA
    assert (tab["author"], access_state.owner(), access_state.coordinates()) == ("Ada", "Ada", True)


def test_a_person_is_asked_for_once_in_a_while_and_an_ended_login_empties_the_tab(
    tab: dict[str, Any], door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    tab["access_token"] = "t-1"
    assert access_state.person() == access_state.person() == ADA
    assert door.asked == 1
    tab["note"] = "typed"
    door.known = None  # type: ignore[assignment]
    now[0] += access_state.AGAIN_S + 1
    assert access_state.person() is None
    assert "note" not in tab and access_state.message() == access_state.ENDED
    assert not access_state.coordinates()


@pytest.mark.parametrize("answers", [True, False])
def test_logging_out_empties_the_tab_even_where_the_api_is_silent(
    tab: dict[str, Any], door: Door, answers: bool
) -> None:
    tab |= {"access_token": "t-1", "access_person": ADA, "note": "typed"}
    door.open = answers
    access_state.log_out()
    assert door.ended == (["t-1"] if answers else [])
    assert "note" not in tab and access_state.bearer() == "" and access_state.owner() == ""


def test_where_nobody_logs_in_everybody_coordinates_and_no_login_is_sent(
    tab: dict[str, Any], door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_state, "needed", lambda: False)
    tab |= {"access_token": "t-1", "access_person": ADA}
    assert access_state.coordinates()
    assert (access_state.bearer(), access_state.owner()) == ("", "")
