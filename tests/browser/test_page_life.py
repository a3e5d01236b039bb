"""What a person does to a page besides using it: reload, the back button, a second tab, the tab key, an API that dies."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.app.fake_model import ModelApi
from tests.browser.conftest import free_port, open_tab, still
from tests.browser.harness import PageServer, Server
from tests.browser.memory_api import MemoryApi
from tests.browser.test_page_in_browser import CASE, done, goto, load_and_draft

pytestmark = pytest.mark.browser
NOTE = "Allergies: penicillin\nChief Complaint: cough\nHPI: 70 year old man with fever."
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
LONG_MS = 30_000  # a reload draws a page twice: as a new one, then with what it held
TAB_NAME = "() => sessionStorage.getItem('leapnote_tab')"

# whether what has the focus, or what it stands in, looks other with it than without it
FOCUS = """async () => {
  const drawn = () => new Promise((go) => setTimeout(go, 150));
  const e = document.activeElement;
  const near = [e];
  while (near.length < 6) near.push(near.at(-1).parentElement);
  const look = () => near.map((x) => getComputedStyle(x)).map((s) =>
    [s.outlineStyle, s.outlineColor, s.outlineWidth, s.boxShadow, s.borderColor, s.borderWidth].join(" ")).join("|");
  await drawn();
  const focused = look();
  e.blur();
  await drawn();
  const left = look();
  e.focus();
  return { words: e.textContent.trim(), label: e.ariaLabel, tag: e.tagName, seen: focused !== left };
}"""


def named(tab: Page) -> str:
    """The name under which the page keeps what this tab holds, once it has one."""
    tab.wait_for_function(TAB_NAME)
    still(tab)
    return str(tab.evaluate(TAB_NAME))


def test_a_reload_keeps_the_note_and_then_the_draft_at_work(tab: Page) -> None:
    named(tab)
    box = tab.get_by_label("Pre-admission note")
    box.fill(NOTE)
    box.press("Tab")
    still(tab)
    tab.reload()
    expect(box).to_have_value(NOTE, timeout=LONG_MS)
    still(tab)
    tab.get_by_role("button", name="Draft", exact=True).click()
    tab.locator(".stage, .stage-fold").first.wait_for(state="attached")
    tab.reload()
    done(tab)
    expect(tab.locator(".pin")).to_contain_text("penicillin")


def test_a_reload_keeps_what_is_typed_into_a_case_and_another_tab_holds_nothing_of_it(tab: Page) -> None:
    load_and_draft(tab)
    first = named(tab)
    tab.get_by_label("Your name (for the audit trail)").fill("Dr Ames")
    tab.get_by_label("Your name (for the audit trail)").press("Tab")
    tab.get_by_role("button", name="Save case").click()
    tab.get_by_role("button", name="Open in Review").click()
    tab.get_by_role("button", name="Edit", exact=True).first.click()
    sentence = tab.get_by_label("Sentence S1")
    sentence.fill("You came because of breathlessness.")
    sentence.press("Tab")
    still(tab)
    tab.reload()
    expect(sentence).to_have_value("You came because of breathlessness.", timeout=LONG_MS)
    other = open_tab(tab.context, tab.url.rpartition("/")[0])
    expect(other.get_by_label("Pre-admission note")).to_have_value("")
    assert named(other) not in (first, named(tab))


def test_back_and_forward_keep_the_draft(tab: Page) -> None:
    load_and_draft(tab)
    count = tab.locator(".sentence").count()
    goto(tab, "Graph")
    tab.get_by_role("heading", name="The medical graph").wait_for()
    tab.go_back()
    expect(tab.locator(".sentence")).to_have_count(count)
    tab.go_forward()
    tab.get_by_role("heading", name="The medical graph").wait_for()


def test_the_page_says_that_the_api_is_gone_and_goes_on_by_itself_once_it_is_back(
    browser: Browser, tmp_path: Path
) -> None:
    server = Server(MemoryApi(ModelApi("well", False)), free_port())
    page = PageServer(server.port, tmp_path)
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    tab = open_tab(context, f"http://127.0.0.1:{page.port}/")
    box = tab.get_by_label("Pre-admission note")
    box.fill(NOTE)
    box.press("Tab")
    server.end()
    tab.get_by_role("button", name="Draft", exact=True).click()
    tab.get_by_text("goes on by itself").wait_for()
    expect(box).to_have_value(NOTE)
    server.start()
    tab.get_by_text("It answers now").wait_for()
    expect(box).to_have_value(NOTE)
    tab.get_by_role("button", name="Draft", exact=True).click()
    done(tab)
    context.close()
    page.kill()
    server.end()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast_to_be_read(browser: Browser, address: str, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1440, "height": 900})  # type: ignore[arg-type]
    tab = open_tab(context, address)
    tab.get_by_role("button", name=CASE).wait_for()
    still(tab)
    found = {"Write, empty": tab.evaluate(CONTRAST)}
    load_and_draft(tab)
    for name in ("Passages", "Policy", "Checks"):
        tab.get_by_role("tab", name=name).first.click()
        found[name] = tab.evaluate(CONTRAST)
    for screen in ("Visits", "Cases", "Review", "Compare", "Graph", "Results", "Studies", "Settings", "About"):
        goto(tab, screen)
        tab.wait_for_url(f"**/{'study' if screen == 'Studies' else screen.lower()}")
        still(tab)
        found[screen] = tab.evaluate(CONTRAST)
    context.close()
    assert {place: low for place, low in found.items() if low} == {}


def test_by_the_tab_key_alone_a_note_is_drafted_and_each_stop_is_seen(tab: Page) -> None:
    box = tab.get_by_label("Pre-admission note")
    box.focus()
    tab.keyboard.type(NOTE)
    tab.add_style_tag(content="* { transition: none !important; animation: none !important }")
    for _ in range(12):
        tab.keyboard.press("Tab")
        stop = tab.evaluate(FOCUS)
        assert stop["seen"], stop
        if stop["words"] == "Draft":
            tab.keyboard.press("Enter")
            done(tab)
            return
    raise AssertionError("no way to Draft by the tab key")
