"""How the workspace looks: nothing jumps, the first sentence is in sight, every size and theme, without an accessibility fault."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from backend.bench.serving.workspace import TIMED
from tests.browser.workspace.steps import HELD, NOTE, drafted, letter_id, open_workspace

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
MOST_SHIFT = 0.1
UPDATE_MS, REDRAFT_MS = 200, 500
SIZES = ((1280, 800), (1440, 900), (1920, 1080), (3840, 2160), (1000, 800), (640, 400), (390, 844))
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# off by itself: the words of a control stand in its name
AXE = "rules => axe.run(document, { runOnly: rules, rules: { 'label-content-name-mismatch': { enabled: true } } })"
CONTRAST = (Path(__file__).parent.parent / "contrast.js").read_text(encoding="utf-8")


def faults(page: Page, axe: str) -> list[str]:
    """What axe finds, a line each; at the widest also every text without enough contrast, in both themes."""
    page.evaluate(axe)
    found = [("light", one) for one in page.evaluate(AXE, RULES)["violations"]]
    lines = []
    if page.evaluate("window.innerWidth > 1000"):
        lines += [f"light {line}" for line in page.evaluate(CONTRAST)]
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        page.wait_for_function("getComputedStyle(document.querySelector('.stApp')).colorScheme === 'dark'")
        found += [("dark", one) for one in page.evaluate(AXE, ["wcag2aa"])["violations"]]
        lines += [f"dark {line}" for line in page.evaluate(CONTRAST)]
        page.emulate_media(color_scheme="light")
    return lines + [f"{theme} {one['id']}: {node['html'][:160]}" for theme, one in found for node in one["nodes"]]


def test_nothing_jumps_and_the_first_sentence_is_in_sight(context: BrowserContext, address: str) -> None:
    page = open_workspace(context, address)
    page.set_viewport_size({"width": 1280, "height": 800})
    drafted(page)
    expect(page.locator(".sentence").first).to_be_in_viewport()
    expect(page.locator(".foot-sign")).to_be_in_viewport()
    assert page.evaluate("window.worstShift()") < MOST_SHIFT
    again = open_workspace(context, address, letter_id(page))
    expect(again.locator(".sentence").first).to_be_in_viewport()
    assert again.evaluate("window.worstShift()") < MOST_SHIFT
    # no coloured block is larger than the letter's head
    assert page.locator(".alert-line").bounding_box()["height"] < page.locator(".head").bounding_box()["height"]  # type: ignore[index]


def test_every_size_shows_the_whole_page_without_a_sideways_scroll(
    context: BrowserContext, address: str, tmp_path: Path
) -> None:
    page = open_workspace(context, address)
    drafted(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.keyboard.press("Escape")
        page.screenshot(path=tmp_path / f"{width}.png")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), width
        for pane in page.locator(".ws .scroll:visible").all():
            assert pane.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), (width, pane.get_attribute("class"))
        assert page.locator(".column:visible").count() == (3 if width >= 1100 else 1)
        line = page.locator(".said").first.evaluate(
            "e => e.getBoundingClientRect().width / parseFloat(getComputedStyle(e).fontSize)"
        )
        assert line <= 75


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (640, 400)])
def test_axe_finds_nothing_in_any_state(
    context: BrowserContext, address: str, axe: str, width: int, height: int
) -> None:
    page = open_workspace(context, address)
    page.set_viewport_size({"width": width, "height": height})
    found = {"empty": faults(page, axe)}
    drafted(page)
    found["letter"] = faults(page, axe)
    page.keyboard.press("j")
    page.keyboard.press("c")
    found["chosen"] = faults(page, axe)
    page.locator(".alert-line").click()
    found["safety"] = faults(page, axe)
    page.locator(".evidence-tabs [role=tab]").nth(1).click()
    found["problems"] = faults(page, axe)
    page.locator(".evidence-tabs [role=tab]").nth(0).click()
    page.locator(".how > summary").click()
    found["how"] = faults(page, axe)
    if width < 700:
        page.locator(".sheet-close").click()
    for name in ("Keyboard", "Export", "Versions"):
        if width >= 640:
            page.locator(".head-tools").get_by_role("button", name=name, exact=True).click()
            found[name] = faults(page, axe)
            page.keyboard.press("Escape")
            expect(page.locator("dialog")).to_have_count(0)
    page.locator(".foot-sign").click()
    found["sign"] = faults(page, axe)
    assert {state: lines for state, lines in found.items() if lines} == {}


def quiet() -> None:
    """Skip where other work would be measured, not the page."""
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > 1.5 * cores:
        pytest.skip(f"the machine is busy (load {load:.1f} on {cores} cores), so no time can be measured")


def test_an_update_is_drawn_within_its_time(context: BrowserContext, address: str) -> None:
    quiet()
    page = open_workspace(context, address)
    page.set_viewport_size({"width": 1280, "height": 800})
    drafted(page)
    page.keyboard.press("j")
    took: dict[str, list[list[float]]] = {}
    for _ in range(5):
        for name, key in (("check", "c"), ("delete", "d"), ("undo", "u")):
            took.setdefault(name, []).append(page.evaluate(TIMED, {"key": key}))
    # a problem that is confirmed, and that taken back: the letter is written anew
    concept = page.evaluate(f"() => {HELD}.view.draft.conditions[0].concept_id")
    for _ in range(5):
        for kind in ("confirm_condition", "clear_condition"):
            act = {"kind": kind, "concept_id": concept}
            took.setdefault("redraft", []).append(page.evaluate(TIMED, {"act": act}))
    for name, rows in took.items():
        shown = sorted(row[0] for row in rows)[len(rows) // 2]
        whole = sorted(row[1] for row in rows)[len(rows) // 2]
        assert shown < UPDATE_MS, (name, rows)
        assert whole < (REDRAFT_MS if name in ("redraft", "undo") else UPDATE_MS), (name, rows)


MOST_EMPTY = 120  # px
# what is empty below the last word of each pane that scrolls, and of the page itself
EMPTY_BELOW = """() => {
  const bottom = (e) => Math.max(0, ...[...e.querySelectorAll("*")].filter((one) => one.checkVisibility() && one.getClientRects().length
    && [...one.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim())).map((one) => one.getBoundingClientRect().bottom));
  const panes = [...window.leapnoteWorkspace.root.querySelectorAll(".scroll")].filter((e) => e.checkVisibility());
  const below = panes.map((e) => e.scrollHeight <= e.clientHeight ? 0 : e.getBoundingClientRect().top + e.scrollHeight - e.scrollTop - bottom(e));
  const main = document.querySelector(".stMain");
  return [...below, main.scrollHeight - main.clientHeight, document.documentElement.scrollHeight - window.innerHeight].map(Math.round);
}"""


def test_no_pane_ends_in_empty_space_and_every_alert_that_is_counted_is_shown(
    context: BrowserContext, address: str
) -> None:
    page = open_workspace(context, address)
    page.set_viewport_size({"width": 1280, "height": 800})
    drafted(page, NOTE + ", warfarin 5 mg daily\nAllergies to add: ibuprofen (anaphylaxis)")
    page.locator(".how > summary").click()
    for tab in (0, 1, 2):
        page.locator(".evidence-tabs [role=tab]").nth(tab).click()
        assert max(page.evaluate(EMPTY_BELOW)) < MOST_EMPTY, tab
    counted = [int(one) for one in re.findall(r"\d+", page.locator(".alert-line").inner_text())]
    shown = [page.locator(f".alert.s-{kind}:not(.answered)") for kind in ("severe", "warning")]
    assert counted[0] > 0 and counted == [one.count() for one in shown if one.count()]
    for one in shown:
        for alert in one.all():
            expect(alert).to_be_visible()


def test_the_tools_of_a_sentence_cover_no_word_and_no_tool_leaves_its_row(
    context: BrowserContext, address: str
) -> None:
    page = drafted(open_workspace(context, address))
    for place, (width, height) in enumerate([(1280, 800), (1000, 800), (390, 844)] * 4):
        page.set_viewport_size({"width": width, "height": height})
        if place % 3 == 0:
            page.keyboard.press("j")
        expect(page.locator(".sentence.chosen .tools")).to_be_visible()
        covered = page.evaluate(
            """() => {
              const tools = [...document.querySelectorAll('*')].map((e) => e.shadowRoot || e)
                .map((root) => root.querySelector?.('.sentence.chosen .tools')).find(Boolean);
              const box = tools.getBoundingClientRect();
              const row = tools.closest('.sentence').getBoundingClientRect();
              const over = [...tools.getRootNode().querySelectorAll('.words, .cite, .section-head *')].flatMap((e) => [...e.getClientRects()])
                .filter((r) => r.left < box.right - 1 && r.right > box.left + 1 && r.top < box.bottom - 1 && r.bottom > box.top + 1);
              return [over.length, box.bottom <= row.bottom + 1 && box.right <= row.right + 1];
            }"""
        )
        assert covered == [0, True]
