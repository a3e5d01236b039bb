"""A tiny study through to its end in a real browser: one rater by keyboard alone, one by mouse; and a server that dies."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, WebSocket, expect

from backend.schemas.analysis import Analysis
from backend.settings import ROOT
from backend.study.instruments import instrument
from backend.study.report import analysed
from tests.app.study_api import OTHER, SYSTEM, StudyHouse
from tests.browser.conftest import free_port, wait_for

pytestmark = pytest.mark.browser
ALL = (instrument("reinrag-statements"), instrument("error-checklist"), instrument("closing-comments"))
NAMES = (SYSTEM, OTHER, "Ocelot", "quokka")


class Server:
    """The API of a house, which can be ended and started again on its port."""

    def __init__(self, house: StudyHouse, port: int) -> None:
        self.house, self.port = house, port
        self.start()

    def start(self) -> None:
        self.server = uvicorn.Server(uvicorn.Config(self.house.app, port=self.port, log_level="error", lifespan="off"))
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()
        limit = time.monotonic() + 20
        while not self.server.started:
            assert time.monotonic() < limit
            time.sleep(0.02)

    def end(self) -> None:
        self.server.should_exit = True
        self.server.force_exit = True
        self.thread.join(timeout=20)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudyHouse]:
    made = StudyHouse(tmp_path_factory.mktemp("study"))
    yield made
    made.database.close()


@pytest.fixture(scope="module")
def server(house: StudyHouse) -> Iterator[Server]:
    started = Server(house, free_port())
    yield started
    started.end()


class PageServer:
    """The page's server on a port of its own, which can be killed and started again."""

    def __init__(self, api_port: int, data: Path) -> None:
        self.port, self.api_port, self.data = free_port(), api_port, data
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/rate?token="

    def start(self) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "LEAPNOTE_API_PORT": str(self.api_port),
            "LEAPNOTE_DATA": str(self.data),
        }
        command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app" / "main.py")]
        command += ["--server.port", str(self.port), "--server.address", "127.0.0.1", "--server.headless", "true"]
        command += ["--server.fileWatcherType", "none", "--browser.gatherUsageStats", "false"]
        command += ["--client.toolbarMode", "minimal"]
        self.running = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        wait_for(f"http://127.0.0.1:{self.port}/_stcore/health", self.running)

    def kill(self) -> None:
        self.running.kill()
        self.running.wait(timeout=30)


@pytest.fixture(scope="module")
def page_server(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    started = PageServer(server.port, tmp_path_factory.mktemp("data"))
    yield started
    started.kill()


@pytest.fixture(scope="module")
def page_address(page_server: PageServer) -> str:
    return page_server.address


class Sitting:
    """A rater's browser, with everything that was ever sent to it."""

    def __init__(self, browser: Browser, address: str, token: str, **options: object) -> None:
        self.context = browser.new_context(viewport={"width": 1500, "height": 950}, **options)  # type: ignore[arg-type]
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.received: list[str] = []
        self.page.on("websocket", self._listen)
        self.page.goto(address + token)

    def _listen(self, socket: WebSocket) -> None:
        socket.on(
            "framereceived",
            lambda data: self.received.append(data if isinstance(data, str) else data.decode("utf-8", "replace")),
        )

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def tab_to(self, words: str) -> None:
        """By the tab key alone to the button of these words, and press it."""
        self.page.get_by_role("button", name=words).wait_for()
        for _ in range(30):
            self.keys("Tab")
            if self.page.evaluate("() => document.activeElement.textContent").strip() == words:
                self.keys("Enter")
                return
        raise AssertionError(f"no way to {words!r} by keyboard")

    def item(self, number: int) -> None:
        expect(self.page.locator(".progress")).to_contain_text(f"Item {number} of")

    def all_saved(self) -> None:
        expect(self.page.locator(".saved")).to_have_attribute("data-state", "saved")

    def close(self) -> None:
        self.context.close()


def fill_profile(page: Page) -> None:
    page.get_by_label("Specialty").fill("medicine")
    page.get_by_label("Years of practice").fill("7")
    page.get_by_label("Conflicts of interest").fill("none")
    page.get_by_label("Profession").click()
    page.get_by_role("option", name="Nurse").click()
    page.get_by_role("button", name="Continue").click()


def by_keyboard(sitting: Sitting, house: StudyHouse, token: str) -> None:
    page = sitting.page
    sitting.tab_to("Begin")
    for number in range(1, 5):
        sitting.item(number)
        sitting.keys("4", "2", "3", "5")
        if number == 1:
            sitting.keys("s", "e", "1", "7", "Enter")
            expect(page.locator(".error-list")).to_contain_text("E1 Wrong, severe")
            sitting.keys("s", "m")
            page.keyboard.type("unclear here")
            sitting.keys("Control+Enter")
            expect(page.locator(".marked.remark")).not_to_have_count(0)
        else:
            sitting.keys("9")
        sitting.all_saved()
        if number == 2:
            sitting.keys("p")
            sitting.item(1)
            expect(page.locator(".remark-list textarea")).to_have_value("unclear here")
            sitting.keys("n")
            sitting.item(2)
        sitting.keys("n")
    sitting.tab_to("Finish")
    page.get_by_text("one guess for each document").wait_for()
    sitting.keys("1", "2", "1", "3")
    sitting.all_saved()
    sitting.keys("n")
    page.get_by_text("The last questions").wait_for()
    for _ in range(4):
        sitting.keys("j")
        page.keyboard.type("Clear words.")
        sitting.keys("Control+Enter")
    sitting.all_saved()
    sitting.keys("n")
    page.get_by_role("heading", name="Thank you").wait_for()


def by_mouse(sitting: Sitting) -> None:
    page = sitting.page
    fill_profile(page)
    page.get_by_role("button", name="Begin").click()
    for number in range(1, 5):
        sitting.item(number)
        for cell in page.locator(".cell", has_text="Strongly agree").all():
            cell.get_by_role("button", name="Disagree", exact=True).click()
        page.get_by_role("button", name="No errors").click()
        if number == 2:
            page.locator(".draft-text").select_text()
            expect(page.locator(".span-tools .chosen")).to_contain_text("Chosen")
            page.get_by_role("button", name="Remark", exact=True).click()
            page.locator(".remark-list textarea").fill("all of it")
            page.get_by_role("button", name="Pause").click()
            page.get_by_role("button", name="Go on").click()
            sitting.item(3)
            page.get_by_role("button", name="Back").click()
            sitting.item(2)
            expect(page.locator(".remark-list textarea")).to_have_value("all of it")
        sitting.all_saved()
        page.locator("[data-do=next]").click()
    page.get_by_role("button", name="Finish").click()
    page.get_by_text("one guess for each document").wait_for()
    for cell in page.locator(".cell").all():
        cell.get_by_role("button", name="I do not know").click()
    page.get_by_role("button", name="Continue").click()
    page.get_by_text("The last questions").wait_for()
    for cell in page.locator(".cell").all():
        cell.get_by_role("button", name="Cannot judge").click()
    sitting.all_saved()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("heading", name="Thank you").wait_for()


def test_a_study_of_two_cases_and_two_systems_is_rated_to_its_end(
    browser: Browser, house: StudyHouse, page_address: str
) -> None:
    study_id = house.frozen(2, calibration_items=0, instruments=ALL, guess_items=4)
    first = Sitting(browser, page_address, house.invite(study_id, "R01"))
    by_keyboard(first, house, "")
    second = Sitting(browser, page_address, house.invite(study_id, "R02", profile=False))
    by_mouse(second)
    for sitting in (first, second):
        shown = sitting.page.content() + "".join(sitting.received)
        assert "Patient of" in shown  # the drafts did come this way
        for name in NAMES:
            assert name.lower() not in shown.lower()
        assert "leapnote" not in sitting.page.inner_text("body").lower()
        sitting.close()
    house.studies.close(study_id, "Ada")
    house.studies.unlock(study_id, "Ada")
    found: Analysis = analysed(house.studies, study_id).analysis
    means = {s.mean.value for s in found.summaries if s.question.endswith("reading_comprehension")}
    assert means == {3.0}  # the one says 4, the other 2
    assert (found.cases, found.raters) == (2, 2)


def test_answers_given_while_the_server_is_dead_are_told_and_saved_when_it_is_back(
    browser: Browser, house: StudyHouse, server: Server, page_address: str
) -> None:
    study_id = house.frozen(2, calibration_items=0, instruments=ALL)
    token = house.invite(study_id)
    sitting = Sitting(browser, page_address, token)
    page = sitting.page
    page.get_by_role("button", name="Begin").click()
    sitting.item(1)
    server.end()
    sitting.keys("4", "5")
    expect(page.locator(".saved")).to_have_attribute("data-state", "waiting")
    expect(page.locator(".saved")).to_contain_text("2 answers not saved yet")
    kept = page.evaluate("() => Object.values(sessionStorage).join()")
    assert len(json.loads(kept)) == 2
    page.on("dialog", lambda dialog: dialog.accept())
    server.start()
    page.get_by_role("button", name="Try now").click()
    sitting.all_saved()
    values = [a.answer.value for a in house.ratings.item(token, 1).answers if a.answer.kind == "value"]
    assert values == [4, 5]
    sitting.close()


def test_the_form_is_dark_where_the_system_is_and_narrow_where_the_window_is(
    browser: Browser, house: StudyHouse, page_address: str, tmp_path: Path
) -> None:
    token = house.invite(house.frozen(2, calibration_items=0, instruments=ALL))
    sitting = Sitting(browser, page_address, token, color_scheme="dark")
    page = sitting.page
    page.get_by_role("button", name="Begin").click()
    sitting.item(1)
    expect(page.locator(".rate")).to_have_attribute("data-theme", "dark")
    page.screenshot(path=tmp_path / "dark.png")
    page.set_viewport_size({"width": 700, "height": 900})
    expect(page.locator(".pane:visible")).to_have_count(1)
    sitting.keys("j", "4")
    expect(page.locator(".pane.questions")).to_be_visible()
    page.get_by_role("tab", name="Note").click()
    expect(page.locator(".pane.note")).to_be_visible()
    page.screenshot(path=tmp_path / "narrow.png")
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    sitting.close()


def test_answers_given_while_the_page_s_server_is_dead_outlive_it_and_a_reload(
    browser: Browser, house: StudyHouse, page_server: PageServer
) -> None:
    token = house.invite(house.frozen(2, calibration_items=0, instruments=ALL))
    sitting = Sitting(browser, page_server.address, token)
    page = sitting.page
    page.get_by_role("button", name="Begin").click()
    sitting.item(1)
    sitting.keys("3")
    sitting.all_saved()
    page_server.kill()
    sitting.keys("4", "5")
    expect(page.locator(".saved")).not_to_have_attribute("data-state", "saved")
    page.on("dialog", lambda dialog: dialog.accept())
    page_server.start()
    page.reload()
    page.get_by_role("button", name="Begin").click()
    sitting.item(1)
    sitting.all_saved()
    values = [a.answer.value for a in house.ratings.item(token, 1).answers if a.answer.kind == "value"]
    assert values == [3, 4, 5]
    expect(
        page.locator(".cell", has_text="Critical information").get_by_role("button", name="Strongly agree")
    ).to_have_attribute("aria-pressed", "true")
    sitting.close()
