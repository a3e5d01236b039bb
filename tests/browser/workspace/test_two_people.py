"""Two people in one letter: each sees the other, and nothing is overwritten. And a service that goes away while somebody works."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.browser.workspace.steps import HELD, drafted, held, letter_id, open_workspace, saved

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def called(page: Page, name: str) -> Page:
    page.evaluate(
        "name => { const { store } = window.leapnoteWorkspace; store.set({ typed: { ...store.state.typed, name } }); }",
        name,
    )
    return page


def write(page: Page, place: int, text: str) -> None:
    page.locator(".words").nth(place).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)


@pytest.fixture
def pair(browser: Browser, context: BrowserContext, address: str) -> tuple[Page, Page]:
    first = called(drafted(open_workspace(context, address)), "Dr Ames")
    second = called(
        open_workspace(browser.new_context(viewport={"width": 1280, "height": 800}), address, letter_id(first)),
        "Dr Okafor",
    )
    return first, second


def test_the_same_sentence_shows_both_texts_until_a_person_decides(pair: tuple[Page, Page]) -> None:
    first, second = pair
    write(first, 2, "As Dr Ames has it.")
    write(second, 2, "As Dr Okafor has it.")
    first.keyboard.press("Enter")
    saved(first)
    second.keyboard.press("Enter")
    box = second.locator(".conflict")
    expect(box).to_contain_text("Dr Ames has changed this sentence")
    expect(box).to_contain_text("As Dr Okafor has it.")
    expect(second.locator(".words").nth(2)).to_have_text("As Dr Ames has it.")
    box.get_by_role("button", name="Keep mine").click()
    saved(second)
    expect(first.locator(".words").nth(2)).to_have_text("As Dr Okafor has it.")
    expect(first.locator(".others")).to_be_visible()
    second.context.close()


def test_two_who_gave_no_name_see_each_other_as_somebody_else(
    browser: Browser, context: BrowserContext, address: str
) -> None:
    first = drafted(open_workspace(context, address))
    second = open_workspace(browser.new_context(), address, letter_id(first))
    second.locator(".words").nth(1).focus()
    expect(first.locator(".others")).to_have_attribute("aria-label", "Also in this letter: Somebody else")
    expect(first.locator(".other-here")).to_have_text(re.compile("Somebody else is here"))
    expect(second.locator(".others .other")).to_have_count(1)
    second.context.close()


def test_different_sentences_both_stand(pair: tuple[Page, Page]) -> None:
    first, second = pair
    write(first, 1, "Theirs stands.")
    first.keyboard.press("Enter")
    saved(first)
    write(second, 2, "Ours stands.")
    second.keyboard.press("Enter")
    saved(second)
    expect(second.locator(".words").nth(1)).to_have_text("Theirs stands.")
    expect(second.locator(".words").nth(2)).to_have_text("Ours stands.")
    expect(second.locator(".conflict")).to_have_count(0)
    second.context.close()


def row(page: Page, field: str) -> Locator:
    return page.locator(".medicine").first.locator(f"[name={field}]")


def test_one_dose_that_both_change_is_decided_by_a_person(pair: tuple[Page, Page]) -> None:
    first, second = pair
    row(second, "dose").focus()
    second.keyboard.press("Control+A")
    second.keyboard.insert_text("250 mg")  # typed, and not yet taken
    row(first, "dose").fill("750 mg")
    row(first, "dose").press("Enter")
    saved(first)
    second.wait_for_function(f"{HELD}.view.draft.medicines[0].dose === '750 mg'")  # theirs comes while it is typed
    expect(row(second, "dose")).to_have_value("250 mg")
    second.keyboard.press("Enter")
    box = second.locator(".conflict")
    expect(box).to_contain_text("Dr Ames has changed this in the meantime: lisinopril")
    expect(box).to_contain_text("Theirs: Dose: 750 mg")
    expect(box).to_contain_text("Yours: Dose: 250 mg")
    expect(row(second, "dose")).to_have_value("750 mg")
    box.get_by_role("button", name="Keep mine").click()
    saved(second)
    expect(row(first, "dose")).to_have_value("250 mg")
    second.context.close()


def test_of_two_changes_of_one_row_or_of_the_details_both_stand_where_they_do_not_meet(pair: tuple[Page, Page]) -> None:
    first, second = pair
    second.route("**/presence?*", lambda route: route.abort())  # it hears of the other by its own next change alone
    row(first, "dose").fill("750 mg")
    row(first, "dose").press("Enter")
    saved(first)
    row(second, "reason").fill("blood pressure")
    row(second, "reason").press("Enter")
    saved(second)
    found = held(second, "view.draft.medicines[0]")
    assert (found["dose"], found["reason"]) == ("750 mg", "blood pressure")
    for page in pair:
        page.locator(".head .who").click()
    first.locator("dialog [name=ward]").fill("5B")
    first.locator("dialog [name=patient_name]").fill("Anna Ames")
    first.locator("dialog .primary").click()
    saved(first)
    second.locator("dialog [name=patient_name]").fill("Anna Okafor")
    second.locator("dialog [name=phone]").fill("555 0100")
    second.locator("dialog .primary").click()
    box = second.locator(".conflict")
    expect(box).to_contain_text("Theirs: Name: Anna Ames")
    assert held(second, "view.details.ward") == "5B"
    box.get_by_role("button", name="Keep mine").click()
    saved(second)
    details = held(second, "view.details")
    assert (details["patient_name"], details["ward"], details["phone"]) == ("Anna Okafor", "5B", "555 0100")
    second.context.close()


def test_a_problem_that_one_confirms_and_the_other_rules_out_is_decided_by_a_person(pair: tuple[Page, Page]) -> None:
    first, second = pair
    second.route("**/presence?*", lambda route: route.abort())
    concept = held(first, "view.draft.conditions.find(c => c.status === 'possible').concept_id")
    for page, act in ((first, "Confirm"), (second, "Rule out")):
        page.locator(".evidence-tabs [role=tab]").nth(1).click()
        page.locator(f'[data-problem="{concept}"]').get_by_role("button", name=act, exact=True).click()
        if page is first:
            saved(first)
    box = second.locator(".conflict")
    expect(box).to_contain_text("Dr Ames has changed this in the meantime")
    expect(box).to_contain_text("Theirs: confirmed")
    assert held(second, "view.judgements") == [{"concept_id": concept, "verdict": "confirmed"}]
    box.get_by_role("button", name="Take theirs").click()
    expect(box).to_have_count(0)
    assert held(second, "queue") == []
    second.context.close()


def test_what_is_done_while_the_service_is_away_is_kept_and_sent_when_it_is_back(
    context: BrowserContext, address: str
) -> None:
    page = drafted(open_workspace(context, address))

    def away(route: Route) -> None:
        route.fulfill(status=503, body='{"error": {"kind": "away", "message": "The service does not answer."}}')

    page.route("**/leapnote/v1/**", away)
    write(page, 1, "Written while it was away.")
    page.keyboard.press("Enter")
    expect(page.locator(".saved.away")).to_contain_text("1 changes are kept")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".saved.away")).to_be_in_viewport(ratio=1)
    page.keyboard.press("c")
    assert page.evaluate(f"() => {HELD}.queue.length") == 2
    page.unroute("**/leapnote/v1/**")
    saved(page)
    assert held(page, "view.sentences.filter(s => !s.deleted)[1].text") == "Written while it was away."
    expect(page.locator(".saved.away")).to_have_count(0)
    expect(page.locator(".saved")).to_contain_text("Saved")
    expect(page.locator(".saved")).to_be_in_viewport(ratio=1)


def test_an_older_version_is_compared_and_brought_back(context: BrowserContext, address: str) -> None:
    page = drafted(open_workspace(context, address))
    before = page.locator(".words").nth(1).inner_text()
    write(page, 1, "Reworded.")
    page.keyboard.press("Enter")
    saved(page)
    page.get_by_role("button", name="Versions").click()
    row = page.locator(".comparison-table tbody tr")
    expect(row.locator("del")).to_have_text(before)
    expect(row.locator("ins")).to_have_text("Reworded.")
    page.locator(".version-list li", has_text="Version 1").last.get_by_role("button", name="Go back to it").click()
    saved(page)
    expect(page.locator(".words").nth(1)).to_have_text(before)
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.locator(".words").nth(1)).to_have_text("Reworded.")
