"""Saving a draft and reviewing it, through Streamlit's own test runner."""

from typing import Any

import pytest

from app.clients.api_errors import ApiError
from backend.schemas.patients.saved_case import Edit, EditKind, EditsRequest
from tests.app.conftest import Open, Page
from tests.app.fake_api import NOTE, SEVERE
from tests.app.fake_cases import CASE_ID

GAP = "[team to complete: discharge weight]"


def write_in(page: Page, label: str, text: str) -> None:
    """Type into the one-line field of that label."""
    found = [field for field in page.test.text_input if field.label == label]
    assert len(found) == 1, [field.label for field in page.test.text_input]
    found[0].set_value(text)
    page.run()


def saved_case(open_page: Open) -> Page:
    """A draft, saved by Dr Ames."""
    page = open_page().draft(NOTE)
    write_in(page, "Your name (for the audit trail)", "Dr Ames")
    return page.press("save_case")


def in_review(open_page: Open) -> Page:
    return saved_case(open_page).go("review")


def another_deletes(page: Page, sentence: str) -> None:
    edit = Edit(kind=EditKind.DELETE, sentence=sentence, author="Dr Other")
    page.api.edit_case(CASE_ID, EditsRequest(version=1, edits=(edit,)))


def keys(page: Page) -> set[str]:
    return {str(button.key) for button in page.test.button}


def downloads(page: Page) -> list[str]:
    return [button.proto.label for button in page.test.get("download_button")]


def test_a_finished_draft_is_saved_once_with_its_label_and_its_author(open_page: Open) -> None:
    page = saved_case(open_page)
    (request,) = page.api.saved
    assert (request.label, request.author, request.draft.note.text) == ("Pasted note", "Dr Ames", NOTE)
    assert "save_case" not in keys(page)
    assert "to_review" in keys(page)


def test_without_a_name_nothing_is_saved_and_it_says_why(open_page: Open) -> None:
    page = open_page().draft(NOTE).press("save_case")
    assert page.api.saved == []
    assert "Give your name first" in page.said()


def test_saved_cases_are_listed_with_state_and_time_and_open_with_one_click(open_page: Open) -> None:
    page = in_review(open_page).press("close")
    assert "Pasted note" in page.said()
    assert "draft, as it was written (version 1)" in page.said()
    assert "2026-01-02 03:04 UTC" in page.said()
    page.press(f"open_{CASE_ID}")
    assert "written by composer" in page.said().replace("\\", "")


def test_the_pinned_line_is_that_of_the_case_under_review_and_of_no_other_patient(open_page: Open) -> None:
    page = in_review(open_page)
    assert page.part("leapnote_pinned")["alerts"] == [{"level": "severe", "message": SEVERE}]
    page.go("write").press("start_over").type("note", "CC: cough").go("review")
    assert page.part("leapnote_pinned")["allergies"]["items"][0]["text"] == "lisinopril"
    assert not page.part("leapnote_pinned")["stale"]
    assert page.press("close").part("leapnote_pinned")["allergies"] is None


def test_a_sentence_is_rewritten_in_place_and_the_new_text_says_who_wrote_it(open_page: Open) -> None:
    page = in_review(open_page).press("edit_S2").type(f"text_{CASE_ID}_S2", "This was heart failure.")
    page.press("rewrite_S2")
    (record,) = page.api.edits
    assert (record.kind, record.sentence, record.text) == ("replace", "S2", "This was heart failure.")
    assert "This was heart failure" in page.said().replace("\\", "")
    assert "written by Dr Ames, version 2" in page.said().replace("\\", "")
    assert "rewrite_S2" not in keys(page)


def test_a_sentence_is_deleted_brought_back_and_one_put_after_it(open_page: Open) -> None:
    page = in_review(open_page).press("delete_S3")
    assert "edit_S3" not in keys(page)
    page.press("restore_S3")
    page.press("add_S3").type(f"insert_{CASE_ID}_S3", "Weigh yourself daily.").press("insert_S3")
    assert [(edit.kind, edit.text) for edit in page.api.edits[2:]] == [("insert_after", "Weigh yourself daily.")]
    assert [s.id for s in page.api.versions[-1].sentences] == ["S1", "S2", "S3", "S5", "S4"]


def test_the_last_change_is_undone(open_page: Open) -> None:
    page = in_review(open_page).press("delete_S1").press("undo")
    assert not page.api.versions[-1].sentences[0].deleted


def test_a_condition_is_confirmed_or_ruled_out(open_page: Open) -> None:
    page = in_review(open_page).press("rule_out_T:heart-failure")
    assert [c.status for c in page.api.versions[-1].conditions] == ["ruled_out"]
    page.press("confirm_T:heart-failure")
    assert [c.status for c in page.api.versions[-1].conditions] == ["confirmed"]


def test_a_gap_is_filled_where_it_stands(open_page: Open) -> None:
    page = in_review(open_page)
    write_in(page, "To complete: discharge weight", "70 kg")
    page.press("fill_S4")
    assert page.api.versions[-1].sentences[3].text == "70 kg"


def test_a_stale_write_shows_what_changed_and_loses_nothing_typed(open_page: Open) -> None:
    page = in_review(open_page).press("edit_S2").type(f"text_{CASE_ID}_S2", "My words.")
    another_deletes(page, "S1")
    page.press("rewrite_S2")
    assert "Dr Other deleted S1" in page.said().replace("\\", "")
    assert page.test.text_area(key=f"text_{CASE_ID}_S2").value == "My words."
    page.press("rewrite_S2")
    assert page.api.versions[-1].sentences[1].text == "My words."
    assert "Dr Other deleted S1" not in "\n".join(str(w.value) for w in page.test.warning)


def test_what_was_typed_into_a_sentence_that_another_deleted_is_shown_to_copy(open_page: Open) -> None:
    page = in_review(open_page).press("edit_S2").type(f"text_{CASE_ID}_S2", "My words.")
    another_deletes(page, "S2")
    page.press("rewrite_S2")
    assert "My words." in [code.value for code in page.test.code]


def test_what_is_typed_stays_over_another_screen(open_page: Open) -> None:
    page = in_review(open_page).press("edit_S2").type(f"text_{CASE_ID}_S2", "Half a sen").go("about").go("review")
    assert page.test.text_area(key=f"text_{CASE_ID}_S2").value == "Half a sen"


def test_an_api_that_stops_answering_loses_nothing_typed(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: Any) -> None:
        raise ApiError("The API does not answer. Start it with: make run", unreachable=True)

    page = in_review(open_page).press("edit_S2").type(f"text_{CASE_ID}_S2", "My words.")
    monkeypatch.setattr(page.api, "edit_case", gone)
    page.press("rewrite_S2")
    assert "make run" in page.said()
    assert page.test.text_area(key=f"text_{CASE_ID}_S2").value == "My words."


def test_a_refused_signature_lists_the_flags_and_the_gaps(open_page: Open) -> None:
    page = in_review(open_page)
    write_in(page, "Your role", "attending")
    page.press("sign")
    said = page.said().replace("\\", "")
    assert "cannot be signed yet" in said
    assert f"- {SEVERE}" in said
    assert f"- S4: {GAP}" in said
    assert page.api.signature is None


def test_an_acknowledgement_needs_a_reason(open_page: Open) -> None:
    page = in_review(open_page)
    page.test.checkbox[0].check()
    page.run().press("sign")
    assert "Give a reason for each flag" in page.said()


def test_a_case_is_signed_with_reasons_and_then_has_a_copy_for_the_patient(open_page: Open) -> None:
    page = in_review(open_page)
    clinician = ["Text", "Word", "PDF", "FHIR"]
    assert downloads(page) == clinician
    write_in(page, "To complete: discharge weight", "70 kg")
    page.press("fill_S4")
    page.test.checkbox[0].check()
    write_in(page, "Reason", "asked the patient")
    write_in(page, "Your role", "attending")
    page.press("sign")
    assert page.api.signature is not None
    assert (page.api.signature.name, page.api.signature.role) == ("Dr Ames", "attending")
    assert [one.reason for one in page.api.signature.acknowledgements] == ["asked the patient"]
    assert downloads(page) == [*clinician, "Text", "Word", "PDF"]
    assert page.api.exported == []  # nothing is exported, nor recorded, before a click


def test_a_case_is_deleted_and_gone_from_the_list(open_page: Open) -> None:
    page = in_review(open_page).press("delete_case")
    assert "No case is saved here yet" in page.said()
    assert "save_case" in keys(page.go("write"))
