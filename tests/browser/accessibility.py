"""What axe finds on a page, and which text has too little contrast, in both themes."""

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.conftest import still

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# off by itself: the words of a control stand in its name
AXE = "rules => axe.run(document, { runOnly: rules, rules: { 'label-content-name-mismatch': { enabled: true } } })"
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
PHONE = {"width": 390, "height": 844}


def violations(page: Page, tags: list[str]) -> list[str]:
    """What axe, which the page holds already, finds by the rules of these tags, a line each."""
    found = page.evaluate(AXE, tags)["violations"]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


def faults(page: Page, axe: str) -> list[str]:
    """What axe finds, a line each; at the widest also every text without enough contrast, in both themes."""
    page.emulate_media(reduced_motion="reduce")
    still(page)
    page.evaluate(axe)
    lines = [f"light {line}" for line in violations(page, RULES)]
    if page.evaluate("window.innerWidth > 1000"):
        lines += [f"light {line}" for line in page.evaluate(CONTRAST)]
        page.emulate_media(color_scheme="dark")
        page.wait_for_function("getComputedStyle(document.querySelector('.stApp')).colorScheme === 'dark'")
        still(page)
        lines += [f"dark {line}" for line in (*violations(page, ["wcag2aa"]), *page.evaluate(CONTRAST))]
        page.emulate_media(color_scheme="light")
    return lines


def faults_on_phone_too(page: Page, axe: str) -> list[str]:
    """The same as the page stands, and on a phone, where nothing may scroll sideways either."""
    lines, size = faults(page, axe), page.viewport_size
    assert size is not None
    page.set_viewport_size(PHONE)
    lines += [f"phone {line}" for line in faults(page, axe)]
    if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
        lines.append("phone scrolls sideways")
    page.set_viewport_size(size)
    still(page)
    return lines
