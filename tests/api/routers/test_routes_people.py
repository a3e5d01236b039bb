"""Accounts over HTTP: an administrator's alone, and nobody takes their own rights away."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from backend.schemas.access import PersonRole
from tests.api.test_logins import GOOD, PROGRAMS, Hospital, kind, quick

__all__ = ("quick",)  # the fixture that makes hashes cheap
OTHER = "another good password"


@pytest.fixture
def hospital(tmp_path: Path) -> Iterator[Hospital]:
    made = Hospital(tmp_path)
    for name, role in (("Ada Byron", "coordinator"), ("Ben", "clinician"), ("Iris", "administrator")):
        made.people.add(name, PersonRole(role), GOOD, "root")
    yield made
    made.database.close()


@pytest.mark.parametrize("name", ["Ben", "Ada Byron"])
def test_accounts_are_closed_to_everybody_but_administrators(hospital: Hospital, name: str) -> None:
    login = hospital.logged_in(name)
    for method, path in (("GET", ""), ("POST", ""), ("GET", "/trail"), ("PUT", "/Ben"), ("DELETE", "/Ben")):
        assert kind(hospital.client.request(method, f"/v1/people{path}", headers=login)) == (403, "role")


def test_an_administrator_lists_adds_changes_and_removes_and_the_trail_says_who_did(hospital: Hospital) -> None:
    iris, client = hospital.logged_in("Iris"), hospital.client
    made = client.post("/v1/people", headers=iris, json={"name": "Cleo", "role": "clinician", "password": GOOD})
    assert (made.status_code, made.json()["name"], made.json()["last_used"]) == (201, "Cleo", None)
    assert kind(client.post("/v1/people", headers=iris, json={"name": "cleo", "password": GOOD})) == (
        409,
        "ConflictError",
    )
    cleo = hospital.logged_in("Cleo")
    rows = {row["name"]: row for row in client.get("/v1/people", headers=iris).json()}
    assert list(rows) == ["Ada Byron", "Ben", "Cleo", "Iris"]
    assert rows["Cleo"]["last_used"] is not None and rows["Ben"]["last_used"] is None
    assert client.put("/v1/people/Cleo", headers=iris, json={"role": "coordinator"}).json()["role"] == "coordinator"
    assert kind(client.get("/v1/logins", headers=cleo)) == (401, "login")  # a change ends the logins
    client.put("/v1/people/Cleo", headers=iris, json={"password": OTHER})
    assert hospital.people.log_in(login("Cleo", OTHER)).name == "Cleo"
    assert client.delete("/v1/people/Cleo", headers=iris).status_code == 204
    assert "Cleo" not in [row["name"] for row in client.get("/v1/people", headers=iris).json()]
    newest = client.get("/v1/people/trail?limit=1", headers=iris).json()
    assert [(row["actor"], row["act"], row["name"]) for row in newest] == [("Iris", "remove", "Cleo")]


def test_nobody_changes_their_own_role_or_removes_their_own_account(hospital: Hospital) -> None:
    iris = hospital.logged_in("Iris")
    refused = hospital.client.put("/v1/people/iris", headers=iris, json={"role": "clinician"})
    assert kind(refused) == (409, "ConflictError")
    assert kind(hospital.client.delete("/v1/people/IRIS", headers=iris)) == (409, "ConflictError")
    assert hospital.client.get("/v1/people", headers=iris).status_code == 200
    own = hospital.client.put("/v1/people/Iris", headers=iris, json={"password": OTHER})
    assert own.status_code == 200  # a password of one's own may be changed


def test_a_short_password_an_empty_change_and_an_unknown_name_are_refused(hospital: Hospital) -> None:
    iris, client = hospital.logged_in("Iris"), hospital.client
    short = client.post("/v1/people", headers=iris, json={"name": "Dan", "password": "short"})
    assert short.status_code == 422 and "12 to 200" in short.json()["error"]["message"]
    assert client.put("/v1/people/Ben", headers=iris, json={}).status_code == 422
    assert client.put("/v1/people/Nobody", headers=iris, json={"role": "clinician"}).status_code == 404


def test_no_answer_holds_a_password(hospital: Hospital) -> None:
    iris = hospital.logged_in("Iris")
    answers = [hospital.client.get(path, headers=iris).text for path in ("/v1/people", "/v1/people/trail")]
    assert not any("scrypt" in one or GOOD in one or "password" in one for one in answers)


def test_a_program_makes_accounts_under_its_own_name(hospital: Hospital) -> None:
    body = {"name": "Eve", "password": GOOD}
    assert hospital.client.post("/v1/people?author=setup", headers=PROGRAMS, json=body).status_code == 201
    assert [one.actor for one in hospital.people.events(1)] == ["setup"]
    assert hospital.client.post("/v1/people?author=Iris", headers=PROGRAMS, json=body).status_code == 403


def login(name: str, password: str) -> Any:
    from backend.schemas.access import LoginRequest

    return LoginRequest(name=name, password=password)
