"""The list of studies and the form of a setup, drawn."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from app.components.evaluation import study_setup_form
from backend.schemas.studies.study_design import Factor, StudyState
from backend.schemas.studies.study_views import StudySummary, StudyView
from backend.study.design.instruments import instrument
from tests.app.conftest import Drawn
from tests.study.sample import setup

NOW = datetime(2031, 2, 1, 9, 30, tzinfo=UTC)
BASE: Mapping[str, Any] = {"id": "s1", "name": "*Mine*", "version": 2, "created_at": NOW, "updated_at": NOW}
ARMS = {
    Factor.SYSTEM: {"f_systems", "f_generator"},
    Factor.GENERATOR: {"f_system", "f_generators"},
    Factor.UPLOAD: {"f_uploads"},
}


def form(locked: bool = False) -> Drawn:
    one = instrument("reinrag-statements")
    return Drawn(
        lambda: study_setup_form.draw_setup("f_{}".format, ["a", "b"], ["discharge_instructions"], [one], locked)
    )


def fields(drawn: Drawn) -> dict[str, Any]:
    kinds = ("text_input", "text_area", "selectbox", "multiselect", "number_input")
    return {str(field.key): field for kind in kinds for field in drawn.test.get(kind)}


def test_a_study_opens_by_its_button_and_its_name_is_no_markup() -> None:
    opened: list[str] = []
    rows = [StudySummary(**BASE, state=StudyState.CLOSED, unlocked_at=NOW)]
    drawn = Drawn(lambda: study_setup_form.draw_list(rows, opened.append))
    assert drawn.test.markdown[0].value == r"**\*Mine\***"
    assert "● closed, unlocked" in drawn.said()
    drawn.press("open_study_s1")
    assert opened == ["s1"]


def test_without_a_study_the_list_says_what_to_do() -> None:
    drawn = Drawn(lambda: study_setup_form.draw_list([], lambda study: None))
    assert "There is no study yet" in drawn.said() and drawn.buttons() == []


def test_the_head_shows_every_stamp_and_the_hash_once_there_is_one() -> None:
    view = StudyView(**BASE, state=StudyState.FROZEN, sha256="ab12", setup=setup(), stamps=("not an evaluation",))
    said = Drawn(lambda: study_setup_form.draw_head(view, lambda: None, lambda: None)).said()
    assert "Not an evaluation" in said and "sha256 `ab12`" in said
    open_one = view.model_copy(update={"sha256": None})
    assert "sha256" not in Drawn(lambda: study_setup_form.draw_head(open_one, lambda: None, lambda: None)).said()


@pytest.mark.parametrize("factor", list(Factor))
def test_the_arms_are_asked_for_by_what_differs_between_them(factor: Factor) -> None:
    drawn = form()
    drawn.test.selectbox(key="f_factor").select(factor)
    drawn.run()
    assert fields(drawn).keys() & set().union(*ARMS.values()) == ARMS[factor]


def test_what_drafts_rest_on_is_disabled_once_there_are_some() -> None:
    before, after = fields(form()), fields(form(locked=True))
    assert not [name for name, field in before.items() if field.disabled]
    assert {name for name, field in after.items() if field.disabled} == {
        "f_factor", "f_systems", "f_generator", "f_document", "f_rated_cases", "f_calibration_items", "f_seed",
    }  # fmt: skip
    assert not after["f_name"].disabled


def test_a_published_design_says_where_this_one_departs_from_it() -> None:
    template = {"id": "t", "title": "A design", "about": "Two arms.", "departs": "Three raters, not two."}
    chosen: list[str] = []
    drawn = Drawn(lambda: study_setup_form.draw_template_choice([template], lambda: chosen.append("called")))
    assert "Three raters" not in drawn.said()
    drawn.test.selectbox(key="new_template").select("t")
    assert "Two arms. Three raters, not two." in drawn.run().said() and chosen == ["called"]
