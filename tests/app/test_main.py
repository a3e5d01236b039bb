"""The pages and what is around each: every screen with and without an API, and the pinned line."""

import re
from pathlib import Path

import pytest

from app.state.review_state import NO_NAME
from backend.settings import ROOT
from tests.app.conftest import SCREENS, Open
from tests.app.fake_api import NOTE, SEVERE


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_opens_and_pins_the_case_s_allergies(open_page: Open, screen: str) -> None:
    pinned = open_page().draft(NOTE).go(screen).part("leapnote_pinned")
    assert pinned["alerts"] == [{"level": "severe", "message": SEVERE}]
    assert len(pinned["allergies"]["items"]) == 2


@pytest.mark.parametrize("screen", [name for name in SCREENS if name != "about"])
def test_every_screen_says_when_the_api_does_not_answer(open_page: Open, screen: str) -> None:
    page = open_page("unreachable").go(screen)
    assert "make run" in page.said()


def test_a_case_loads_into_the_write_screen_with_one_click(open_page: Open) -> None:
    page = open_page().go("cases").press("load_hf")
    assert page.test.text_area(key="note").value == NOTE


def test_a_screen_goes_on_by_itself_once_the_api_answers_again(open_page: Open) -> None:
    page = open_page("unreachable").go("cases")
    assert "goes on by itself" in page.said()
    page.api.mode = "well"
    assert page.run().test.button(key="load_hf").label == "Load"


def test_what_was_typed_amiss_on_one_screen_is_not_shown_on_the_next(open_page: Open) -> None:
    page = open_page().draft(NOTE).press("save_case")
    assert NO_NAME in page.said().replace("\\", "")
    assert NO_NAME not in page.go("review").said().replace("\\", "")


def test_a_draft_refused_for_want_of_an_api_says_when_it_answers_again(open_page: Open) -> None:
    page = open_page("unreachable").draft(NOTE)
    assert "make run" in page.said()
    page.api.mode = "well"
    assert "It answers now" in page.run().said()
    assert page.test.text_area(key="note").value == NOTE


def test_about_says_what_it_is_not(open_page: Open) -> None:
    assert "no medical device" in open_page().go("about").said()


@pytest.mark.parametrize("script", sorted((ROOT / "app" / "components").rglob("*.js")), ids=lambda path: path.name)
def test_no_script_of_the_page_writes_markup_or_loads_anything(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|import\(", text)
    if script.name == "cookie.js":  # sends a login's code to the page's own server, checked before
        assert text.index("address.origin !== window.location.origin") < text.index("fetch(address")
        text = text.replace("fetch(address", "")
    assert "fetch(" not in text
    assert re.findall(r"https?://[^\"' ]+", text) in ([], ["http://www.w3.org/2000/svg"])


def test_only_the_state_package_touches_the_session_state() -> None:
    users = [path for path in (ROOT / "app").rglob("*.py") if "session_state" in path.read_text(encoding="utf-8")]
    assert users
    assert {path.parent for path in users} == {ROOT / "app" / "state"}
