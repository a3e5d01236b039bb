"""The session of one tab: what is typed outlives errors, replaced notes and cases."""

from typing import Any

import pytest

from app.state import session


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The state of a tab as a plain dictionary."""
    held: dict[str, Any] = {}
    monkeypatch.setattr(session.st, "session_state", held)
    return held


def paste(state: dict[str, Any], note: str) -> None:
    state["note"] = note
    session.note_changed()


NOTE, OTHER = "A 60-year-old man with a cough and fever since Monday.", "A 30-year-old woman fell off her horse today."


def test_a_screen_is_entered_once() -> None:
    assert [session.entered(name) for name in ("write", "write", "cases")] == [True, False, True]


def test_what_was_typed_beside_a_note_is_set_aside_with_it_and_comes_back(state: dict[str, Any]) -> None:
    paste(state, NOTE)
    state["earlier"] = "of the first patient"
    paste(state, OTHER)
    assert session.entry().earlier == ""
    assert session.set_aside()["earlier"] == "of the first patient"
    session.bring_back()
    assert session.entry().earlier == "of the first patient"


def test_an_edit_of_the_note_sets_nothing_aside(state: dict[str, Any]) -> None:
    paste(state, NOTE)
    state["earlier"] = "of this patient"
    paste(state, NOTE + " He is tired.")
    assert session.set_aside() == {}
    assert session.entry().earlier == "of this patient"


def test_judged_conditions_hold_for_their_note_alone(state: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "start", lambda: None)
    paste(state, NOTE)
    session.judge("gout", "confirm")
    session.judge("rash", "rule_out")
    assert (session.entry().confirmed, session.entry().ruled_out) == (("gout",), ("rash",))
    session.judge("gout", "rule_out")
    assert (session.entry().confirmed, session.entry().ruled_out) == ((), ("rash", "gout"))
    session.judge("gout", "undo")
    assert session.entry().ruled_out == ("rash",)
    paste(state, OTHER)
    assert session.entry().ruled_out == ()


def test_a_judgement_of_another_note_is_neither_shown_nor_set_aside(state: dict[str, Any]) -> None:
    state |= {"note": NOTE, "filed_note": NOTE, "judged_note": "another", "confirmed": ("gout",), "earlier": "typed"}
    assert session.entry().confirmed == ()
    paste(state, OTHER)
    assert (session.set_aside()["earlier"], session.set_aside()["confirmed"]) == ("typed", ())


def test_starting_over_keeps_who_writes_and_forgets_the_rest(state: dict[str, Any]) -> None:
    paste(state, NOTE)
    state["system"] = "no-retrieval"
    session.start_over()
    assert (session.entry().note, session.entry().system) == ("", "no-retrieval")
    assert session.set_aside()["note"] == NOTE
    session.forget_set_aside()
    assert session.set_aside() == {}


def test_nothing_is_sent_without_a_note_or_a_question(state: dict[str, Any]) -> None:
    session.start()
    assert session.empty_asked() and session.run() is None and session.progress() is None
    assert session.chosen_request(session.entry()) is None
    paste(state, NOTE)
    request = session.chosen_request(session.entry())
    assert request is not None and request.text == NOTE


def test_a_note_replaced_as_the_draft_is_asked_for_leaves_the_medicines_of_the_one_before(
    state: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(session, "_begin", asked.append)
    paste(state, NOTE)
    state["medicines"] = "warfarin 5 mg daily"
    state["note"] = OTHER  # its own callback comes after that of the button
    session.start()
    assert [(one.text, one.discharge_medicines) for one in asked] == [(OTHER, ())]
    session.note_changed()
    assert session.set_aside()["medicines"] == "warfarin 5 mg daily"


def test_a_case_is_called_by_its_label_its_note_or_its_question(state: dict[str, Any]) -> None:
    assert session.label() == ""
    state["question"] = "What is gout?"
    assert session.label() == session.QUESTION
    paste(state, NOTE)
    assert session.label() == session.PASTED


def test_only_an_event_of_that_component_is_heard(state: dict[str, Any]) -> None:
    state["part"] = type("Sent", (), {"condition": {"concept_id": "gout"}, "again": {"what": "same"}})()
    assert session.judged_in("part") == {"concept_id": "gout"}
    assert session.asked_again_in("part") == "same"
    assert session.judged_in("other") is None and session.asked_again_in("other") == ""
