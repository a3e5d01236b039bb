"""Every medicine that the note leaves open is decided on its own row before the letter is signed, and a row offers what its question asks."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.workspace.steps import NOTE, Hand, drafted, held, open_workspace, saved, sentence

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
MOST_CLICKS, MOST_WAITS = 10, 2
SIX = (
    "Allergies: shellfish (hives)\nChief Complaint: breathlessness\n"
    "HPI: 71M with three days of orthopnea, leg swelling and fever. He denies chest pain.\n"
    "Past Medical History: heart failure, type 2 diabetes, gout\nMedications: furosemide 40 mg daily, metformin 500 mg twice daily, "
    "ramipril 5 mg daily, bisoprolol 2.5 mg daily, allopurinol 100 mg daily, atorvastatin 20 mg at night"
)
PLANNED = (
    "Allergies: none known\nChief Complaint: palpitations\nHPI: 58F seen in clinic with atrial fibrillation.\n"
    "Medications: amlodipine 5 mg daily\nPlan: warfarin to be started."
)


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    return open_workspace(context, address)


def actions(page: Page) -> dict[str, str]:
    return {row["name"]: row["action"] for row in held(page, "view.draft.medicines")}


def test_an_open_row_blocks_signing_takes_no_free_words_and_leads_to_its_buttons(page: Page) -> None:
    drafted(page, NOTE)
    names = list(actions(page))
    asked = sentence(page, "lisinopril").or_(page.locator(".sentence", has=page.locator(".gap-table"))).first
    expect(page.locator(".gap-table")).to_have_count(1)
    expect(asked.locator("textarea")).to_have_count(0)  # "take as before" would leave the rows as they were
    page.locator(".sentence", has=page.locator(".gap-table")).locator(".words").click(position={"x": 4, "y": 4})
    page.keyboard.press("e")
    expect(page.locator(".editor")).to_have_count(0)
    page.locator(".foot-sign").click()
    dialog = page.get_by_role("dialog", name="Sign the letter")
    expect(dialog.locator(".block.b-medicine")).to_have_count(len(names))
    expect(dialog.locator(".block.b-gap")).to_have_count(0)  # the rows stand for the gap that names them
    expect(dialog.get_by_role("button", name="Sign", exact=True)).to_be_disabled()
    dialog.locator(".block.b-medicine").first.click()
    expect(page.get_by_role("button", name=f"Keep taking: {names[0]}")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=f"Keep taking: {names[1]}")).to_be_focused()  # the next one that is open
    page.get_by_role("button", name=f"Stop: {names[1]}").click()
    saved(page)
    assert actions(page) == {names[0]: "continue", names[1]: "stopped"}
    expect(page.locator(".gap-table, .block.b-medicine, .decide")).to_have_count(0)
    letter = page.locator(".letter-body").inner_text()
    assert "whether to take" not in letter and "Keep taking: lisinopril" in letter


def test_a_medicine_to_start_is_started_with_a_dose_or_not_at_all(page: Page) -> None:
    drafted(page, PLANNED)
    row = page.locator(".row-prompt", has_text="start it, and with which dose?")
    expect(row.locator(".decide button")).to_have_text(["Start with a dose", "Do not start"])
    row.get_by_role("button", name="Start with a dose").click()
    dose = page.locator(".medicine", has=page.get_by_label("Medicine: warfarin")).locator("[name=dose]")
    expect(dose).to_be_focused()
    page.keyboard.press("Enter")  # without a dose nothing is decided
    assert actions(page)["warfarin"] == "undecided"
    row.get_by_role("button", name="Start with a dose").click()
    page.keyboard.type("3 mg")
    page.keyboard.press("Enter")
    saved(page)
    assert actions(page)["warfarin"] == "new"
    expect(sentence(page, "New: warfarin 3 mg")).to_be_visible()
    drafted(open_again(page), PLANNED)
    page.get_by_role("button", name="Do not start: warfarin").click()
    saved(page)
    assert "warfarin" not in actions(page)
    assert "Stop taking" not in page.locator(".letter-body").inner_text()  # it was never taken


def open_again(page: Page) -> Page:
    page.locator(".head-tools").get_by_role("button", name="New letter").click()
    return page


def test_one_press_goes_on_with_all_that_the_note_lists_and_no_alert_speaks_against(page: Page) -> None:
    drafted(page, SIX + ", amoxicillin 500 mg three times a day\nAllergies to add: penicillin (anaphylaxis)")
    page.get_by_role("button", name=re.compile(r"Keep taking all \d that the note lists")).click()
    saved(page)
    found = actions(page)
    assert found.pop("amoxicillin") == "undecided"
    assert set(found.values()) == {"continue"} and len(found) == 6


def test_a_note_with_six_medicines_is_drafted_corrected_decided_and_signed_in_ten_clicks(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    hand = Hand(page)
    page.locator("#ws-note").fill(SIX)  # pasted by Ctrl+V
    hand.click(page.get_by_role("button", name="Draft"))
    hand.wait(page.locator(".foot-sign"))
    hand.click(page.locator(".note-text .mention", has_text="orthopnea"))
    hand.click(page.get_by_role("menuitem", name="Absent"))
    hand.click(page.locator(".keep-all"))
    hand.click(page.locator(".foot-sign"))
    for words in ("Ada Byron", "", "Dr Ames", "attending"):  # the patient's name, the choice to sign without, who signs
        hand.type(words)
        page.keyboard.press("Tab")
    hand.click(page.locator(".have-read input"))
    expect(page.locator("dialog .primary:not([disabled])")).to_be_visible()
    page.keyboard.press("Enter")
    hand.wait(page.locator(".head-tools .signed"))
    assert "undecided" not in actions(page).values()
    assert (hand.clicks <= MOST_CLICKS, hand.waits <= MOST_WAITS) == (True, True), (hand.clicks, hand.waits)
