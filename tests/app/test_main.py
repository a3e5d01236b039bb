"""The pages and what is around each: every screen with and without an API, and the pinned line."""

import re
from pathlib import Path

import pytest

from backend.settings import ROOT
from tests.app.conftest import SCREENS, Open
from tests.app.fake_api import NOTE


@pytest.mark.parametrize("screen", SCREENS)
def test_every_screen_opens_and_none_bears_a_patient_that_is_not_its_own(open_page: Open, screen: str) -> None:
    page = open_page().draft(NOTE).go(screen)
    assert page.part("leapnote_pinned") == {}


@pytest.mark.parametrize("screen", [name for name in SCREENS if name != "workspace"])
def test_every_screen_says_when_the_api_does_not_answer(open_page: Open, screen: str) -> None:
    page = open_page("unreachable").go(screen)
    assert "make run" in page.said()


def test_the_workspace_is_drawn_without_an_api_and_asks_for_itself(open_page: Open) -> None:
    page = open_page("unreachable")
    given = page.part("leapnote_workspace")
    assert given["owner"] == "" and given["samples"]
    assert page.api.asked == []


def test_a_demonstration_opens_the_workspace_with_one_click(open_page: Open) -> None:
    page = open_page().go("help").press("load_hf")
    assert page.part("leapnote_workspace")
    assert page.test.query_params["sample"] == "hf"


def test_a_screen_goes_on_by_itself_once_the_api_answers_again(open_page: Open) -> None:
    page = open_page("unreachable").go("help")
    assert "goes on by itself" in page.said()
    page.api.mode = "well"
    assert page.run().test.button(key="load_hf").label == "Load"


def test_help_says_what_it_is_not(open_page: Open) -> None:
    assert "no medical device" in open_page().go("help").said()


@pytest.mark.parametrize("script", sorted((ROOT / "app" / "components").rglob("*.js")), ids=lambda path: path.name)
def test_no_script_of_the_page_writes_markup_or_loads_anything(script: Path) -> None:
    text = script.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|import\(", text)
    if script.name == "cookie.js":  # sends a login's code to the page's own server, checked before
        assert text.index("address.origin !== window.location.origin") < text.index("fetch(address")
        text = text.replace("fetch(address", "")
    if script.name in (
        "net.js",
        "typed_memory.js",
    ):  # they ask the page's own server alone: addresses relative to the page
        assert set(re.findall(r"new URL\((.*?)\)", text)) and all(
            "document.baseURI" in one or "tabAddress" in one for one in re.findall(r"new URL\(.*", text)
        )
        text = re.sub(r"fetch\((addressOf\(path\)|new URL\(`\?name=)", "", text)
    assert "fetch(" not in text
    assert re.findall(r"https?://[^\"' ]+", text) in ([], ["http://www.w3.org/2000/svg"])


def test_only_the_state_package_touches_the_session_state() -> None:
    users = [path for path in (ROOT / "app").rglob("*.py") if "session_state" in path.read_text(encoding="utf-8")]
    assert users
    assert [path for path in users if not path.is_relative_to(ROOT / "app" / "state")] == []
