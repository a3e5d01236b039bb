"""The policy's walk and the concepts of the graph, as a clinician meets them: real API, real page, real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import choose, open_tab
from tests.browser.test_page_in_browser import draft, load_and_draft

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]  # the first waits for the servers too


def focused(tab: Page) -> str:
    """The text of the element that has the keyboard."""
    inner = "while (e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement"
    return str(tab.evaluate(f"() => {{ let e = document.activeElement; {inner}; return e.textContent; }}"))


def test_the_walk_is_stepped_through_by_mouse_and_by_keyboard(tab: Page, tmp_path: Path) -> None:
    load_and_draft(tab)
    tab.locator('[data-tab="policy"]').click()
    article = tab.locator(".walk-article")
    expect(article).to_have_attribute("aria-label", "Step 1")
    # the chosen group is shown by a sign and a word, once, and is the one that the step is named after
    chosen = article.locator(".chances .taken")
    expect(chosen).to_have_count(1)
    expect(chosen).to_contain_text("▶")
    expect(chosen).to_contain_text("chosen")
    heading = article.locator("h3").text_content() or ""
    expect(chosen).to_contain_text(heading.removeprefix("Step 1: "))
    expect(article).to_contain_text("Masked:")
    expect(article).to_contain_text("within this step only")
    assert article.locator(".moves li").count() > 0
    leap = article.locator(".relation.leaps").first
    expect(leap).to_contain_text("leap")
    tab.screenshot(path=tmp_path / "policy.png")
    tab.locator('[data-move="next"]').click()
    expect(article).to_have_attribute("aria-label", "Step 2")
    tab.keyboard.press("ArrowRight")
    expect(article).to_have_attribute("aria-label", "Step 3")
    tab.keyboard.press("Home")
    expect(article).to_have_attribute("aria-label", "Step 1")
    expect(tab.locator('[data-step="0"]')).to_have_attribute("aria-current", "step")
    expect(tab.locator('[data-move="previous"]')).to_be_disabled()
    tab.locator('[data-move="all"]').click()
    expect(article).to_have_count(tab.locator("[data-step]").count())


def test_a_concept_opens_with_its_neighbours_and_leads_back_to_the_same_draft(tab: Page, tmp_path: Path) -> None:
    load_and_draft(tab)
    sentences = tab.locator(".sentence").all_inner_texts()
    tab.locator('[data-tab="policy"]').click()
    opener = tab.locator(".moves .concept").first
    name = opener.text_content() or ""
    opener.focus()
    tab.keyboard.press("Enter")
    panel = tab.locator(".concept-panel")
    expect(panel.locator("h3")).to_have_text(name)
    expect(panel).to_contain_text("Neighbours")
    neighbour = panel.locator(".neighbours .concept").first
    other = re.sub(r" \(.*\)$", "", neighbour.text_content() or "")
    neighbour.click()
    expect(panel.locator("h3")).to_have_text(other)
    expect(panel.locator(".neighbours").first).to_be_visible()
    tab.screenshot(path=tmp_path / "concept.png")
    panel.get_by_role("button", name=f"Back to {name}").click()
    expect(panel.locator("h3")).to_have_text(name)
    expect(panel.locator(".neighbours").first).to_be_visible()
    tab.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    assert focused(tab) == name
    expect(tab.locator('[data-tab="policy"]')).to_have_attribute("aria-selected", "true")
    assert tab.locator(".sentence").all_inner_texts() == sentences


def test_a_leap_of_a_path_is_dashed_says_the_word_and_supports_nothing(tab: Page) -> None:
    load_and_draft(tab)
    dashed = tab.locator(".path-picture path.leap")
    assert dashed.count() > 0
    assert dashed.first.evaluate("e => getComputedStyle(e).strokeDasharray") != "none"
    assert tab.locator(".path-picture path.edge").first.evaluate("e => getComputedStyle(e).strokeDasharray") == "none"
    expect(tab.locator(".path-picture .leap-word")).to_have_count(dashed.count())
    card = tab.locator(".card", has=tab.locator(".hint-word")).first
    expect(card.locator(".hint-word")).to_have_text("search hint, no support")
    expect(card).to_contain_text("May support a sentence:")
    tab.locator(".path-picture .node").first.click()
    expect(tab.locator(".concept-panel")).to_contain_text("On the paths:")
    tab.locator(".concept-panel .on-paths .chip").first.click()
    expect(tab.locator(".concept-panel")).to_be_hidden()
    expect(tab.locator(".card.lit")).to_be_visible()


def test_without_a_policy_the_page_says_why_and_shows_the_flat_list(tab: Page) -> None:
    choose(tab, "System", "random1hop")
    tab.get_by_label("Pre-admission note").fill("Chief Complaint: dyspnea\nHPI: 80F with orthopnea and leg swelling.")
    draft(tab)
    expect(tab.locator(".tab-body")).to_contain_text("A flat list")
    expect(tab.locator(".path-picture")).to_have_count(0)
    tab.locator('[data-tab="policy"]').click()
    expect(tab.locator(".tab-body")).to_contain_text("No policy walked for this draft.")
    expect(tab.locator(".tab-body")).to_contain_text("one-hop concepts, drawn with seed 0")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_walk_fits_a_narrow_window_in_both_themes(
    browser: Browser, address: str, tmp_path: Path, scheme: str
) -> None:
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light", viewport={"width": 420, "height": 900}
    )
    tab = open_tab(context, address)
    load_and_draft(tab)
    tab.get_by_role("tab", name="Evidence", exact=True).click()
    tab.locator('[data-tab="policy"]').click()
    tab.screenshot(path=tmp_path / f"{scheme}-policy.png")
    tab.locator('[data-move="all"]').click()
    # nothing is wider than the pane that holds it
    assert tab.locator(".column.evidence .pane").evaluate("e => e.scrollWidth <= e.clientWidth")
    tab.locator(".moves .concept").first.click()
    expect(tab.locator(".concept-panel .neighbours").first).to_be_visible()
    assert tab.locator(".concept-panel").evaluate("e => e.scrollWidth <= e.clientWidth")
    # the way back is not under the pinned line
    back = tab.get_by_role("button", name="Back to the evidence")
    expect(back).to_be_in_viewport()
    pin = tab.locator(".st-key-pinned").bounding_box()
    place = back.bounding_box()
    assert pin is not None
    assert place is not None
    assert place["y"] >= pin["y"] + pin["height"]
    tab.screenshot(path=tmp_path / f"{scheme}.png")
    context.close()
