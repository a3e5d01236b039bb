"""A patient's visits as a clinician meets them: files, visits, notes one after the other; a patient's line stands on no other page.

Every note is made up.
"""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.main import PLACES
from tests.browser.conftest import LOAD_MS, goto, still
from tests.browser.workspace.steps import drafted

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
MOST_PINNED = 8
"""The line that stays in sight takes at most this part of the window's height."""
EVIL = "<script>alert(1)</script> ![x](http://example.com/a.png)"
NOTES = (
    ("Physician", "2031-02-01", f"Allergies: penicillin (hives)\n\nHPI: Dyspnea and leg swelling. {EVIL}"),
    ("Nursing", "2031-02-02", "ASSESSMENT: Leg swelling is less. Weight 81 kg."),
    ("Physician", "2031-05-10", "HPI: Cough and fever for two days.\n\nMEDICATIONS: Amoxicillin 500 mg."),
)


def test_files_are_read_seen_by_visit_and_written_one_after_the_other(tab: Page, tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text("\n".join(json.dumps({"note_type": kind, "date": day, "text": text}) for kind, day, text in NOTES))
    goto(tab, "Visits")
    expect(tab.get_by_role("heading", name="A patient's visits")).to_be_visible()  # the page before takes files too
    tab.locator('input[type="file"]').set_input_files(path)
    expect(tab.get_by_text("read as notes, 3 notes of 1 patient")).to_be_visible(timeout=20_000)
    expect(tab.get_by_text("Every note with its date and its visit")).to_be_visible()
    expect(tab.locator(".pin")).to_contain_text("penicillin")
    tab.get_by_role("button", name="Write the visits", exact=True).click()
    tab.get_by_role("button", name="All visits as text").wait_for(timeout=60_000)
    still(tab)
    # the list of allergies of the first visit is no medicine that is given there
    expect(tab.locator(".pin-below .alert")).to_have_count(1)
    # the second visit is looked at: its medicine against the first one's allergy, below the pinned line
    expect(tab.locator(".pin-below")).to_contain_text(
        re.compile("amoxicillin.* an earlier note of 2031-02-01 as", re.IGNORECASE)
    )
    expect(tab.locator(".reading li", has_text="Cough and fever")).to_have_count(1)
    expect(tab.locator(".reading li", has_text="2031-02-01 (Physician): Allergy to penicillin")).to_have_count(1)
    tab.screenshot(path=tmp_path / "second.png", full_page=True)
    tab.get_by_text("Visit 1, 2031-02-01 to 2031-02-02", exact=True).click()
    expect(tab.locator(".reading li", has_text="Leg swelling is less")).to_have_count(1)
    expect(tab.locator(".reading li", has_text="Cough and fever")).to_have_count(0)
    assert tab.locator('script:has-text("alert(1)"), img[src*="example.com"]').count() == 0
    sentence = tab.locator(".reading li", has_text="Leg swelling is less")
    sentence.get_by_role("button", name="Source").first.click()
    expect(sentence.locator(".place")).to_contain_text("Nursing")
    tab.screenshot(path=tmp_path / "first.png", full_page=True)


def test_another_screen_has_its_own_patient_in_the_pinned_line(tab: Page, tmp_path: Path) -> None:
    goto(tab, "Visits")
    field = tab.get_by_role("textbox", name="Or paste notes")
    field.fill("# Physician, 2031-02-01\nAllergies: latex\n\nHPI: Cough.")
    field.press("Control+Enter")
    expect(tab.locator(".pin")).to_contain_text("latex")
    goto(tab, "New")
    still(tab)
    expect(tab.locator(".pin")).to_have_count(0)
    goto(tab, "Visits")
    expect(tab.locator(".pin")).to_contain_text("latex")


def written(tab: Page, notes: str) -> Page:
    """The visits of these notes, written."""
    goto(tab, "Visits")
    tab.get_by_role("textbox", name="Or paste notes").fill(notes)
    tab.get_by_role("button", name="Read the notes").click()
    tab.get_by_role("button", name="Write the visits", exact=True).click()
    tab.get_by_role("button", name="All visits as JSON").wait_for(timeout=LOAD_MS)
    still(tab)
    return tab


def test_the_patient_s_own_allergy_line_is_no_alert(tab: Page) -> None:
    written(tab, "# Physician, 2031-02-01\nAllergies: penicillin (hives), codeine (rash)\n\nHPI: Cough for two days.")
    for name in ("penicillin", "codeine"):
        expect(tab.locator(".pin .allergies")).to_contain_text(name)
    expect(tab.locator(".pin-below .alert")).to_have_count(0)


def test_every_severe_alert_is_shown_and_none_is_only_counted(tab: Page) -> None:
    written(
        tab,
        "# Physician, 2031-02-01\nAllergies: penicillin (anaphylaxis), codeine (throat swelling), ibuprofen (wheezing)\n\n"
        "HPI: Knee pain.\n---\n# Physician, 2031-05-10\nHPI: Cough and fever for two days.\n\nPLAN: Start amoxicillin "
        "500 mg three times a day. Start codeine 30 mg at night. Start ibuprofen 400 mg three times a day.",
    )
    with tab.expect_download() as got:
        tab.get_by_role("button", name="All visits as JSON").click()
    flags = [flag for visit in json.loads(got.value.path().read_text()) for flag in visit["draft"]["flags"]]
    severe = {flag["message"] for flag in flags if flag["severity"] == "severe"}
    assert len(severe) > 2
    expect(tab.locator(".pin-below .alert.severe")).to_have_count(len(severe))
    expect(tab.locator(".pin")).not_to_contain_text("more severe")
    # what stays in sight is the line alone, at every width; a press in it leads to the alerts
    for width, height in ((1280, 800), (768, 1024), (390, 844)):
        tab.set_viewport_size({"width": width, "height": height})
        tab.get_by_role("button", name="All visits as JSON").scroll_into_view_if_needed()
        expect(tab.locator(".pin .allergies")).to_contain_text("ibuprofen (wheezing)")
        expect(tab.locator(".pin .allergies")).to_be_in_viewport(ratio=1)
        expect(tab.locator(".pin-below .alert").first).not_to_be_in_viewport()
        line = tab.locator(".pin").bounding_box()
        assert line is not None and line["height"] < height / MOST_PINNED, width
        tab.locator(".pin").get_by_role("button", name=f"{len(severe)} severe").click()
        for alert in tab.locator(".pin-below .alert").all():
            expect(alert).to_be_in_viewport(ratio=1)


def test_a_patient_s_line_and_name_stand_on_that_patient_s_page_alone(tab: Page) -> None:
    drafted(tab, "Allergies: latex (wheals)\nChief Complaint: cough\nHPI: 50M with cough for two days. No fever.")
    written(tab, "# Physician, 2031-02-01\nAllergies: penicillin (hives)\n\nHPI: Knee pain from gravel.")
    for place in PLACES:
        if not place.listed or place.address == "visits":
            continue
        goto(tab, place.name)
        tab.wait_for_url(re.compile(f"/{place.address if place.address != 'new' else ''}([?].*)?$"))
        still(tab)
        expect(tab.locator(".pin")).to_have_count(0)
        words = " ".join(tab.locator("body, .ws").all_inner_texts())
        assert "gravel" not in words, place.address
        assert place.address == "new" or "wheals" not in words, place.address
