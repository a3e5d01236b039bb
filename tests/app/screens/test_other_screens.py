"""Every other screen, with and without an API."""

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


def test_compare_sets_two_systems_side_by_side_on_the_same_note(open_page: Open) -> None:
    page = open_page().type("note", NOTE).go("compare").press("compare")
    while any(part["phase"] == "running" for part in page.parts("leapnote_workbench")):
        page.run()
    page.run()
    assert [part["system"] for part in page.parts("leapnote_workbench")] == ["leapnote", "no-retrieval"]
    assert {request.text for request in page.api.asked} == {NOTE}
    assert list(page.test.dataframe[0].value["System"]) == ["leapnote", "no-retrieval"]


def test_compare_without_a_note_offers_cases(open_page: Open) -> None:
    page = open_page().go("compare")
    assert "There is no note yet" in page.said()
    assert page.test.button(key="case_hf").label


def test_graph_shows_a_concept_its_neighbours_and_a_way_to_another(open_page: Open) -> None:
    page = open_page().go("medical_graph")
    page.test.text_input(key="words").set_value("heart")
    page.run()
    assert "too" in page.said()  # the definition, its asterisks taken literally
    assert list(page.test.dataframe[0].value["concept"]) == ["dyspnea"]
    assert page.test.get("iframe")
    page.test.text_input(key="other_words").set_value("dysp")
    page.run()
    assert "has finding" in page.said()


def test_graph_offers_the_concepts_of_the_note_and_a_click_searches_for_one(open_page: Open) -> None:
    page = open_page().go("medical_graph")
    assert "After a draft" in page.said() and "concepts" in page.said()
    page = open_page().draft(NOTE).go("medical_graph")
    offered = next(button for button in page.test.button if (button.key or "").startswith("offer-"))
    offered.click()
    assert page.run().test.text_input(key="words").value == offered.label


def test_graph_says_when_it_holds_no_such_concept(open_page: Open) -> None:
    page = open_page().go("medical_graph")
    page.test.text_input(key="words").set_value("qqq")
    assert "no such concept" in page.run().said()


def test_settings_shows_each_setting_with_what_it_does_and_the_sources_and_systems(open_page: Open) -> None:
    page = open_page().go("settings")
    assert "| Port of the API | 8600 | `LEAPNOTE_API_PORT` |" in page.said()
    assert [tab.label for tab in page.test.tabs] == ["Model", "Knowledge and sources", "Data and privacy", "Advanced"]
    writers, sources = (table.value for table in page.test.dataframe)
    assert list(writers["who"]) == ["writer"]
    assert list(sources["source"]) == ["book", "guideline"]
    assert sources["licence"][1] == "empty until someone imports into it"
    assert "own-book" in page.said().replace("\\", "")
    assert "| leapnote |" in page.said() and "| no\\-retrieval |" in page.said()
    assert "| An \\*unusual\\* amount\\. Check it\\. | `dose` | Unusual dose |" in page.said()


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


@pytest.mark.parametrize(
    ("policy", "stated"),
    [("leapnote, data 01234567", "leapnote, data 01234567. The tab Policy"), ("none", "none. Paths of the system")],
)
def test_settings_names_the_policy_or_says_what_happens_without_one(open_page: Open, policy: str, stated: str) -> None:
    page = open_page()
    page.api.policy = policy
    assert f"**Path policy:** {stated}" in page.go("settings").said().replace("\\", "")


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
