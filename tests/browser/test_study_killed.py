"""Raters in a real browser while API, page and database are killed again and again: nothing shown as saved is lost.

The API is a process of its own, killed with SIGKILL; so are the page's server and PostgreSQL with all its processes. SQLite lives
in the API's process. Each rater's tab lives on, as a rater's tab does: what is not acknowledged stays in it and is sent again.
"""

import json
import os
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from backend.serving.process import ended_with_us
from backend.settings import ROOT
from backend.study import records
from backend.study.design.instruments import instrument
from tests.app.study_api import StudyServer
from tests.browser.conftest import free_port, wait_for
from tests.browser.harness import PageServer, RaterTab
from tests.stores.postgres import PostgresServer

PATIENCE_MS = 90_000


class ApiProcess:
    """The API of studies in a process of its own, which can be killed and started again. url: "" for a SQLite file."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder, self.url, self.port = folder, url, free_port()
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "tests.browser.study_server", str(self.folder), str(self.port)]
        command += [self.url] if self.url else []
        self.running = subprocess.Popen(ended_with_us(command), cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
        wait_for(f"http://127.0.0.1:{self.port}/v1/health", self.running)

    def kill(self) -> None:
        self.running.kill()
        self.running.wait(timeout=30)


class Victims(NamedTuple):
    """The processes that serve a study. database: None where it is a SQLite file."""

    folder: Path
    api: ApiProcess
    page: PageServer
    database: PostgresServer | None

    def container(self) -> StudyServer:
        return StudyServer(self.folder, self.database.url if self.database else "")


@pytest.fixture
def victims(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Victims]:
    """On the kind of database that the test names."""
    database = None
    if request.param == "postgresql":
        (tmp_path / "server").mkdir()
        database = PostgresServer(tmp_path / "server")
    api = ApiProcess(tmp_path, database.url if database else "")
    page = PageServer(api.port, tmp_path / "page")
    yield Victims(tmp_path, api, page, database)
    page.kill()
    api.kill()
    if database:
        database.stop()


class Killer:
    """Kills one of the servers at random and starts it again, as often as it was asked to."""

    def __init__(self, victims: Victims, kills: int, clicks: int) -> None:
        self.victims, self.left, self.rng = victims, kills, random.Random(7)
        self.every = max(1, clicks // kills)
        self.seen = 0
        self.killed: Counter[str] = Counter()

    def after_click(self) -> bool:
        """Whether the page's server was killed: then the tab is loaded anew by the caller."""
        self.seen += 1
        if not self.left or self.seen % self.every:
            return False
        self.left -= 1
        known = {"api": self.victims.api, "page": self.victims.page, "database": self.victims.database}
        name = self.rng.choice([name for name, server in known.items() if server is not None])
        server = known[name]
        assert server is not None
        server.kill()
        server.start()
        self.killed[name] += 1
        return name == "page"


def reopen(rater: RaterTab) -> None:
    """As a rater does whose page has gone: open the link again, and go on."""
    page = rater.page
    for _ in range(5):
        try:
            page.reload()
            page.get_by_role("button", name="Go on").or_(page.get_by_role("button", name="Begin")).first.click()
            page.locator(".progress").wait_for()
            return
        except Error:
            continue
    raise AssertionError("the page did not come back")


def value_of(rng: random.Random) -> int:
    return rng.randint(1, 5)


def to_item(page: Page, number: int) -> None:
    """By the keys, wherever a reload has led."""
    for _ in range(60):
        words = page.locator(".progress").inner_text(timeout=PATIENCE_MS)
        at = int(words.split("Item ")[1].split(" of")[0])
        if at == number:
            return
        page.keyboard.press("n" if at < number else "p")
        expect(page.locator(".progress")).not_to_contain_text(f"Item {at} of", timeout=PATIENCE_MS)
    raise AssertionError(f"no way to item {number}")


def answer_all(
    rater: RaterTab, killer: Killer, total: int, questions: int, rng: random.Random
) -> dict[tuple[int, int], int]:
    """Answer everything by keyboard; what the page then says is saved, by (item, question)."""
    page, said = rater.page, dict[tuple[int, int], int]()
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Begin").click()
    for number in range(1, total + 1):
        to_item(page, number)
        for question in range(questions):
            value = value_of(rng)
            page.locator(".cell").nth(question).get_by_role("button").nth(value - 1).click(timeout=PATIENCE_MS)
            if killer.after_click():
                reopen(rater)
                to_item(page, number)
            said[number, question] = value
        expect(page.locator(".saved")).to_have_attribute("data-state", "saved", timeout=PATIENCE_MS)
        if number < total:
            page.keyboard.press("n")
            expect(page.locator(".progress")).to_contain_text(f"Item {number + 1} of", timeout=PATIENCE_MS)
    return said


def rated_through_kills(
    browser: Browser, victims: Victims, cases: int, raters: int, kills: int
) -> tuple[Counter[str], int]:
    """How often each process was killed, and how many answers were given."""
    container = victims.container()
    instruments = (instrument("reinrag-statements"),)
    study_id = container.frozen(cases, calibration_items=0, instruments=instruments, raters=raters, overlap=raters)
    study = container.study(study_id)
    questions = len(study.setup.instruments[0].questions)
    total = len(study.raters[0].slots)
    killer = Killer(victims, kills, clicks=raters * total * questions)
    said: dict[str, dict[tuple[int, int], int]] = {}
    links = {f"R{n:02}": container.invite(study_id, f"R{n:02}") for n in range(1, raters + 1)}
    for n, (rater, link) in enumerate(links.items(), 1):
        tab = RaterTab(browser, victims.page.address, link)
        said[rater] = answer_all(tab, killer, total, questions, random.Random(n))
        assert json.loads(tab.page.evaluate("() => Object.values(sessionStorage)[0] || '[]'")) == []
        tab.close()
    assert killer.left == 0
    with container.database.reading() as session:
        stored = records.newest(records.ratings_of(session, study_id))
    keys = [question.id for question in study.setup.instruments[0].questions]
    places = {(plan.rater_id, slot.item_id): slot.number for plan in study.raters for slot in plan.slots}
    found: dict[str, dict[tuple[int, int], int]] = {rater: {} for rater in said}
    for record in stored:
        place = (places[record.rater_id, record.item_id], keys.index(record.question.split("/")[-1]))
        found[record.rater_id][place] = record.answer.model_dump()["value"]
    assert found == said
    container.database.close()
    if victims.database is None:
        with sqlite3.connect(victims.folder / "study.sqlite") as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return killer.killed, sum(len(answers) for answers in said.values())


BOTH = pytest.mark.parametrize("victims", ["sqlite", "postgresql"], indirect=True)


@BOTH
@pytest.mark.browser
@pytest.mark.timeout(900)
def test_two_raters_through_six_kills(browser: Browser, victims: Victims) -> None:
    rated_through_kills(browser, victims, cases=3, raters=2, kills=6)


@BOTH
@pytest.mark.slow
@pytest.mark.timeout(14_400)
def test_twenty_cases_two_systems_five_raters_through_a_hundred_kills(
    browser: Browser, victims: Victims, record_property: Callable[[str, object], None]
) -> None:
    killed, answers = rated_through_kills(browser, victims, cases=20, raters=5, kills=100)
    record_property("killed", dict(killed))
    record_property("answers", answers)
    assert answers == 20 * 2 * 5 * 4
