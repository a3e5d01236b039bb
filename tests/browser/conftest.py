"""The real API and page on free ports with a folder of their own, and a real browser."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from backend.serving.process import ended_with_us
from backend.settings import ROOT

CHROMIUM = Path("/usr/bin/chromium")
START_S = 120.0


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
    """The write screen, ready."""
    return open_tab(context, address)


def open_tab(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.goto(address)
    page.get_by_label("Pre-admission note").wait_for()
    page.locator(".pin").wait_for()
    return page
