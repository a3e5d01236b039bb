"""A page that other machines reach: people log in, and a rater's link opens the rating page alone."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from backend.evaluation.reports.result_folders import write_result
from backend.schemas.access import PersonRole
from tests.api.test_logins import GOOD, PROGRAM, Hospital
from tests.app.screens.research.test_results import FOUND
from tests.browser.accessibility import faults_on_phone_too
from tests.browser.conftest import free_port
from tests.browser.harness import PageServer, RaterTab, Server

pytestmark = pytest.mark.browser


@pytest.fixture
def hospital(tmp_path: Path) -> Iterator[Hospital]:
    made = Hospital(tmp_path)
    made.people.clock = lambda: datetime.now(UTC)
    made.people.add("Ada Byron", PersonRole.COORDINATOR, GOOD, "root")
    yield made
    made.database.close()


@pytest.fixture
def address(hospital: Hospital, tmp_path: Path) -> Iterator[str]:
    server = Server(hospital, free_port())
    page = PageServer(server.port, tmp_path / "page", LEAPNOTE_HOST="0.0.0.0", LEAPNOTE_API_TOKEN=PROGRAM)
    yield f"http://127.0.0.1:{page.port}/"
    page.kill()
    server.end()


def until_cookie(context: BrowserContext, there: bool) -> dict[str, Any]:
    """The cookie of the login once the browser has it, or an empty value once it has not."""
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        found = [dict(cookie) for cookie in context.cookies() if cookie["name"] == "leapnote_login"]
        if bool(found) == there:
            return found[0] if found else {}
        context.pages[0].wait_for_timeout(100)
    raise AssertionError("the cookie did not change")


def test_a_login_outlives_a_reload_and_ends_when_it_is_ended(
    browser: Browser, hospital: Hospital, address: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(60_000)
    frames: list[str] = []
    page.on("websocket", lambda s: s.on("framereceived", lambda data: frames.append(str(data))))
    page.goto(address + "study")
    page.get_by_role("heading", name="Log in").wait_for()
    expect(page.get_by_text("Studies")).to_have_count(0)
    page.get_by_label("Name").fill("ada byron")
    page.get_by_label("Password", exact=True).fill(GOOD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Studies").wait_for()
    cookie = until_cookie(context, True)
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and not cookie["secure"]  # it came over http
    assert page.evaluate("() => document.cookie").find("leapnote_login") == -1
    assert not [frame for frame in frames if cookie["value"] in frame]
    page.reload()
    page.get_by_role("heading", name="Studies").wait_for()
    page.get_by_role("button", name="Ada Byron").click()
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("heading", name="Log in").wait_for()
    until_cookie(context, False)
    page.reload()
    page.get_by_role("heading", name="Log in").wait_for()
    context.close()
    assert [act for _, _, act, _ in hospital.people.trail()] == ["add", "login", "logout"]


def test_the_login_and_the_results_behind_it_have_no_accessibility_fault(
    browser: Browser, hospital: Hospital, address: str, axe: str
) -> None:
    write_result(hospital.settings.data / "results" / FOUND.id, FOUND)
    context = browser.new_context(viewport={"width": 1500, "height": 950})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address + "results")
    page.get_by_role("heading", name="Log in").wait_for()
    found = {"login": faults_on_phone_too(page, axe)}
    page.get_by_label("Name").fill("ada byron")
    page.get_by_label("Password", exact=True).fill("wrong")
    page.keyboard.press("Enter")
    page.get_by_test_id("stAlert").wait_for()
    found["refused"] = faults_on_phone_too(page, axe)
    page.get_by_label("Password", exact=True).fill(GOOD)
    page.keyboard.press("Enter")
    for name in ("Figures", "Differences", "Charts", "What is what"):
        page.get_by_role("tab", name=name, exact=True).click()
        found[name] = faults_on_phone_too(page, axe)
    context.close()
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_rater_s_link_opens_the_rating_page_and_no_other(browser: Browser, hospital: Hospital, address: str) -> None:
    token = hospital.study_world.invite(hospital.study_world.frozen(3))
    rater = RaterTab(browser, address + "rate?token=", token)
    rater.page.get_by_role("button", name="Begin").wait_for()
    for path in ("study", "settings", "letters", ""):
        rater.page.goto(f"{address}{path}?token={token}")
        rater.page.get_by_role("button", name="Begin").wait_for()
        expect(rater.page.locator("[data-testid=stTopNavLink]")).to_have_count(0)
        rater.page.goto(address + path)
        rater.page.get_by_role("heading", name="Log in").wait_for()
    rater.close()
