"""What holds on every page, at every size and in both themes: axe, contrast, no sideways scroll, nothing jumps, no other machine."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from app.main import PLACES
from tests.browser.accessibility import CONTRAST, RULES, violations
from tests.browser.conftest import PATIENCE_MS, arrive, still
from tests.browser.workspace.steps import SHIFTS

Sizes = tuple[tuple[int, int], ...]
pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
MOST_SHIFT = 0.1
MOST_FIELD = 46 * 16
WIDE_FIELDS = """most => [...document.querySelectorAll(".stMain :is(input, textarea, [data-baseweb=select], [data-testid=stFileUploaderDropzone])")]
  .map((one) => [one.getBoundingClientRect().width, one.ariaLabel || one.dataset.testid || one.tagName])
  .filter(([width]) => width > most).map(([width, name]) => `field of ${Math.round(width)} px: ${name}`)"""
"""Fields wider than a line that can be read, in CSS pixels."""
LOADED = [((1280, 800), (640, 400)), ((390, 844),)]  # 640: 1280 at 200 %
"""The sizes at which every page is loaded, each with those to which it is then made narrower."""


@pytest.fixture(params=LOADED, ids=lambda sizes: str(sizes[0][0]))
def page(browser: Browser, address: str, request: Any) -> Iterator[tuple[Page, Sizes, list[str]]]:
    """A page at its first size, with every address it asked for and what went wrong on the way."""
    (width, height), *_ = request.param
    context = browser.new_context(
        color_scheme="light", reduced_motion="reduce", viewport={"width": width, "height": height}
    )
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    opened.add_init_script(SHIFTS)
    wrong: list[str] = []
    opened.on("request", lambda one: wrong.extend([one.url] * (not _own(one.url, address))))
    opened.on("response", lambda one: wrong.extend([f"{one.status} {one.url}"] * (one.status >= 400)))
    opened.on("console", lambda one: wrong.extend([one.text] * (one.type == "error")))
    yield opened, request.param, wrong
    context.close()


def _own(url: str, address: str) -> bool:
    return urlsplit(url).scheme in ("data", "blob", "about") or urlsplit(url).netloc == urlsplit(address).netloc


def test_every_page_is_readable_stays_in_place_and_calls_no_other_machine(
    page: tuple[Page, Sizes, list[str]], address: str, axe: str
) -> None:
    opened, sizes, wrong = page
    faults: dict[str, list[str]] = {}
    for place in PLACES:
        opened.set_viewport_size({"width": sizes[0][0], "height": sizes[0][1]})
        arrive(opened, address, place.address)
        opened.evaluate(axe)
        shift = opened.evaluate("window.worstShift()")
        lines = [f"layout shift {shift:.2f}"] if shift >= MOST_SHIFT else []
        for width, height in sizes:
            opened.set_viewport_size({"width": width, "height": height})
            still(opened)
            lines += [f"{width} {line}" for line in violations(opened, RULES)]
            lines += [f"{width} {line}" for line in opened.evaluate(WIDE_FIELDS, MOST_FIELD)]
            if opened.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                lines.append(f"{width} scrolls sideways")
        lines += [f"light {line}" for line in opened.evaluate(CONTRAST)]
        opened.emulate_media(color_scheme="dark")
        opened.wait_for_function("getComputedStyle(document.querySelector('.stApp')).colorScheme === 'dark'")
        still(opened)
        lines += [f"dark {line}" for line in (*violations(opened, ["wcag2aa"]), *opened.evaluate(CONTRAST))]
        opened.emulate_media(color_scheme="light")
        faults[place.address] = lines + wrong
        wrong.clear()
    assert {name: lines for name, lines in faults.items() if lines} == {}


def test_a_stopped_tour_rests_and_goes_on_when_it_is_asked(browser: Browser, address: str) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    told: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: told.append(len(frame))))
    arrive(page, address, "tour")
    told.clear()
    still(page, 3.0)  # longer than a scene's clock ticks
    assert not told
    page.locator(".st-key-tour_play button").click()
    page.locator(".st-key-tour_stop button").wait_for()
    page.locator("h2", has_text=re.compile("^Without retrieval")).wait_for()
    context.close()
