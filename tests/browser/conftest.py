"""The real API and page on free ports with a folder of their own, and a real browser."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from playwright.sync_api import TimeoutError as NotThere

from backend.serving.process import ended_with_us
from backend.settings import ROOT

CHROMIUM = Path("/usr/bin/chromium")
START_S = 120.0
PATIENCE_MS = 30_000
"""How long anything may take to show: the machine may have other work."""
LOAD_MS = 120_000
"""How long a page or a whole draft may take, whose first also loads what it needs."""
expect.set_options(timeout=PATIENCE_MS)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Served(NamedTuple):
    """Where the page and the API are."""

    page: str
    api: str


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The real API and page."""
    api, page = free_port(), free_port()
    environment = {
        **os.environ,
        "LEAPNOTE_DATA": str(tmp_path_factory.mktemp("data")),
        "LEAPNOTE_API_PORT": str(api),
        "LEAPNOTE_PAGE_PORT": str(page),
    }
    running = subprocess.Popen(ended_with_us([sys.executable, "-m", "backend", "up"]), cwd=ROOT, env=environment)
    try:
        wait_for(f"http://127.0.0.1:{api}/v1/health", running)
        wait_for(f"http://127.0.0.1:{page}/_stcore/health", running)
        yield Served(f"http://127.0.0.1:{page}/", f"http://127.0.0.1:{api}/v1")
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(timeout=30)


@pytest.fixture(scope="session")
def address(served: Served) -> str:
    """Where the page is served."""
    return served.page


@pytest.fixture(scope="session")
def api(served: Served) -> str:
    """The API's address, with its version."""
    return served.api


def wait_for(url: str, running: subprocess.Popen[bytes]) -> None:
    limit = time.monotonic() + START_S
    while time.monotonic() < limit:
        assert running.poll() is None, "up ended while starting"
        try:
            if httpx.get(url, timeout=1.0, trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise AssertionError(f"{url} did not answer within {START_S:.0f} s")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is missing; install it with: apt-get install chromium")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The axe-core script, as the package axe-playwright-python ships it."""
    pytest.importorskip(
        "axe_playwright_python", reason="axe-playwright-python is not installed (requirements-services.txt)"
    )
    return resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def asked() -> list[str]:
    """Every address that the browser asked for in a test."""
    return []


@pytest.fixture
def context(browser: Browser, asked: list[str]) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1600, "height": 1000})
    opened.on("request", lambda request: asked.append(request.url))
    yield opened
    opened.close()


@pytest.fixture
def tab(context: BrowserContext, address: str) -> Page:
    """The workspace, ready."""
    return open_tab(context, address)


def open_tab(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(address, timeout=LOAD_MS)
    page.locator("#ws-note").wait_for(timeout=LOAD_MS)
    return page


def goto(page: Page, screen: str) -> None:
    """Open a screen by its name in the navigation, where need be out of the menu that holds it."""
    page.get_by_role("link", name="New", exact=True).wait_for()
    link = page.get_by_role("link", name=screen, exact=True).or_(page.get_by_role("menuitem", name=screen, exact=True))
    for menu in page.get_by_test_id("stTopNavSection").all():
        if link.count():
            break
        page.keyboard.press("Escape")
        menu.click()
        page.get_by_test_id("stTopNavDropdownLink").first.wait_for()
    link.click()


def arrive(page: Page, address: str, place: str) -> None:
    """Open a page by its address and wait until it is drawn; the tour, which goes on by itself, is stopped."""
    page.goto(f"{address}{place if place != 'new' else ''}", timeout=LOAD_MS)
    page.locator("h1").first.wait_for(timeout=LOAD_MS)
    if place == "tour":
        page.locator(".st-key-tour_stop button").click(timeout=LOAD_MS)
        page.locator(".st-key-tour_play button").wait_for()
    still(page)


QUIET_S = 0.5
UNDER_WAY = "[data-stale=true], [data-testid=stSkeleton], [data-testid=stSpinner], .st-key-under_way"
QUIET = """([quiet, underWay]) => {
  const state = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState;
  const moves = document.getAnimations().some((one) => one.playState === "running" && one.effect?.getComputedTiming().endTime !== Infinity);
  if (state !== "notRunning" || moves || document.querySelector(underWay)) window.busySeen = performance.now();
  return performance.now() - window.busySeen > quiet;
}"""


def still(page: Page, quiet_s: float = QUIET_S) -> None:
    """Wait until Streamlit has drawn what it was asked for: for so long nothing has run, as it begins only when the server says so, nothing
    is of the drawing before, nothing moves, and the page waits for nothing."""
    page.evaluate("window.busySeen = performance.now()")
    page.wait_for_function(QUIET, arg=[quiet_s * 1000, UNDER_WAY], timeout=LOAD_MS)


def choose(page: Page, label: str | re.Pattern[str], option: str, typed: bool = False, tries: int = 10) -> None:
    """Choose from a list as a person does: one that a drawing closed, or a moving fold left shut, is opened again.

    option: the beginning of its name. typed: it is typed first, where a long list shows only its beginning; the box is
    emptied before, since what it shows already is no typing.
    """
    for _ in range(tries):
        still(page)
        box = page.get_by_role("combobox", name=label)
        box.click()
        if typed:
            box.fill("")
            box.fill(option)
        try:
            return page.get_by_role("option", name=option).first.click(timeout=4_000)
        except NotThere:
            page.keyboard.press("Escape")
    raise AssertionError(f"{option!r} cannot be chosen under {label!r}: opened {tries} times, it did not show")
