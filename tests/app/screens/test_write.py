"""The write screen in every state, through Streamlit's own test runner."""

import pytest

from tests.app.conftest import Open
from tests.app.fake_api import CASE, NOTE, NOTICE, REFUSED, SEVERE


def test_before_anything_is_pasted_it_says_what_it_does_and_offers_cases(open_page: Open) -> None:
    page = open_page()
    assert "It does not diagnose" in page.said()
    assert page.test.text_area(key="note").value == ""
    assert page.test.button(key="case_hf").label == "Heart failure, 80 F"
    assert page.part("leapnote_pinned")["notice"] == NOTICE


def test_one_click_loads_a_case_with_all_it_brings(open_page: Open) -> None:
    page = open_page().press("case_hf")
    assert page.test.text_area(key="note").value == NOTE
    assert page.part("leapnote_pinned")["label"] == CASE.label
    page.press("draft").until_done()
    (asked,) = page.api.asked
    assert (asked.discharge_medicines, asked.patient_notes) == (CASE.discharge_medicines, CASE.patient_notes)
    assert asked.confirmed_conditions == CASE.confirmed_conditions


def test_a_draft_shows_note_draft_and_evidence_and_pins_the_allergies(open_page: Open) -> None:
    page = open_page().draft(NOTE)
    bench = page.part("leapnote_workbench")
    assert (bench["views"], bench["status"]) == (["note", "draft", "evidence"], "complete")
    assert [sentence["citations"] for sentence in bench["sentences"]] == [["N1"], ["K1", "G1"], ["P1"], []]
    pinned = page.part("leapnote_pinned")
    assert pinned["alerts"] == [{"level": "severe", "message": SEVERE}]
    assert pinned["allergies"]["items"][1] == {"text": "zorbium", "reaction": "", "kind": "allergy", "checked": False}


def test_a_draft_that_is_done_at_once_has_its_allergies_pinned_with_it(open_page: Open) -> None:
    page = open_page().type("note", NOTE).press("draft")  # it ends while the page is drawn, or in one of the next runs
    page.until_done()  # no run after the first that shows a whole draft
    assert page.part("leapnote_workbench")["status"] == "complete"
    assert page.part("leapnote_pinned")["alerts"] == [{"level": "severe", "message": SEVERE}]
    assert page.part("leapnote_pinned")["writer"]["head"] == "Written by"


def test_a_draft_shows_the_policy_s_walk_with_all_it_passed_over(open_page: Open) -> None:
    steps = open_page().draft(NOTE).part("leapnote_workbench")["evidence"]["policy"]
    assert [(step["group"], step["stopped"]) for step in steps] == [("DISO", False), ("ACTI", False), ("ACTI", True)]
    assert steps[0]["masked"] == ["CHEM", "PROC"]
    assert steps[0]["rejected"] == [{"concept_id": "T:asthma", "name": "asthma <b>", "score": -3.25}]
    assert [len(move["steps"]) for move in steps[0]["moves"]] == [1, 0]
    assert steps[1]["moves"][0]["steps"][0]["leap"]


def test_while_it_runs_evidence_and_sentences_fill_in_and_it_can_be_stopped(open_page: Open) -> None:
    page = open_page(held=True).type("note", NOTE).press("draft")
    while len(page.part("leapnote_workbench")["sentences"]) < 2:
        page.run()
    bench = page.part("leapnote_workbench")
    assert bench["phase"] == "running"
    assert [path["id"] for path in bench["evidence"]["paths"]] == ["K1"]
    assert page.part("leapnote_pinned")["allergies"]["items"]
    page.press("stop")
    bench = page.part("leapnote_workbench")
    assert (bench["status"], len(bench["sentences"])) == ("stopped", 2)
    assert page.test.button(key="draft").label == "Draft again"
    page.api.release.set()


@pytest.mark.parametrize("mode", ["breaks_off", "partial"])
def test_when_the_writer_dies_what_was_written_stays_and_retry_is_one_click(open_page: Open, mode: str) -> None:
    page = open_page(mode).draft(NOTE)
    bench = page.part("leapnote_workbench")
    assert bench["status"] == "partial"
    assert len(bench["sentences"]) >= 2
    assert bench["message"]
    page.api.mode = "well"
    assert page.press("draft").until_done().part("leapnote_workbench")["status"] == "complete"


def test_when_nothing_is_recognised_it_says_so(open_page: Open) -> None:
    assert open_page("nothing").draft("xyz").part("leapnote_workbench")["status"] == "nothing_found"


def test_a_refused_note_stays_in_reach_and_the_api_s_words_are_shown(open_page: Open) -> None:
    page = open_page("refused").draft(NOTE)
    assert REFUSED in page.said().replace("\\", "")
    assert not page.part("leapnote_workbench")
    assert page.test.text_area(key="note").value == NOTE


def test_an_empty_note_is_refused_before_anything_is_sent(open_page: Open) -> None:
    page = open_page().press("draft")
    assert "The note is empty" in page.said()
    assert page.api.asked == []


def test_without_an_api_it_says_how_to_start_it_and_keeps_the_text(open_page: Open) -> None:
    page = open_page("unreachable").type("note", NOTE)
    assert "make run" in page.said()
    assert page.test.text_area(key="note").value == NOTE
    page.api.mode = "well"
    assert page.press("draft").until_done().part("leapnote_workbench")["status"] == "complete"


def test_a_note_typed_stays_over_every_other_screen(open_page: Open) -> None:
    page = open_page().type("note", "CC: cough")
    for screen in ("cases", "compare", "medical_graph", "settings", "about"):
        page.go(screen)
    assert page.go("write").test.text_area(key="note").value == "CC: cough"


def test_a_draft_is_still_there_after_another_screen(open_page: Open) -> None:
    page = open_page().draft(NOTE).go("about").go("write")
    assert page.part("leapnote_workbench")["status"] == "complete"
    assert len(page.api.asked) == 1


def test_editing_the_note_keeps_the_draft_and_says_that_it_is_older(open_page: Open) -> None:
    page = open_page().draft(NOTE).press("edit").type("note", NOTE + " More.")
    assert page.part("leapnote_pinned")["stale"]
    assert page.part("leapnote_workbench")["status"] == "complete"
    assert page.test.text_area(key="note").value == NOTE + " More."


def test_another_note_does_not_inherit_the_case_s_label_or_its_confirmed_conditions(open_page: Open) -> None:
    page = open_page().press("case_hf").type("note", "CC: cough").press("draft").until_done()
    assert page.part("leapnote_pinned")["label"] == "Pasted note"
    assert page.api.asked[0].confirmed_conditions == ()


def test_new_note_empties_the_fields_and_keeps_the_selectors(open_page: Open) -> None:
    page = open_page()
    page.test.selectbox(key="system").set_value("no-retrieval")
    page.press("case_hf").press("draft").until_done().press("start_over")
    assert page.test.text_area(key="note").value == ""
    assert page.test.selectbox(key="system").value == "no-retrieval"
    assert not page.part("leapnote_workbench")


def test_selectors_and_seed_reach_the_request(open_page: Open) -> None:
    page = open_page()
    page.test.selectbox(key="document").set_value("progress_note")
    page.test.selectbox(key="system").set_value("no-retrieval")
    page.test.selectbox(key="style").set_value("paragraph")
    page.test.number_input(key="seed").set_value(42)
    page.run().draft(NOTE)
    (asked,) = page.api.asked
    assert (asked.document, asked.system, asked.style, asked.seed) == ("progress_note", "no-retrieval", "paragraph", 42)


def test_a_question_can_be_asked_without_a_note(open_page: Open) -> None:
    page = open_page()
    page.test.selectbox(key="document").set_value("clinical_answer")
    page.run()
    page.test.text_input(key="question").set_value("Which test next?")
    page.press("draft").until_done()
    assert page.api.asked[0].question == "Which test next?"


def test_text_and_json_can_be_downloaded(open_page: Open) -> None:
    page = open_page().draft(NOTE)
    labels = [button.proto.label for button in page.test.get("download_button")]
    assert labels == ["Download as text", "Download as JSON"]
    page.test.toggle(key="show_text").set_value(True)
    assert page.run().test.code[0].value.startswith("DRAFT, not reviewed, not signed")


def test_all_paths_are_drawn_as_one_graph_on_request(open_page: Open) -> None:
    page = open_page().draft(NOTE)
    assert not page.test.get("iframe")
    page.test.toggle(key="show_picture").set_value(True)
    assert page.run().test.get("iframe")


@pytest.mark.parametrize("mode", ["refused", "unreachable"])
def test_a_draft_stays_when_the_next_request_comes_to_nothing(open_page: Open, mode: str) -> None:
    page = open_page().draft(NOTE)
    page.api.mode = mode
    page.press("edit").type("note", NOTE + " More.").press("draft").until_done()
    assert (REFUSED if mode == "refused" else "make run") in page.said().replace("\\", "")
    assert page.part("leapnote_workbench")["status"] == "complete"
    assert page.test.text_area(key="note").value == NOTE + " More."
    page.api.mode = "well"
    page.press("draft").until_done()
    assert "make run" not in page.said()
    assert page.part("leapnote_workbench")["note"]["text"] == NOTE
