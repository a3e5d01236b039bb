"""A second start on the ports of one that runs: it ends at once and says why, and whoever works in the first notices nothing."""

import os
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext

from backend.settings import ROOT
from tests.browser.conftest import Served
from tests.browser.workspace.steps import OTHER, drafted, open_workspace

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def test_a_second_start_ends_at_once_with_one_line_and_the_first_goes_on(
    context: BrowserContext, served: Served, tmp_path: object
) -> None:
    page = open_workspace(context, served.page)
    page.locator("#ws-note").fill(OTHER)
    ports = {"LEAPNOTE_API_PORT": urlsplit(served.api).port, "LEAPNOTE_PAGE_PORT": urlsplit(served.page).port}
    second = subprocess.run(
        [sys.executable, "-m", "backend", "up"],
        cwd=ROOT,
        env={**os.environ, **{name: str(port) for name, port in ports.items()}, "LEAPNOTE_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (second.returncode, second.stdout) == (2, "")  # nothing that looks ready
    (line,) = second.stderr.splitlines()
    assert all(f"{name}=" in line for name in ports) and served.page.rstrip("/") in line
    drafted(page, OTHER)
