"""What holds on every page, at every size and in both themes: axe, contrast, no sideways scroll, nothing jumps, no other machine.

The widgets that Streamlit draws itself and that cannot be mended from here stand in STREAMLIT_S_OWN, each with its reason.
"""

from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from app.main import PLACES
from tests.browser.conftest import LOAD_MS, PATIENCE_MS, still
from tests.browser.workspace.steps import SHIFTS

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# off by itself: the words of a control stand in its name
AXE = "rules => axe.run(document, { runOnly: rules, rules: { 'label-content-name-mismatch': { enabled: true } } })"
MOST_SHIFT = 0.1
VIEWS = [("light", 1280, 800), ("dark", 1280, 800), ("light", 390, 844), ("light", 640, 400)]  # 640: 1280 at 200 %
STREAMLIT_S_OWN = {
    (
        "presentation-role-conflict",
        "stFileUploaderDropzone",
    ): "st.file_uploader names its drop zone and calls it presentation; "
    "the button inside it is reached and named all the same.",
}


@pytest.fixture(params=VIEWS, ids=lambda view: f"{view[0]}-{view[1]}")
def page(browser: Browser, address: str, request: Any) -> Iterator[tuple[Page, list[str]]]:
    """A page at a size and theme, with every address it asked for and what went wrong on the way."""
    scheme, width, height = request.param
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    opened.add_init_script(SHIFTS)
    wrong: list[str] = []
    opened.on("request", lambda one: wrong.extend([one.url] * (not _own(one.url, address))))
    opened.on("response", lambda one: wrong.extend([f"{one.status} {one.url}"] * (one.status >= 400)))
    opened.on("console", lambda one: wrong.extend([one.text] * (one.type == "error")))
    yield opened, wrong
    context.close()


def _own(url: str, address: str) -> bool:
    return urlsplit(url).scheme in ("data", "blob", "about") or urlsplit(url).netloc == urlsplit(address).netloc


@pytest.fixture(scope="module")
def axe() -> str:
    """The axe-core script, as the package axe-playwright-python ships it."""
    pytest.importorskip(
        "axe_playwright_python", reason="axe-playwright-python is not installed (requirements-services.txt)"
    )
    return resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def test_every_page_is_readable_stays_in_place_and_calls_no_other_machine(
    page: tuple[Page, list[str]], address: str, axe: str
) -> None:
    opened, wrong = page
    faults: dict[str, list[str]] = {}
    for place in PLACES:
        opened.goto(f"{address}{place.address if place.address != 'new' else ''}", timeout=LOAD_MS)
        opened.locator("h1").first.wait_for(timeout=LOAD_MS)
        still(opened)
        opened.evaluate(axe)
        found = opened.evaluate(AXE, RULES)["violations"]
        lines = [
            f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"] if not _known(one, node)
        ]
        lines += [f"contrast {line}" for line in opened.evaluate(CONTRAST)]
        if (shift := opened.evaluate("window.worstShift()")) >= MOST_SHIFT:
            lines.append(f"layout shift {shift:.2f}")
        if opened.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            lines.append("scrolls sideways")
        faults[place.address] = lines + wrong
        wrong.clear()
    assert {name: lines for name, lines in faults.items() if lines} == {}


def _known(fault: dict[str, Any], node: dict[str, Any]) -> bool:
    return any(fault["id"] == rule and widget in node["html"] for rule, widget in STREAMLIT_S_OWN)
