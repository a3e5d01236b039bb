"""My letters: found, opened, kept until a day, and deleted only by whoever typed the word."""

from datetime import UTC, datetime, timedelta

import pytest

from app.clients.api_errors import ApiError
from app.components.drafts.letters_view import when_words, whose_words
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.saved_case import CaseState, CaseSummary, SaveRequest
from tests.app.conftest import Open, Page
from tests.app.fake_api import draft_of
from tests.app.fake_cases import CASE_ID

LABEL = "80 F, *dyspnea* <b>x</b>"


def with_letter(open_page: Open) -> Page:
    page = open_page()
    page.api.save_case(SaveRequest(label=LABEL, draft=draft_of(DraftRequest(text="x")), author="Dr Ames"))
    return page.go("letters")


def links(page: Page) -> list[tuple[str, str]]:
    return [(link.proto.label, link.proto.query_string) for link in page.test.get("page_link")]


def test_without_a_letter_the_page_says_how_one_comes_here(open_page: Open) -> None:
    page = open_page().go("letters")
    assert "There is no letter yet" in page.said() and "30 days" in page.said()
    assert "Write the first letter" in [label for label, _ in links(page)]


def test_a_letter_stands_with_its_state_and_until_when_and_opens_by_its_address(open_page: Open) -> None:
    page = with_letter(open_page)
    said = page.said().replace("\\", "")
    assert "Not checked yet" in said and "deleted" in said
    [(label, query)] = [one for one in links(page) if "letter=" in one[1]]
    assert label.replace("\\", "") == LABEL and query.endswith(f"letter={CASE_ID}")
    assert "\\*dyspnea\\*" in label and "\\<b\\>" in label  # a name is text, not markup


def test_search_and_state_narrow_the_list_and_say_so(open_page: Open) -> None:
    page = with_letter(open_page)
    page.test.text_input(key="letters_search").set_value("stroke")
    assert "No letter fits this search" in page.run().said()
    page.test.text_input(key="letters_search").set_value("80 F")
    assert [one for one in links(page.run()) if "letter=" in one[1]]
    page.test.selectbox(key="letters_state").set_value(CaseState.SIGNED)
    assert "No letter fits this search" in page.run().said()


def test_an_address_that_names_a_letter_opens_it_in_the_workspace(open_page: Open) -> None:
    page = open_page()
    page.test.query_params["letter"] = CASE_ID
    page.test.switch_page("screens/clinical/letters.py")
    page.run()
    assert page.part("leapnote_workspace")
    assert page.test.query_params["letter"] == CASE_ID


def test_deleting_asks_for_the_word_and_a_name_and_nothing_goes_before(open_page: Open) -> None:
    page = with_letter(open_page).press(f"delete_{CASE_ID}")
    assert "for good" in page.said()
    page.press("delete_now")
    assert "Type the word delete first" in page.said().replace("\\", "") and page.api.versions
    page.test.text_input(key="letters_typed").set_value("Delete")
    page.run().press("delete_now")
    assert "Give your name" in page.said() and page.api.versions
    page.test.text_input(key="author").set_value("Dr Ames")
    page.run().press("delete_now")
    assert not page.api.versions
    assert "There is no letter yet" in page.said()


def test_a_letter_that_is_kept_after_all_stays(open_page: Open) -> None:
    page = with_letter(open_page).press(f"delete_{CASE_ID}").press("delete_not")
    assert page.api.versions and "for good" not in page.said()


def test_why_a_letter_could_not_be_deleted_is_said_and_it_stays(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = with_letter(open_page).press(f"delete_{CASE_ID}")

    def refused(case_id: str, author: str) -> None:
        raise ApiError("The disk is full.")

    monkeypatch.setattr(page.api, "delete_case", refused)
    page.test.text_input(key="letters_typed").set_value("delete")
    page.test.text_input(key="author").set_value("Dr Ames")
    page.run().press("delete_now")
    assert "The disk is full" in page.said().replace("\\", "") and page.api.versions


def test_the_days_left_are_counted_and_a_signed_letter_has_none() -> None:
    now = datetime(2026, 5, 31, 12, 0, tzinfo=UTC)
    letter = CaseSummary(
        id="1", label="x", state=CaseState.IN_REVIEW, version=2, created_at=now, updated_at=now - timedelta(days=28)
    )
    assert "deleted in 2 days" in when_words(letter, 30, now)
    assert "deleted in 2 days" in when_words(letter, 30, now + timedelta(minutes=5))  # days of the calendar
    assert "deleted in 1 day" in when_words(letter, 29, now)
    assert "deleted today" in when_words(letter, 28, now)
    assert "deleted" not in when_words(letter, 0, now)
    assert "deleted" not in when_words(letter.model_copy(update={"state": CaseState.SIGNED}), 30, now)


def test_a_letter_that_names_its_patient_is_listed_under_name_and_number() -> None:
    at = datetime(2026, 5, 1, tzinfo=UTC)
    letter = CaseSummary(id="1", label="67 F · cough", patient_name="Anna *B*", record_number="MRN 1", state=CaseState.DRAFT, version=1, created_at=at, updated_at=at)  # fmt: skip
    assert whose_words(letter) == "Anna *B* · MRN 1 · 67 F · cough"
    assert whose_words(letter.model_copy(update={"patient_name": "", "record_number": ""})) == "67 F · cough"
