"""A language model writes, as a clinician meets it: real API, real page, real browser, and a server with set answers."""

import json
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
from playwright.sync_api import BrowserContext, Page, expect

from backend.serving.process import ended_with_us
from backend.serving.status import ServerState, ServerStatus, write_status
from backend.settings import ROOT
from tests.browser.conftest import free_port, goto, open_tab, wait_for
from tests.browser.harness import PageServer
from tests.browser.workspace.steps import held, saved
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
    """The workspace with a note in it, once it knows who writes."""
    opened = open_tab(context, container.address)
    opened.wait_for_function("window.leapnoteWorkspace.store.state.service")
    opened.locator("#ws-note").fill(NOTE)
    return opened


def press_draft(tab: Page) -> None:
    tab.get_by_role("button", name="Draft", exact=False).first.click()


def until(true: Callable[[], bool], seconds: float) -> None:
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, f"not within {seconds:.0f} s"
        time.sleep(0.05)


def writer(tab: Page) -> str:
    return str(held(tab, "view.draft.generator.name"))


def test_a_model_on_this_machine_writes_the_letter_and_the_text_stays(container: Ward, tab: Page) -> None:
    container.server.draft = WHOLE
    expect(tab.locator(".stays")).to_contain_text("Stays on this computer")
    press_draft(tab)
    saved(tab)
    assert writer(tab) == "vllm:small"
    expect(tab.locator(".words").first).to_have_text("You came because you were short of breath.")


def test_text_grows_and_stop_ends_the_server_s_writing_and_keeps_what_was_written(
    container: Ward, tab: Page, tmp_path: Path
) -> None:
    container.server.draft = FOR_EVER
    press_draft(tab)
    growing = tab.locator(".growing")
    growing.wait_for()
    seen: set[str] = set()
    while len(seen) < 4 or tab.locator(".sentence .words").count() < 3:
        seen.add(growing.text_content() or "" if growing.count() else "")
        assert container.server.writing == 1  # the reply has not ended
    tab.screenshot(path=tmp_path / "growing.png")
    tab.get_by_role("button", name="Stop", exact=True).click()
    until(lambda: container.server.writing == 0, 5)
    expect(tab.locator("[data-problem=stopped]")).to_contain_text("Written so far")
    assert tab.locator(".written-so-far p").count() >= 2
    expect(tab.locator("#ws-note")).to_have_value(NOTE)


def test_a_server_killed_in_mid_sentence_leaves_a_part_and_drafting_again_makes_it_whole(
    container: Ward, tab: Page, tmp_path: Path
) -> None:
    container.server.draft = FOR_EVER
    press_draft(tab)
    tab.locator(".sentence .words").nth(2).wait_for()
    container.kill()
    try:
        expect(tab.locator(".letter-notices")).to_contain_text("Not all of the letter was written.")
        assert tab.locator(".sentence .words").count() >= 2
        saved(tab)
        tab.screenshot(path=tmp_path / "partial.png")
    finally:
        container.revive(WHOLE)
    tab.locator(".letter-notices").get_by_role("button", name="Draft again").click()
    expect(tab.locator(".letter-notices")).to_have_count(0, timeout=60_000)
    saved(tab)
    assert (writer(tab), container.server.drafted) == ("vllm:small", 1)


def test_a_server_that_is_dead_from_the_start_is_said_and_the_model_can_be_tried_again(
    container: Ward, tab: Page
) -> None:
    container.kill()
    try:
        press_draft(tab)
        expect(tab.locator(".letter-notices")).to_contain_text("small wrote nothing", timeout=60_000)
        saved(tab)
        assert writer(tab) == "composer"
    finally:
        container.revive(WHOLE)
    tab.locator(".letter-notices").get_by_role("button", name="Draft again").click()
    expect(tab.locator(".letter-notices")).to_have_count(0, timeout=60_000)
    saved(tab)
    assert writer(tab) == "vllm:small"


def test_what_the_model_left_unfinished_can_be_written_without_it(container: Ward, tab: Page) -> None:
    container.server.draft = Answer(pieces=words("".join(WRITTEN)), cut_after=20)
    press_draft(tab)
    tab.locator(".letter-notices").get_by_role("button", name="Draft without the language model").click()
    expect(tab.locator(".letter-notices")).to_have_count(0, timeout=60_000)
    saved(tab)
    assert writer(tab) == "composer"


def test_markup_in_a_model_s_reply_is_shown_as_text_and_nothing_is_fetched(
    container: Ward, tab: Page, asked: list[str]
) -> None:
    dialogs: list[str] = []
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    container.server.draft = Answer(pieces=words(EVIL), between_s=0.05)
    press_draft(tab)
    saved(tab)
    expect(tab.locator(".letter-body")).to_contain_text("this page")
    assert tab.locator(".letter-body img, .letter-body script, .letter-body a").count() == 0
    assert dialogs == []
    hosts = {urlsplit(url).hostname for url in asked if urlsplit(url).scheme not in ("data", "blob", "about")}
    assert hosts == {"127.0.0.1"}


def test_while_the_server_starts_the_page_says_so_and_what_is_typed_stays(
    container: Ward, context: BrowserContext
) -> None:
    container.says(ServerState.STARTING)
    try:
        until(lambda: "starting" in container.waiting(), 15)  # the API looks again after some seconds
        opened = open_tab(context, container.address)
        expect(opened.locator(".stays")).to_contain_text("the language model is starting")
        box = opened.locator("#ws-note")
        box.press_sequentially("Chief Complaint: cou")
    finally:
        container.says(ServerState.READY)
    expect(opened.locator(".stays")).not_to_contain_text("starting", timeout=60_000)
    box.press_sequentially("gh")
    expect(box).to_have_value("Chief Complaint: cough")


def test_every_prompt_is_shown_with_version_and_hash(container: Ward, tab: Page, tmp_path: Path) -> None:
    goto(tab, "Settings")
    tab.get_by_text(re.compile(r"discharge-instructions: version \d+, [0-9a-f]{12}")).click()
    stated = tab.get_by_text("You write clinical documents from given material.")
    stated.first.scroll_into_view_if_needed()
    expect(stated.first).to_be_visible()
    tab.screenshot(path=tmp_path / "prompts.png")


def test_a_translation_stands_beside_the_english_unreviewed_and_a_faulty_one_does_not(
    container: Ward, tab: Page
) -> None:
    container.server.draft = WHOLE  # an earlier test may have left another
    press_draft(tab)
    saved(tab)
    english = held(tab, "view.sentences.filter(s => !s.deleted).map(s => s.text)")
    replies = ["Frase en <b>español</b>." for _ in english]
    sound, faulty = [place for place, text in enumerate(english) if not re.search(r"[\d\[]", text)][:2]
    replies[faulty] = "Frase de 3 días."  # of a sentence that has no number
    rows = [{"number": number, "text": text} for number, text in enumerate(replies, 1)]
    container.server.translation = Answer(pieces=(json.dumps({"sentences": rows}),))
    tab.get_by_role("button", name="Export").click()
    tab.get_by_role("button", name="In another language").click()
    dialog = tab.get_by_role("dialog", name="In another language")
    dialog.get_by_role("button", name="Translate", exact=True).click()
    expect(dialog.locator(".unreviewed")).to_have_text(re.compile("Nobody has reviewed it"))
    assert dialog.locator("tbody td[lang=en]").all_inner_texts() == english
    shown = dialog.locator("tbody tr td:nth-child(2)").all_inner_texts()
    assert (shown[sound], shown[faulty]) == (replies[sound], "Not translated: the model's sentence has other numbers.")
    gap = next(place for place, text in enumerate(english) if "team to complete" in text)
    assert shown[gap] == "Not translated: left open for the team."
    assert dialog.locator("td b").count() == 0
