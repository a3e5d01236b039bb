"""A page that other machines reach: people log in, and a rater's link opens the rating page alone."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from backend.schemas.access import PersonRole
from tests.api.test_logins import GOOD, PROGRAM, Hospital
from tests.browser.conftest import free_port
from tests.browser.sitting import PageServer, Server, Sitting

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


def test_a_login_outlives_a_reload_and_ends_when_it_is_ended(
    browser: Browser, hospital: Hospital, address: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address + "study")
    page.get_by_role("heading", name="Log in").wait_for()
    expect(page.get_by_text("Studies")).to_have_count(0)
    page.get_by_label("Name").fill("ada byron")
    page.get_by_label("Password", exact=True).fill(GOOD)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Studies").wait_for()
    page.wait_for_function("() => document.cookie.includes('leapnote_login=')")
    page.reload()
    page.get_by_role("heading", name="Studies").wait_for()
    page.get_by_role("button", name="Ada Byron").click()
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("heading", name="Log in").wait_for()
    page.wait_for_function("() => !document.cookie.includes('leapnote_login=')")
    page.reload()
    page.get_by_role("heading", name="Log in").wait_for()
    context.close()
    assert [act for _, _, act, _ in hospital.people.trail()] == ["add", "login", "logout"]


def test_a_rater_s_link_opens_the_rating_page_and_no_other(browser: Browser, hospital: Hospital, address: str) -> None:
    token = hospital.desk.invite(hospital.desk.frozen(3))
    sitting = Sitting(browser, address + "rate?token=", token)
    sitting.page.get_by_role("button", name="Begin").wait_for()
    for path in ("study", "settings", "cases", ""):
        sitting.page.goto(f"{address}{path}?token={token}")
        sitting.page.get_by_role("button", name="Begin").wait_for()
        expect(sitting.page.locator("[data-testid=stTopNavLink]")).to_have_count(0)
        sitting.page.goto(address + path)
        sitting.page.get_by_role("heading", name="Log in").wait_for()
    sitting.close()
