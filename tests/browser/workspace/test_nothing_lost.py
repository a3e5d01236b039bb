"""What is typed, and what the service has not taken yet, is lost by no way out of it."""

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.conftest import LOAD_MS, goto
from tests.browser.workspace.steps import HELD, NOTE, OTHER, drafted, held, letter_id, open_workspace, saved, sentence

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
API = "**/leapnote/v1/**"
ALL_SENT = "() => window.leapnoteWorkspace.left.size === 0 && window.leapnoteWorkspace.unsent.size === 0"


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    opened = open_workspace(context, address)
    opened.set_viewport_size({"width": 1280, "height": 800})
    return opened


def undo(page: Page) -> None:
    page.locator(".toast", has_text="The note was cleared.").get_by_role("button", name="Undo").click()


def typed(page: Page) -> None:
    page.locator("#ws-note").fill(NOTE)
    page.locator(".more summary").click()
    page.locator("#ws-medicines").fill("warfarin 5 mg daily")


def as_typed(page: Page) -> None:
    expect(page.locator("#ws-note")).to_have_value(NOTE)
    expect(page.locator("#ws-medicines")).to_have_value("warfarin 5 mg daily")


def test_a_sample_of_the_help_gives_way_to_the_note_that_was_typed(page: Page) -> None:
    typed(page)
    goto(page, "Help")
    page.get_by_role("button", name="Load").first.click()
    undo(page)
    as_typed(page)
    goto(page, "My letters")  # the draft of the sample was stopped, and does not come after all
    goto(page, "New")
    as_typed(page)
    expect(page.locator("[data-problem]")).to_have_count(0)


def test_a_sample_beside_typed_fields_gives_way_to_them(page: Page) -> None:
    page.locator(".more summary").click()
    page.locator("#ws-medicines").fill("warfarin 5 mg daily")
    page.locator(".sample").first.click()
    undo(page)
    expect(page.locator("#ws-medicines")).to_have_value("warfarin 5 mg daily")
    expect(page.locator("#ws-note")).to_have_value("")


def test_a_letter_that_is_opened_gives_way_to_the_note_that_was_typed(page: Page) -> None:
    first = letter_id(drafted(page, OTHER))
    page.locator(".head-tools").get_by_role("button", name="New letter").click()
    typed(page)
    goto(page, "My letters")
    page.locator(f"a[href*='{first}']").click()
    page.locator(".foot-sign").wait_for()
    undo(page)
    as_typed(page)


def away(route: Route) -> None:
    route.fulfill(status=503, body='{"error": {"kind": "away", "message": "The service does not answer."}}')


def reworded_while_away(page: Page) -> str:
    """A letter with a change that the service has not taken; its id."""
    drafted(page)
    page.route(API, away)
    page.locator(".words").nth(1).click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text("Written while it was away.")
    with page.expect_request("**/leapnote/tab*"):
        page.keyboard.press("Enter")
    expect(page.locator(".saved.away")).to_contain_text("1 changes are kept")
    return letter_id(page)


@pytest.mark.parametrize("way", ["new", "edit", "back"])
def test_a_letter_that_is_left_while_the_service_is_away_is_sent_when_it_is_back(page: Page, way: str) -> None:
    first = reworded_while_away(page)
    place = page.locator("[data-rove=note-tools]") if way == "edit" else page.locator(".head-tools")
    place.get_by_role("button", name="Edit" if way == "edit" else "New letter").click()
    if way == "back":  # it is there again as it was left
        page.locator(".toast").get_by_role("button", name="Undo").click()
        expect(sentence(page, "Written while it was away.")).to_be_visible()
        assert held(page, "queue.length") == 1
    page.unroute(API)
    page.wait_for_function(ALL_SENT, timeout=LOAD_MS)
    if way == "back":
        saved(page)
    other = open_workspace(page.context, page.url.partition("?")[0], first)
    expect(sentence(other, "Written while it was away.")).to_be_visible()
    assert held(other, "queue") == []


def test_a_reload_while_the_service_is_away_loses_no_change(page: Page) -> None:
    reworded_while_away(page)
    page.reload()
    page.locator("[aria-busy=true]").first.wait_for(timeout=LOAD_MS)
    page.unroute(API)
    saved(page)
    assert held(page, "view.sentences.filter(s => !s.deleted)[1].text") == "Written while it was away."


@pytest.mark.parametrize("way", ["new", "reload"])
def test_a_letter_that_was_never_saved_is_saved_when_the_service_is_back(page: Page, way: str) -> None:
    page.route("**/leapnote/v1/cases", away)
    page.locator("#ws-note").fill(NOTE)
    with page.expect_request(lambda one: "/leapnote/tab" in one.url and "draft" in (one.post_data or "")):
        page.keyboard.press("Control+Enter")
    if way == "reload":
        page.reload()
        page.locator(".foot-sign").wait_for(timeout=LOAD_MS)
    else:
        page.locator(".head-tools").get_by_role("button", name="New letter").click()
        assert page.evaluate(f"() => {HELD}.view") is None
    page.unroute("**/leapnote/v1/cases")
    page.wait_for_function(ALL_SENT, timeout=LOAD_MS)
    if way == "new":
        page.locator(".toast").get_by_role("button", name="Undo").click()
    saved(page)
    expect(sentence(page, "Your symptoms included")).to_be_visible()
