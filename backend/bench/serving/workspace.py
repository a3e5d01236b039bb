"""edit, redraft: from a person's deed in the workspace to the letter as it is redrawn, in a real browser. letter: the whole path by hand.

They need playwright and a Chromium, and start API and page by `up` with an empty data folder.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from backend.bench.measuring import Measured
from backend.bench.serving.starting import LIMIT_S, POLL_S, free_port, ready
from backend.errors import MissingError
from backend.settings import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

ROUNDS, LETTERS, WARM = 10, 3, 1
WAIT_MS = 60_000
STATE = "window.leapnoteWorkspace.store.state"
NOTE = """Allergies: penicillin (hives)
Chief Complaint: shortness of breath
HPI: 80F with orthopnea and leg swelling for a week. She denies chest pain. No fever.
Past Medical History: hypertension
Medications: lisinopril 10 mg daily, ibuprofen 400 mg three times a day"""
TIMED = """async ({ key, act }) => {
  const { store } = window.leapnoteWorkspace;
  const drawn = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  const begun = performance.now();
  if (act) window.leapnoteWorkspace.act(act);
  else document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
  await drawn();
  const shown = performance.now() - begun;
  while (store.state.queue.length && performance.now() - begun < 10000) await new Promise((go) => setTimeout(go, 2));
  await drawn();
  return [shown, performance.now() - begun];
}"""
"""Milliseconds from a key or an act to what is drawn at once, and to what is drawn when it is saved."""


def can_run() -> bool:
    """Whether there is a browser to measure in."""
    return find_spec("playwright") is not None and bool(_chromium())


def edit(peer_python: str | None) -> Measured:
    """What needs no retrieval: a check, a sentence deleted, and that undone; saved and drawn."""
    with _page() as page:
        _drafted(page)
        page.keyboard.press("j")
        rounds = [[page.evaluate(TIMED, {"key": key})[1] for key in ("c", "d", "u")] for _ in range(WARM + ROUNDS)]
    return _measured([ms for one in rounds[WARM:] for ms in one], "one check, deletion or undo, saved and drawn")


def redraft(peer_python: str | None) -> Measured:
    """What needs retrieval: a problem confirmed, and that taken back; the letter is written anew."""
    with _page() as page:
        _drafted(page)
        concept = page.evaluate(f"() => {STATE}.view.draft.conditions[0].concept_id")
        kinds = ("confirm_condition", "clear_condition")
        rounds = [
            [page.evaluate(TIMED, {"act": {"kind": kind, "concept_id": concept}})[1] for kind in kinds]
            for _ in range(WARM + ROUNDS)
        ]
    return _measured([ms for one in rounds[WARM:] for ms in one], "one problem confirmed or taken back, letter redrawn")


def letter(peer_python: str | None) -> Measured:
    """From the pasted note to the signed letter, as fast as a script's hand: drafted, corrected, decided, filled, signed."""
    with _page() as page:
        hands = [_Hand(page).path() for _ in range(WARM + LETTERS)][WARM:]
    tasks = {name: round(sum(one.tasks[name] for one in hands) / len(hands), 1) for name in hands[0].tasks}
    found = _measured([sum(one.tasks.values()) for one in hands], "one letter in five tasks, each by hand")
    counts = {"clicks": max(one.clicks for one in hands), "waits": max(one.waits for one in hands)}
    return found.model_copy(update={"stages_ms": tasks, "counts": counts})


class _Hand:
    """A person at the page. tasks: milliseconds of each on the clock."""

    def __init__(self, page: "Page") -> None:
        self.page, self.clicks, self.waits = page, 0, 0
        self.tasks: dict[str, float] = {}

    def path(self) -> "_Hand":
        """Do all five tasks on a new letter."""
        _new(self.page)
        for task in (self.draft, self.correct, self.decide, self.fill, self.sign):
            began = time.perf_counter()
            task()
            self.tasks[task.__name__] = (time.perf_counter() - began) * 1000
        return self

    def draft(self) -> None:
        self.page.locator("#ws-note").fill(NOTE)  # pasted by Ctrl+V
        self._click(self.page.get_by_role("button", name="Draft"))
        self.page.locator(".foot-sign").wait_for()
        self.waits += 1

    def correct(self) -> None:
        self._click(self.page.locator(".note-text .mention", has_text="orthopnea"))
        self._click(self.page.get_by_role("menuitem", name="Absent"))
        _saved(self.page)

    def decide(self) -> None:
        self.page.get_by_label("What to do: ibuprofen").select_option("stopped")
        self.clicks += 2  # the list, and the word in it
        _saved(self.page)
        self._click(self.page.get_by_role("button", name="Keep taking: lisinopril"))
        _saved(self.page)

    def fill(self) -> None:
        if (gap := self.page.locator(".gap.required").first).count():
            self._click(gap)
            self.page.keyboard.type("as on the list above")
            self.page.keyboard.press("Enter")
            _saved(self.page)

    def sign(self) -> None:
        self._click(self.page.locator(".foot-sign"))
        self.page.locator("dialog [name=patient]").fill("Ada Byron")
        self.page.locator("dialog [name=who]").fill("Dr Ames")
        self.page.locator("dialog [name=role]").fill("attending")
        self._click(self.page.locator(".have-read input"))
        self.page.locator("dialog .primary:not([disabled])").wait_for()
        self.page.keyboard.press("Enter")
        self.page.locator(".head-tools .signed").wait_for()
        self.waits += 1

    def _click(self, target: "Locator") -> None:
        target.click()
        self.clicks += 1


def _measured(times: list[float], about: str) -> Measured:
    return Measured(times_ms=tuple(times), rss_mb=None, about=about, peer_reason="no other program has this workspace")


def _new(page: "Page") -> None:
    page.goto(page.url.partition("?")[0])
    page.locator("#ws-note").wait_for()


def _drafted(page: "Page") -> None:
    page.locator("#ws-note").fill(NOTE)
    page.keyboard.press("Control+Enter")
    _saved(page)


def _saved(page: "Page") -> None:
    page.locator(".foot-sign").wait_for()
    page.wait_for_function(f"{STATE}.view?.id && !{STATE}.queue.length && !{STATE}.view.saving")


def _chromium() -> str:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")


@contextmanager
def _page() -> "Iterator[Page]":
    """The workspace of a program of its own.

    Yields:
        The page, ready.

    Raises:
        MissingError: there is no browser, or the program does not start.
    """
    if not can_run():
        raise MissingError("This row needs a browser. Install the package playwright and a Chromium.")
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as data, _program(data) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(WAIT_MS)
        page.goto(address)
        page.locator("#ws-note").wait_for()
        yield page
        browser.close()


@contextmanager
def _program(data: str) -> Iterator[str]:
    api, page = free_port(), free_port()
    ports: dict[str, Any] = {"LEAPNOTE_API_PORT": str(api), "LEAPNOTE_PAGE_PORT": str(page)}
    running = subprocess.Popen(
        [sys.executable, "-m", "backend", "up"],
        cwd=ROOT,
        env={**os.environ, "LEAPNOTE_DATA": data, "LEAPNOTE_HOST": "127.0.0.1", **ports},
        stdout=subprocess.DEVNULL,
    )
    try:
        limit = time.monotonic() + LIMIT_S
        wanted = [f"http://127.0.0.1:{api}/v1/health", f"http://127.0.0.1:{page}/_stcore/health"]
        while not all(map(ready, wanted)):
            if running.poll() is not None or time.monotonic() > limit:
                raise MissingError("`up` did not become ready. Run: python -m backend doctor")
            time.sleep(POLL_S)
        yield f"http://127.0.0.1:{page}/"
    finally:
        running.send_signal(signal.SIGTERM)
        running.wait(timeout=30)
