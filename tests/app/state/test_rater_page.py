"""A rater's page against the real routes: no acknowledged answer is lost or saved twice, and each state has its screen."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.state.rater_page import RaterPage, Screen
from backend.schemas.studies.study_design import EvidenceShown
from backend.schemas.studies.study_views import InviteRequest
from backend.study.design.instruments import instrument
from backend.study.rating import personal_links as links
from tests.app.study_api import OTHER, SYSTEM, StudyServer

Entry = dict[str, Any]


@pytest.fixture
def container(tmp_path: Path) -> Iterator[StudyServer]:
    made = StudyServer(tmp_path)
    yield made
    made.database.close()


def entry(number: int, key: str = "q1", value: int = 4, **body: Any) -> Entry:
    """What the outbox holds for one click."""
    stated = {"key": key, "part": "A", "phase": "blind", "answer": {"kind": "value", "value": value}, **body}
    return {"id": str(uuid.uuid4()), "kind": "answer", "number": number, "cell": f"{key}|A", "body": stated}


def move(to: str, number: int = 0, text: str = "") -> Entry:
    return {"seq": uuid.uuid4().hex[:8], "to": to, "number": number, "text": text}


def page_of(container: StudyServer, token: str) -> RaterPage:
    page = RaterPage(container.client, token)
    page.open()
    return page


def at_item(container: StudyServer, study_id: str) -> RaterPage:
    page = page_of(container, container.invite(study_id))
    page.begin()
    assert page.screen == Screen.ITEM
    return page


def saved(container: StudyServer, page: RaterPage, number: int) -> list[tuple[str, int]]:
    """Question and value of what is on the disk of one item."""
    item = container.ratings.item(page.token, number)
    return [(a.key, a.answer.value) for a in item.answers if a.answer.kind == "value"]


def rate(page: RaterPage, value: int = 4) -> None:
    shown = page.form()["shown"]
    entries = []
    for question in shown["questions"]:
        answer = {"kind": "cannot_judge"} if question["only_cannot_judge"] else {"kind": "value", "value": value}
        entries.append(entry(shown["number"], question["key"], answer=answer, phase=shown["phase"]))
    page.act({"entries": entries})


def test_a_rater_goes_from_the_link_to_the_thanks(container: StudyServer) -> None:
    study_id = container.frozen(3)
    token = container.invite(study_id, profile=False)
    page = page_of(container, token)
    assert page.screen == Screen.PROFILE
    page.give_profile("Physician", "", None, "")
    assert (page.screen, "Fill in every field" in page.message) == (Screen.PROFILE, True)
    page.give_profile("Physician", "medicine", 7.0, "none")
    assert page.screen == Screen.WELCOME
    page.begin()
    total = page.form()["session"]["total"]
    for number in range(1, total + 1):
        assert page.form()["shown"]["number"] == number
        rate(page)
        page.act({"entries": [], "move": move("item", number + 1) if number < total else move("ready")})
    assert page.screen == Screen.READY
    page.finish()
    assert page.screen == Screen.GUESSES
    for item in page.form()["shown"]["items"]:
        body = {"number": item["number"], "part": item["part"], "guess": 0, "seen_revision": 0}
        page.act({"entries": [{"id": str(uuid.uuid4()), "kind": "guess", "number": 1, "cell": "g", "body": body}]})
    page.act({"entries": [], "move": move("next_stage")})
    assert page.screen == Screen.CLOSING
    shown = page.form()["shown"]
    stated = []
    for group in shown["groups"]:
        for question in shown["questions"]:
            body = {"group": group["group"], "key": question["key"], "answer": {"kind": "text", "text": "clear"}}
            stated.append({"id": str(uuid.uuid4()), "kind": "closing", "number": 0, "cell": "c", "body": body})
    page.act({"entries": stated, "move": move("next_stage")})
    assert page.screen == Screen.DONE
    assert {ack["revision"] for ack in page.acks.known.values()} == {1}


def test_an_answer_is_acknowledged_only_when_it_is_on_the_disk(container: StudyServer) -> None:
    page = at_item(container, container.frozen(3))
    container.way.cut = True
    click = entry(1)
    page.act({"entries": [click]})
    ack = page.form()["acks"][click["id"]]
    assert (ack["ok"], ack["final"]) == (False, False)
    assert "sent again" in ack["message"]
    assert saved(container, page, 1) == []
    container.way.cut = False
    page.act({"entries": [click]})
    assert page.form()["acks"][click["id"]]["ok"]
    assert saved(container, page, 1) == [("q1", 4)]


def test_an_answer_whose_reply_was_lost_is_saved_once(container: StudyServer) -> None:
    page = at_item(container, container.frozen(3))
    container.way.lose_replies = 1
    click = entry(1)
    page.act({"entries": [click]})
    assert not page.form()["acks"][click["id"]]["ok"]
    page.act({"entries": [click]})
    assert page.form()["acks"][click["id"]]["revision"] == 1
    assert [a.revision for a in container.ratings.item(page.token, 1).answers] == [1]


def test_a_move_waits_until_everything_is_saved(container: StudyServer) -> None:
    page = at_item(container, container.frozen(3))
    rate(page)
    container.way.cut = True
    click = entry(1, value=2, seen_revision=1)
    page.act({"entries": [click], "move": move("item", 2)})
    assert page.form()["shown"]["number"] == 1
    container.way.cut = False
    page.act({"entries": [click], "move": move("item", 2)})
    assert page.form()["shown"]["number"] == 2
    assert ("q1", 2) in saved(container, page, 1)


def test_practice_items_come_first_and_it_says_so(container: StudyServer) -> None:
    page = at_item(container, container.frozen(3))
    page.act({"entries": [], "move": move("item", 2)})
    assert page.form()["shown"]["number"] == 1
    assert "item 1 is not complete" in page.message


def test_another_window_s_answer_is_shown_as_overwritten(container: StudyServer) -> None:
    page = at_item(container, container.frozen(3))
    other = page_of(container, page.token)
    other.begin()
    other.act({"entries": [entry(1, value=5)]})
    click = entry(1, value=3)
    page.act({"entries": [click]})
    ack = page.form()["acks"][click["id"]]
    assert (ack["ok"], ack["revision"], ack["overwrote"]) == (True, 2, True)


def test_a_withdrawn_link_ends_the_session_in_the_same_words_as_an_unknown_one(container: StudyServer) -> None:
    study_id = container.frozen(3)
    given = links.invite(container.studies, study_id, InviteRequest(rater="R01"))
    page = page_of(container, given.token)
    links.withdraw(container.studies, study_id, given.id, "Ada")
    page.give_profile("Physician", "medicine", 7.0, "none")
    unknown = page_of(container, "x" * 43)
    assert (page.screen, unknown.screen) == (Screen.REFUSED, Screen.REFUSED)
    assert page.message == unknown.message
    assert page_of(container, "not a tokén").screen == Screen.REFUSED
    assert page_of(container, "").screen == Screen.NO_LINK


def test_a_closed_study_is_reported_and_the_refused_answer_too(container: StudyServer) -> None:
    study_id = container.frozen(3)
    page = at_item(container, study_id)
    container.studies.close(study_id, "Ada")
    click = entry(1)
    page.act({"entries": [click]})
    assert page.acks.known[click["id"]] == {
        "ok": False,
        "final": True,
        "message": page.acks.known[click["id"]]["message"],
    }
    assert "closed" in page.acks.known[click["id"]]["message"]
    assert page.screen == Screen.CLOSED


def test_without_the_server_the_first_page_waits_and_comes_back(container: StudyServer) -> None:
    token = container.invite(container.frozen(3))
    container.way.cut = True
    page = page_of(container, token)
    assert page.screen == Screen.NO_SERVER
    assert "make run" not in page.message
    container.way.cut = False
    page.open()
    assert page.screen == Screen.WELCOME


def test_a_pause_survives_on_another_machine(container: StudyServer) -> None:
    page = at_item(container, container.frozen(3))
    rate(page)
    page.act({"entries": [], "move": move("pause")})
    assert page.screen == Screen.PAUSED
    elsewhere = page_of(container, page.token)
    assert elsewhere.screen == Screen.PAUSED
    elsewhere.begin()
    assert elsewhere.form()["shown"]["number"] == 2
    assert page_of(container, page.token).screen == Screen.WELCOME


def test_evidence_comes_after_the_first_rating_and_is_rated_again(container: StudyServer) -> None:
    page = at_item(container, container.frozen(3, evidence=EvidenceShown.AFTER_FIRST))
    assert page.form()["shown"]["drafts"][0]["evidence"] is None
    page.act({"entries": [], "move": move("evidence", 1)})
    assert "Answer every question first" in page.message
    rate(page)
    page.act({"entries": [], "move": move("evidence", 1)})
    assert page.form()["shown"]["phase"] == "informed"
    assert page.form()["shown"]["drafts"][0]["evidence"] is not None
    late = entry(1, value=1)
    page.act({"entries": [late]})
    assert "first rating stays" in page.acks.known[late["id"]]["message"]
    rate(page, 5)
    assert page.form()["session"]["done"] == 1


def test_what_does_not_fit_is_refused_for_good(container: StudyServer) -> None:
    page = at_item(container, container.frozen(3))
    for broken in ({**entry(1), "body": {"key": "q1"}}, {**entry(1), "kind": "other"}, entry(1, value=9)):
        page.act({"entries": [broken]})
        ack = page.acks.known[broken["id"]]
        assert (ack["ok"], ack["final"]) == (False, True)
        assert ack["message"]


def test_a_recognised_writer_is_recorded(container: StudyServer) -> None:
    study_id = container.frozen(3)
    page = at_item(container, study_id)
    page.act({"entries": [], "move": move("leak", 1, "It says so.")})
    assert "recorded" in page.message
    assert [e.details["text"] for e in container.studies.trail(study_id) if e.kind == "leak"] == ["It says so."]


def test_no_byte_that_a_rater_s_page_gets_names_an_arm(container: StudyServer) -> None:
    both = (instrument("reinrag-statements"), instrument("error-checklist"), instrument("closing-comments"))
    page = at_item(container, container.frozen(3, instruments=both))
    rate(page)
    text = b"".join(container.way.seen).decode().lower() + str(page.form()).lower()
    assert len(text) > 1000
    for name in (SYSTEM, OTHER, "ocelot", "reinrag", "leapnote"):
        assert name not in text
