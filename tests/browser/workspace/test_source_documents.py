"""A cited source in its own document: opened by a click and by the keyboard alone, with the passage marked where it stands."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.workspace.steps import drafted, focused, held, open_workspace

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
OPEN = "Open in its document"
MOST_PRESSES = 10


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    return open_workspace(context, address)


def cited_passage(page: Page, cite: str) -> str:
    return str(held(page, f"view.draft.evidence.passages.find(p => p.id === '{cite}').text"))


def test_a_source_opens_in_its_document_by_a_click_and_by_keys(page: Page) -> None:
    drafted(page)
    cite = page.locator("[data-cite^=P]").first
    text = cited_passage(page, str(cite.get_attribute("data-cite")))
    cite.click()
    page.locator(".card.pointed").get_by_role("button", name=OPEN).click()
    view, marked = page.locator(".document-view"), page.locator(".document-view .cited")
    expect(marked).to_contain_text(text)
    expect(marked.locator("mark").first).to_be_in_viewport()
    assert str(marked.locator("mark").first.inner_text()) in page.locator(".sentence.chosen").inner_text()
    others = view.locator(".document-text > p").all_inner_texts()
    assert others and text not in others
    view.get_by_role("button", name="Back to the evidence").click()
    expect(page.locator(".card.pointed")).to_contain_text(text)
    # from the next sentence, which closes what is open, by keys alone
    page.keyboard.press("j")
    for _ in range(held(page, "view.sentences.length")):
        if page.locator(".sentence.chosen [data-cite^=P]").count():
            break
        page.keyboard.press("j")
    for _ in range(MOST_PRESSES):
        page.keyboard.press("s")
        if page.locator(".card.pointed", has_text=OPEN).count():
            break
    page.keyboard.press("Enter")
    expect(marked).to_be_visible()
    page.keyboard.press("Escape")
    expect(view).to_have_count(0)
    assert "open-source" in focused(page)


def test_a_document_that_is_another_now_or_gone_is_said_beside_the_passage_as_cited(page: Page) -> None:
    drafted(page)
    cite = page.locator("[data-cite^=P]").first
    text = cited_passage(page, str(cite.get_attribute("data-cite")))
    now = {"document_id": "x", "title": "Kiwi", "passages": [{"section": "", "text": "Other words.", "start_char": 0}]}
    answers: list[list[object]] = [[], [now]]
    page.route("**/documents?*", lambda route: route.fulfill(json=answers.pop(0)))
    marked = page.locator(".document-view .cited")
    cite.click()
    for said in ("No more of this document is held here", "This document has changed since the letter was written"):
        page.get_by_role("button", name=OPEN).first.click()
        expect(page.locator(".document-view")).to_contain_text(said)
        expect(marked).to_contain_text(text)
        page.keyboard.press("Escape")
    assert answers == []


def test_a_piece_of_what_was_given_beside_the_note_is_lit_where_it_stands(page: Page) -> None:
    page.locator(".go select").first.select_option("progress_note")
    page.locator(".more summary").click()
    page.locator("#ws-course").fill("She was given furosemide. The leg swelling went down.")
    page.locator("#ws-earlier").fill(
        "# Nursing, 2024-05-02\nHPI: Leg swelling was less.\n---\n# Clinic, 2024-05-09\nHPI: Leg swelling was more."
    )
    drafted(page)
    places = {
        "She was given furosemide.": "Hospital course",
        "The leg swelling went down.": "Hospital course",
        "Leg swelling was more.": "Clinic, 2024-05-09",
    }
    for words, part in places.items():
        piece = held(page, f"view.draft.evidence.notes.find(n => n.text === '{words}').id")
        page.locator(f"[data-cite={piece}]").first.click()
        page.locator(".card.pointed").get_by_role("button", name="Show in the note").click()
        place = page.locator(".note-scroll .place")
        expect(place).to_have_text(words)
        expect(place).to_be_in_viewport()
        expect(page.locator("details:has(.place) summary")).to_have_text(part)
