"""Another patient's file is taken after a question alone, and an edited note keeps what still stands of its letter and nothing of anybody else's."""

import base64
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.workspace.steps import NOTE, OTHER, drafted, held, letter_id, open_workspace, saved, sentence

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
THEIRS = "Allergies: none\nChief Complaint: abdominal pain\nHPI: 35F with abdominal pain.\nMedications: levothyroxine 75 mcg daily"
# a file is dropped where it falls, with the mouse
DROP = """([selector, name, text]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name, { type: "text/plain" }));
  const target = window.leapnoteWorkspace.root.querySelector(selector);
  for (const kind of ["dragover", "drop"]) target.dispatchEvent(new DragEvent(kind, { bubbles: true, composed: true, cancelable: true, dataTransfer: transfer }));
}"""


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    opened = open_workspace(context, address)
    opened.set_viewport_size({"width": 1280, "height": 800})
    return opened


def beside(page: Page) -> Locator:
    """Everything that can be given beside a note, given; the medicines."""
    page.locator(".more:not([open]) summary").or_(page.locator(".more[open]")).first.click(position={"x": 3, "y": 3})
    for field in ("course", "medicines", "earlier"):
        page.locator(f"#ws-{field}").fill(f"{field} of the one before")
    return page.locator("#ws-medicines")


@pytest.mark.parametrize("emptied", [False, True])
def test_what_is_typed_before_any_note_belongs_to_the_first(page: Page, emptied: bool) -> None:
    box = page.locator("#ws-note")
    medicines = beside(page)
    box.press_sequentially("Chief")  # by hand, the note grows into the same one
    box.fill(NOTE)
    box.fill(NOTE.replace("lisinopril", "ramipril"))
    expect(medicines).not_to_have_value("")
    if emptied:
        box.fill("")
    box.fill(OTHER)
    for field in ("course", "medicines", "earlier"):
        expect(page.locator(f"#ws-{field}")).to_have_value("")
    expect(page.get_by_text("Set aside: hospital course, discharge medicines, earlier notes")).to_be_visible()


HEAD = "Patient name: Anna Smith   DOB: 12 March 1950   MRN: 7741903\nSex: F\n"
TEMPLATE = HEAD + NOTE.replace("80F", "80-year-old woman")


def test_of_two_notes_alike_but_for_name_number_birth_sex_or_age_each_is_a_patients_own(page: Page) -> None:
    box = page.locator("#ws-note")
    for was, now in (
        ("Anna Smith", "Berta Smith"),
        ("12 March 1950", "13 March 1950"),
        ("7741903", "7741904"),
        ("Sex: F", "Sex: M"),
        ("80-year-old", "81-year-old"),
        ("80-year-old woman", "80-year-old man"),
    ):
        box.fill(TEMPLATE if was != "80-year-old woman" else TEMPLATE.replace("Sex: F\n", ""))
        medicines = page.locator("#ws-medicines") if page.locator(".more[open]").count() else beside(page)
        medicines.fill("warfarin 5 mg daily")
        box.fill(box.input_value().replace(was, now))
        expect(medicines, f"{was} is not {now}").to_have_value("")
        page.get_by_role("button", name="Same patient, bring them back").click()
        expect(medicines).to_have_value("warfarin 5 mg daily")
    box.fill(TEMPLATE)
    medicines.fill("warfarin 5 mg daily")
    for was, now in (("Anna Smith", "SMITH, ANNA K."), ("12 March 1950", "1950-03-12"), ("7741903", "77-419-03")):
        box.fill(TEMPLATE.replace(was, now))
        expect(medicines, f"{was} is {now}").to_have_value("warfarin 5 mg daily")


def test_a_note_of_another_name_takes_nothing_of_an_edited_letter_along(page: Page) -> None:
    drafted(page, HEAD + NOTE)
    named(page, "Anna Smith", "MRN 7741903")
    page.get_by_role("button", name="Stop: ibuprofen").click()
    saved(page)
    page.locator("[data-rove=note-tools]").get_by_role("button", name="Edit").click()
    page.locator("#ws-note").fill(NOTE)  # without the lines over it, it is still hers
    assert held(page, "typed.details.patient_name") == "Anna Smith"
    page.locator("#ws-note").fill((HEAD + NOTE).replace("Anna Smith", "Berta Jones"))
    expect(page.get_by_text("Set aside: patient details, changes of the letter")).to_be_visible()
    page.keyboard.press("Control+Enter")
    saved(page)
    assert "Anna" not in page.locator(".ws").inner_text()


def test_a_file_beside_a_typed_note_asks_whose_it_is(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "clinic.txt"
    file.write_text(THEIRS)
    box = page.locator("#ws-note")
    box.fill(NOTE)
    page.locator("input[type=file]").set_input_files(file)
    asked = page.get_by_role("dialog", name="Is this the same patient?")
    expect(asked).to_contain_text("reads like another patient: the ages differ")
    expect(asked).to_contain_text("80F with orthopnea")
    expect(asked).to_contain_text("35F with abdominal pain")
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    expect(box).to_have_value(NOTE)
    page.locator("input[type=file]").set_input_files(file)
    asked.get_by_role("button", name="Another patient: new letter").click()
    expect(box).to_have_value(THEIRS)
    page.locator("input[type=file]").set_input_files(file)
    asked.get_by_role("button", name="Same patient: add it to the note").click()
    expect(box).to_have_value(f"{THEIRS}\n\n{THEIRS}")


def test_a_file_in_an_empty_box_is_taken_at_once_and_its_number_of_notes_is_in_words(
    page: Page, tmp_path: Path
) -> None:
    content = base64.b64encode(THEIRS.encode()).decode()
    note = {"resourceType": "DocumentReference", "status": "current", "subject": {"reference": "Patient/1"}, "content": [{"attachment": {"contentType": "text/plain", "data": content}}]}  # fmt: skip
    file = tmp_path / "one.json"
    file.write_text(json.dumps({"resourceType": "Bundle", "type": "collection", "entry": [{"resource": note}]}))
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator(".taken")).to_contain_text("1 note, read as FHIR")
    expect(page.locator("#ws-note")).to_have_value(THEIRS)
    expect(page.locator("dialog")).to_have_count(0)


def test_a_file_dropped_on_an_open_letter_asks_and_begins_a_letter_of_its_own(page: Page) -> None:
    drafted(page)
    first = letter_id(page)
    page.evaluate(DROP, [".paper", "clinic.txt", THEIRS])
    asked = page.get_by_role("dialog", name="Is this the same patient?")
    expect(asked).to_contain_text("another patient")
    asked.get_by_role("button", name="Cancel").click()
    assert letter_id(page) == first
    page.evaluate(DROP, [".paper", "clinic.txt", THEIRS])
    asked.get_by_role("button", name="Another patient: new letter").click()
    expect(page.locator("#ws-note")).to_have_value(THEIRS)
    page.locator("#ws-note").press("Control+Enter")
    saved(page)
    assert letter_id(page) != first and "lisinopril" not in page.locator(".ws").inner_text()


def named(page: Page, name: str, number: str) -> None:
    page.locator(".head .who").click()
    page.locator("dialog [name=patient_name]").fill(name)
    page.locator("dialog [name=record_number]").fill(number)
    page.locator("dialog .primary").click()
    saved(page)


def worked(page: Page) -> str:
    """A letter with a name, an added and a decided medicine, a corrected word, a check, a rewording and an added sentence; the note."""
    drafted(page)
    named(page, "Anna Before", "MRN 00123")
    page.get_by_role("button", name="Add a medicine").click()
    page.keyboard.type("spironolactone")
    page.keyboard.press("Tab")
    page.keyboard.type("25 mg")
    page.locator(".paper-head h2").click()
    saved(page)
    for name in ("lisinopril", "ibuprofen"):
        page.get_by_role("button", name=f"Stop: {name}").click()
        saved(page)
    page.locator(".note-text .mention", has_text="orthopnea").click()
    page.get_by_role("menuitem", name="Absent").click()
    saved(page)
    page.locator(".words").first.click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text("You came to us out of breath.")
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    page.keyboard.insert_text("Your daughter was told as well.")
    page.keyboard.press("Enter")
    page.keyboard.press("c")
    saved(page)
    return NOTE


def test_an_edited_note_keeps_what_was_done_as_far_as_it_stands_and_names_what_does_not(page: Page) -> None:
    note = worked(page)
    first = letter_id(page)
    page.locator("[data-rove=note-tools]").get_by_role("button", name="Edit").click()
    page.locator("#ws-note").fill(
        note.replace("No fever.", "Low fever.").replace("ibuprofen 400 mg", "ibuprofen 200 mg")
    )
    page.keyboard.press("Control+Enter")
    expect(page.locator(".letter-notices")).to_contain_text("Kept from the letter before")
    saved(page)
    assert letter_id(page) != first
    expect(page.locator(".head .who")).to_contain_text("Anna Before · MRN 00123")
    rows = {row["name"]: row["action"] for row in held(page, "view.draft.medicines")}
    # all medicines stand in one line of this note, and that line was changed; the sentence of the corrected word was not
    assert rows == {"spironolactone": "new", "lisinopril": "undecided", "ibuprofen": "undecided"}
    expect(page.locator(".letter-notices")).to_contain_text(
        "Not kept, since the letter no longer fits it: lisinopril; ibuprofen"
    )
    expect(sentence(page, "You came to us out of breath.")).to_be_visible()
    expect(sentence(page, "Your daughter was told as well.")).to_have_class(re.compile("checked"))
    assert [one["text"] for one in held(page, "view.corrections")] == ["orthopnea"]
    assert "lying flat and" not in page.locator(".letter-body").inner_text()


def test_a_decision_stands_where_the_note_says_the_same_of_it(page: Page) -> None:
    note = worked(page)
    page.locator("[data-rove=note-tools]").get_by_role("button", name="Edit").click()
    page.locator("#ws-note").fill(note.replace("for a week", "for two weeks"))
    page.keyboard.press("Control+Enter")
    expect(page.locator(".letter-notices")).to_contain_text("Kept from the letter before")
    saved(page)
    rows = {row["name"]: row["action"] for row in held(page, "view.draft.medicines")}
    assert rows == {"spironolactone": "new", "lisinopril": "stopped", "ibuprofen": "stopped"}


def test_nothing_of_a_letter_comes_along_into_another_patients(page: Page) -> None:
    worked(page)
    page.locator("[data-rove=note-tools]").get_by_role("button", name="Edit").click()
    page.locator("#ws-note").fill(OTHER)
    expect(page.get_by_text("Set aside: patient details, changes of the letter")).to_be_visible()
    page.keyboard.press("Control+Enter")
    saved(page)
    assert held(page, "view.details.patient_name") == "" and held(page, "view.version") == 1
    text = page.locator(".ws").inner_text()
    assert "Anna" not in text and "spironolactone" not in text and "daughter" not in text
