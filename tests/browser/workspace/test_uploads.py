"""A file brings its note, its patient and its medicines; what of it was not taken is said, and another's file asks first."""

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.browser.workspace.steps import held, open_workspace, saved
from tests.ingest.documents.written_files import pdf_file

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
NOTE = "Chief Complaint: cough\nHPI: Three days of cough and fever.\nAssessment and plan: Pneumonia. Start amoxicillin 500 mg three times a day."


@pytest.fixture
def page(context: BrowserContext, address: str) -> Page:
    opened = open_workspace(context, address)
    opened.set_viewport_size({"width": 1280, "height": 800})
    return opened


def bundle(name: str, number: str) -> str:
    """A stay of one patient, with a note, a medicine for home, and a bill."""
    whose = {"reference": "Patient/p1"}
    content = {"contentType": "text/plain", "data": base64.b64encode(NOTE.encode()).decode()}
    resources: list[dict[str, Any]] = [
        {
            "resourceType": "Patient", "id": "p1", "name": [{"given": [name], "family": "Byron"}], "birthDate": "2024-03-12",
            "gender": "male", "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": number}],
        },
        {
            "resourceType": "Encounter", "id": "e1", "class": {"code": "IMP"}, "status": "finished", "subject": whose,
            "period": {"start": "2031-02-01", "end": "2031-02-04"}, "location": [{"location": {"display": "Ward 4"}}],
        },
        {
            "resourceType": "DocumentReference", "id": "d1", "status": "current", "subject": whose, "date": "2031-02-03",
            "type": {"text": "Discharge summary"}, "content": [{"attachment": content}],
        },
        {
            "resourceType": "MedicationRequest", "id": "m1", "status": "active", "intent": "order", "subject": whose,
            "category": [{"coding": [{"code": "discharge"}]}], "medicationCodeableConcept": {"text": "amoxicillin"},
            "dosageInstruction": [{"text": "500 mg three times a day"}],
        },
        {"resourceType": "Claim", "patient": whose},
    ]  # fmt: skip
    return json.dumps(
        {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": one} for one in resources]}
    )


def attach(page: Page, file: Path) -> None:
    page.locator("input[type=file]").set_input_files(file)


def slowly(route: Route) -> None:
    """An answer that comes after the key was pressed."""
    answer = route.fetch()
    time.sleep(1)
    route.fulfill(response=answer)


def test_a_record_brings_name_number_dates_age_and_the_medicines_for_home(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "stay.json"
    file.write_text(bundle("Ada", "7741903"))
    attach(page, file)
    taken = page.locator(".taken")
    expect(taken).to_contain_text("Ada Byron · born Mar 12, 2024 · MRN 7741903")
    expect(taken.locator(".not-taken span[lang=en]")).to_have_text("Claim (about administration, not about care)")
    assert "Patient: 6-year-old male" in page.locator("#ws-note").input_value()
    expect(page.locator("#ws-medicines")).to_have_value("amoxicillin 500 mg three times a day")
    page.route("**/leapnote/tab*", slowly)
    page.reload()  # nothing of it is lost before the first draft, and a draft asked for early waits for it
    page.locator("#ws-note").press("Control+Enter")
    saved(page)
    expect(page.locator(".head .who")).to_contain_text("6 M")
    expect(page.locator(".head .who")).to_contain_text("Ada Byron · MRN 7741903")
    assert held(page, "view.version") == 1
    details = held(page, "view.details")
    assert (details["date_of_birth"], details["ward"], details["discharged"]) == ("2024-03-12", "Ward 4", "2031-02-04")


def test_another_patients_note_over_it_takes_nothing_of_the_file_along(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "stay.json"
    file.write_text(bundle("Ada", "7741903"))
    attach(page, file)
    expect(page.locator(".taken")).to_contain_text("Ada Byron")
    page.locator("#ws-note").fill("HPI: 45M fell from a ladder; no numbness.")
    expect(page.get_by_text("Set aside: discharge medicines, patient details")).to_be_visible()
    page.locator("#ws-note").press("Control+Enter")
    saved(page)
    assert not any(held(page, "view.details").values())
    assert "amoxicillin" not in page.locator(".letter-body").inner_text()


def test_a_file_of_another_name_and_number_asks_although_the_ages_agree(page: Page, tmp_path: Path) -> None:
    for name, number in (("ada", "7741903"), ("joe", "5500210")):
        (tmp_path / f"{name}.txt").write_text(
            f"Name: {name.title()} {name.upper()}SON  MRN: {number}\nHPI: 71F with cough."
        )
    attach(page, tmp_path / "ada.txt")
    expect(page.locator(".taken")).to_contain_text("Ada Adason · MRN 7741903")
    attach(page, tmp_path / "joe.txt")
    asked = page.get_by_role("dialog", name="Is this the same patient?")
    expect(asked).to_contain_text("reads like another patient: the names, the record numbers differ")
    asked.get_by_role("button", name="Another patient: new letter").click()
    page.locator("#ws-note").press("Control+Enter")
    saved(page)
    expect(page.locator(".head .who")).to_contain_text("Joe Joeson · MRN 5500210")


def test_a_page_without_text_is_named_before_the_letter_is_drafted(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "scan.pdf"
    file.write_bytes(pdf_file("HPI: 71F with cough.", pages=2, first=2))
    attach(page, file)
    expect(page.locator(".taken .not-taken span[lang=en]")).to_have_text("page 1 (no text: a scan or a picture)")


def test_a_pasted_note_names_its_patient_in_the_head_of_the_letter(page: Page) -> None:
    page.locator("#ws-note").fill(
        "Patient name: Mary Jones   DOB: 12 March 1950   MRN: 7741903\nHPI: 71F with cough and fever."
    )
    page.keyboard.press("Control+Enter")
    saved(page)
    expect(page.locator(".head .who")).to_contain_text("Mary Jones · MRN 7741903")
