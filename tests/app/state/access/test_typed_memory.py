"""What is typed into the workspace, held for its tab: given back to the same person alone, and to no other site."""

import json

import pytest
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from app.state.access import typed_memory
from app.state.access.login_cookie import COOKIE
from app.state.access.tab_state import TabStore

PAGE = {"X-Leapnote": "page"}
HELD = {"typed": {"note": "CC: cough ♥"}}
NAME = "?name=a-secret-name"


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> TestClient:
    monkeypatch.setattr(typed_memory, "typed", TabStore())
    return TestClient(
        Starlette(routes=[Route(typed_memory.PATH, typed_memory.answer, methods=["GET", "PUT"])]), headers=PAGE
    )


def put(browser: TestClient, body: str, name: str = NAME, **headers: str) -> int:
    return browser.put(typed_memory.PATH + name, content=body, headers=headers).status_code


def test_what_was_typed_comes_back_more_than_once(browser: TestClient) -> None:
    assert put(browser, json.dumps(HELD)) == 204
    for _ in range(2):
        assert browser.get(typed_memory.PATH + NAME).json() == HELD
    assert browser.get(typed_memory.PATH + "?name=another-name").json() == {}


def test_another_login_gets_nothing(browser: TestClient) -> None:
    browser.cookies.set(COOKIE, "first")
    assert put(browser, json.dumps(HELD)) == 204
    browser.cookies.set(COOKIE, "second")
    assert browser.get(typed_memory.PATH + NAME).json() == {}
    browser.cookies.set(COOKIE, "first")
    assert browser.get(typed_memory.PATH + NAME).json() == HELD


def test_without_the_page_s_header_nothing_is_taken_or_given(browser: TestClient) -> None:
    put(browser, json.dumps(HELD))
    assert put(browser, "{}", **{"X-Leapnote": "other"}) == 403
    assert browser.get(typed_memory.PATH + NAME, headers={"X-Leapnote": ""}).status_code == 403
    assert browser.get(typed_memory.PATH + NAME).json() == HELD


@pytest.mark.parametrize(("body", "name"), [("no json", NAME), ("[]", NAME), ("{}", "?name=short"), ("{}", "")])
def test_what_cannot_be_held_is_refused(browser: TestClient, body: str, name: str) -> None:
    assert put(browser, body, name) == 400


def test_more_than_a_tab_can_hold_is_refused(browser: TestClient) -> None:
    assert put(browser, json.dumps({"note": "x" * typed_memory.LONGEST_BODY})) == 413
