"""The session of one tab: what a demonstration case brings holds for its own note alone."""

from typing import Any

from app.state import session
from tests.app.fake_api import CASE, FakeApi

NOTE = "A 60-year-old man with a cough and fever since Monday."


def test_nothing_is_sent_without_a_note(tab: dict[str, Any]) -> None:
    assert session.progress() is None
    assert session.chosen_request(session.entry()) is None
    tab["note"] = NOTE
    request = session.chosen_request(session.entry())
    assert request is not None and request.text == NOTE


def test_what_a_case_brings_goes_when_its_note_is_replaced(tab: dict[str, Any]) -> None:
    session.load(CASE)
    assert session.entry().medicines == "\n".join(CASE.discharge_medicines) != ""
    assert session.entry().confirmed == CASE.confirmed_conditions != ()
    tab["note"] = NOTE
    assert (session.entry().medicines, session.entry().earlier, session.entry().confirmed) == ("", "", ())


def test_both_sides_of_a_comparison_are_written_by_the_one_that_was_chosen(tab: dict[str, Any]) -> None:
    tab |= {"note": NOTE, "generator": "composer", "client": (api := FakeApi())}
    session.compare("leapnote", "no-retrieval")
    for side in ("left", "right"):
        held = session.compared(side)
        assert held is not None
        held.wait(10.0)
    assert sorted((one.system, one.generator or "") for one in api.asked) == [
        ("leapnote", "composer"),
        ("no-retrieval", "composer"),
    ]
