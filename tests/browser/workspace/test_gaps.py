"""A gap takes what answers it, keeps what it does not take, and can be left out with a reason; open diagnoses are one click away."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.workspace.steps import NOTE, drafted, held, letter_id, open_workspace, saved

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    return open_workspace(context, address)


def test_nonsense_is_refused_stays_in_its_field_and_a_reason_takes_the_gap_out(page: Page) -> None:
    drafted(page, "Chief Complaint: cough\nHPI: 50M with cough and fever for two days.")
    required = page.locator(".gap.required")
    count = required.count()
    for text in ("x", ".", "tbd"):
        required.first.fill(text)
        required.first.press("Enter")
        expect(page.locator(".gap-help[role=alert]")).to_contain_text("This needs")
        expect(required.first).to_have_value(text)
        expect(required).to_have_count(count)
        saved(page)
    page.locator(".gap-help").get_by_role("button", name="Not needed").click()
    expect(required.first).to_be_focused()
    page.keyboard.type("n/a")
    page.keyboard.press("Enter")
    expect(page.locator(".gap-help[role=alert]")).to_contain_text("few words")
    required.first.fill("he could not be asked and has no list with him")
    required.first.press("Enter")
    saved(page)
    expect(required).to_have_count(count - 1)
    expect(page.locator(".toast")).to_contain_text("Left out")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    saved(page)
    expect(required).to_have_count(count)


def test_an_answer_typed_behind_one_that_is_refused_goes_to_its_own_gap(page: Page) -> None:
    drafted(page, "Chief Complaint: cough\nHPI: 50M with cough and fever for two days.")
    gaps = [(one["sentence"], one["prompt"]) for one in held(page, "view.gaps")]
    assert len(gaps) > 1
    for (name, _), text in zip(gaps[:2], ("x", "clinic on Monday with Dr Osei"), strict=True):
        page.locator(f'[data-sentence="{name}"] .gap').fill(text)
    page.keyboard.press("Enter")
    saved(page)
    told = {one["id"]: one["text"] for one in held(page, "view.sentences")}
    assert "team to complete" in told[gaps[0][0]] and told[gaps[1][0]] == "clinic on Monday with Dr Osei"


def test_a_diagnosis_that_blocks_signing_is_named_below_and_solved_from_there(page: Page) -> None:
    drafted(page, NOTE)
    page.evaluate(OPEN)
    foot = page.locator(".foot").get_by_role("button", name="unconfirmed diagnosis")
    foot.click()
    card = page.locator(f'[data-problem="{held(page, "view.conditions_open")}"]')
    expect(card).to_be_in_viewport()
    card.get_by_role("button", name="Rule out").click()
    saved(page)
    expect(foot).to_have_count(0)


def test_a_medicine_that_is_to_be_decided_is_decided_with_one_click(page: Page) -> None:
    drafted(page, NOTE)
    rows = held(page, "view.draft.medicines")
    assert [row["action"] for row in rows] == ["undecided", "undecided"]
    page.get_by_role("button", name=f"Keep taking: {rows[0]['name']}").click()
    page.get_by_role("button", name=f"Stop: {rows[1]['name']}").click()
    saved(page)
    assert [row["action"] for row in held(page, "view.draft.medicines")] == ["continue", "stopped"]
    expect(page.locator(".row-prompt button")).to_have_count(0)


def two_gaps(page: Page) -> tuple[Locator, Locator, list[str]]:
    """A letter whose required gaps are filled: the fields of two others, and their sentences."""
    drafted(page, "Chief Complaint: cough\nHPI: 50M with cough for two days. No known drug allergies.")
    while page.locator(".gap.required").count():
        page.locator(".gap.required").first.fill("paracetamol 1 g as needed, nothing else")
        page.keyboard.press("Enter")
        saved(page)
    names = [one["sentence"] for one in held(page, "view.gaps")][:2]
    assert len(names) == 2
    first, second = (page.locator(f'[data-sentence="{name}"] .gap') for name in names)
    return first, second, names


def by_another(page: Page, api: str, path: str, **body: Any) -> None:
    """A colleague's act on the letter, of which this page hears no more than the next answer tells it."""
    page.route("**/presence?*", lambda route: route.abort())
    version = httpx.get(f"{api}/cases/{letter_id(page)}", trust_env=False).json()["version"]
    made = httpx.post(f"{api}/cases/{letter_id(page)}/{path}", json={"version": version, **body}, trust_env=False)
    assert made.status_code < 300, made.text


def texts(page: Page, names: list[str]) -> list[str]:
    told = {one["id"]: one["text"] for one in held(page, "view.sentences.filter(s => !s.deleted)")}
    return [told.get(name, "") for name in names]


def test_of_two_gaps_in_a_letter_that_was_signed_meanwhile_both_answers_are_kept(page: Page, api: str) -> None:
    first, second, names = two_gaps(page)
    by_another(page, api, "signature", name="Dr Okafor", role="consultant", acknowledgements=[])
    first.fill("chest film without a shadow")
    second.fill("clinic on Monday with Dr Osei")
    second.press("Enter")
    page.get_by_role("button", name="Reopen to change").click()
    saved(page)
    # one of the two went with the reopening; the other stands in its field until it is given
    for gap, words in ((first, "chest film without a shadow"), (second, "clinic on Monday with Dr Osei")):
        if gap.count():
            expect(gap).to_have_value(words)
            gap.press("Enter")
            saved(page)
    assert texts(page, names) == ["chest film without a shadow", "clinic on Monday with Dr Osei"]


def test_what_is_typed_into_a_gap_that_goes_meanwhile_is_said_and_the_other_is_saved(page: Page, api: str) -> None:
    first, second, names = two_gaps(page)
    first.press_sequentially("chest film with")
    by_another(
        page, api, "edits", key="k" * 20, edits=[{"kind": "delete", "sentence": names[0], "author": "Dr Okafor"}]
    )
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    page.unroute("**/presence?*")
    expect(first).to_have_count(0)
    expect(
        page.locator(".notices, .letter-notices, .paper").filter(has_text="What you typed: chest film with").first
    ).to_be_visible()
    second.fill("clinic on Monday with Dr Osei")
    second.press("Enter")
    saved(page)
    assert texts(page, names) == ["", "clinic on Monday with Dr Osei"]


# a sentence that rests on a diagnosis that nobody has confirmed, as a language model may write one
OPEN = """() => {
  const { store } = window.leapnoteWorkspace;
  const { view } = store.state;
  const one = view.draft.conditions.find((found) => found.status === "possible");
  const [first, ...rest] = view.sentences;
  store.set({ view: { ...view, conditions_open: one.concept_id, sentences: [{ ...first, condition_id: one.concept_id }, ...rest] } });
}"""


TWO_WAYS = (
    "Allergies: penicillin (hives). NKDA.\nChief Complaint: cough\nHPI: 70M takes warfarin 5 mg daily. Cough for two days, no fever.\n"
    "Medications: warfarin 2.5 mg daily"
)


def choices(page: Page, words: str) -> Locator:
    return page.locator(".gap-choices", has_text=words)


@pytest.mark.parametrize(
    ("chosen", "listed"), [("It is an allergy: penicillin", True), ("No allergy: penicillin", False)]
)
def test_of_an_allergy_that_is_listed_and_denied_one_is_chosen_and_the_record_follows(
    page: Page, chosen: str, listed: bool
) -> None:
    drafted(page, TWO_WAYS)
    asked = choices(page, "The note lists an allergy to penicillin")
    expect(asked.get_by_role("button")).to_have_text(["It is an allergy: penicillin", "No allergy: penicillin"])
    expect(asked.locator("textarea")).to_have_count(0)  # no other words are taken
    asked.get_by_role("button", name=chosen).click()
    saved(page)
    expect(asked).to_have_count(0)
    assert bool(page.locator(".allergies .allergen").count()) is listed
    items = held(page, "view.draft.record.allergies.items")
    assert [one["verification_status"] for one in items] == ["confirmed" if listed else "refuted"]
    letter = page.locator(".letter-body").inner_text()
    assert ("you are allergic to penicillin" in letter) is listed and "NKDA" not in letter


def test_of_two_doses_one_is_chosen_and_the_row_has_it(page: Page) -> None:
    drafted(page, TWO_WAYS)
    asked = choices(page, "two doses of warfarin")
    expect(asked.get_by_role("button")).to_have_text(["“warfarin 5 mg daily”", "“warfarin 2.5 mg daily”"])
    asked.get_by_role("button", name="2.5 mg").click()
    saved(page)
    expect(asked).to_have_count(0)
    (row,) = held(page, "view.draft.medicines")
    assert (row["name"], row["dose"]) == ("warfarin", "2.5 mg")


def test_a_click_on_the_words_beside_a_gap_chooses_its_sentence_and_shows_its_evidence(page: Page) -> None:
    drafted(page, NOTE)
    said = page.locator(".sentence", has=page.locator(".with-gap")).filter(has=page.locator(".cite")).first
    said.locator(".with-gap").click(position={"x": 3, "y": 6})
    key = said.get_attribute("data-sentence")
    assert (held(page, "chosen"), held(page, "tab"), held(page, "editing")) == (key, "sources", None)
    expect(page.locator(".sentence.chosen")).to_have_attribute("data-sentence", str(key))
    expect(page.locator("#ws-epanel .card").first).to_be_visible()
    page.keyboard.press("k")
    page.keyboard.press("j")
    assert held(page, "chosen") == key


LEAVES_OUT = (
    "Chief Complaint: flank pain\nHPI: 54M with left flank pain since this morning. He denies fever.\nAllergies: none\n\n"
    "Plan:\nPCP 1 wk for BMP, ?nodule -> CT chest 6/12\nStrain urine."
)


def test_a_line_that_the_letter_leaves_out_stands_beside_it_and_is_added_in_other_words(page: Page) -> None:
    drafted(page, LEAVES_OUT)
    line = page.locator(".untold li")
    expect(line).to_have_count(1)
    line.get_by_role("button", name="PCP 1 wk", exact=False).first.click()
    expect(page.locator(".note-text .place").last).to_contain_text("6/12")
    line.get_by_role("button", name="Add").click()
    editor = page.locator(".insert .editor")
    expect(editor).to_have_value("PCP 1 wk for BMP, ?nodule -> CT chest 6/12")
    editor.fill("See your own doctor in a week for a blood test, and tell them of the small lump in your lung.")
    editor.press("Enter")
    saved(page)
    told = [one["text"] for one in held(page, "view.sentences") if not one["deleted"]]
    assert any("small lump in your lung" in one for one in told)
