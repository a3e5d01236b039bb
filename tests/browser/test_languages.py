"""The pages in Spanish: no English is left on them but the words of notes, letters, sources and studies, which say that they are English."""

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.main import ADMIN, PLACES, RESEARCH
from app.words.words import table
from tests.browser.conftest import PATIENCE_MS, arrive
from tests.browser.workspace.steps import NOTE, drafted, open_workspace

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
STREAMLIT_S_OWN = ("Choose an option", "Help for ")
"""Beside what is chosen, and the name of a help sign: no page can give Streamlit other words for them."""
# the words that no English sentence lacks for long, in what is neither marked as English nor code
LEFT = r"""own => {
  const english = /(^|[^\p{L}])(the|of|and|is|are|was|were|not|with|for|this|that|from|what|which|you|your|has|have|been|when|where|each|every|these|they|its|nothing|only|must|can|by|or)(?=[^\p{L}]|$)/iu;
  const found = [];
  const look = (text) => { if (english.test(text) && !own.some((one) => text.startsWith(one))) found.push(text.trim().slice(0, 120)); };
  const walk = (root) => { for (const one of root.querySelectorAll("*")) {
    const said = one.closest("[lang]") || one.getRootNode().host?.closest("[lang]");
    if (["SCRIPT", "STYLE", "NOSCRIPT", "CODE", "TITLE"].includes(one.tagName) || said?.lang === "en") continue;
    for (const name of ["aria-label", "placeholder", "title"]) if (one.getAttribute(name)) look(one.getAttribute(name));
    if (one.checkVisibility()) for (const node of one.childNodes) if (node.nodeType === Node.TEXT_NODE) look(node.textContent);
    if (one.shadowRoot) walk(one.shadowRoot);
  } };
  walk(document.body);
  return [...new Set(found)];
}"""


def left(page: Page) -> list[str]:
    """English words on a Spanish page."""
    assert page.evaluate("document.documentElement.lang") == "es"
    found: list[str] = page.evaluate(LEFT, STREAMLIT_S_OWN)
    return found


@pytest.fixture
def spanish(browser: Browser, address: str) -> Page:
    context = browser.new_context(locale="es-ES", viewport={"width": 1280, "height": 800})
    page = open_workspace(context, address)
    page.set_default_timeout(PATIENCE_MS)
    return page


def test_the_search_finds_english_and_spares_what_says_that_it_is(spanish: Page) -> None:
    assert left(spanish) == []
    spanish.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<p>Nothing is left</p><p lang=en>Nothing is left</p>')"
    )
    assert left(spanish) == ["Nothing is left"]


def test_no_page_shows_english(spanish: Page, address: str, api: str) -> None:
    # a letter's name, which stands on a page, has the note's own words
    draft = httpx.post(
        f"{api}/drafts", json={"text": NOTE}, headers={"accept": "application/json"}, trust_env=False, timeout=60
    )
    assert httpx.post(f"{api}/cases", json={"draft": draft.json(), "author": "Dr Ames"}, trust_env=False).is_success
    # single words are Streamlit's own labels and the names of icons too
    english = {said for said, spanish in table("es").items() if spanish != said and " " in said}
    found: dict[str, list[str]] = {}
    for place in PLACES:
        arrive(spanish, address, place.address)
        shown = {line.strip() for line in spanish.evaluate(WORDS_SHOWN)}
        assert len(shown) > 5, place.address
        # what a researcher or an administrator reads names commands and settings, and the tour shows a note
        clinician_s = place.section not in (RESEARCH, ADMIN) and place.address != "tour"
        found[place.address] = [*sorted(shown & english), *(left(spanish) if clinician_s else ())]
        if place.address == "letters":
            expect(spanish.locator(".st-key-rows [lang=en]", has_text="shortness of breath").first).to_be_visible()
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_no_state_of_the_workspace_shows_english(spanish: Page) -> None:
    found = {"empty": left(spanish)}
    page = drafted(spanish)
    found["letter"] = left(page)
    tabs = page.locator(".evidence-tabs [role=tab]")
    for place in (2, 1, 0):
        tabs.nth(place).click()
        found[f"evidence {place}"] = left(page)
    page.keyboard.press("j")
    found["chosen"] = left(page)
    page.locator(".how > summary").click()
    for place in range(4):
        page.locator(".how-tabs button").nth(place).click()
        found[f"how {place}"] = left(page)
    words = table("es")
    for name in ("Versions", "Keyboard", "Export", "Sign…"):
        page.locator(".head-tools").get_by_role("button", name=words[name], exact=True).click()
        page.locator("dialog").wait_for()
        found[name] = left(page)
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
    assert {state: lines for state, lines in found.items() if lines} == {}


def test_an_open_letter_follows_the_language_that_is_chosen(context: BrowserContext, address: str) -> None:
    page = drafted(open_workspace(context, address))
    expect(page.locator(".ws .foot")).to_contain_text("Checked 0 of")
    page.get_by_text("English", exact=True).click()
    page.get_by_text("Español", exact=True).click()
    expect(page.locator(".ws .foot")).to_contain_text("Revisadas 0 de")
    assert left(page) == []


# every line that is to be read or heard, in the shadow of the workspace too
WORDS_SHOWN = """() => {
  const said = document.body.innerText.split("\\n");
  const walk = (root) => { for (const one of root.querySelectorAll("*")) {
    for (const name of ["aria-label", "placeholder", "title"]) if (one.getAttribute(name)) said.push(one.getAttribute(name));
    if (one.shadowRoot) { for (const inside of one.shadowRoot.children) if (inside.innerText) said.push(...inside.innerText.split("\\n")); walk(one.shadowRoot); }
  } };
  walk(document);
  return said;
}"""
