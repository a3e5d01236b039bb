"""What must never happen again in the workspace, each as a clinician would meet it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.workspace.steps import (
    NOTE,
    OTHER,
    QUIET,
    drafted,
    held,
    letter_id,
    open_workspace,
    saved,
    sentence,
    signed,
)

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
EVIL = "<script>window.ran = 1</script> <img src=http://example.com/a.png onerror=window.ran=2> ![x](http://example.com/b.png) \u202egnp ♥️ 𝛼"
INTERNAL = re.compile(
    r"\bcomposer\b|\bmentions?\b|\bpieces?\b|\bseed\b|\btold\b|\bleapnote\b(?<!Leapnote)|\b[KGPN]\d+\b|no-retrieval|LN:"
)


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    opened = open_workspace(context, address)
    opened.set_viewport_size({"width": 1280, "height": 800})
    return opened


def test_a_new_letter_holds_nothing_of_the_one_before_and_one_click_goes_back(page: Page) -> None:
    page.locator("#ws-note").fill(NOTE)
    page.locator(".more summary").click()
    page.locator("#ws-medicines").fill("warfarin 5 mg daily")
    page.locator("#ws-course").fill("Diuresis with good effect.")
    page.locator("#ws-note").press("Control+Enter")
    saved(page)
    first = letter_id(page)
    expect(
        page.locator(".medicine [name=name]").filter(has_text="warfarin").or_(sentence(page, "warfarin")).first
    ).to_be_visible()
    page.locator(".head-tools").get_by_role("button", name="New letter").click()
    page.locator(".more summary").click()
    for field in ("#ws-note", "#ws-course", "#ws-medicines", "#ws-earlier"):
        expect(page.locator(field)).to_have_value("")
    drafted(page, OTHER)
    assert letter_id(page) != first
    assert "warfarin" not in page.locator(".ws").inner_text()
    request = held(page, "view.request")
    assert (request["discharge_medicines"], request["hospital_course"], request["confirmed_conditions"]) == ([], "", [])


def test_a_note_of_another_patient_sets_aside_what_belonged_to_the_one_before(page: Page) -> None:
    box = page.locator("#ws-note")
    box.fill(NOTE)
    page.locator(".more summary").click()
    page.locator("#ws-medicines").fill("warfarin 5 mg daily")
    box.fill(OTHER)
    expect(page.locator("#ws-medicines")).to_have_value("")
    expect(page.get_by_text("Set aside: discharge medicines")).to_be_visible()
    page.get_by_role("button", name="Same patient, bring them back").click()
    expect(page.locator("#ws-medicines")).to_have_value("warfarin 5 mg daily")


def test_allergies_never_read_none_while_the_note_says_otherwise(page: Page) -> None:
    drafted(
        page,
        "Allergies: NKDA\nChief Complaint: cough\nHPI: 50M with cough. He had hives and throat swelling after amoxicillin last year.",
    )
    line = page.locator(".allergies")
    expect(line).not_to_contain_text("none known")
    expect(line).to_contain_text("amoxicillin")


def test_allergies_never_read_none_while_an_earlier_note_lists_one(page: Page) -> None:
    page.locator(".more summary").click()
    page.locator("#ws-earlier").fill("# Discharge summary, 2024-05-02\nAllergies: penicillin (hives)\nHPI: cough.")
    drafted(page, "Allergies: NKDA\nChief Complaint: cough\nHPI: 50M with cough for two days. No fever.")
    line = page.locator(".allergies")
    expect(line).to_have_attribute("data-status", "contradicted")
    expect(line).not_to_contain_text("none known")
    expect(line).to_contain_text("in earlier notes: penicillin")


def test_an_edited_sentence_loses_the_marks_of_the_text_before(page: Page) -> None:
    drafted(page)
    said = page.locator(".sentence", has=page.locator(".cite")).first
    key = said.get_attribute("data-sentence")
    said.locator(".words").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("The patient prefers tea to coffee.")
    page.keyboard.press("Enter")
    saved(page)
    now = held(page, f"view.sentences.find(s => s.id === '{key}')")
    assert (now["citations"], now["support"] in ("unsupported", "not_scored")) == ([], True)
    expect(page.locator(f"[data-sentence={key}] .cite")).to_have_count(0)


def test_an_answer_shows_its_question_and_asks_for_it(page: Page) -> None:
    page.locator(".go select").first.select_option("clinical_answer")
    page.get_by_role("button", name="Draft").click()
    expect(page.locator(".hint")).to_have_text(re.compile("Type a question first"))
    page.locator("#ws-question").fill("Which medicine removes fluid in heart failure?")
    page.locator("#ws-question").press("Control+Enter")
    saved(page)
    expect(page.locator(".asked-question")).to_contain_text("Which medicine removes fluid in heart failure?")


def test_what_is_refused_is_named_and_the_note_is_kept_with_the_focus(page: Page) -> None:
    note = "x " * 30_000
    page.locator("#ws-note").fill(note)
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-problem=refused]")).to_contain_text("60,000 characters")
    expect(page.locator("#ws-note")).to_have_value(note)
    expect(page.locator("#ws-note")).to_be_focused()
    page.locator("#ws-note").fill("qwertz uiop")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-problem=nothing]")).to_be_visible()


def test_a_refused_edit_names_its_field_as_the_page_calls_it(page: Page) -> None:
    drafted(page)
    page.locator(".who").click()
    dialog = page.get_by_role("dialog", name="Patient details")
    dialog.locator("[name=date_of_birth]").fill("1700-01-01")
    dialog.get_by_role("button", name="Save").click()
    notice = page.locator(".letter-notices", has_text="Date of birth")
    expect(notice).to_contain_text("Date of birth: is not between 1850-01-01 and 2200-01-01")
    assert not re.search(r"body|edits|date_of_birth|Tuple|Value error", notice.inner_text())


def test_a_cleared_note_comes_back_and_a_reload_keeps_what_is_typed(page: Page) -> None:
    page.locator("#ws-note").fill(NOTE)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#ws-note")).to_have_value("")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator("#ws-note")).to_have_value(NOTE)
    page.reload()
    expect(page.locator("#ws-note")).to_have_value(NOTE)


def test_a_reload_and_a_second_window_open_the_letter_of_the_address(page: Page) -> None:
    drafted(page)
    text = page.locator(".words").all_inner_texts()
    page.reload()
    saved(page)
    assert page.locator(".words").all_inner_texts() == text
    other = open_workspace(page.context, page.url.partition("?")[0], letter_id(page))
    assert other.locator(".words").first.inner_text() == page.locator(".words").first.inner_text()


def test_on_a_phone_the_letter_stands_alone_and_its_evidence_is_a_sheet(page: Page, tmp_path: Path) -> None:
    drafted(page)
    page.set_viewport_size({"width": 390, "height": 844})
    head, first = page.locator(".head").bounding_box(), page.locator(".sentence").first.bounding_box()
    assert head is not None and first is not None and head["y"] + head["height"] < first["y"]
    page.locator(".cite").first.click()
    expect(page.locator(".evidence-column.sheet")).to_be_in_viewport()
    expect(page.locator(".letter-column")).to_be_visible()
    page.screenshot(path=tmp_path / "sheet.png")
    page.locator(".sheet-close").click()
    expect(page.locator(".evidence-column")).to_be_hidden()


def test_markup_in_every_field_is_text_and_nothing_is_fetched(page: Page, asked: list[str], tmp_path: Path) -> None:
    drafted(page, f"{NOTE}\n{EVIL}")
    page.locator(".words").nth(1).click()
    page.keyboard.press("End")
    page.keyboard.insert_text(f" {EVIL}")
    page.keyboard.press("Enter")
    saved(page)
    page.locator(".head .who").click()
    for name in ("patient_name", "record_number", "ward"):
        page.locator(f"dialog [name={name}]").fill(EVIL[:180])
    page.locator("dialog .primary").click()
    saved(page)
    page.locator(".medicine [name=dose]").first.fill(EVIL[:200])
    page.locator(".medicine [name=dose]").first.press("Enter")
    saved(page)
    page.reload()
    saved(page)
    page.screenshot(path=tmp_path / "hostile.png")
    expect(page.locator(".head .who")).to_contain_text("<script>")
    assert page.evaluate("window.ran") is None
    assert not [url for url in asked if "example.com" in url]


def test_no_internal_word_reaches_the_page(page: Page) -> None:
    found = {"empty": INTERNAL.findall(page.locator(".ws").inner_text())}
    drafted(page)
    page.keyboard.press("j")
    for tab in range(3):
        page.locator(".evidence-tabs [role=tab]").nth(tab).click()
        found[str(tab)] = INTERNAL.findall(
            page.locator(".ws").inner_text().replace(page.locator(".letter-body").inner_text(), "")
        )
    page.locator(".foot-sign").click()
    found["sign"] = INTERNAL.findall(page.locator("dialog").inner_text())
    assert {place: words for place, words in found.items() if words} == {}


def test_a_word_that_is_corrected_is_told_as_corrected_and_its_clause_is_not_lost(page: Page) -> None:
    drafted(page)
    for word, kind in (("fever", "Present"), ("orthopnea", "Absent")):
        page.locator(".note-text .mention", has_text=word).first.click()
        page.get_by_role("menuitem", name=kind).click()
        saved(page)
    letter = page.locator(".letter-body").inner_text()
    assert "Your symptoms included leg swelling and fever." in letter
    assert "no fever" not in letter.lower() and "lying flat and" not in letter


def test_the_same_substance_under_two_names_is_one_allergy(page: Page) -> None:
    drafted(
        page, "Allergies: none known\nChief Complaint: cough\nHPI: 50M with cough. Allergic to sulfa per his daughter."
    )
    expect(page.locator(".allergies .allergen")).to_have_count(1)
    expect(page.locator(".allergies")).to_contain_text("sulfa")


def test_ctrl_p_prints_the_letter_and_nothing_of_the_screen(page: Page) -> None:
    drafted(page, QUIET)
    page.emulate_media(media="print")
    expect(page.locator(".ws .who-more").first).to_be_hidden()  # where nobody is named it asks for a name
    page.emulate_media(media="screen")
    signed(page)
    page.locator(".words").first.focus()
    page.emulate_media(media="print")
    expect(page.locator(".ws .who-more").first).to_have_text("Ada Byron")
    for screen in (".note-column", ".evidence-column", ".foot", ".head-tools", ".strip-place", ".who .icon"):
        expect(page.locator(f".ws {screen}").first).to_be_hidden()
    for bar in (".st-key-corner", "[data-testid=stHeader]"):
        expect(page.locator(bar)).to_be_hidden()
    for printed in (".said", ".allergies"):
        expect(page.locator(printed).first).to_be_visible()
    assert page.evaluate(
        "document.querySelector('.stMain').scrollHeight > 700"
    )  # the whole letter, not one screen of it
    assert page.locator(".sentence").first.evaluate("e => getComputedStyle(e).outlineStyle") == "none"


def test_without_a_language_model_the_page_says_that_a_translation_needs_one(page: Page) -> None:
    drafted(page)
    page.get_by_role("button", name="Export").click()
    page.get_by_role("button", name="In another language").click()
    dialog = page.get_by_role("dialog", name="In another language")
    expect(dialog).to_contain_text("needs a language model, and none is set")
    expect(dialog.get_by_role("button", name="Translate", exact=True)).to_have_count(0)


TRANSPLANT = (
    "Chief Complaint: cough\nHPI: 62M with a kidney transplant in 2015 came with cough and pneumonia. No fever.\n"
    "Past Medical History: kidney transplant\nMedications: tacrolimus 2 mg twice a day, mycophenolate 500 mg twice a day\n"
    "Assessment and Plan: Pneumonia: amoxicillin 500 mg three times a day for 7 days."
)


def test_a_warning_that_is_raised_says_so_beside_its_source(page: Page) -> None:
    drafted(page, TRANSPLANT)
    warning = sentence(page, "emergency department now if you have a fever of")
    warning.locator(".words").click()
    expect(page.locator(".verdict .raised-level")).to_contain_text(
        "Raised for this patient because of kidney transplant. Its source says “Call your transplant team today”."
    )
    expect(page.locator(".sources .card").first).to_contain_text("Call your transplant team today if you have a fever")


def test_what_several_medicines_ask_alike_is_read_once(page: Page) -> None:
    drafted(page, TRANSPLANT)
    prompts = [one["prompt"] for one in held(page, "view.draft.medicines") if one["prompt"]]
    assert len(prompts) > len(set(prompts)), "two rows with the same words"
    words = page.locator(".row-prompt td > span:first-child:not(.sr)")
    expect(words).to_have_text(list(dict.fromkeys(prompts)))


def test_a_sentence_that_stands_behind_a_gap_is_edited_where_it_was_clicked(page: Page) -> None:
    drafted(page, TRANSPLANT)
    ids = [one["id"] for one in held(page, "view.sentences")]
    chosen = page.locator(
        ".sentence:has(.gap) ~ .sentence .words, .letter-section:has(.gap) ~ .letter-section .words"
    ).last
    chosen.click()
    editor = page.locator(".editor")
    expect(editor).to_be_focused()
    assert held(page, "chosen") == held(page, "editing.id") in ids
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(page.get_by_label("New sentence")).to_be_focused()
    assert held(page, "chosen") == held(page, "editing.id")
