"""The study part of a tab: what an action that fails leaves behind, and whose page a link opens."""

from typing import Any

import pytest
import streamlit as st
from pydantic import ValidationError

from app.clients.api_errors import ApiError
from app.clients.rater_client import RefusedError
from app.state import study_state
from backend.schemas.studies.study_frozen import Leak
from backend.schemas.studies.study_views import InviteRequest


def unfit() -> None:
    InviteRequest.model_validate({"rater": 5, "author": "Ada"})


def raising(error: Exception) -> Any:
    def ask() -> None:
        raise error

    return ask


def test_nothing_is_asked_without_a_name_where_one_is_needed(tab: dict[str, Any]) -> None:
    tab["author"] = "  "
    asked: list[str] = []
    assert not study_state.attempt(lambda: asked.append("x"), named=True, form="new")
    assert (asked, study_state.message()) == ([], (study_state.NO_NAME, False, "new"))
    assert study_state.attempt(lambda: asked.append("x"))
    assert (asked, study_state.message()) == (["x"], ("", False, ""))


@pytest.mark.parametrize(
    ("error", "stored"),
    [
        (ApiError("gone", unreachable=True), ("gone", True, "edit")),
        (ApiError("refused"), ("refused", False, "edit")),
        (study_state.UnfitError("line 3"), ("line 3", False, "edit")),
    ],
)
def test_a_failure_is_stored_with_its_form(
    tab: dict[str, Any], error: Exception, stored: tuple[str, bool, str]
) -> None:
    assert not study_state.attempt(raising(error), form="edit")
    assert study_state.message() == stored


def test_a_value_that_does_not_fit_is_named_by_its_place_and_not_repeated(tab: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        unfit()
    assert not study_state.attempt(unfit)
    words = study_state.message()[0]
    assert words.startswith("That does not fit: rater: ") and "5" not in words


def test_what_reveals_an_arm_is_kept_until_the_next_action(tab: dict[str, Any]) -> None:
    leak = Leak(kind="name", where="case c01", what="it names an arm", blocking=True)
    study_state.attempt(raising(RefusedError("It was not frozen.", 409, leaks=(leak,))))
    assert study_state.refused_leaks() == (leak,)
    study_state.attempt(lambda: None)
    assert study_state.refused_leaks() == ()


def test_a_value_is_looked_up_once_and_again_only_after_it_is_forgotten(tab: dict[str, Any]) -> None:
    made = iter((1, 2))
    assert [study_state.cached("n", lambda: next(made)) for _ in range(2)] == [1, 1]
    study_state.forget("n")
    assert study_state.found("n") is None
    assert study_state.cached("n", raising(ApiError("gone"))) is None
    assert study_state.cached("n", lambda: next(made)) == 2


def test_a_file_field_is_emptied_by_a_new_key_and_fields_of_one_form_are_dropped(tab: dict[str, Any]) -> None:
    first = study_state.file_key("cases")
    study_state.next_round("cases")
    assert study_state.file_key("cases") != first
    study_state.fill({"study_new_name": "x", "study_new_seed": 1, "study_edit_name": "y"})
    study_state.drop("study_new_")
    assert study_state.field("study_new_name", "") == "" and study_state.field("study_edit_name", "") == "y"


def test_a_link_names_its_token_in_either_way(tab: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for given, token in (({"token": "a"}, "a"), ({"link": "b"}, "b"), ({"other": "c"}, "")):
        monkeypatch.setattr(st, "query_params", given)
        assert study_state.token() == token
