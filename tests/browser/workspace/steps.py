"""What tests of the workspace do in a browser: open it, draft a note, and count what a person does by hand or by keyboard."""

from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, Route, expect
from playwright.sync_api import TimeoutError as NotThere

from tests.browser.conftest import LOAD_MS, PATIENCE_MS

HELD = "window.leapnoteWorkspace.store.state"
NOTE = (
    "Allergies: penicillin (hives)\nChief Complaint: shortness of breath\n"
    "HPI: 80F with orthopnea and leg swelling for a week. She denies chest pain. No fever.\n"
    "Past Medical History: hypertension\nMedications: lisinopril 10 mg daily, ibuprofen 400 mg three times a day"
)
QUIET = NOTE.replace(", ibuprofen 400 mg three times a day", "")
"""The same without the medicine that may do harm."""
OTHER = "Allergies: none\nChief Complaint: knee pain\nHPI: 45M fell from a ladder; no numbness, no fever."
AT_ONCE_MS = 5_000  # how long the page itself may take on a busy machine for what needs no answer

# Google's session windows: shifts less than 1 s apart, 5 s at most; the worst window is the score
SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts.push([one.startTime, one.value]); })
  .observe({ type: 'layout-shift', buffered: true });
window.worstShift = () => {
  let [worst, sum, first, last] = [0, 0, -1e9, -1e9];
  for (const [at, value] of window.shifts) {
    if (at - last > 1000 || at - first > 5000) { sum = 0; first = at; }
    sum += value; last = at; worst = Math.max(worst, sum);
  }
  return worst;
};"""


def open_workspace(context: BrowserContext, address: str, letter: str = "") -> Page:
    """The workspace, ready; with `letter` that letter in it."""
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.add_init_script(SHIFTS)
    page.goto(address + (f"?letter={letter}" if letter else ""), timeout=LOAD_MS)
    page.locator(".ws .foot-sign" if letter else "#ws-note").wait_for(timeout=LOAD_MS)
    return page


def drafted(page: Page, note: str = NOTE) -> Page:
    """A letter of the note, saved."""
    page.locator("#ws-note").fill(note)
    page.keyboard.press("Control+Enter")
    return saved(page)


def saved(page: Page) -> Page:
    """Wait until the letter is there and all that was done is saved."""
    page.locator(".ws .foot-sign, .ws .head-tools .signed").first.wait_for(timeout=LOAD_MS)
    page.wait_for_function(f"{HELD}.view?.id && !{HELD}.queue.length && !{HELD}.view.saving", timeout=LOAD_MS)
    return page


def decided(page: Page) -> Page:
    """The letter with its medicines decided and its required gaps filled."""
    for row in held(page, "view.draft.medicines.filter(m => m.action === 'undecided')"):
        page.get_by_role("button", name=f"Keep taking: {row['name']}").click()
        saved(page)
    for gap in page.locator(".gap.required").all():
        gap.fill("as in the list")
        gap.press("Enter")
        saved(page)
    return page


def signed(page: Page) -> Page:
    """The letter, decided and signed."""
    decided(page).locator(".foot-sign").click()
    if page.locator("dialog [name=patient]").count():
        page.locator("dialog [name=patient]").fill("Ada Byron")
    page.locator("dialog [name=who]").fill("Dr Ames")
    page.locator("dialog [name=role]").fill("attending")
    page.locator(".have-read input").check()
    page.get_by_role("dialog").get_by_role("button", name="Sign", exact=True).click()
    expect(page.locator(".head-tools .signed")).to_be_visible()
    return page


def held(page: Page, path: str) -> Any:
    """A part of the workspace's state."""
    return page.evaluate(f"() => {HELD}.{path}")


def letter_id(page: Page) -> str:
    """The open letter."""
    return str(held(page, "view.id"))


def sentence(page: Page, words: str) -> Locator:
    """The sentence that holds these words."""
    return page.locator(".sentence", has_text=words).first


def focused(page: Page) -> str:
    """Where the keyboard is: the group of controls, else the class or the tag."""
    return str(
        page.evaluate(
            "() => { let e = document.activeElement; while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;"
            " return [e.closest?.('[data-rove]')?.dataset.rove, e.className, e.tagName].filter(Boolean).join(' '); }"
        )
    )


class Hand:
    """A person at the page, who does not wait for what they have sent: its answers are held back until they type, as typing takes its time, or
    have to wait. clicks counts presses of the mouse, waits how often there was nothing to go on with before an answer came."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks, self.waits = page, 0, 0
        self._holding, self._held = True, list[Route]()
        page.route("**/leapnote/v1/**", self._sent)

    def click(self, target: Locator) -> None:
        self._there(target)
        target.click()
        self.clicks += 1

    def choose(self, target: Locator, option: str) -> None:
        """Open a list and choose from it: two presses."""
        self._there(target)
        target.select_option(option)
        self.clicks += 2

    def type(self, text: str) -> None:
        self._answer()
        self.page.keyboard.type(text)

    def wait(self, target: Locator) -> None:
        self.waits += 1
        self._answer()
        expect(target.first).to_be_visible(timeout=LOAD_MS)
        self._holding = True

    def _there(self, target: Locator) -> None:
        try:
            target.first.wait_for(timeout=AT_ONCE_MS)
        except NotThere:
            self.wait(target)

    def _sent(self, route: Route) -> None:
        if self._holding and route.request.method == "POST":
            self._held.append(route)
        else:
            route.continue_()

    def _answer(self) -> None:
        self._holding = False
        for route in self._held:
            route.continue_()
        self._held.clear()
