"""How the workspace looks: nothing jumps, the first sentence is in sight, every size and theme, without an accessibility fault."""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from backend.bench.serving.workspace import TIMED
from tests.browser.accessibility import faults
from tests.browser.workspace.steps import NOTE, drafted, held, letter_id, open_workspace

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
MOST_SHIFT = 0.1
UPDATE_MS, REDRAFT_MS = 200, 500
SIZES = ((1280, 800), (1440, 900), (1920, 1080), (3840, 2160), (1000, 800), (640, 400), (390, 844))
# what moved, from where to where, for whoever reads that something did
WHAT_MOVED = """() => {
  window.moved = [];
  const place = (r) => [r.x, r.y, r.width, r.height].map(Math.round).join(" ");
  new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput)
    window.moved.push([one.value.toFixed(3), ...one.sources.map((s) => `${s.node?.className || s.node?.nodeName}: ${place(s.previousRect)} to ${place(s.currentRect)}`)]); })
    .observe({ type: 'layout-shift', buffered: true });
}"""


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


@pytest.mark.parametrize(("width", "height"), [(390, 844), (640, 400), (1280, 800)])
def test_nothing_jumps_while_a_letter_with_many_allergies_and_alerts_is_drafted(
    browser: Browser, address: str, width: int, height: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height})
    page = open_workspace(context, address)
    page.evaluate(WHAT_MOVED)
    drafted(
        page, NOTE + "\nAllergies to add: latex (rash), aspirin (wheeze), iodine contrast (hives), codeine (nausea)"
    )
    expect(page.locator(".alert-line")).to_be_visible()
    assert page.evaluate("window.worstShift()") < MOST_SHIFT, page.evaluate("window.moved")
    context.close()


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


# the chips that can be seen: each wholly inside what the strip shows; and how many are counted behind them
CHIPS = """() => {
  const root = window.leapnoteWorkspace.root;
  const box = root.querySelector(".chips").getBoundingClientRect();
  const all = [...root.querySelectorAll(".chips > *")];
  const seen = all.filter((one) => one.checkVisibility({ visibilityProperty: true }));
  const cut = seen.filter((one) => { const r = one.getBoundingClientRect(); return r.right > box.right + 1 || r.bottom > box.bottom + 1 || r.left < box.left - 1; });
  const left = root.querySelector(".chips-left");
  return [cut.map((one) => one.textContent), all.length - seen.length, left.hidden ? 0 : Number(left.textContent.match(/\\d+/)[0])];
}"""
MANY = "\nPast Medical History: hypertension, type 2 diabetes, chronic kidney disease, atrial fibrillation, gout, asthma, hypothyroidism"


def test_a_problem_is_shown_whole_or_counted_at_every_size(context: BrowserContext, address: str) -> None:
    page = drafted(open_workspace(context, address), NOTE + MANY)
    counted = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"(([cut, hidden, told]) => !cut.length && hidden === told)(({CHIPS})())")
        cut, hidden, told = page.evaluate(CHIPS)
        assert (cut, hidden) == ([], told), width
        counted.append(told)
    assert max(counted) > 0 and min(counted) == 0
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".chips-left").click()
    expect(page.locator("#ws-etab-problems")).to_have_attribute("aria-selected", "true")


def test_the_evidence_shows_every_source_before_a_sentence_is_chosen(context: BrowserContext, address: str) -> None:
    page = drafted(open_workspace(context, address))
    again = open_workspace(context, address, letter_id(page))
    assert again.locator(".sentence.chosen").count() == 0
    numbered = int(again.locator("#ws-etab-sources .count").inner_text())
    assert numbered > 0
    expect(again.locator(".sources .card")).to_have_count(numbered)


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
    plain, anew = deeds(held(page, "view"))
    for _ in range(5):
        for name, (there, back) in {**plain, **anew}.items():
            for act in (there, back):
                took.setdefault(name, []).append(page.evaluate(TIMED, {"act": act}))
                assert not held(page, "refused"), name
    slow = {}
    for name, rows in took.items():
        shown, whole = (sorted(row[part] for row in rows)[len(rows) // 2] for part in (0, 1))
        if shown >= UPDATE_MS or whole >= (REDRAFT_MS if name == "undo" or name in anew else UPDATE_MS):
            slow[name] = (shown, whole)
    assert slow == {}


def deeds(view: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a person can do that needs no retrieval, and what writes the letter anew; each with what takes it back."""
    draft, first = view["draft"], view["sentences"][0]["id"]
    one, other = (condition["concept_id"] for condition in draft["conditions"][:2])
    row = {name: draft["medicines"][0][name] for name in ("id", "name", "dose", "timing", "reason")}
    at = draft["note"]["text"].index("orthopnea")
    word = {"start_char": at, "end_char": at + len("orthopnea"), "text": "orthopnea", "kind": "absent"}

    def medicine(action: str) -> Any:
        return {"kind": "medicine", "medicine": {**row, "action": action, "removed": False}}

    plain = {
        "reword": tuple({"kind": "replace", "sentence": first, "text": f"You came {how}."} for how in ("ill", "weak")),
        "medicine": (medicine("stopped"), medicine("continue")),
        "details": tuple({"kind": "details", "details": {"patient_name": name}} for name in ("A", "B")),
    }
    anew = {
        kind: ({"kind": kind, "concept_id": about}, {"kind": "clear_condition", "concept_id": about})
        for kind, about in (("confirm_condition", one), ("rule_out_condition", other), ("lead_condition", other))
    }
    return plain, {**anew, "correct": tuple({"kind": kind, "correction": word} for kind in ("correct", "uncorrect"))}


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
