"""The selectors of the write and compare screens, drawn."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from app.components.drafts import controls
from app.view_data.entry import Entry
from app.view_data.pinned_data import COMPOSER
from backend.schemas.vocabulary import Document
from tests.app.conftest import Drawn

MODEL = {"setting": "", "name": "openai:http://10.0.0.7:8000/v1#small", "reason": "it answers", "where": "goes there"}
SIMPLE = {"setting": "composer", "name": COMPOSER, "reason": "rules", "where": ""}
SERVICE: dict[str, Any] = {
    "systems": [{"name": "leapnote", "what": "ours"}, {"name": "no-retrieval", "what": "the note *alone*"}],
    "documents": ["answer"],
    "generators": [MODEL, SIMPLE],
}


def drawn(service: dict[str, Any] | None, drafted: bool = False, editing: bool = False) -> tuple[Drawn, list[str]]:
    called: list[str] = []
    call: dict[str, Callable[[], None]] = {
        name: partial(called.append, name) for name in ("draft", "edit", "start_over")
    }
    return Drawn(lambda: controls.draw_controls(service, drafted, editing, call)), called


def test_without_an_api_the_default_system_and_every_document_stand_to_choose() -> None:
    found, _ = drawn(None)
    assert list(found.test.selectbox(key="system").options) == [Entry().system]
    assert len(found.test.selectbox(key="document").options) == len(Document)
    assert "generator" not in {str(box.key) for box in found.test.selectbox}


@pytest.mark.parametrize(
    ("drafted", "editing", "labels"),
    [
        (False, False, ["Draft"]),
        (True, False, ["Draft again", "Edit the note", "New note"]),
        (True, True, ["Draft again", "Hide the note's box", "New note"]),
    ],
)
def test_the_buttons_follow_the_draft(drafted: bool, editing: bool, labels: list[str]) -> None:
    found, called = drawn(SERVICE, drafted, editing)
    assert [button.label for button in found.test.button] == labels
    found.press("draft")
    assert called == ["draft"]


def test_a_writer_is_chosen_only_where_there_are_two_and_is_called_by_its_model() -> None:
    found, _ = drawn(SERVICE)
    options = list(found.test.selectbox(key="generator").options)
    assert options[0] == "As set: small" and len(options) == 2
    alone, _ = drawn(SERVICE | {"generators": [SIMPLE]})
    assert "generator" not in {str(box.key) for box in alone.test.selectbox}


def test_a_writer_whose_model_has_yet_to_come_is_the_composer_for_now() -> None:
    assert controls.as_set(COMPOSER) == "As set: composer for now"
    assert controls.row_words(MODEL) == "it answers; text goes there"
    assert controls.row_words(SIMPLE) == "rules"


@pytest.mark.parametrize(
    ("names", "right"), [(["leapnote", "no-retrieval", "spo"], "no-retrieval"), (["leapnote", "spo"], "spo")]
)
def test_the_default_is_compared_with_no_retrieval_or_with_the_last(names: list[str], right: str) -> None:
    compared: list[tuple[str, str]] = []
    Drawn(lambda: controls.draw_choice(names, lambda *pair: compared.append(pair))).press("compare")
    assert compared == [("leapnote", right)]
