"""From the pasted note to the signed letter: by hand in ten clicks and two waits, and by keyboard alone."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.workspace.steps import NOTE, Hand, drafted, focused, held, open_workspace, saved, sentence

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
ACTIVE = "(() => { let e = document.activeElement; while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement; return e; })()"
MOST_CLICKS, MOST_WAITS, MOST_TABS = 10, 2, 10


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened = open_workspace(context, address)
    opened.set_viewport_size({"width": 1280, "height": 800})
    return opened


def test_by_hand_a_note_is_drafted_corrected_filled_decided_and_signed(page: Page, tmp_path: Path) -> None:
    hand = Hand(page)
    expect(page.locator("#ws-note")).to_be_focused()
    page.evaluate("text => navigator.clipboard.writeText(text)", NOTE)
    page.keyboard.press("Control+V")
    hand.click(page.get_by_role("button", name="Draft"))
    hand.wait(page.locator(".foot-sign"))
    expect(page.locator(".sentence").first).to_be_in_viewport()
    # one word of the note is corrected: the record follows, and so does the letter
    hand.click(page.locator(".note-text .mention", has_text="orthopnea"))
    hand.click(page.get_by_role("menuitem", name="Absent"))
    # the medicine that may do harm is stopped, and its alert goes
    hand.choose(page.get_by_label("What to do: ibuprofen"), "stopped")
    # the other one goes on
    hand.click(page.get_by_role("button", name="Keep taking: lisinopril"))
    hand.click(page.locator(".foot-sign"))
    for words in ("Ada Byron", "", "Dr Ames", "attending"):  # the patient's name, the choice to sign without, who signs
        hand.type(words)
        page.keyboard.press("Tab")
    hand.click(page.locator(".have-read input"))
    expect(page.locator("dialog .primary:not([disabled])")).to_be_visible()
    page.screenshot(path=tmp_path / "sign.png")
    page.keyboard.press("Enter")
    hand.wait(page.locator(".head-tools .signed"))
    page.screenshot(path=tmp_path / "signed.png")
    assert held(page, "view.signature.name") == "Dr Ames"
    assert held(page, "view.sentences.filter(s => !s.deleted && !s.checked_by).length") == 0
    assert (hand.clicks <= MOST_CLICKS, hand.waits <= MOST_WAITS) == (True, True), (hand.clicks, hand.waits)


def test_by_keyboard_sentences_are_walked_checked_edited_added_deleted_and_brought_back(page: Page) -> None:
    page.locator("#ws-note").focus()
    page.keyboard.insert_text(NOTE)
    page.keyboard.press("Control+Enter")
    saved(page)
    assert focused(page).startswith("letter")  # the keyboard goes on in the letter
    first = page.locator(".sentence.chosen")
    expect(first).to_have_count(1)
    expect(page.locator("#ws-epanel .card").first).to_be_visible()  # its evidence stands beside it
    before = page.locator(".sentence").count()
    page.keyboard.press("c")
    expect(page.locator(".foot")).to_contain_text(f"Checked 1 of {before}")
    page.keyboard.press("e")
    page.keyboard.press("End")
    page.keyboard.type(" Checked by hand.")
    page.keyboard.press("Enter")
    expect(page.locator(".sentence.chosen .words")).to_contain_text("Checked by hand.")
    page.keyboard.press("a")
    page.keyboard.type("A sentence of the ward.")
    page.keyboard.press("Enter")
    expect(page.locator(".sentence")).to_have_count(before + 1)
    # the keys act on the sentence that was just written, before and after it has its name
    expect(page.locator(".sentence.chosen")).to_contain_text("A sentence of the ward.")
    page.keyboard.press("d")
    expect(page.locator(".sentence")).to_have_count(before)
    saved(page)
    assert "A sentence of the ward." not in page.locator(".letter-body").inner_text()
    page.keyboard.press("u")
    expect(page.locator(".sentence")).to_have_count(before + 1)
    saved(page)
    page.locator(".sentence", has_text="A sentence of the ward.").locator(".words").focus()
    for words in ("A second one.", "A third one."):
        page.keyboard.press("a")
        page.keyboard.type(words)
        page.keyboard.press("Enter")
    page.keyboard.press("c")
    saved(page)
    told = held(page, "view.sentences.filter(s => !s.deleted).map(s => [s.text, Boolean(s.checked_by)])")
    at = [text for text, _ in told].index("A sentence of the ward.")
    assert told[at : at + 3] == [["A sentence of the ward.", False], ["A second one.", False], ["A third one.", True]]
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("dialog", name="Sign the letter")).to_be_visible()


NAMED = f"() => {{ const one = {ACTIVE}; return one.ariaLabel || one.labels?.[0]?.innerText || one.innerText || ''; }}"


def reach(page: Page, words: str, key: str = "Tab") -> None:
    """By one key alone to the control of these words."""
    passed = [str(page.evaluate(NAMED))]
    while words not in passed[-1]:
        assert len(passed) <= MOST_TABS, f"{words!r} is not reached by {MOST_TABS} presses of {key}: {passed}"
        page.keyboard.press(key)
        passed.append(str(page.evaluate(NAMED)))


BY_KEYS = f"{NOTE[: NOTE.index('lisinopril')]}amoxicillin 500 mg three times a day\n\nPlan:\nPCP 1 wk for BMP, ?nodule -> CT chest 6/12"


def test_by_keyboard_alone_a_pasted_note_comes_to_its_signature(page: Page) -> None:
    keys = page.keyboard
    expect(page.locator("#ws-note")).to_be_focused()
    keys.insert_text(BY_KEYS)
    keys.press("Control+Enter")
    saved(page)
    # a word that was read wrongly
    reach(page, "Mark words", "Shift+Tab")
    keys.press("Enter")
    keys.type("orthopnea")
    keys.press("Enter")
    expect(page.locator(".menu")).to_be_visible()
    reach(page, "Absent", "ArrowDown")
    keys.press("Enter")
    saved(page)
    # a medicine that is listed goes on, and its alert has a reason
    keys.press("Control+Enter")
    reach(page, "Medicine to decide:", "Shift+Tab")
    keys.press("Enter")
    reach(page, "Keep taking: amoxicillin", "ArrowRight")
    keys.press("Enter")
    saved(page)
    keys.press("Control+Enter")
    reach(page, "Severe alert:", "Shift+Tab")
    keys.press("Enter")
    keys.press("Tab")
    reach(page, "Or give a reason", "ArrowDown")
    keys.type("Benefit")
    reach(page, "Your name", "ArrowDown")
    keys.type("Dr Ames")
    keys.press("Enter")
    expect(page.locator(".alert.answered")).to_contain_text("Benefit outweighs the risk · Dr Ames")
    saved(page)
    # a gap that needs no words, with the reason
    keys.press("Escape")
    keys.press("g")
    reach(page, "Not needed")
    keys.press("Enter")
    keys.type("told in person")
    keys.press("Enter")
    saved(page)
    # what the letter leaves out, in other words
    assert focused(page).startswith("letter")
    reach(page, "PCP 1 wk")
    reach(page, "Add: PCP 1 wk", "ArrowRight")
    keys.press("Enter")
    keys.type(" See your own doctor.")
    keys.press("Enter")
    saved(page)
    keys.press("Control+Enter")
    reach(page, "Patient's name")
    keys.type("Ada Byron")
    reach(page, "Your role")
    keys.type("attending")
    keys.press("Tab")
    keys.press("Space")
    keys.press("Enter")
    expect(page.locator(".head-tools .signed")).to_be_visible()


def test_every_group_of_controls_is_at_most_ten_presses_of_tab_from_the_letter(page: Page) -> None:
    drafted(page)
    seen: set[str] = set()
    for key in ("Tab", "Shift+Tab"):
        page.keyboard.press("Escape")
        page.locator(".sentence .words").nth(1).focus()
        for _ in range(MOST_TABS):
            page.keyboard.press(key)
            seen.add(focused(page).split(" ")[0])
    wanted = {"tools", "medicines", "evidence-tabs", "sources", "foot", "strip", "note-tools", "head"}
    assert wanted <= seen, wanted - seen
    assert {"alert-line", "who"} <= seen


def test_every_control_around_the_page_is_at_most_ten_presses_from_the_letter(page: Page) -> None:
    drafted(page)
    page.locator(".sentence .words").nth(1).focus()
    page.keyboard.press("m")
    seen = set()
    for _ in range(MOST_TABS):
        seen.add(
            page.evaluate(
                "() => (document.activeElement.innerText || document.activeElement.ariaLabel || '').trim().split('\\n')[0]"
            )
        )
        page.keyboard.press("Tab")
    assert {"New", "My letters", "Visits", "Help", "Research", "Admin"} <= seen, seen


def test_in_the_table_the_arrows_move_and_an_edited_cell_is_saved(page: Page) -> None:
    drafted(page)
    name = page.locator(".medicine [name=name]").first
    name.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".medicine [name=name]").nth(1)).to_be_focused()
    dose = page.locator(".medicine [name=dose]").first
    dose.fill("20 mg")
    dose.press("Enter")
    saved(page)
    assert held(page, "view.draft.medicines[0].dose") == "20 mg"
    assert held(page, "view.draft.medicines[0].source") == "a clinician"
    rows = page.locator(".medicine").count()
    page.locator(".medicine").last.hover()
    page.locator(".medicine").last.get_by_role("button", name="Remove").click()
    expect(page.locator(".medicine")).to_have_count(rows - 1)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".medicine")).to_have_count(rows)
    saved(page)
    page.get_by_role("button", name="Add a medicine").click()
    page.keyboard.type("spironolactone")
    page.keyboard.press("Tab")
    page.keyboard.type("25 mg")
    page.locator(".paper-head h2").click()
    saved(page)
    expect(page.locator(".medicine")).to_have_count(rows + 1)


def test_the_letter_follows_a_problem_that_is_confirmed_and_one_that_is_taken_back(page: Page) -> None:
    drafted(page)
    page.locator(".problem-chip").first.click()
    page.get_by_role("menuitem", name="For and against").click()
    card = page.locator(".problem-card").first
    name = card.locator("h4").inner_text()
    card.get_by_role("button", name="Confirm").click()
    expect(page.locator(".problem-chip.p-confirmed", has_text=name.split("\n")[0])).to_be_visible()
    saved(page)
    page.locator(".problem-card").first.get_by_role("button", name="Undo").click()
    saved(page)
    expect(page.locator(".problem-chip.p-confirmed")).to_have_count(0)


def test_a_sentence_shows_its_place_in_the_note_and_in_its_source(page: Page) -> None:
    drafted(page)
    said = page.locator(".sentence", has=page.locator(".cite")).first
    said.locator(".cite").first.hover()
    expect(page.locator(".preview")).to_be_visible()
    said.locator(".cite").first.click()
    expect(page.locator(".card.source.pointed mark").first).to_be_visible()
    expect(page.locator(".note-text .lit").first).to_be_visible()
    page.get_by_role("button", name="Show in the note").first.click()
    expect(page.locator(".note-text .place").first).to_be_in_viewport()


def test_words_that_were_missed_are_named_by_keyboard_and_taken_as_an_allergy(page: Page) -> None:
    drafted(page)
    page.get_by_role("button", name="Mark words").click()
    page.keyboard.type("ibuprofen")
    page.keyboard.press("Enter")
    page.get_by_role("menuitem", name="Allergy", exact=False).first.click()
    page.get_by_label("Reaction").fill("wheezing")
    page.keyboard.press("Enter")
    saved(page)
    expect(page.locator(".allergies")).to_contain_text("ibuprofen")
    expect(sentence(page, "penicillin")).to_be_visible()
