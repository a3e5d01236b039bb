"""What stands before a signature, whom a letter is signed for, and what a signed letter does not let happen to it."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.workspace.steps import (
    HELD,
    NOTE,
    QUIET,
    decided,
    drafted,
    held,
    open_workspace,
    saved,
    sentence,
    signed,
)

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    opened = open_workspace(context, address)
    opened.set_viewport_size({"width": 1280, "height": 800})
    return opened


def test_a_severe_alert_blocks_signing_until_an_answer_from_the_list_with_a_name(page: Page) -> None:
    drafted(page, NOTE + "\nAllergies to add: ibuprofen (anaphylaxis)")
    assert held(page, "view.flags.filter(f => f.severity === 'severe').length") > 0
    page.locator(".foot-sign").click()
    dialog = page.get_by_role("dialog", name="Sign the letter")
    expect(dialog.get_by_role("button", name="Sign", exact=True)).to_be_disabled()
    dialog.locator(".block.b-severe").first.click()
    alert = page.locator(".alert.s-severe").first
    expect(alert).to_be_visible()
    answers = alert.locator("select")
    answers.select_option(index=1)
    form = alert.locator("form")
    if form.locator(".answer-words").is_visible():
        form.get_by_role("button", name="Record reason").click()
        expect(alert.locator(".form-hint")).not_to_be_empty()  # words, or a name, are missing
        form.locator("[name=words]").fill("tolerated for years")
    form.locator("[name=name]").fill("Dr Ames")
    form.get_by_role("button", name="Record reason").click()
    saved(page)
    expect(page.locator(".alert.answered .alert-answer").first).to_contain_text("Dr Ames")


def test_a_required_gap_is_not_deleted_and_signing_leads_to_it(page: Page) -> None:
    drafted(page, "Chief Complaint: cough\nHPI: 50M with cough and fever for two days.")
    gap = page.locator(".gap.required").first
    gap.focus()
    count = page.locator(".gap").count()
    page.locator(".sentence.chosen .tools").get_by_role("button", name="Delete").click()
    expect(page.locator(".toast")).to_contain_text("must be filled in")
    expect(page.locator(".gap")).to_have_count(count)
    page.locator(".foot-sign").click()
    page.locator(".block.b-gap").first.click()
    expect(gap).to_be_focused()
    page.keyboard.type("none known, asked today")
    page.keyboard.press("Enter")
    expect(page.locator(".gap")).to_have_count(count - 1)
    saved(page)
    expect(sentence(page, "none known, asked today")).to_be_visible()


def test_a_letter_is_signed_for_a_named_patient_or_by_choice_without_a_name(page: Page) -> None:
    drafted(page, f"MRN: 4711\nDOB: 1951-03-12\n{QUIET}")
    decided(page)
    page.locator(".foot-sign").click()
    dialog = page.get_by_role("dialog", name="Sign the letter")
    expect(dialog.locator(".sign-for")).to_contain_text("Date of birth: Mar 12, 1951 · Record number: 4711")
    expect(dialog.locator("[name=patient]")).to_be_focused()
    dialog.locator("[name=who]").fill("Dr Ames")
    dialog.locator("[name=role]").fill("attending")
    dialog.locator(".have-read input").check()
    sign = dialog.get_by_role("button", name="Sign", exact=True)
    sign.click()
    expect(dialog.get_by_role("alert")).to_have_text("Give the patient's name, or choose to sign without one.")
    assert held(page, "view.state") != "signed"
    dialog.locator("[name=patient]").fill("Ada  Byron ")
    sign.click()
    expect(page.locator(".head-tools .signed")).to_be_visible()
    assert held(page, "view.details.patient_name") == "Ada Byron"
    assert held(page, "view.details.record_number") == "4711"
    page.locator(".head-tools").get_by_role("button", name="New letter").click()
    drafted(page, QUIET)
    decided(page)
    page.locator(".foot-sign").click()
    dialog.locator(".sign-unnamed input").check()
    dialog.locator(".have-read input").check()
    sign.click()
    expect(page.locator(".head-tools .signed")).to_be_visible()
    assert held(page, "view.details.patient_name") == ""


def test_a_signed_letter_asks_before_anything_changes_it(page: Page) -> None:
    drafted(
        page,
        "Allergies: none known\nMedications: none\nChief Complaint: cough\nHPI: 50M with cough for two days. No fever.",
    )
    for gap in page.locator(".gap.required").all():
        gap.fill("none")
        gap.press("Enter")
        saved(page)
    page.locator(".foot-sign").click()
    for words in ("Ada Byron", "", "Dr Ames", "attending"):  # the patient's name, the choice to sign without, who signs
        page.keyboard.type(words)
        page.keyboard.press("Tab")
    page.locator(".have-read input").check()
    page.get_by_role("dialog").get_by_role("button", name="Sign", exact=True).click()
    expect(page.locator(".head-tools .signed")).to_be_visible()
    page.locator(".words").first.focus()
    page.keyboard.press("d")
    asked = page.get_by_role("dialog", name="This letter is signed")
    asked.get_by_role("button", name="Keep it signed").click()
    assert held(page, "view.state") == "signed"
    page.get_by_role("button", name="Export").click()
    expect(page.get_by_role("dialog", name="Export").get_by_role("heading", name="For the patient")).to_be_visible()
    with page.expect_download() as got:
        page.get_by_role("dialog", name="Export").locator(".output-part", has_text="For the patient").get_by_role(
            "button", name="PDF"
        ).click()
    assert got.value.path().read_bytes().startswith(b"%PDF")
    page.keyboard.press("Escape")
    page.locator(".words").first.focus()
    page.keyboard.press("d")
    page.get_by_role("dialog", name="This letter is signed").get_by_role("button", name="Reopen to change").click()
    saved(page)
    assert held(page, "view.state") == "in_review"


def test_a_signed_letter_asks_before_a_word_is_typed(page: Page) -> None:
    signed(drafted(page, QUIET))
    asked = page.get_by_role("dialog", name="This letter is signed")
    dose = page.locator(".medicine [name=dose]").first
    was = dose.input_value()
    gap = page.locator(".gap").first
    for begin in (dose.click, gap.click, lambda: gap.press("c"), lambda: page.keyboard.press("e")):
        if begin not in (dose.click, gap.click):
            page.locator(".words").first.focus()
        begin()
        expect(asked).to_be_visible()
        asked.get_by_role("button", name="Keep it signed").click()
        expect(asked).to_have_count(0)
    expect(dose).to_have_value(was)
    assert held(page, "view.state") == "signed" and held(page, "queue") == []
    gap.click()
    asked.get_by_role("button", name="Reopen to change").click()
    saved(page)
    expect(gap).to_be_focused()
    page.keyboard.type("GP surgery in two weeks")
    page.keyboard.press("Enter")
    saved(page)
    expect(sentence(page, "GP surgery in two weeks")).to_be_visible()
    assert held(page, "view.state") == "in_review"


def test_words_typed_while_another_signs_the_letter_stay_in_their_field(page: Page) -> None:
    drafted(page, QUIET)
    gap = page.locator(".gap").first
    gap.fill("GP surgery in two weeks")
    page.evaluate(
        f"() => {{ const s = window.leapnoteWorkspace.store; s.set({{ view: {{ ...{HELD}.view, state: 'signed' }} }}); }}"
    )
    page.keyboard.press("Tab")
    page.get_by_role("dialog", name="This letter is signed").get_by_role("button", name="Keep it signed").click()
    expect(gap).to_have_value("GP surgery in two weeks")
    expect(page.locator(".gap-help")).to_contain_text("Not in the signed letter")
