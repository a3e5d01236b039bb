"""A rater's sitting against the real routes: nothing acknowledged is lost, nothing is taken twice, each state is told."""

import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.jobs.rater_page import RaterPage, Screen
from backend.schemas.studies.study import EvidenceShown
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
    told = {"key": key, "part": "A", "phase": "blind", "answer": {"kind": "value", "value": value}, **body}
    return {"id": str(uuid.uuid4()), "kind": "answer", "number": number, "cell": f"{key}|A", "body": told}


def move(to: str, number: int = 0, text: str = "") -> Entry:
    return {"seq": uuid.uuid4().hex[:8], "to": to, "number": number, "text": text}


def sat_down(container: StudyServer, token: str) -> RaterPage:
    desk = RaterPage(container.client, token)
    desk.open()
    return desk


def at_item(container: StudyServer, study_id: str) -> RaterPage:
    desk = sat_down(container, container.invite(study_id))
    desk.begin()
    assert desk.screen == Screen.ITEM
    return desk


def saved(container: StudyServer, desk: RaterPage, number: int) -> list[tuple[str, int]]:
    """Question and value of what is on the disk of one item."""
    item = container.ratings.item(desk.token, number)
    return [(a.key, a.answer.value) for a in item.answers if a.answer.kind == "value"]


def rate(desk: RaterPage, value: int = 4) -> None:
    shown = desk.form()["shown"]
    entries = []
    for question in shown["questions"]:
        answer = {"kind": "cannot_judge"} if question["only_cannot_judge"] else {"kind": "value", "value": value}
        entries.append(entry(shown["number"], question["key"], answer=answer, phase=shown["phase"]))
    desk.act({"entries": entries})


def test_a_rater_goes_from_the_link_to_the_thanks(container: StudyServer) -> None:
    study_id = container.frozen(3)
    token = container.invite(study_id, profile=False)
    desk = sat_down(container, token)
    assert desk.screen == Screen.PROFILE
    desk.give_profile("Physician", "", None, "")
    assert (desk.screen, "Fill in every field" in desk.message) == (Screen.PROFILE, True)
    desk.give_profile("Physician", "medicine", 7.0, "none")
    assert desk.screen == Screen.WELCOME
    desk.begin()
    total = desk.form()["session"]["total"]
    for number in range(1, total + 1):
        assert desk.form()["shown"]["number"] == number
        rate(desk)
        desk.act({"entries": [], "move": move("item", number + 1) if number < total else move("ready")})
    assert desk.screen == Screen.READY
    desk.finish()
    assert desk.screen == Screen.GUESSES
    for item in desk.form()["shown"]["items"]:
        body = {"number": item["number"], "part": item["part"], "guess": 0, "seen_revision": 0}
        desk.act({"entries": [{"id": str(uuid.uuid4()), "kind": "guess", "number": 1, "cell": "g", "body": body}]})
    desk.act({"entries": [], "move": move("next_stage")})
    assert desk.screen == Screen.CLOSING
    shown = desk.form()["shown"]
    told = []
    for group in shown["groups"]:
        for question in shown["questions"]:
            body = {"group": group["group"], "key": question["key"], "answer": {"kind": "text", "text": "clear"}}
            told.append({"id": str(uuid.uuid4()), "kind": "closing", "number": 0, "cell": "c", "body": body})
    desk.act({"entries": told, "move": move("next_stage")})
    assert desk.screen == Screen.DONE
    assert {ack["revision"] for ack in desk.acks.known.values()} == {1}


def test_an_answer_is_acknowledged_only_when_it_is_on_the_disk(container: StudyServer) -> None:
    desk = at_item(container, container.frozen(3))
    container.way.cut = True
    click = entry(1)
    desk.act({"entries": [click]})
    ack = desk.form()["acks"][click["id"]]
    assert (ack["ok"], ack["final"]) == (False, False)
    assert "sent again" in ack["message"]
    assert saved(container, desk, 1) == []
    container.way.cut = False
    desk.act({"entries": [click]})
    assert desk.form()["acks"][click["id"]]["ok"]
    assert saved(container, desk, 1) == [("q1", 4)]


def test_an_answer_whose_reply_was_lost_is_kept_once(container: StudyServer) -> None:
    desk = at_item(container, container.frozen(3))
    container.way.lose_replies = 1
    click = entry(1)
    desk.act({"entries": [click]})
    assert not desk.form()["acks"][click["id"]]["ok"]
    desk.act({"entries": [click]})
    assert desk.form()["acks"][click["id"]]["revision"] == 1
    assert [a.revision for a in container.ratings.item(desk.token, 1).answers] == [1]


def test_a_move_waits_until_everything_is_saved(container: StudyServer) -> None:
    desk = at_item(container, container.frozen(3))
    rate(desk)
    container.way.cut = True
    click = entry(1, value=2, seen_revision=1)
    desk.act({"entries": [click], "move": move("item", 2)})
    assert desk.form()["shown"]["number"] == 1
    container.way.cut = False
    desk.act({"entries": [click], "move": move("item", 2)})
    assert desk.form()["shown"]["number"] == 2
    assert ("q1", 2) in saved(container, desk, 1)


def test_practice_items_come_first_and_it_says_so(container: StudyServer) -> None:
    desk = at_item(container, container.frozen(3))
    desk.act({"entries": [], "move": move("item", 2)})
    assert desk.form()["shown"]["number"] == 1
    assert "item 1 is not complete" in desk.message


def test_another_window_s_answer_is_told_as_overwritten(container: StudyServer) -> None:
    desk = at_item(container, container.frozen(3))
    other = sat_down(container, desk.token)
    other.begin()
    other.act({"entries": [entry(1, value=5)]})
    click = entry(1, value=3)
    desk.act({"entries": [click]})
    ack = desk.form()["acks"][click["id"]]
    assert (ack["ok"], ack["revision"], ack["overwrote"]) == (True, 2, True)


def test_a_withdrawn_link_ends_the_sitting_in_the_same_words_as_an_unknown_one(container: StudyServer) -> None:
    study_id = container.frozen(3)
    given = links.invite(container.studies, study_id, InviteRequest(rater="R01"))
    desk = sat_down(container, given.token)
    links.withdraw(container.studies, study_id, given.id, "Ada")
    desk.give_profile("Physician", "medicine", 7.0, "none")
    unknown = sat_down(container, "x" * 43)
    assert (desk.screen, unknown.screen) == (Screen.REFUSED, Screen.REFUSED)
    assert desk.message == unknown.message
    assert sat_down(container, "not a tokén").screen == Screen.REFUSED
    assert sat_down(container, "").screen == Screen.NO_LINK


def test_a_closed_study_is_told_and_the_refused_answer_too(container: StudyServer) -> None:
    study_id = container.frozen(3)
    desk = at_item(container, study_id)
    container.studies.close(study_id, "Ada")
    click = entry(1)
    desk.act({"entries": [click]})
    assert desk.acks.known[click["id"]] == {
        "ok": False,
        "final": True,
        "message": desk.acks.known[click["id"]]["message"],
    }
    assert "closed" in desk.acks.known[click["id"]]["message"]
    assert desk.screen == Screen.CLOSED


def test_without_the_server_the_first_page_waits_and_comes_back(container: StudyServer) -> None:
    token = container.invite(container.frozen(3))
    container.way.cut = True
    desk = sat_down(container, token)
    assert desk.screen == Screen.AWAY
    assert "make run" not in desk.message
    container.way.cut = False
    desk.open()
    assert desk.screen == Screen.WELCOME


def test_a_pause_survives_on_another_machine(container: StudyServer) -> None:
    desk = at_item(container, container.frozen(3))
    rate(desk)
    desk.act({"entries": [], "move": move("pause")})
    assert desk.screen == Screen.PAUSED
    elsewhere = sat_down(container, desk.token)
    assert elsewhere.screen == Screen.PAUSED
    elsewhere.begin()
    assert elsewhere.form()["shown"]["number"] == 2
    assert sat_down(container, desk.token).screen == Screen.WELCOME


def test_evidence_comes_after_the_first_rating_and_is_rated_again(container: StudyServer) -> None:
    desk = at_item(container, container.frozen(3, evidence=EvidenceShown.AFTER_FIRST))
    assert desk.form()["shown"]["drafts"][0]["evidence"] is None
    desk.act({"entries": [], "move": move("evidence", 1)})
    assert "Answer every question first" in desk.message
    rate(desk)
    desk.act({"entries": [], "move": move("evidence", 1)})
    assert desk.form()["shown"]["phase"] == "informed"
    assert desk.form()["shown"]["drafts"][0]["evidence"] is not None
    late = entry(1, value=1)
    desk.act({"entries": [late]})
    assert "first rating stays" in desk.acks.known[late["id"]]["message"]
    rate(desk, 5)
    assert desk.form()["session"]["done"] == 1


def test_what_does_not_fit_is_refused_for_good(container: StudyServer) -> None:
    desk = at_item(container, container.frozen(3))
    for broken in ({**entry(1), "body": {"key": "q1"}}, {**entry(1), "kind": "other"}, entry(1, value=9)):
        desk.act({"entries": [broken]})
        ack = desk.acks.known[broken["id"]]
        assert (ack["ok"], ack["final"]) == (False, True)
        assert ack["message"]


def test_a_recognised_writer_is_recorded(container: StudyServer) -> None:
    study_id = container.frozen(3)
    desk = at_item(container, study_id)
    desk.act({"entries": [], "move": move("leak", 1, "It says so.")})
    assert "recorded" in desk.message
    assert [e.details["text"] for e in container.studies.trail(study_id) if e.kind == "leak"] == ["It says so."]


def test_no_byte_that_a_rater_s_page_gets_names_an_arm(container: StudyServer) -> None:
    both = (instrument("reinrag-statements"), instrument("error-checklist"), instrument("closing-comments"))
    desk = at_item(container, container.frozen(3, instruments=both))
    rate(desk)
    text = b"".join(container.way.seen).decode().lower() + str(desk.form()).lower()
    assert len(text) > 1000
    for name in (SYSTEM, OTHER, "ocelot", "reinrag", "leapnote"):
        assert name not in text
