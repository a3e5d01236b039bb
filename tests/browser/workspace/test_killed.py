"""The API and the page's server are killed while somebody works: nothing that was typed is lost, and nothing is saved twice."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from backend.serving.process import ended_with_us
from backend.settings import ROOT
from tests.browser.conftest import LOAD_MS, free_port, wait_for
from tests.browser.harness import PageServer
from tests.browser.workspace.steps import HELD, drafted, held, open_workspace, saved

pytestmark = [pytest.mark.browser, pytest.mark.timeout(900)]


class Api:
    """A real API that can be killed and started again on its port and its data."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.environment = {
            **os.environ,
            "LEAPNOTE_DATA": str(folder / "data"),
            "LEAPNOTE_API_PORT": str(self.port),
        }
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "backend", "serve"]
        self.running = subprocess.Popen(ended_with_us(command), cwd=ROOT, env=self.environment)
        wait_for(f"http://127.0.0.1:{self.port}/v1/health", self.running)

    def kill(self) -> None:
        self.running.kill()
        self.running.wait(timeout=30)


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[Api, PageServer]]:
    api = Api(tmp_path)
    page = PageServer(api.port, tmp_path / "page")
    yield api, page
    page.kill()
    api.kill()


@pytest.mark.parametrize("kills", [3, pytest.param(30, marks=pytest.mark.slow)])
def test_what_is_typed_while_the_api_and_the_page_are_killed_is_all_saved_once(
    context: BrowserContext, servers: tuple[Api, PageServer], kills: int
) -> None:
    api, server = servers
    page = open_workspace(context, f"http://127.0.0.1:{server.port}/")
    drafted(page)
    before = page.locator(".sentence").count()
    for number in range(kills):
        (api if number % 2 == 0 else server).kill()
        page.locator(".words").nth(1).focus()
        page.keyboard.press("a")
        page.keyboard.type(f"Typed during kill {number}.")
        page.keyboard.press("Enter")
        expect(page.locator(".sentence", has_text=f"kill {number}.")).to_be_visible()
        (api if number % 2 == 0 else server).start()
        page.wait_for_function(f"!{HELD}.queue.length", timeout=LOAD_MS)
    saved(page)
    texts = held(page, "view.sentences.filter(s => !s.deleted).map(s => s.text)")
    typed = {number: [text for text in texts if f"kill {number}." in text] for number in range(kills)}
    assert typed == {number: [f"Typed during kill {number}."] for number in range(kills)}
    assert len(texts) == before + kills


def test_a_note_that_is_being_typed_outlives_a_kill_of_the_page_s_server(
    context: BrowserContext, servers: tuple[Api, PageServer]
) -> None:
    _, server = servers
    page = open_workspace(context, f"http://127.0.0.1:{server.port}/")
    box = page.locator("#ws-note")
    box.press_sequentially("Chief Complaint: cou")
    server.kill()
    box.press_sequentially("gh and fever")
    server.start()
    expect(box).to_have_value("Chief Complaint: cough and fever")
    # the new server learns what was typed, so that even a reload keeps it
    kept: list[str] = []
    page.on("requestfinished", lambda one: kept.append(one.post_data or "") if "/leapnote/tab" in one.url else None)
    box.press_sequentially(".")
    limit = time.monotonic() + 60
    while not any("fever." in body for body in kept):
        assert time.monotonic() < limit
        page.wait_for_timeout(100)
    page.reload()
    expect(box).to_have_value("Chief Complaint: cough and fever.", timeout=LOAD_MS)


def test_a_sentence_that_is_being_typed_goes_on_when_the_page_is_mounted_anew(
    context: BrowserContext, address: str
) -> None:
    page = drafted(open_workspace(context, address))
    before = held(page, "view.sentences.filter(s => !s.deleted).map(s => s.text)")
    words = "A sentence undecided because each key jumps, deleted, undone, checked and added"
    page.locator(".words").nth(1).focus()
    page.keyboard.press("a")
    page.keyboard.type(words[:30])
    page.evaluate("window.leapnoteWorkspace.root.remove()")  # the shell draws the page in another place
    page.keyboard.type(words[30:50])  # while it stands nowhere
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("window.leapnoteWorkspace.root?.isConnected", timeout=LOAD_MS)
    page.keyboard.type(words[50:])
    page.keyboard.press("Enter")
    saved(page)
    assert held(page, "view.sentences.filter(s => !s.deleted).map(s => s.text)") == [*before[:2], words, *before[2:]]
