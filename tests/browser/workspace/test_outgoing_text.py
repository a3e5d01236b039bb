"""What leaves the page unsigned says so at its head; a signed print is the letter alone; an answer has its question and no table."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.workspace.steps import NOTE, QUIET, drafted, held, open_workspace, saved, signed

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
DRAFT = "Draft. Not yet checked or signed by a clinician."
BUTTONS = ".ws .letter-body button, .ws .letter-body [role=toolbar], .ws .paper > .letter-notices"


# a sentence that was not found in its source, as one that a person signs all the same
MARKED = """() => {
  const { store } = window.leapnoteWorkspace;
  const [first, ...rest] = store.state.view.sentences;
  store.set({ view: { ...store.state.view, sentences: [{ ...first, support: "unsupported" }, ...rest] } });
}"""


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    return open_workspace(context, address)


def copied(page: Page) -> str:
    page.locator(".paper-head").get_by_role("button", name="Copy text").click()
    expect(page.locator(".toast")).to_contain_text("Copied")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_unsigned_text_is_marked_at_its_head_and_signed_text_is_not(page: Page) -> None:
    drafted(page, QUIET)
    assert copied(page).startswith(f"{DRAFT}\n\n")
    expect(page.locator(".draft-mark")).to_be_hidden()
    page.emulate_media(media="print")
    mark, first = page.locator(".draft-mark"), page.locator(".sentence").first
    expect(mark).to_have_text(DRAFT)
    assert mark.bounding_box()["y"] < first.bounding_box()["y"]  # type: ignore[index]
    assert [one.is_visible() for one in page.locator(BUTTONS).all() if one.is_visible()] == []
    page.emulate_media(media="screen")
    signed(page)
    assert DRAFT not in copied(page)


def test_copied_text_says_whose_it_is_and_a_signed_one_has_blanks_for_what_is_open(page: Page) -> None:
    drafted(page, f"Name: Ada Byron\nMRN: 4711\nDOB: 1951-03-12\n{QUIET}")
    whose = "Name: Ada Byron\nDate of birth: Mar 12, 1951\nRecord number: 4711\n\n"
    text = copied(page)
    assert text.startswith(f"{DRAFT}\n\n{whose}") and "[team to complete: " in text
    signed(page)
    text = copied(page)
    assert text.startswith(whose) and "____________ (" in text and "team to complete" not in text


def test_a_signed_print_has_no_button_no_notice_and_no_review_mark(page: Page) -> None:
    signed(drafted(page, QUIET))
    page.evaluate(MARKED)
    expect(page.locator(".sentence .mark").first).to_be_visible()
    page.emulate_media(media="print")
    for hidden in (".mark", ".letter-notices"):
        expect(page.locator(f".ws {hidden}").first).to_be_hidden()
    assert [one.is_visible() for one in page.locator(BUTTONS).all() if one.is_visible()] == []
    expect(page.locator(".draft-mark")).to_have_count(0)
    expect(page.locator(".said").first).to_be_visible()


def test_an_answer_needs_a_question_and_has_no_table_and_no_empty_section(page: Page) -> None:
    page.locator(".go select").first.select_option("clinical_answer")
    page.locator("#ws-note").fill(NOTE)
    page.locator("#ws-note").press("Control+Enter")
    expect(page.locator(".hint")).to_have_text(re.compile("Type a question first"))
    assert held(page, "phase") == "empty"
    page.locator("#ws-question").fill("Which medicine removes fluid in heart failure?")
    page.locator("#ws-question").press("Control+Enter")
    saved(page)
    expect(page.locator(".asked-question")).to_be_visible()
    assert "Question: Which medicine removes fluid in heart failure?\n\n" in copied(page)
    expect(page.locator(".medicines")).to_have_count(0)
    assert held(page, "view.draft.medicines") == [] or page.locator(".foot").inner_text().count("to decide") == 0
    for section in page.locator(".letter-section").all():
        assert section.locator(".sentence").count() > 0


def test_a_section_whose_sentences_are_all_taken_out_is_gone(page: Page) -> None:
    drafted(page)
    section = page.locator(".letter-section").first
    title = section.locator("h3").inner_text()
    for _ in range(section.locator(".sentence").count()):
        section.locator(".words").first.click()
        page.keyboard.press("Escape")
        page.keyboard.press("d")
        saved(page)
    expect(page.locator(".letter-section h3", has_text=title)).to_have_count(0)
