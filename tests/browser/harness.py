"""What browser tests of studies share: an API that can be ended, a page server that can be killed, and a rater's browser."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, Page, WebSocket, expect

from backend.serving.process import ended_with_us
from backend.settings import ROOT
from tests.api.test_logins import Hospital
from tests.app.study_api import StudyServer
from tests.browser.conftest import choose, free_port, wait_for


class Server:
    """An API that can be ended and started again on its port."""

    def __init__(self, container: StudyServer | Hospital, port: int) -> None:
        self.container, self.port = container, port
        self.start()

    def start(self) -> None:
        self.server = uvicorn.Server(
            uvicorn.Config(self.container.app, port=self.port, log_level="error", lifespan="off")
        )
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


class PageServer:
    """The page's server on a port of its own, which can be killed and started again."""

    def __init__(self, api_port: int, data: Path, **environment: str) -> None:
        self.port, self.api_port, self.data, self.environment = free_port(), api_port, data, environment
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
            **self.environment,
        }
        command = [sys.executable, "-m", "streamlit", "run", str(ROOT / "app" / "serve.py")]
        command += ["--server.port", str(self.port), "--server.address", "127.0.0.1", "--server.headless", "true"]
        command += ["--server.fileWatcherType", "none", "--browser.gatherUsageStats", "false"]
        command += ["--client.toolbarMode", "minimal"]
        self.running = subprocess.Popen(ended_with_us(command), cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        wait_for(f"http://127.0.0.1:{self.port}/_stcore/health", self.running)

    def kill(self) -> None:
        self.running.kill()
        self.running.wait(timeout=30)


class RaterTab:
    """A rater's browser, with everything that was ever sent to it."""

    def __init__(self, browser: Browser, address: str, token: str, **options: object) -> None:
        self.context = browser.new_context(viewport={"width": 1500, "height": 950}, **options)  # type: ignore[arg-type]
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.received: list[str] = []
        self.wrong: list[str] = []
        """What was not found or failed on the way, and what the browser called an error."""
        self.page.on("websocket", self._listen)
        self.page.on("response", lambda one: self.wrong.extend([f"{one.status} {one.url}"] * (one.status >= 400)))
        self.page.on("console", lambda one: self.wrong.extend([one.text] * (one.type == "error")))
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
    choose(page, "Profession", "Nurse")
    page.get_by_role("button", name="Continue").click()
