"""A language model writes, as a clinician meets it: real API, real page, real browser, and a server with set answers."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from backend.serving.process import ended_with_us
from backend.serving.status import ServerState, ServerStatus, write_status
from backend.settings import ROOT
from tests.app.fake_api import NOTE as FAKE_NOTE
from tests.app.fake_model import REMOVED, WAS, ModelApi
from tests.browser.conftest import choose, free_port, open_tab, still, wait_for
from tests.browser.harness import PageServer, Server
from tests.browser.memory_api import MemoryApi
from tests.models.engine_server import Answer
from tests.services.slow_server import SlowServer

pytestmark = pytest.mark.browser
NOTE = (
    "Allergies: penicillin (hives)\nChief Complaint: shortness of breath\n"
    "HPI: 80F with orthopnea and leg swelling for a week. She denies chest pain."
)
WRITTEN = (
    "Why you came to the hospital\n",
    "You came because you were short of breath [N2]. Your legs had been swollen for a week [N3]. ",
    "You told us that you have no chest pain [N3]. You are allergic to penicillin [N1]. ",
    "[team to complete: what was found in the hospital]\n",
)
EVIL = (
    "Why you came to the hospital\n"
    "You came with breathlessness <script>alert(1)</script> and swollen legs [N2]. "
    "See ![scan](http://example.com/a.png) and [this page](http://example.com/b) for your legs [N3]. "
    "<img src=http://example.com/c.png onerror=alert(2)> Your legs were swollen [N3]."
)
SLOW_S = 0.12


def words(text: str) -> tuple[str, ...]:
    """A text as a model sends it: a word at a time."""
    return tuple(re.findall(r"\S+\s*", text))


WHOLE = Answer(pieces=words("".join(WRITTEN)))
FOR_EVER = Answer(pieces=words("".join(WRITTEN) * 40), between_s=SLOW_S)


class Ward:
    """The API and the page of one hospital, and its model's server, which can be killed, revived, and said to be starting."""

    def __init__(self, folder: Path) -> None:
        self.model_port, api_port = free_port(), free_port()
        self.api_url = f"http://127.0.0.1:{api_port}/v1"
        self.status_file = folder / "llm.json"
        self.server = SlowServer(self.model_port, WHOLE)
        self.server.start()
        self.says(ServerState.READY)
        environment = {
            **os.environ,
            "LEAPNOTE_DATA": str(folder / "data"),
            "LEAPNOTE_API_PORT": str(api_port),
            "LEAPNOTE_GENERATOR": "vllm:small",
            "LEAPNOTE_LLM_URL": f"http://127.0.0.1:{self.model_port}/v1",
            "LEAPNOTE_LLM_STATUS": str(self.status_file),
        }
        self.api = subprocess.Popen(
            ended_with_us([sys.executable, "-m", "backend", "serve"]), cwd=ROOT, env=environment
        )
        wait_for(f"{self.api_url}/health", self.api)
        self.page = PageServer(api_port, folder / "page")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.page.port}/"

    def says(self, state: ServerState) -> None:
        url = f"http://127.0.0.1:{self.model_port}/v1"
        write_status(self.status_file, ServerStatus(state=state, model="small", url=url, since=time.time() - 35))

    def waiting(self) -> str:
        """What the API says of a server that has yet to come."""
        return str(httpx.get(f"{self.api_url}/systems", timeout=10, trust_env=False).json()["waiting"])

    def kill(self) -> None:
        self.server.close()

    def revive(self, draft: Answer) -> None:
        self.server = SlowServer(self.model_port, draft)
        self.server.start()

    def end(self) -> None:
        self.page.kill()
        self.api.terminate()
        self.api.wait(timeout=30)
        self.server.close()


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ward]:
    made = Ward(tmp_path_factory.mktemp("ward"))
    yield made
    made.end()


@pytest.fixture
def tab(container: Ward, context: BrowserContext) -> Page:
    """The write screen with a note in it."""
    opened = open_tab(context, container.address)
    expect(opened.locator(".pin .writer")).to_contain_text("small")
    opened.get_by_label("Pre-admission note").fill(NOTE)
    return opened


def press_draft(tab: Page) -> None:
    tab.get_by_role("button", name="Draft", exact=True).click()


def ended(tab: Page) -> None:
    tab.get_by_role("button", name="Download as text").wait_for()
    still(tab)
    expect(tab.locator(".verdict", has_text="not checked")).to_have_count(0)


def until(true: Callable[[], bool], seconds: float) -> None:
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, f"not within {seconds:.0f} s"
        time.sleep(0.05)


def test_the_page_says_who_writes_and_where_the_text_goes_before_and_after(container: Ward, tab: Page) -> None:
    container.server.draft = WHOLE
    place = f"Text stays on this machine (127.0.0.1:{container.model_port})"
    expect(tab.locator(".pin .writer")).to_contain_text("Writer: small")
    expect(tab.locator(".pin .writer")).to_contain_text(place)
    press_draft(tab)
    ended(tab)
    expect(tab.locator(".pin .writer")).to_contain_text("Written by: small")
    expect(tab.locator(".pin .writer")).to_contain_text(place)
    expect(tab.locator(".sentence .words").first).to_have_text("You came because you were short of breath.")


def test_text_is_seen_growing_word_by_word_before_it_ends_and_what_is_read_meanwhile_stays(
    container: Ward, tab: Page, tmp_path: Path
) -> None:
    container.server.draft = FOR_EVER
    press_draft(tab)
    growing = tab.locator(".growing")
    tab.locator(".growing:visible").wait_for()
    tab.locator('[data-tab="notes"]').focus()
    tab.keyboard.press("Enter")
    written, seen = tab.locator(".sentence .words").count(), set()
    while len(seen) < 4 or tab.locator(".sentence .words").count() < written + 2:
        seen.add(growing.text_content() or "")
        assert container.server.writing == 1  # the reply has not ended
    expect(tab.locator('[data-tab="notes"]')).to_be_focused()
    expect(tab.locator('[data-tab="notes"]')).to_have_attribute("aria-selected", "true")
    tab.screenshot(path=tmp_path / "growing.png")
    tab.get_by_role("button", name="Stop", exact=True).click()
    until(lambda: container.server.writing == 0, 5)


def test_stop_stops_the_server_s_writing_within_seconds_and_keeps_what_was_written(container: Ward, tab: Page) -> None:
    container.server.draft = FOR_EVER
    press_draft(tab)
    tab.locator(".sentence .words").nth(1).wait_for()
    assert container.server.writing == 1
    tab.get_by_role("button", name="Stop", exact=True).click()
    until(lambda: container.server.writing == 0, 5)
    expect(tab.locator(".state.stopped")).to_contain_text("Stopped")
    assert tab.locator(".sentence .words").count() >= 2
    expect(tab.get_by_role("button", name="Try again")).to_be_visible()


def test_a_server_killed_in_mid_sentence_leaves_a_partial_draft_and_try_again_makes_it_whole(
    container: Ward, tab: Page, tmp_path: Path
) -> None:
    container.server.draft = FOR_EVER
    press_draft(tab)
    tab.locator(".sentence .words").nth(1).wait_for()
    tab.locator(".growing:visible").wait_for()
    container.kill()
    try:
        banner = tab.locator(".state.partial")
        expect(banner).to_contain_text("Partial draft. The writer broke off before the end.")
        expect(banner).to_contain_text("Reason:")
        assert tab.locator(".sentence .words").count() >= 2
        expect(tab.locator(".broke-off")).to_contain_text("The writing broke off here")
        assert int(tab.locator('[data-tab="notes"] .number').inner_text()) > 0
        still(tab)
        tab.screenshot(path=tmp_path / "partial.png")
        tab.set_viewport_size({"width": 1000, "height": 900})
        tab.screenshot(path=tmp_path / "partial-narrow.png")
        tab.set_viewport_size({"width": 1600, "height": 1000})
    finally:
        container.revive(WHOLE)
    tab.get_by_role("button", name="Try again").click()
    expect(tab.locator(".state.partial")).to_have_count(0)
    ended(tab)
    expect(tab.locator(".pin .writer")).to_contain_text("Written by: small")
    expect(tab.get_by_label("Pre-admission note")).to_have_count(0)
    assert container.server.drafted == 1


def test_a_server_that_is_dead_from_the_start_is_said_and_the_model_can_be_tried_again(
    container: Ward, tab: Page
) -> None:
    container.kill()
    try:
        press_draft(tab)
        banner = tab.locator(".state", has_text="Written by the composer instead.")
        expect(banner).to_contain_text("Reason: small wrote nothing", timeout=60_000)
        expect(tab.locator(".pin .writer")).to_contain_text("Written by: composer (no language model)")
        still(tab)
    finally:
        container.revive(WHOLE)
    expect(tab.get_by_role("button", name="Write with the composer instead")).to_have_count(0)
    tab.get_by_role("button", name="Try again").click()
    expect(tab.locator(".pin .writer")).to_contain_text("Written by: small", timeout=60_000)
    expect(tab.locator(".state")).to_have_count(0)


def test_the_composer_can_write_what_the_model_left_unfinished(container: Ward, tab: Page) -> None:
    container.server.draft = Answer(pieces=words("".join(WRITTEN)), cut_after=20)
    press_draft(tab)
    tab.locator(".state.partial").wait_for()
    tab.get_by_role("button", name="Write with the composer instead").click()
    expect(tab.locator(".state.partial")).to_have_count(0)
    ended(tab)
    expect(tab.locator(".pin .writer")).to_contain_text("Written by: composer (no language model)")
    expect(tab.locator(".pin .writer")).to_contain_text("Text stays in this program")


def test_the_composer_is_chosen_before_a_draft_and_the_model_is_not_asked(container: Ward, tab: Page) -> None:
    container.server.draft = WHOLE
    before = len(container.server.requests)
    choose(tab, "Writer", "composer (no language model)")
    expect(tab.locator(".pin .writer")).to_contain_text("Writer: composer (no language model)")
    press_draft(tab)
    ended(tab)
    expect(tab.locator(".pin .writer")).to_contain_text("Written by: composer")
    assert len(container.server.requests) == before


def test_markup_in_a_model_s_reply_is_shown_as_text_and_nothing_is_fetched(
    container: Ward, tab: Page, asked: list[str]
) -> None:
    dialogs: list[str] = []
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    container.server.draft = Answer(pieces=words(EVIL), between_s=0.05)
    press_draft(tab)
    ended(tab)
    expect(tab.locator(".sentences")).to_contain_text("this page")
    assert tab.locator(".sentences img, .sentences script, .sentences a").count() == 0
    assert "http" not in (tab.locator(".sentences").text_content() or "")
    assert dialogs == []
    hosts = {urlsplit(url).hostname for url in asked if urlsplit(url).scheme not in ("data", "blob", "about")}
    assert hosts == {"127.0.0.1"}


def test_while_the_server_starts_the_page_counts_on_and_takes_the_model_without_losing_what_is_typed(
    container: Ward, context: BrowserContext, tmp_path: Path
) -> None:
    container.says(ServerState.STARTING)
    try:
        until(lambda: "starting" in container.waiting(), 15)  # the API looks again after some seconds
        opened = open_tab(context, container.address)
        waiting = opened.get_by_text("small: starting:")
        waiting.wait_for()
        expect(opened.locator(".pin .writer")).to_contain_text("until the language model that is set is ready")
        first = waiting.inner_text()
        box = opened.get_by_label("Pre-admission note")
        box.press_sequentially("Chief Complaint: cou")  # never left: nothing of it has reached the page's server
        expect(waiting).not_to_have_text(first)
        opened.screenshot(path=tmp_path / "starting.png")
    finally:
        container.says(ServerState.READY)
    expect(opened.locator(".pin .writer")).to_contain_text("Writer: small")
    expect(opened.get_by_text("small: starting:")).to_have_count(0)
    expect(box).to_have_value("Chief Complaint: cou")
    expect(box).to_be_focused()
    box.press_sequentially("gh")
    expect(box).to_have_value("Chief Complaint: cough")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_mark_of_a_model_s_sentence_has_a_shape_and_a_word(browser: Browser, scheme: str, tmp_path: Path) -> None:
    api = Server(MemoryApi(ModelApi()), free_port())  # type: ignore[arg-type]
    page = PageServer(api.port, tmp_path / "page")
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1600, "height": 1000})  # type: ignore[arg-type]
    tab = open_tab(context, f"http://127.0.0.1:{page.port}/")
    expect(tab.locator(".pin .writer.leaves")).to_contain_text("↗ Text goes to 10.0.0.7:8000, not encrypted")
    tab.get_by_label("Pre-admission note").fill(FAKE_NOTE)
    press_draft(tab)
    ended(tab)
    expect(tab.locator(".pin .alert")).to_contain_text("lisinopril")
    first, second = (tab.locator(f'.sentence[data-sentence="{number}"]') for number in (0, 1))
    expect(first.locator(".meta")).to_contain_text("◇ citation proposed by the program")
    expect(first.locator(".meta")).to_contain_text("█ uncertainty high (0.80 of 1)")
    expect(second.locator(".meta")).to_contain_text("▂ uncertainty low (0.10 of 1)")
    expect(tab.locator('.sentence[data-sentence="2"] .doubt, .sentence[data-sentence="2"] .mark-word')).to_have_count(0)
    expect(tab.locator(".summary")).to_contain_text("▅ uncertainty of the whole: moderate (0.50 of 1)")
    second.get_by_text("↻ reworded by a repair").click()
    expect(second.locator("q")).to_have_text(WAS)
    expect(second.locator("q")).to_be_visible()
    tab.get_by_text("✂ 1 sentence removed").click()
    expect(tab.locator("del")).to_have_text(REMOVED)  # its tag is text
    expect(tab.locator("del")).to_be_visible()
    first.locator(".words").click()
    expect(tab.locator(".why")).to_contain_text("Check that it supports the sentence")
    tab.screenshot(path=tmp_path / f"marks-{scheme}.png")
    context.close()
    page.kill()
    api.end()


def test_every_prompt_is_shown_with_version_and_hash(container: Ward, tab: Page, tmp_path: Path) -> None:
    tab.get_by_role("link", name="Settings", exact=True).click()
    tab.get_by_text(re.compile(r"discharge-instructions: version \d+, [0-9a-f]{12}")).click()
    stated = tab.get_by_text("You write clinical documents from given material.")
    stated.first.scroll_into_view_if_needed()
    expect(stated.first).to_be_visible()
    tab.screenshot(path=tmp_path / "prompts.png")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_partial_draft_in_light_and_dark(container: Ward, browser: Browser, scheme: str, tmp_path: Path) -> None:
    container.server.draft = Answer(pieces=words("".join(WRITTEN)), cut_after=40)
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1600, "height": 1000})  # type: ignore[arg-type]
    tab = open_tab(context, container.address)
    tab.get_by_label("Pre-admission note").fill(NOTE)
    press_draft(tab)
    expect(tab.locator(".bench")).to_have_attribute("data-theme", scheme)
    tab.locator(".state.partial").wait_for()
    still(tab)
    tab.screenshot(path=tmp_path / f"partial-{scheme}.png")
    context.close()
