"""The buttons of the study page, over the real routes: what each sends, and what it refuses to send."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.state import study_actions, study_state
from app.state.study_actions import FREEZE, NEW, key_of
from backend.schemas.studies.study_design import StudyState
from backend.study.design.instruments import shipped
from tests.app.study_api import OTHER, SYSTEM, StudyServer
from tests.study.sample import PLAN


@pytest.fixture
def server(tab: dict[str, Any], tmp_path: Path) -> Iterator[StudyServer]:
    """The API behind this tab, in which Ada works."""
    made = StudyServer(tmp_path)
    tab |= {"study_client": made.client, "author": "Ada"}
    yield made
    made.database.close()


def file(name: str, text: str) -> Any:
    return SimpleNamespace(name=name, getvalue=text.encode)


def said() -> str:
    return study_state.message()[0]


def test_a_study_is_made_of_the_form_which_is_then_empty(tab: dict[str, Any], server: StudyServer) -> None:
    filled = {"name": "Mine", "systems": [SYSTEM, OTHER], "instruments": ["reinrag-statements"]}
    study_actions.fill(NEW, filled)
    study_actions.create(shipped(), [])
    view = study_state.current()
    assert view is not None and said() == ""
    assert (view.name, [arm.system for arm in view.setup.arms]) == ("Mine", [SYSTEM, OTHER])
    assert key_of(NEW, "name") not in tab


def test_a_form_that_does_not_fit_makes_no_study_and_stays_filled(tab: dict[str, Any], server: StudyServer) -> None:
    study_actions.fill(NEW, {"name": "Mine", "systems": [SYSTEM], "instruments": []})
    study_actions.create(shipped(), [])
    assert study_state.current() is None and server.studies.page() == ()
    assert said() and study_state.message()[2] == NEW and tab[key_of(NEW, "name")] == "Mine"


def test_without_a_name_nothing_is_done(tab: dict[str, Any], server: StudyServer) -> None:
    study_id = server.frozen(3)
    study_state.open_study(study_id)
    tab["author"] = ""
    study_actions.close()
    assert said() == study_state.NO_NAME
    assert server.studies.view(study_id).state == StudyState.FROZEN


def test_cases_come_from_a_file_and_one_that_does_not_fit_is_named_by_its_line(
    tab: dict[str, Any], server: StudyServer
) -> None:
    study_actions.fill(NEW, {"name": "Mine", "systems": [SYSTEM, OTHER], "instruments": ["reinrag-statements"]})
    study_actions.create(shipped(), [])
    study_actions.add_cases()
    assert said() == study_actions.NO_CASES
    key = study_state.file_key("study_cases_file")
    tab[key] = file("cases.jsonl", '{"id": "a", "text": "Cough."}\n{"id": "b"}\n')
    study_actions.add_cases()
    assert "Line 2" in said() and study_state.file_key("study_cases_file") == key
    tab[key] = file("cases.jsonl", '{"id": "a", "text": "Cough."}\n')
    study_actions.add_cases()
    view = study_state.current()
    assert view is not None and [case.id for case in view.cases] == ["a"]
    assert study_state.file_key("study_cases_file") != key


def test_a_study_is_frozen_with_the_plan_of_the_form(tab: dict[str, Any], server: StudyServer) -> None:
    study_id = server.ready(3, plan=None)
    study_state.open_study(study_id)
    study_actions.freeze()
    assert said() and study_state.message()[2] == FREEZE
    assert server.studies.view(study_id).state == StudyState.READY
    fields = {name: getattr(PLAN, name) for name in study_actions.PLAN}
    study_state.fill({f"plan_{name}": value for name, value in fields.items()} | {"plan_accept_warnings": True})
    study_actions.freeze()
    assert said() == "" and server.studies.view(study_id).state == StudyState.FROZEN
    assert server.studies.frozen(study_id).setup.plan == PLAN


def test_unlocking_needs_a_reason_and_forgets_the_blind_analysis(tab: dict[str, Any], server: StudyServer) -> None:
    study_id = server.frozen(3)
    server.studies.close(study_id, "Ada")
    study_state.open_study(study_id)
    study_state.cached("analysis", lambda: "blind")
    tab["study_unlock_reason"] = "  "
    study_actions.unlock()
    assert said() == study_actions.NO_REASON and study_state.found("analysis") == "blind"
    tab["study_unlock_reason"] = "all have rated"
    study_actions.unlock()
    view = study_state.current()
    assert view is not None and view.unlocked_at is not None and study_state.found("analysis") is None


def test_a_link_is_made_and_withdrawn(tab: dict[str, Any], server: StudyServer) -> None:
    study_id = server.frozen(3)
    study_state.open_study(study_id)
    tab |= {"study_place": "R01", "study_place_label": "a nurse"}
    study_actions.invite()
    (given,) = study_state.given_links()
    assert (given.rater_id, tab["study_place_label"]) == ("R01", "")
    study_actions.invite()
    assert said() and len(study_state.given_links()) == 1
    study_actions.withdraw(given.id)
    assert said() == "" and [bool(link.withdrawn_at) for link in server.client.rater_links(study_id)] == [True]


@pytest.mark.parametrize("name", ["", "a judge"])
def test_a_judge_needs_a_name_and_a_file(tab: dict[str, Any], server: StudyServer, name: str) -> None:
    study_state.open_study(server.frozen(3))
    tab["study_judge_name"] = name
    study_actions.judge()
    assert "judge's name" in said() and tab["study_judge_name"] == name
