"""The page as a clinician meets it: real API, real page, real browser."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import LOAD_MS, open_tab, still

pytestmark = pytest.mark.browser
CASE = "Heart failure, 80 F"
EVIL = (
    "Allergies: penicillin (hives)\nChief Complaint: shortness of breath\n"
    "HPI: 70M with leg swelling. <script>alert(1)</script> <img src=http://example.com/b.png onerror=alert(2)> "
    "![x](http://example.com/a.png) [link](http://example.com) ♥️ heart failure 𝛼 and fever."
)


def draft(tab: Page) -> None:
    tab.get_by_role("button", name="Draft", exact=True).click()
    done(tab)


def done(tab: Page) -> None:
    tab.locator(".sentence").first.wait_for(timeout=LOAD_MS)
    tab.get_by_role("button", name="Download as text").wait_for(timeout=LOAD_MS)
    still(tab)
    expect(tab.locator(".verdict", has_text="not checked")).to_have_count(0)


def load_and_draft(tab: Page) -> None:
    tab.get_by_role("button", name=CASE).click()
    expect(tab.locator(".pin .who")).to_contain_text(CASE)
    draft(tab)


def goto(tab: Page, screen: str) -> None:
    tab.get_by_role("link", name=screen, exact=True).click()


def test_a_case_is_drafted_and_a_chosen_sentence_lights_its_passage_and_its_words(tab: Page, tmp_path: Path) -> None:
    load_and_draft(tab)
    expect(tab.locator(".pin")).to_contain_text("lisinopril")
    sentence = tab.locator(".sentence", has=tab.locator('.chip[data-id^="P"]')).first
    wanted = sentence.locator('.chip[data-id^="P"]').first.get_attribute("data-id")
    sentence.locator(".words").click()
    expect(sentence).to_have_class(re.compile(r"\blit\b"))
    expect(tab.locator(f'.card.lit[data-card="{wanted}"]')).to_be_visible()
    assert tab.locator(f'.card[data-card="{wanted}"] .match').count() > 0
    tab.screenshot(path=tmp_path / "chosen.png")
    tab.keyboard.press("Escape")
    expect(tab.locator(".sentence.lit, .card.lit, .note-text .lit")).to_have_count(0)


def test_a_sentence_from_the_note_lights_its_words_there_and_the_words_light_the_sentence(tab: Page) -> None:
    load_and_draft(tab)
    sentence = tab.locator(".sentence", has=tab.locator('.chip[data-id^="N"]')).first
    number = sentence.get_attribute("data-sentence")
    sentence.locator(".words").click()
    lit = tab.locator(".note-text .mention.lit, .note-text .mention.strong").first
    lit.wait_for()
    lit.click()
    expect(tab.locator(f'.sentence.lit[data-sentence="{number}"]')).to_be_visible()


def test_a_passage_lights_every_sentence_that_cites_it(tab: Page) -> None:
    load_and_draft(tab)
    cited = tab.locator('.sentence .chip[data-id^="P"]').first.get_attribute("data-id")
    tab.locator('[data-tab="passages"]').click()
    card = tab.locator(f'.card[data-card="{cited}"]')
    card.focus()
    tab.keyboard.press("Enter")
    citing = tab.locator(".sentence", has=tab.locator(f'.chip[data-id="{cited}"]')).count()
    assert citing > 0
    expect(tab.locator(".sentence.lit")).to_have_count(citing)


def test_confirming_a_condition_drafts_again_and_stays_in_place(tab: Page) -> None:
    tab.get_by_label("Pre-admission note").fill("Chief Complaint: dyspnea\nHPI: 80F with orthopnea and leg swelling.")
    draft(tab)
    tab.locator('[data-tab="conditions"]').click()
    card = tab.locator(".condition").first
    name = card.get_attribute("aria-label")
    card.get_by_role("button", name="Confirm").click()
    confirmed = tab.locator(f'.condition[aria-label="{name}"]')
    expect(confirmed.get_by_role("button", name="Take back")).to_be_visible()
    expect(confirmed).to_contain_text("confirmed")
    expect(tab.locator('[data-tab="conditions"]')).to_have_attribute("aria-selected", "true")
    confirmed.get_by_role("button", name="Take back").click()
    expect(confirmed.get_by_role("button", name="Confirm")).to_be_visible()


def test_markup_in_a_note_is_shown_as_text_and_never_run(tab: Page, asked: list[str]) -> None:
    dialogs: list[str] = []
    tab.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    tab.get_by_label("Pre-admission note").fill(EVIL)
    draft(tab)
    assert tab.locator(".note-text").text_content() == EVIL
    assert tab.locator(".note-text img, .note-text script, .note-text a").count() == 0
    marked = tab.locator('.mention[aria-label*="heart failure"]').first
    expect(marked).to_have_text("heart failure")  # the signs before it are one, two and four bytes long
    tab.get_by_text("Show the text to copy").click()
    tab.locator("code").first.wait_for()
    assert dialogs == []
    assert not [url for url in asked if "example.com" in url]


@pytest.mark.parametrize("width", [1280, 1440, 1600])
def test_a_mark_stays_on_the_line_of_its_word_and_the_picture_is_whole(tab: Page, width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 800})
    denied = "chest pain, palpitations, fever, chills, cough, nausea, vomiting, diarrhea, headache, rash, syncope"
    note = (
        f"Allergies: penicillin (hives), codeine (rash), latex\nHPI: 80F with orthopnea and edema. She denies {denied}."
    )
    tab.get_by_label("Pre-admission note").fill(note)
    draft(tab)
    lines = tab.locator(".note-text .mention [data-mark]").evaluate_all(
        "all => all.map(e => e.getClientRects().length)"
    )
    assert len(lines) > 12
    assert set(lines) == {1}
    frame = tab.locator(".picture-frame").first
    assert frame.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_no_screen_asks_another_machine_for_anything(tab: Page, asked: list[str]) -> None:
    load_and_draft(tab)
    tab.get_by_text("Show all paths as one graph").click()
    picture = tab.frame_locator("iframe").locator("canvas")
    picture.wait_for()
    for screen in ("Cases", "Review", "Compare", "Graph", "Results", "Settings", "About"):
        goto(tab, screen)
        expect(tab).to_have_url(re.compile(f"/{screen.lower()}$"))
        still(tab)
        if screen == "Compare":
            tab.get_by_role("button", name="Compare", exact=True).click()
            # when the second draft ends the page draws itself anew; a click in that moment is lost (docs/architecture.md)
            tab.get_by_text("with a citation").first.wait_for(state="attached", timeout=90_000)
        if screen == "Graph":
            tab.get_by_label("Find a concept").fill("heart failure")
            tab.keyboard.press("Enter")
            tab.frame_locator("iframe").locator("canvas").wait_for()
    hosts = {urlsplit(url).hostname for url in asked if urlsplit(url).scheme not in ("data", "blob", "about")}
    assert hosts == {"127.0.0.1"}


def test_a_note_just_typed_stays_when_another_screen_is_clicked_at_once(tab: Page) -> None:
    box = tab.get_by_label("Pre-admission note")
    box.press_sequentially("Chief Complaint: cough")
    goto(tab, "Settings")
    tab.get_by_role("heading", name="Settings and knowledge").wait_for()
    goto(tab, "Write")
    expect(box).to_have_value("Chief Complaint: cough")


def test_below_1100_pixels_the_columns_become_tabs(tab: Page, tmp_path: Path) -> None:
    load_and_draft(tab)
    expect(tab.locator(".column:visible")).to_have_count(3)
    tab.set_viewport_size({"width": 1000, "height": 900})
    expect(tab.locator(".column:visible")).to_have_count(1)
    tab.locator(".sentence .chip").first.click()
    expect(tab.locator(".column.evidence")).to_be_visible()
    expect(tab.locator(".card.lit").first).to_be_in_viewport()
    tab.screenshot(path=tmp_path / "narrow.png")
    tab.get_by_role("tab", name="Note", exact=True).click()
    expect(tab.locator(".column.note")).to_be_visible()


def test_the_allergies_stay_in_sight_when_the_page_is_scrolled(tab: Page) -> None:
    load_and_draft(tab)
    tab.get_by_text("Show the text to copy").click()
    tab.locator("code").first.scroll_into_view_if_needed()
    tab.mouse.move(800, 900)
    tab.mouse.wheel(0, 2000)
    expect(tab.locator(".pin .allergies")).to_be_in_viewport()


def test_severe_flags_are_open_and_most_warnings_are_folded_so_that_the_text_is_in_sight(tab: Page) -> None:
    tab.set_viewport_size({"width": 1680, "height": 1050})
    load_and_draft(tab)
    expect(tab.locator(".flag.severe:visible").first).to_be_visible()
    assert tab.locator(".flag.warning:visible").count() <= 3
    expect(tab.locator(".sentence").first).to_be_in_viewport()
    fold = tab.locator('.flag-fold[data-fold="warnings"]')
    fold.locator("summary").click()
    expect(fold.locator(".flag").last).to_be_visible()


def test_a_draft_is_saved_edited_refused_and_downloaded(tab: Page, tmp_path: Path) -> None:
    load_and_draft(tab)
    tab.get_by_label("Your name").fill("Dr Ames")
    tab.get_by_role("button", name="Save case").click()
    tab.get_by_role("button", name="Open in Review").click()
    tab.get_by_role("button", name="Edit", exact=True).first.click()
    tab.get_by_label("Sentence S1").fill("You came because <b>breathing</b> was hard.")
    tab.get_by_role("button", name="Save", exact=True).click()
    shown = tab.get_by_role("paragraph").filter(has_text="You came because <b>breathing</b> was hard.")
    expect(shown.first).to_be_visible()
    expect(tab.get_by_text("written by Dr Ames, version 2").first).to_be_visible()
    tab.get_by_label("Your role").fill("attending")
    tab.get_by_role("button", name="Sign", exact=True).click()
    expect(tab.get_by_text("This version cannot be signed yet.")).to_be_visible()
    with tab.expect_download() as download:
        tab.get_by_role("button", name="PDF", exact=True).click()
    assert download.value.path().read_bytes().startswith(b"%PDF")
    expect(tab.locator(".pin .who")).to_contain_text(CASE)
    tab.screenshot(path=tmp_path / "review.png")


def test_the_page_is_dark_where_the_system_is(browser: Browser, address: str, tmp_path: Path) -> None:
    context = browser.new_context(color_scheme="dark", viewport={"width": 1600, "height": 1000})
    tab = open_tab(context, address)
    load_and_draft(tab)
    expect(tab.locator(".bench")).to_have_attribute("data-theme", "dark")
    tab.screenshot(path=tmp_path / "dark.png")
    context.close()


def test_another_note_is_drafted_without_the_medicines_of_the_one_before(tab: Page) -> None:
    box = tab.get_by_label("Pre-admission note")
    box.fill("Allergies: none\nChief Complaint: dyspnea\nHPI: 80F with orthopnea and leg swelling.")
    tab.get_by_text("What else is known:").click()
    tab.get_by_label("Discharge medicines").fill("warfarin 5 mg daily")
    draft(tab)
    expect(tab.locator(".sentence", has_text="warfarin").first).to_be_visible()
    tab.get_by_role("button", name="Edit the note").click()
    box.fill("Allergies: none\nChief Complaint: knee pain\nHPI: 45M fell from a ladder; no fever, no numbness.")
    tab.get_by_role("button", name="Draft again").click()  # at once, without leaving the box before
    expect(tab.locator(".note-text")).to_contain_text("fell from a ladder")
    done(tab)
    expect(tab.locator(".sentence", has_text="warfarin")).to_have_count(0)
    tab.get_by_role("button", name="Edit the note").click()
    tab.get_by_role("button", name="Restore them").click()
    tab.get_by_text("What else is known:").click()
    expect(tab.get_by_label("Discharge medicines")).to_have_value("warfarin 5 mg daily")
