"""What was entered beside a note goes with it: another note starts with none of it, and nothing typed is lost."""

import pytest

from app.view_data.entry import same_note
from tests.app.conftest import Open, Page
from tests.app.fake_api import CASE, NOTE

CLEARED = "these fields were cleared"
OTHER = "Allergies: none\nChief Complaint: knee pain\nHPI: 45M fell from a ladder; no fever, no numbness."
TYPED = {"earlier": "# Radiology\nEF 35 %.", "course": "Given heparin.", "medicines": "warfarin 5 mg daily"}


def filled(page: Page, note: str = NOTE) -> Page:
    page.type("note", note)
    for name, text in TYPED.items():
        page.type(name, text)
    return page


def beside(page: Page) -> dict[str, str]:
    return {name: str(page.test.text_area(key=name).value) for name in TYPED}


def test_a_pasted_note_starts_with_nothing_of_the_one_before(open_page: Open) -> None:
    page = filled(open_page()).press("draft").until_done().press("edit").type("note", OTHER).press("draft").until_done()
    before, asked = page.api.asked
    assert (before.hospital_course, before.discharge_medicines) == ("Given heparin.", ("warfarin 5 mg daily",))
    assert asked.text == OTHER
    assert (asked.hospital_course, asked.discharge_medicines, asked.patient_notes) == ("", (), ())


def test_a_note_pasted_over_a_demonstration_case_has_none_of_its_medicines(open_page: Open) -> None:
    page = open_page().press("case_hf").type("note", OTHER).press("draft").until_done()
    (asked,) = page.api.asked
    assert (asked.hospital_course, asked.discharge_medicines, asked.patient_notes) == ("", (), ())
    assert asked.confirmed_conditions == ()


def test_a_note_pasted_into_an_emptied_box_starts_with_nothing_of_the_one_before(open_page: Open) -> None:
    page = filled(open_page()).type("note", "").type("note", OTHER)
    assert beside(page) == dict.fromkeys(TYPED, "")


def test_what_is_typed_before_there_is_a_note_belongs_to_it(open_page: Open) -> None:
    page = open_page().type("course", "Given heparin.").type("note", OTHER)
    assert page.test.text_area(key="course").value == "Given heparin."
    page = filled(page).type("note", "").type("course", "Set in plaster.").type("note", OTHER)
    assert page.test.text_area(key="course").value == "Set in plaster."


def test_an_edit_of_the_note_loses_nothing_typed_and_what_was_confirmed(open_page: Open) -> None:
    page = (
        filled(open_page()).type("note", NOTE + " She also has a cough.").type("note", NOTE.replace("chest", "belly"))
    )
    assert beside(page) == TYPED
    assert not [button for button in page.test.button if button.key == "bring_back"]
    page.press("case_hf").type("note", NOTE + " More.").press("draft").until_done()
    assert page.api.asked[-1].confirmed_conditions == CASE.confirmed_conditions


def test_what_was_set_aside_is_named_and_comes_back(open_page: Open) -> None:
    page = filled(open_page()).type("note", OTHER)
    assert f"{CLEARED}: earlier notes, hospital course, discharge medicines" in page.said()
    page.type("course", "Set in plaster.").press("bring_back")
    assert beside(page) == TYPED
    assert page.test.text_area(key="note").value == OTHER
    page.press("bring_back")  # what was typed in between is not lost either
    assert beside(page) == {**dict.fromkeys(TYPED, ""), "course": "Set in plaster."}
    page.press("forget_set_aside")
    assert CLEARED not in page.said()


@pytest.mark.parametrize("key", ["case_hf", "start_over"])
def test_a_note_replaced_by_a_button_comes_back_with_all_that_was_typed(open_page: Open, key: str) -> None:
    page = filled(open_page())
    if key == "start_over":
        page.press("draft").until_done()
    page.press(key)
    assert beside(page)["medicines"] == ("enalapril 5 mg daily" if key == "case_hf" else "")
    page.press("bring_back")
    assert (page.test.text_area(key="note").value, beside(page)) == (NOTE, TYPED)


def test_a_case_that_another_replaces_is_not_offered_as_typed(open_page: Open) -> None:
    assert CLEARED not in open_page().press("case_hf").press("case_hf").said()


def test_a_case_has_no_question_of_the_note_before(open_page: Open) -> None:
    page = open_page()
    page.test.selectbox(key="document").set_value("clinical_answer")
    page.run().test.text_input(key="question").set_value("Which antibiotic?")
    page.run().type("options", "amoxicillin\ndoxycycline").press("case_hf")
    assert page.test.text_input(key="question").value == ""
    assert page.test.text_area(key="options").value == ""


@pytest.mark.parametrize(
    ("before", "now", "same"),
    [
        (NOTE, NOTE + "\nSocial: lives alone, walks with a frame.", True),
        (NOTE, NOTE.replace("80F", "80 F"), True),
        (NOTE, NOTE.replace("80F", "81F"), False),  # another age is another patient until somebody says otherwise
        ("CC: cough", "CC: cough\nHPI: 70M with fever for three days and a rash.", True),
        # 5 of the 11 words of the longer: allergies, chief, complaint, hpi, with
        ("Allergies: none. Chief complaint: cough. HPI: man with fever",
         "Allergies: penicillin. Chief complaint: fall. HPI: woman with hip pain", False),
        (NOTE, "", False),
        (NOTE, OTHER, False),
        (f"{OTHER}\n{NOTE}", NOTE, False),  # the first of two pasted notes was cut out
    ],
)  # fmt: skip
def test_a_text_is_the_same_note_where_little_of_it_changed(before: str, now: str, same: bool) -> None:
    assert same_note(before, now) is same
