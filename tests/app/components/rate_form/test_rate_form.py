"""What a rater sees around the items, drawn."""

import json
from functools import partial
from typing import Any

import pytest

from app.components.rate_form import rate_form
from backend.schemas.studies.study_rater_views import RaterSession
from tests.app.conftest import Drawn


def session(**more: Any) -> RaterSession:
    base: dict[str, Any] = {
        "title": "Rate *these*", "instructions": "Read first.\nThen rate.", "design": "single", "evidence": "never",
        "questions": (), "stage": "rating", "total": 5, "done": 0, "calibration": 2, "next_number": 1,
    }  # fmt: skip
    return RaterSession(**(base | more))


@pytest.mark.parametrize(
    ("done", "button", "words"), [(0, "Begin", "There are **5** items."), (3, "Go on", "and 3 are complete")]
)
def test_the_welcome_says_how_many_items_there_are_and_how_many_are_done(done: int, button: str, words: str) -> None:
    begun: list[str] = []
    drawn = Drawn(lambda: rate_form.draw_welcome(session(done=done), "", lambda: begun.append("begun")))
    assert words in drawn.said() and "The first 2 are for practice." in drawn.said()
    assert drawn.test.button(key="rate_begin").label == button
    drawn.press("rate_begin")
    assert begun == ["begun"]
    assert "practice" not in Drawn(lambda: rate_form.draw_welcome(session(calibration=0), "", lambda: None)).said()


def test_title_and_instructions_are_text_and_keep_their_lines() -> None:
    drawn = Drawn(lambda: rate_form.draw_welcome(session(notice="Not <b>an evaluation</b>"), "", lambda: None))
    assert drawn.test.title[0].value == r"Rate \*these\*"
    assert "Read first\\.  \nThen rate" in drawn.test.markdown[0].value
    assert r"\<b\>" in drawn.test.info[0].value


def test_the_profile_keeps_what_was_typed_and_says_what_is_missing() -> None:
    drawn = Drawn(lambda: rate_form.draw_profile(session(), "Fill in every field.", lambda: None))
    assert "Fill in every field." in drawn.said()
    drawn.test.text_input(key="rate_specialty").set_value("medicine")
    drawn.test.button[0].click()  # the only one: Continue
    assert drawn.run().test.text_input(key="rate_specialty").value == "medicine"
    assert drawn.test.selectbox(key="rate_profession").value is None  # nobody is taken for a physician


def test_finishing_and_going_back_are_two_buttons() -> None:
    chosen: list[str] = []
    drawn = Drawn(
        lambda: rate_form.draw_ready(
            session(done=5), "", partial(chosen.append, "finish"), partial(chosen.append, "back")
        )
    )
    drawn.press("rate_back").press("rate_finish")
    assert chosen == ["back", "finish"]


def test_the_form_gets_its_data_and_no_page_names_the_product() -> None:
    drawn = Drawn(lambda: rate_form.draw_form({"shown": {"number": 1}}, lambda: None))
    (element,) = drawn.test.get("bidi_component")
    assert element.proto.component_name == "rating_form"
    assert json.loads(element.proto.json) == {"shown": {"number": 1}, "words": {}, "language": "en"}
    pages = (
        lambda: rate_form.draw_no_server("Nothing answers.", lambda: None),
        lambda: rate_form.draw_paused(session(done=2), "", lambda: None),
        lambda: rate_form.draw_profile(session(), "", lambda: None),
    )
    for page in pages:
        said = Drawn(page).said().lower()
        assert said and "leapnote" not in said
